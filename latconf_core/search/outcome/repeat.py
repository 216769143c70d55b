"""Whether a search that was run again gave the same."""

from __future__ import annotations

from latconf_core.search.outcome.history import Visit
from latconf_core.search.outcome.result import SearchResult

NO_DIFFERENCE = 1e-9  # nats: other machines round otherwise in the last digits


def find_changes(before: SearchResult, now: SearchResult) -> tuple[str, ...]:
    """What is different in a second run, a sentence each; empty where it is identical, seconds left aside."""
    changes = []
    if before.best != now.best:
        changes.append("the best DAG differs")
    if not _is_same(before.p_elbo, now.p_elbo):
        changes.append(f"its score is {_shown(now.score)}, before {_shown(before.score)}")
    if len(before.history) != len(now.history):
        changes.append(f"{len(now.history):,} DAGs were scored, before {len(before.history):,}")
    elif any(_differ(*pair) for pair in zip(before.history, now.history)):
        changes.append("a DAG was visited in a different order or has a different score")
    if [latent_evidence.support for latent_evidence in before.evidence] != [
        latent_evidence.support for latent_evidence in now.evidence
    ]:
        changes.append("a hidden cause is judged differently")
    if before.stop_reason is not now.stop_reason:
        changes.append("it stopped for a different reason")
    return tuple(changes)


def _differ(before: Visit, now: Visit) -> bool:
    return before.candidate != now.candidate or not _is_same(before.p_elbo, now.p_elbo)


def _is_same(before: float | None, now: float | None) -> bool:
    if before is None or now is None:
        return before is now
    return abs(before - now) <= NO_DIFFERENCE * max(1.0, abs(before))


def _shown(score: float | None) -> str:
    return "not known" if score is None else f"{score:,.6f}"
