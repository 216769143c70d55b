"""What a search claims, and what it tried and did not: sentences that are the same wherever a person reads them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from latconf_core.control import StopReason
from latconf_core.families.objectives import JUDGING, LEAST_CLAIM
from latconf_core.phrases import counted, list_names
from latconf_core.search.outcome.evidence import LatentEvidence, has_neighbours
from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.evidence_texts import gain_text, nats_apart, null_gains_clause, others_explain
from latconf_core.wording.knowledge_sentences import knowledge_sentences
from latconf_core.wording.knowledge_texts import knowledge_sentence
from latconf_core.wording.row_words import repeats_sentence

CUT_BY: Mapping[StopReason, str] = {
    StopReason.CANCELLED: "because it was stopped",
    StopReason.WORK_LIMIT: "by its work limit",
    StopReason.CLUSTER_LOST: "because the cluster was lost",
}
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST_NAMED = 3  # hidden causes whose children a claim names


def verdict(result: SearchResult) -> str:
    """Whether the run was cut short or rows look copied, what is claimed, and whether restarts and chance agree.

    Then what was tried or not; at last which knowledge binds, and what it changed.
    """
    repeats = "" if result.repeats is None else repeats_sentence(result.repeats)
    said = (knowledge_sentence(result.knowledge), *knowledge_sentences(result))
    claimed = (claim_sentence(result), restarts_sentence(result), chance_sentence(result))
    sentences = (cut_sentence(result), repeats, *claimed, tried_sentence(result), *said)
    return " ".join(sentence for sentence in sentences if sentence)


def cut_sentence(result: SearchResult) -> str:
    """That a run did not come to its end, and why; nothing where it did."""
    if not result.is_cut_short:
        return ""
    because = CUT_BY.get(result.stop_reason, "by its time limit")
    return f"This run was cut short {because}: a longer one may find something else."


def restarts_sentence(result: SearchResult) -> str:
    """How many restarts agree where they do not all; nothing where they do, or there was one."""
    restarts = result.restarts
    if restarts is None or restarts.agreeing == restarts.made:
        return ""
    agree = "agrees" if restarts.agreeing == 1 else "agree"
    many = f"{_number(restarts.agreeing)} of {_number(restarts.made)} restarts {agree}"
    return f"Only {many} on this: from other seeds, other hidden causes are supported, or none."


def claim_sentence(result: SearchResult) -> str:
    """Which hidden causes the data support, if any, and which other one explains more than those that were found."""
    return f"{_claim(result)} {_better_cause(result)} {_older_rule(result)}".strip().replace("  ", " ")


def _older_rule(result: SearchResult) -> str:
    """That an older program judged by a score that overfits; nothing where today's objective judged."""
    if result.judged_under == JUDGING.name or not result.evidence:
        return ""
    return "This result was judged by an older rule; open the model to judge it again."


def _claim(result: SearchResult) -> str:
    if result.best is None:
        return "The search ended before it scored a DAG."
    if result.best_with_latents is None:
        return "No hidden cause was tried: none of the visited DAGs has one."
    strong, weak, unsupported = (
        [latent_evidence for latent_evidence in result.evidence if latent_evidence.support == grade]
        for grade in ("strong", "weak", "none")
    )
    if strong:
        more = f" Weak evidence: {causes_text(weak)}." if weak else ""
        return f"The data support {causes_text(strong)}{coarse_clause(strong)}.{more}"
    if weak:
        return f"Weak evidence only: {causes_text(weak)}{coarse_clause(weak)}."
    if len(unsupported) < len(result.evidence):
        return _not_judged(result)
    return _nothing_supported(result)


def _not_judged(result: SearchResult) -> str:
    """Hidden causes without a judgement: why, and what all together gain where they cannot be judged one by one."""
    causes = causes_text(result.evidence)
    if not any(has_neighbours(latent_evidence.latent, result.history.nodes) for latent_evidence in result.evidence):
        return f"Not judged: the search stopped early ({causes})."
    why = "a hidden cause with a parent cannot be added to the best DAG without hidden causes"
    said = f"Not judged one by one, because {why}: {causes}."
    if result.gain is None:
        return said
    return f"{said} Together, compared with the best DAG without hidden causes: {gain_text(result.gain)}."


