"""GLSL, the greedy latent structure learner: latents are added, removed and resized while structural EM gains by it.

After the published program (F. Rodriguez-Sanchez, P. Larrañaga, C. Bielza), on the score of all searches here. Latents
have no parents; where the program tried every pair of variables, the pairs that tell most of each other are tried.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import islice
from math import inf

from latconf_core.control import StopReason
from latconf_core.counts.families import counting_table
from latconf_core.model.bit_dag import BitDag
from latconf_core.search.algorithms.cil import grow_forest
from latconf_core.search.baselines.glsl_moves import (
    open_nodes,
    states_trials,
    with_latent,
    without_latent,
    without_parents_of_latents,
)
from latconf_core.search.baselines.pairs import PairsByInformation
from latconf_core.search.baselines.structural_em import StructuralEm
from latconf_core.search.baselines.visited_scores import VisitedScores
from latconf_core.search.outcome.events import LevelStarted, Search, SearchEvent
from latconf_core.search.run import SearchRun


def glsl(run: SearchRun) -> Search:
    """Start from the DAG without edges and make the best change of the latents while the score rises."""
    return (yield from _Glsl(run, VisitedScores(run)).search(None))


def glsl_from_cil(run: SearchRun) -> Search:
    """The same from the forest that CIL grows, its arcs into latents left out."""
    visited = VisitedScores(run)
    _, forest = yield from grow_forest(run, visited)
    return (yield from _Glsl(run, visited).search(without_parents_of_latents(forest)))


class _Glsl:
    """One run of GLSL."""

    def __init__(self, run: SearchRun, visited: VisitedScores) -> None:
        self._run = run
        self._options = run.options.glsl
        self._visited = visited
        self._em = StructuralEm(visited, self._options)
        codes, weights = counting_table(run.dataset, control=run.control)
        self._pairs = PairsByInformation(weights, run.control.checkpoint)
        for node, column in enumerate(codes.T):
            self._pairs.put(node, column)

    def search(self, start: BitDag | None) -> Search:
        """Climb from a DAG, or from the one without edges; the last that was accepted is the result."""
        present = yield from self._begin(start)
        while True:
            yield LevelStarted(len(present.latents), None)
            best = yield from self._best_change(present)
            if best is None or not self._visited.is_better(best, present):
                break
            present = best
        self._run.choose(self._visited.index(present))
        return StopReason.LOCAL_MAXIMUM

    def _begin(self, start: BitDag | None) -> Generator[SearchEvent, None, BitDag]:
        """The DAG to start from. The plain climb is visited too, so that the best without latents is known."""
        empty = BitDag(self._run.known.required)
        yield LevelStarted(0, None)
        yield from self._visited.visit([empty], bar=-inf)
        yield from self._visited.visit([self._em.climb(empty)], bar=-inf)
        if start is None:
            return empty
        yield LevelStarted(len(start.latents), None)
        yield from self._visited.visit([start], bar=-inf)
        (end,) = yield from self._em.improve([start], bar=-inf)
        return end

    def _best_change(self, present: BitDag) -> Generator[SearchEvent, None, BitDag | None]:
        """What structural EM makes of the best change, the first of equal ones; None where none is possible."""
        bar = self._visited.score(present)
        edited = [*self._with_one_more(present), *self._with_one_fewer(present)]
        yield from self._visited.visit(edited, bar=bar)
        trials = list(states_trials(present, self._run.options.max_states or max(self._run.dataset.n_states)))
        yield from self._visited.try_states(present, trials)
        edited += [trial for trial, _ in trials]
        ends = yield from self._em.improve(edited, bar=bar)
        return ends[self._visited.first_of_best(ends)] if ends else None

    def _with_one_more(self, present: BitDag) -> Iterator[BitDag]:
        options = self._options
        nodes = open_nodes(present, of_roots=options.pairs_of == "roots", max_parents=options.max_parents)
        known = self._run.known
        pairs = self._pairs.best(nodes, None if known.binds else options.n_pairs)
        allowed = (pair for pair in pairs if known.allows_latent(1 << pair[0] | 1 << pair[1]))
        for pair in islice(allowed, options.n_pairs):
            yield with_latent(present, pair)

    def _with_one_fewer(self, present: BitDag) -> Iterator[BitDag]:
        for index in range(len(present.latents)):
            yield without_latent(present, index)
