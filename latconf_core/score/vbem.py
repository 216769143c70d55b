"""Finds the best variational posterior of one component: many cheap starts, moves out of local optima, one finish."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latconf_core.control import RunControl
from latconf_core.options import VbemOptions
from latconf_core.score import candidates
from latconf_core.score.problem import Layout
from latconf_core.score.runner import Points, Runner

FloatArray = npt.NDArray[np.float64]

STARTS_PER_RESTART = 2
SCREENING = 6  # evaluations of every start
SECOND_ROUND = (6, 12)  # points kept, evaluations of each
FINALISTS = (2, 30)
MOVES = (32, 24)  # cells emptied, blocks exchanged, at most, in one round
FIRST_LOOK = 4  # evaluations of every move
SECOND_LOOK = (6, 12)  # moves kept, evaluations of each
MOVE_ROUNDS = 12
N_TRACE = 1000


@dataclass(frozen=True, eq=False)
class Fit:
    """The best posterior found for a component.

    parameters : (n_cells,) of the Dirichlets
    q : (n_rows, n_columns) one factor a latent; no columns where the posterior is joint
    elbo : the bound at them, at least
    trace : the bound along the last run
    spread : the bounds that the finalists reached, best first
    """

    parameters: FloatArray
    q: FloatArray
    elbo: float
    converged: bool
    iterations: int
    starts: int
    trace: FloatArray
    spread: FloatArray


def fit(layout: Layout, options: VbemOptions, *, rng: np.random.Generator, control: RunControl) -> Fit:
    """The best posterior found; the same for the same layout, options and stream of random numbers."""
    runner = Runner(layout, control)
    n_starts = STARTS_PER_RESTART * options.restarts
    points = runner.points(candidates.starts(layout, n_starts, rng))
    runner.advance(points, SCREENING, options.tolerance)
    for n_kept, n_evaluations in (SECOND_ROUND, FINALISTS):
        points = points.best(n_kept)
        runner.advance(points, n_evaluations, options.tolerance)
    finalists = [
        _improved(layout, runner, points.take(np.array([place])), options=options, rng=rng)
        for place in range(len(points.bounds))
    ]
    finalists.sort(key=lambda point: -point.bounds[0])
    winner = finalists[0]
    trace = runner.advance(winner, options.max_iterations, options.tolerance, n_trace=N_TRACE)[0]
    return Fit(
        winner.parameters[0],
        winner.q[0],
        float(winner.bounds[0]),
        bool(winner.converged[0]),
        runner.n_evaluations,
        n_starts,
        trace[np.isfinite(trace)],
        np.array([point.bounds[0] for point in finalists]),
    )


def _improved(
    layout: Layout, runner: Runner, point: Points, *, options: VbemOptions, rng: np.random.Generator
) -> Points:
    """The point after the best of many moves, again and again while one gains more than the tolerance."""
    for _ in range(MOVE_ROUNDS):
        parameters = candidates.moves(layout, point.parameters[0], MOVES, rng)
        if not len(parameters):
            break
        moved = runner.given(parameters, np.repeat(point.q, len(parameters), axis=0))
        runner.advance(moved, FIRST_LOOK, options.tolerance)
        moved = moved.best(SECOND_LOOK[0])
        runner.advance(moved, SECOND_LOOK[1], options.tolerance)
        moved = moved.best(1)
        if moved.bounds[0] <= point.bounds[0] + options.tolerance:
            break
        point = moved
    return point
