"""What knowledge said and did: conflicts with the data, MAGs that remain, the best DAG and how it changes by it."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.knowledge.bound import describe_missing
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.pag.events import KnowledgeConflict
from latconf_core.phrases import list_names, number_text, p_text
from latconf_core.search.outcome.knowledge_effect import KnowledgeEffect, MagCount
from latconf_core.search.outcome.result import SearchResult
from latconf_core.structure.best_dag import MAX_PARENTS

MOST_PAIRS = 4  # pairs in a sentence


def conflict_sentence(conflict: KnowledgeConflict) -> str:
    """That two variables depend although nothing may join them."""
    first, second, given = conflict.first, conflict.second, conflict.given
    where = f" given {list_names(given)}" if given else ""
    return (
        f"Your knowledge rules out every edge between {first} and {second}, yet they are dependent{where} "
        f"({p_text(conflict.p_value)}); the edge is left out."
    )


def mags_sentence(mags: MagCount) -> str:
    """How many MAGs of a PAG the knowledge leaves, as far as they were listed."""
    verb = "remains" if mags.n_remaining == 1 else "remain"
    return f"PAG with knowledge: {mags.n_remaining:,} of {mags.n_all:,} MAGs {verb}"


def effect_sentence(effect: KnowledgeEffect, knowledge: Knowledge) -> str:
    """How the best DAG would be without what the user said."""
    only_tiers = knowledge.tiers and not (knowledge.forbidden or knowledge.required or not knowledge.has_only_edges)
    said = "tiers" if only_tiers else "knowledge"
    best = "the best DAG" if effect.is_exact else "a DAG"
    pairs = [f"{a} and {b}" for a, b in effect.pairs]
    joined = "; ".join(pairs[:MOST_PAIRS]) + (
        f" and {len(pairs) - MOST_PAIRS} more pairs" if len(pairs) > MOST_PAIRS else ""
    )
    nats = number_text(effect.gain, 0 if effect.gain >= 10 else 1)
    return f"Without your {said}, {best} from another class scores {nats} nats higher and differs at {joined}."


def exact_clause(result: SearchResult) -> str:
    """That the best DAG without hidden causes is the best of all there are; nothing where that was not proved."""
    if result.reference is None or not result.reference.is_exact:
        return ""
    obeys = " that obeys your knowledge" if result.knowledge else ""
    most = f" with at most {MAX_PARENTS} causes of each variable" if len(result.history.nodes) > MAX_PARENTS + 1 else ""
    return f"exact: no DAG without hidden causes{most}{obeys} scores higher"


def knowledge_sentences(result: SearchResult) -> Iterator[str]:
    """Everything that is to be said of the knowledge of a run; nothing where it had none."""
    if not result.knowledge:
        return
    yield from describe_missing(result.knowledge.missing_names(result.history.nodes))
    yield from map(conflict_sentence, result.knowledge_conflicts)
    if result.mags is not None and result.mags.n_remaining < result.mags.n_all:
        yield f"{mags_sentence(result.mags)}."
    if result.knowledge_effect is not None:
        yield effect_sentence(result.knowledge_effect, result.knowledge)
