"""Which of several runs on the same data is best, under each objective by itself."""

from __future__ import annotations

from collections.abc import Iterable

from latconf_core.families.objectives import OBJECTIVES
from latconf_core.phrases import list_names, nats
from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.evidence_texts import SAME_NATS, nats_apart

MOST_NAMED = 3
NOT_COMPARED = "Scores of different objectives cannot be compared."


def ranking_sentences(runs: Iterable[tuple[str, SearchResult]]) -> list[str]:
    """The best run under every objective, with how far behind the next one is; nothing for a single run.

    runs : the runs on the same data, each with its name
    """
    scored = [(name, result) for name, result in runs if result.score is not None]
    if len(scored) < 2:
        return []
    said = []
    for objective in OBJECTIVES.values():
        comparable = [(result.score or 0.0, name) for name, result in scored if result.objective is objective]
        if comparable:
            said.append(_best(objective.title, sorted(comparable, key=lambda pair: -pair[0])))
    return [*said, NOT_COMPARED] if len(said) > 1 else said


def _best(title: str, runs: list[tuple[float, str]]) -> str:
    (best, name), *others = runs
    first = f"Under {title}, {name} scores {nats(best)} nats"
    if not others:
        return f"{first}, the only run."
    next_score, next_name = others[0]
    if best - next_score < SAME_NATS:
        ties = [other for score, other in others if best - score < SAME_NATS]
        return f"{first}, the same as {list_names(ties, most=MOST_NAMED)}."
    return f"{first}, {nats_apart(best - next_score)} more than the next, {next_name}."
