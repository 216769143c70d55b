"""Variational structural EM: latents are filled in, all edges are learned anew on the completed rows, and again.

A chain ends where that raises the p-ELBO no more. Chains from several DAGs go in step, so that each step of all of them
is one batch of visits: the result does not depend on the number of workers.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from math import inf

from latconf_core.graph.bits import bits
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.options.searching import GlslOptions
from latconf_core.search.baselines.completed_rows import CompletedScores
from latconf_core.search.baselines.glsl_moves import FEWEST_CHILDREN, in_order
from latconf_core.search.baselines.visited_scores import VisitedScores
from latconf_core.search.outcome.events import SearchEvent
from latconf_core.structure.family_table import FamilyTable
from latconf_core.structure.hill_climber import climb

LEAST_GAIN = 0.01  # nats, of a move of the hill-climber and of a step of a chain
MOST_STEPS = 100


class StructuralEm:
    """Chains of structural EM on the data of a run."""

    def __init__(self, visited: VisitedScores, options: GlslOptions) -> None:
        self._visited = visited
        self._options = options
        self._checkpoint = visited.run.control.checkpoint
        self._completed = CompletedScores(visited.run.own_scorer, visited.run.fit)
        self._climbed: dict[BitDag, BitDag] = {}

    def improve(self, starts: Sequence[BitDag], *, bar: float) -> Generator[SearchEvent, None, list[BitDag]]:
        """The ends of the chains that begin at some visited DAGs.

        bar : the score that an end has to exceed to matter
        """
        ends = list(starts)
        alive = [k for k, start in enumerate(starts) if self._visited.score(start) > -inf]
        for _ in range(MOST_STEPS):
            following = {k: self.climb(ends[k]) for k in alive}
            alive = [k for k in alive if following[k] != ends[k]]
            bar = max([bar, *(self._visited.score(end) for end in ends)])
            yield from self._visited.visit([following[k] for k in alive], bar=bar)
            alive = [k for k in alive if self._gain(ends[k], following[k]) >= LEAST_GAIN]
            for k in alive:
                ends[k] = following[k]
            if not alive:
                break
        return ends

    def climb(self, dag: BitDag) -> BitDag:
        """The DAG that the hill-climber reaches on the rows completed by a visited one."""
        result = self._climbed.get(dag)
        if result is None:
            result = self._climbed[dag] = self._climb(dag)
        return result

    def _climb(self, dag: BitDag) -> BitDag:
        n_observed = len(dag.parents)
        completion = self._completed.complete(dag)
        known, most = self._visited.run.known, self._options.max_parents
        columns = bind_columns(known, dag) if known.binds else None
        table = FamilyTable(n_observed + len(dag.latents), completion.score, max_parents=most, known=columns)
        reached = climb(
            table,
            as_columns(dag),
            least_gain=LEAST_GAIN,
            turns_edges=self._options.turns_edges,
            checkpoint=self._checkpoint,
        )
        return of_columns(reached, n_observed, [latent.n_states for latent in dag.latents])

    def _gain(self, before: BitDag, after: BitDag) -> float:
        return self._visited.score(after) - self._visited.score(before)


def bind_columns(known: BoundKnowledge, dag: BitDag) -> BoundKnowledge:
    """What is known of every column where each latent is a further one; a latent may take in what all others may share.

    Scores of families do not see the other children of a latent, so those that it may have are chosen beforehand.
    """
    n_observed, n_columns = len(known), len(known) + len(dag.latents)
    parents = [*known.parents, *(0 for _ in dag.latents)]
    for column, latent in enumerate(dag.latents, n_observed):
        children = latent.children
        for v in range(n_observed):
            if known.allows_latent(children | 1 << v):
                children |= 1 << v
        for v in bits(children):
            parents[v] |= 1 << column
    none = (0,) * len(dag.latents)
    names = tuple(map(str, range(n_columns)))
    return BoundKnowledge(
        names, tuple(parents), (*known.required, *none), (*known.never_above, *none), (*known.siblings, *none)
    )


def as_columns(dag: BitDag) -> list[int]:
    """The parents of every column where each latent is a further column."""
    parents = [*dag.parents, *(0 for _ in dag.latents)]
    for column, latent in enumerate(dag.latents, len(dag.parents)):
        for child in bits(latent.children):
            parents[child] |= 1 << column
    return parents


def of_columns(parents: Sequence[int], n_observed: int, states: Sequence[int]) -> BitDag:
    """The DAG of columns of which some are latents; those with fewer than two children are left out."""
    below = [
        sum(1 << child for child in range(n_observed) if parents[child] >> n_observed + index & 1)
        for index in range(len(states))
    ]
    latents = [
        Hidden(children, n_states)
        for children, n_states in zip(below, states)
        if children.bit_count() >= FEWEST_CHILDREN
    ]
    return in_order([mask & (1 << n_observed) - 1 for mask in parents[:n_observed]], latents)