def _nothing_supported(result: SearchResult) -> str:
    sizes = _range((2, len(result.history.nodes)) if result.tried_every_group else result.tried)
    if result.best is not None and result.best.latents:
        causes, is_one = causes_text(result.evidence), len(result.evidence) == 1
        its = f"The best DAG visited has {causes}, but {'it is' if is_one else 'they are'} not supported"
        if any(latent_evidence.better_by is not None for latent_evidence in result.evidence):
            return f"{its}."
        return f"No hidden cause is supported. {its}: the best DAG without hidden causes explains the data better."
    if is_too_small(result):
        return f"{too_small_text(result)}."
    if result.history.chosen is not None:  # the search judges what raises the score, and drops it
        return f"No hidden cause of {sizes} variables is supported: {bar_clause(result)}."
    assert result.best_with_latents is not None
    assert result.score is not None
    below = nats_apart(result.best_with_latents - result.score)
    return f"No hidden cause of {sizes} variables improves the model: the best DAG with one scores {below} below it."


def bar_clause(result: SearchResult) -> str:
    """Why a search that judges claims nothing: no hidden cause gains enough, or one does that edges fit as well."""
    rival, reference = result.history.best_with_latents, result.reference_score
    without = "the best DAG without hidden causes"
    if rival is not None and reference is not None and rival.n_latents == 1 and result.objective is JUDGING:
        gain = result.history.score(rival.index) - reference
        if gain >= LEAST_CLAIM and not result.history.is_light[rival.index]:
            (latent,) = result.history.dag(rival.index).latents
            scores = f"with one of {list_names(latent.children)}, the best visited DAG scores {nats_apart(gain)} more"
            return f"{scores} than {without}, but edges with merged states or between ordered variables fit as well"
    return f"none gains {LEAST_CLAIM:g} nats over {without}"


def is_too_small(result: SearchResult) -> bool:
    """Whether two variables are left and none of them has a hidden cause: no table of two can tell."""
    return result.best is not None and len(result.best.nodes) == 2 and not result.best.latents


def too_small_text(result: SearchResult) -> str:
    """What is said of two variables."""
    has_arrow = result.best is not None and bool(result.best.edges)
    cannot = "Cannot tell: with two variables, an arrow always fits as well as a hidden cause"
    return cannot if has_arrow else f"{cannot}; here the data support neither"


def _better_cause(result: SearchResult) -> str:
    """The hidden cause that judging came to and that explains most beyond one that was found; else nothing."""
    known = [
        (latent_evidence.better_by, latent_evidence)
        for latent_evidence in result.evidence
        if latent_evidence.better_by is not None
    ]
    if not known:
        return ""
    nats, most = max(known, key=lambda pair: pair[0])
    others = others_explain(most)
    than = f"more than the one of {list_names(most.latent.children)}: {nats_apart(nats)}"
    return f"{others[0].upper()}{others[1:]} {than}. Try Auto or Refine."


def chance_sentence(result: SearchResult) -> str:
    """What the same search gained where nothing is hidden; nothing where that was not tried."""
    clause = null_gains_clause(result.null_gains or ())
    return f"{clause[0].upper()}{clause[1:]}." if clause else ""


def tried_sentence(result: SearchResult) -> str:
    """How large the groups were for which a hidden cause was tried, and which were not tried."""
    if result.tried_every_group:
        return f"Every group of {_range((2, len(result.history.nodes)))} variables was tried."
    sizes = result.tried
    if not sizes:
        return ""
    count, most = sum(sizes.values()), max(sizes)
    tried = f"{counted(count, 'group')} of {_range(sizes)} variables {'was' if count == 1 else 'were'} tried"
    if most >= len(result.history.nodes):
        return f"{tried}."
    return f"{tried}; groups of {_number(most + 1)} or more were not."


def causes_text(evidence: Sequence[LatentEvidence]) -> str:
    """Hidden causes by their children: "a hidden cause of A and B", "2 hidden causes (of A and B; of C and D)"."""
    said = [f"of {list_names(latent_evidence.latent.children)}" for latent_evidence in evidence]
    if len(said) == 1:
        return f"a hidden cause {said[0]}"
    more = ["…"] if len(said) > MOST_NAMED else []
    return f"{len(said)} hidden causes ({'; '.join(said[:MOST_NAMED] + more)})"


def coarse_clause(evidence: Sequence[LatentEvidence]) -> str:
    """Which children may be measured coarsely instead; nothing where none may."""
    names = list(
        dict.fromkeys(latent_evidence.proxy for latent_evidence in evidence if latent_evidence.proxy is not None)
    )
    if not names:
        return ""
    if len(names) == 1:
        return f", or {names[0]} is measured coarsely and the hidden cause is its exact value"
    return f", or {list_names(names)} are measured coarsely and the hidden causes are their exact values"


def _range(sizes: Collection[int]) -> str:
    least, most = _number(min(sizes)), _number(max(sizes))
    return least if least == most else f"{least} to {most}"


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)
