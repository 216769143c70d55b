"""How p-ELBO depends on the number of states of a latent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from latconf_core.dag.latent_dag import DagKey, LatentDag
from latconf_core.search.outcome.history import History

ScoreOf = Callable[[LatentDag], float]
BEYOND = 1  # numbers of states shown above the chosen one


@dataclass(frozen=True)
class StatesPoint:
    """The p-ELBO of a DAG with one latent given this number of states."""

    n_states: int
    p_elbo: float


def states_curve(
    dag: LatentDag, latent: str, score: ScoreOf, *, history: History | None = None, most: int | None = None
) -> tuple[StatesPoint, ...]:
    """p-ELBO for every number of states from two to one more than the latent has, all else as it is.

    history : of a search; numbers of states that it tried need not be scored again
    most : no number of states above this, unless the latent itself has more
    """
    present_states = next(other_latent.n_states for other_latent in dag.latents if other_latent.name == latent)
    last = present_states + BEYOND if most is None else max(min(present_states + BEYOND, most), present_states)
    known = {} if history is None else _known_scores(dag, history)
    points = []
    for n_states in range(2, last + 1):
        trial = dag.with_states(latent, n_states)
        seen = known.get(trial.key)
        points.append(StatesPoint(n_states, score(trial) if seen is None else seen))
    return tuple(points)


def _known_scores(dag: LatentDag, history: History) -> dict[DagKey, float]:
    """The scores of the trials of other numbers of states on the same edges, by key."""
    known = {}
    for visit in history:
        if visit.kind == "states" and visit.n_latents == len(dag.latents):
            trial = history.dag(visit.index)
            if trial.edges == dag.edges:
                known[trial.key] = visit.p_elbo
    return known
