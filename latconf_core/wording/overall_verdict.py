"""One verdict in three sentences: what the data support by score; what the PAG and samples say; what it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from latconf_core.data.dataset import Dataset
from latconf_core.families.objectives import JUDGING, LEAST_CLAIM
from latconf_core.phrases import counted, first_upper, list_names
from latconf_core.search.outcome.evidence import LatentEvidence, Verdict
from latconf_core.search.outcome.left_out import left_out_pairs
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.stability_result import Stability
from latconf_core.wording.evidence_texts import SAME_NATS, nats_apart, warning_sentences
from latconf_core.wording.verdicts import (
    bar_clause,
    causes_text,
    claim_sentence,
    coarse_clause,
    is_too_small,
    too_small_text,
)

MOST_PAIRS = 3  # that are named


def overall_verdict(
    result: SearchResult, *, stability: Stability | None = None, data: Dataset | None = None
) -> tuple[str, str, str]:
    """The three sentences: score, PAG and stability, assumptions.

    stability : of the search, where it was repeated on samples
    data : that were searched; None where they are no longer at hand
    """
    if result.best is None:
        return claim_sentence(result), "", ""
    return _score_sentence(result), _graph_sentence(result, stability), _assumptions_sentence(result, data)


# Score --------------------------------------------------------------------------------------------


def _claimed(result: SearchResult) -> list[LatentEvidence]:
    """The hidden causes that are claimed: those that are supported, else those of weak evidence."""
    strong = [latent_evidence for latent_evidence in result.evidence if latent_evidence.support == "strong"]
    return strong or [latent_evidence for latent_evidence in result.evidence if latent_evidence.support == "weak"]


def _score_sentence(result: SearchResult) -> str:
    claimed = _claimed(result)
    if not claimed:
        return f"{_no_claim(result)}."
    gains = [latent_evidence.density for latent_evidence in claimed if latent_evidence.density is not None]
    each = " at least" if len(gains) > 1 else ""
    gain = f", which gains{each} {nats_apart(min(gains))} over the best DAG without hidden causes" if gains else ""
    gain = gain.replace("gains", "gain") if len(claimed) > 1 else gain
    if claimed[0].support == "strong":
        return f"The data support {causes_text(claimed)}{gain}{_coarse(claimed)}{_but_below(result)}."
    doubts = [text for latent_evidence in claimed for text in warning_sentences(latent_evidence)]
    because = f"; it stays weak because {doubts[0]}" if doubts else f"; at least {LEAST_CLAIM:g} nats are required"
    return f"There is weak evidence for {causes_text(claimed)}{gain}{because}."


def _coarse(claimed: Sequence[LatentEvidence]) -> str:
    """Which children may be measured coarsely instead; nothing where none may."""
    return coarse_clause(claimed).replace(", or", "; or", 1)


def _no_claim(result: SearchResult) -> str:
    """That nothing is claimed, and why the score of the search seems to say otherwise where it does."""
    evidence = result.evidence if result.best is not None and result.best.latents else ()
    judged = [latent_evidence for latent_evidence in evidence if latent_evidence.support is not None]
    if evidence and not judged:
        return f"{first_upper(causes_text(evidence))} {'was' if len(evidence) == 1 else 'were'} found but not judged"
    if is_too_small(result):
        return too_small_text(result)
    if not evidence:
        return f"No hidden cause is supported: {bar_clause(result)}"
    apart = _above_reference(result)
    said = f"The data do not support {causes_text(evidence)}, although the result has {_it(evidence)}"
    if apart is not None and apart > SAME_NATS and result.objective is not JUDGING:
        title = "its objective" if result.objective is None else f"the objective {result.objective.title}"
        return (
            f"{said}: {_it(evidence)} gains {nats_apart(apart)} under {title}, which penalises hidden causes "
            f"little, but not under {JUDGING.title}, the objective of the judgement"
        )
    if apart is not None and apart < -SAME_NATS:
        return f"{said}: the best DAG without hidden causes scores {nats_apart(apart)} more{_because_of_pag(result)}"
    return f"{said}: edges between the variables fit equally well"


def _but_below(result: SearchResult) -> str:
    """Why a supported hidden cause stands in a result that scores less than the best DAG without any."""
    apart = _above_reference(result)
    if apart is None or apart >= -SAME_NATS:
        return ""
    return (
        f"; the result as a whole scores {nats_apart(apart)} less than that DAG{_because_of_pag(result)}, so trust the "
        "hidden cause more than the other edges"
    )


def _because_of_pag(result: SearchResult) -> str:
    n_pairs = len(left_out_pairs(result))
    return f", because the PAG lacks {n_pairs:,} of its edges" if n_pairs else ""


def _above_reference(result: SearchResult) -> float | None:
    if result.score is None or result.reference_score is None:
        return None
    return result.score - result.reference_score


# PAG and stability --------------------------------------------------------------------------------


def _graph_sentence(result: SearchResult, stability: Stability | None) -> str:
    return f"{_pag_clause(result)}; {_stability_clause(result, stability)}."


def _pag_clause(result: SearchResult) -> str:
    pairs = [
        pair.verdict for latent_evidence in _claimed(result) or result.evidence for pair in latent_evidence.orientation
    ]
    about_pag = {"repaired": " (repaired first because it is not valid)", "as given": " (which is not valid)"}
    pag = f"the PAG{about_pag.get(result.pag_handling.kind, '')}"
    left_out = left_out_pairs(result)
    lacks = ""
    if left_out:
        names = list_names([f"{a} – {b}" for a, b in left_out], most=MOST_PAIRS)
        edges = "an edge" if len(left_out) == 1 else "edges"
        lacks = f", and it lacks {edges} that the data support ({names})"
    if not pairs:
        if not result.pag.n_edges:
            return "The search used no PAG"
        n_bidirected = sum(edge.is_bidirected for edge in result.pag.edges())
        return first_upper(f"{pag} has {counted(n_bidirected, 'bidirected edge')}{lacks}")
    counts = [(words, pairs.count(verdict)) for verdict, words in _PAG_WORDS]
    said = [words.format(n) for words, n in counts if n]
    said[0] = said[0].replace("one", "a hidden cause")
    n_pairs = len(pairs)
    return first_upper(f"of {counted(n_pairs, 'pair')} of children, {pag} {list_names(said)}{lacks}")


_PAG_WORDS: tuple[tuple[Verdict, str], ...] = (
    ("requires", "requires one for {}"),
    ("allows", "allows one for {}"),
    ("contradicts", "rules one out for {}"),
)


def _stability_clause(result: SearchResult, stability: Stability | None) -> str:
    if stability is None or not stability.n_samples:
        return "stability on samples of the rows was not measured"
    samples = counted(stability.n_samples, "sample")
    claimed = {frozenset(one.latent.children) for one in _claimed(result)}
    shares = [latent for latent in stability.latents if frozenset(latent.children) in claimed]
    if shares:
        least = min(shares, key=lambda share: share.n_half)
        it = "the hidden cause" if len(shares) == 1 else "the least stable of them"
        return f"{it} was recovered in {least.n_half:,} of {samples} of the rows"
    n_with = sum(bool(dag.latents) for dag in stability.dags)
    return f"a hidden cause was found in {n_with:,} of {samples} of the rows"


# Assumptions --------------------------------------------------------------------------------------


def _assumptions_sentence(result: SearchResult, data: Dataset | None) -> str:
    """What must hold for the verdict, named as far as this table needs it."""
    needs = ["no dependences cancel out (faithfulness)", "the rows were not selected by their values"]
    if result.completion is not None:
        cells = counted(result.completion.missing_cells, "cell is", "cells are")
        needs.append(f"the {cells} missing at random")
    if data is not None:
        facts = data.facts
        cut = [name for name, order in data.ordered.items() if order.is_cut]
        if cut:
            of = cut[0] if len(cut) == 1 else f"{len(cut)} variables"
            needs.append(f"discretising {of} lost little")
        if facts.filled_in:
            filled = counted(len(facts.filled_in), "variable")
            needs.append(f"the filled-in cells of {filled} have their true values")
        if facts.n_dropped:
            dropped = f"the {counted(facts.n_dropped, 'row')} dropped for missing cells"
            needs.append(f"{dropped} {'is' if facts.n_dropped == 1 else 'are'} like the rest")
    if result.knowledge:
        needs.append("your background knowledge is right")
    return f"This holds if {list_names(needs)}."


def _it(latent_evidences: Sequence[LatentEvidence]) -> str:
    return "it" if len(latent_evidences) == 1 else "them"
