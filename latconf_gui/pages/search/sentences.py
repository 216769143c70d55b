"""What a search found and why it ended, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.families.objectives import LEAST_CLAIM
from latconf_core.phrases import counted, duration, nats
from latconf_core.search.catalogue import SEARCHES, search_title
from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.evidence_texts import (
    END_REASONS,
    SAME_NATS,
    WARNINGS,
    better_clause,
    latent_sentence,
    latents_text,
    nats_apart,
)
from latconf_core.wording.knowledge_sentences import exact_clause

MOST_LATENTS = 4  # whose evidence stands in the banner


def end_sentence(result: SearchResult) -> str:
    """How much was visited, why the search ended, and what came on top."""
    visited = f"{counted(len(result.history), 'DAG')} in {duration(result.seconds)}"
    title = search_title(result.algorithm)
    apart = [seconds for seconds in (result.reference_seconds, result.evidence_seconds) if seconds is not None]
    judged = f" Judging took another {duration(sum(apart))}." if apart else ""
    return f"{title} visited {visited} and stopped: {END_REASONS[result.stop_reason]}.{judged}"


def cut_sentences(result: SearchResult) -> Iterator[str]:
    """What was cut short, and what was done to a graph that is no valid PAG."""
    if result.pag_handling.kind != "valid":
        yield _sentence(str(result.pag_handling))
    for cut in result.cuts:
        yield _sentence(f"stopped early: {cut}")


def reference_sentence(result: SearchResult) -> str:
    """How the best DAG without hidden causes compares with the best visited; nothing where it was not looked for."""
    if result.reference is None or result.score is None:
        return ""
    if result.reference_score is None:
        return ""
    score, apart = nats(result.reference_score), result.score - result.reference_score
    proved = exact_clause(result)
    proof = f" ({proved})" if proved else ""
    if abs(apart) < SAME_NATS:
        return f"Best without hidden causes: {score} nats, the same as the result{proof}."
    said = f"Best without hidden causes: {score} nats, {nats_apart(apart)}"
    if apart > 0:
        return f"{said} below the result{proof}."
    of_pag = SEARCHES[result.algorithm].needs_pag if result.algorithm in SEARCHES else False
    why = ": the PAG excluded edges that the data support" if of_pag and apart < -LEAST_CLAIM else ""
    return f"{said} above the result{why}{proof}."


def other_sentence(result: SearchResult) -> str:
    """What another search found that was a part of this one; nothing where it is no better than the result."""
    if result.other is None or result.score is None:
        return ""
    visit = result.history[result.other.visit]
    if visit.p_elbo <= result.score:
        return ""
    text = latents_text(result.history.dag(visit.index))
    above = nats_apart(visit.p_elbo - result.score)
    return f"{search_title(result.other.search)} alone reached {above} more, with latents: {text}."


def latent_sentences(result: SearchResult) -> Iterator[str]:
    """What the PAG and the data say for each latent of the best DAG that has any."""
    for evidence in result.evidence[:MOST_LATENTS]:
        children = ", ".join(evidence.latent.children)
        said = latent_sentence(evidence, f"{evidence.latent.name} ({children})")
        doubts = [
            WARNINGS[warning] for warning in evidence.warnings if warning in WARNINGS and evidence.support != "none"
        ]
        doubts += [better_clause(evidence)] if "better" in evidence.warnings else []
        yield ". ".join([said, *(f"{doubt[:1].upper()}{doubt[1:]}" for doubt in doubts)]) + "."
    if len(result.evidence) > MOST_LATENTS:
        yield f"{counted(len(result.evidence) - MOST_LATENTS, 'more hidden cause')}: open the model for details."


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
