"""Finds the best variational posterior of one component: many cheap starts, moves out of local optima, one finish."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from latconf_core.control import RunControl
from latconf_core.options import VbemOptions
from latconf_core.score import candidates
from latconf_core.score.problem import Layout
from latconf_core.score.runner import Points, Runner

FloatArray = npt.NDArray[np.float64]

STARTS_PER_RESTART = 2
EASY_SIZE = 56.0  # √(rows × cells × joint states / 2) up to which the least effort finds the best optimum
EASY_STATES = 4.0  # states of a child up to which the same holds
MOST_EFFORT = 6.0
LEAST_EFFORT = 0.75
LEAST_SHARED = 1.0  # where latents share children
LEAST_FACTORISED = 3.0  # factors updated in turn get stuck more easily
AFFORDABLE_STEPS = 6e4  # steps of one evaluation (rows × families × joint states) that leave no room for more effort
FACTOR_STEPS = 10  # what one line of a factorised posterior costs, in such steps
SCREENING = 5  # evaluations of every start
SECOND_ROUND = (6, 12)  # points kept (times the effort), evaluations of each
FINALISTS = (2, 30)
MOVES = (32, 24)  # cells emptied, blocks exchanged, at most, in one round; more with effort
FIRST_LOOK = 4  # evaluations of every move
SECOND_LOOK = (1, 8)  # moves kept, evaluations of each
MOVE_ROUNDS = 40
HANDFUL = 12  # moves looked at together
FINISH = 0.1  # of the tolerance: the winner's rise to come, an estimate, is kept well below it
N_TRACE = 1000
MOST_NUMBERS = 20_000_000  # in one array: 160 MB
LEAST_TOGETHER = 4


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
    effort = search_effort(layout)
    room = _room(layout)
    n_starts = min(round(STARTS_PER_RESTART * options.restarts * effort), room)
    points = runner.points(candidates.starts(layout, n_starts, rng))
    halving = [(round(n_kept * effort), n_evaluations) for n_kept, n_evaluations in (SECOND_ROUND, FINALISTS)]
    points, _ = runner.advance(points, [(n_starts, SCREENING), *halving], options.tolerance)
    more = max(1.0, effort / 2)
    n_moves = min(round(MOVES[0] * more), room // 2), min(round(MOVES[1] * more), room // 2)
    finalists = [
        _improved(layout, runner, points.one(place), n_moves=n_moves, tolerance=options.tolerance, rng=rng)
        for place in _different(points, options.tolerance)
    ]
    finalists.sort(key=lambda point: -point.bounds[0])
    winner, traces = runner.advance(
        finalists[0], [(1, options.max_iterations)], options.tolerance * FINISH, n_trace=N_TRACE
    )
    trace = traces[0]
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


def search_effort(layout: Layout) -> float:
    """How many times the usual number of starts and finalists a component gets.

    Local optima multiply with rows, cells, joint states and the states of a child; what one evaluation costs sets the
    limit.
    """
    problem = layout.problem
    n_joint = prod(np.diff(problem.q_first).tolist())
    size = (len(problem.weights) * len(problem.prior) * n_joint / 2) ** 0.5 / EASY_SIZE
    size *= max(1.0, int(problem.block_size.max()) / EASY_STATES)
    steps = len(problem.weights) * (problem.states.size or FACTOR_STEPS * int(problem.factor_first[-1]))
    least = LEAST_EFFORT
    if len(problem.q_first) > 2:
        least = LEAST_SHARED if problem.states.size else LEAST_FACTORISED
    return float(max(LEAST_EFFORT, min(max(size, least), AFFORDABLE_STEPS / steps, MOST_EFFORT)))


def _room(layout: Layout) -> int:
    """How many points of a component may be in memory together."""
    problem = layout.problem
    numbers = max(len(problem.prior), len(problem.weights) * int(problem.q_first[-1]))
    return max(LEAST_TOGETHER, MOST_NUMBERS // numbers)


def _different(points: Points, tolerance: float) -> list[int]:
    """The points without those that converged to a bound seen before: the same optimum, as good as certainly."""
    chosen: list[int] = []
    for place in np.argsort(-points.bounds, kind="stable"):
        seen = any(abs(points.bounds[place] - points.bounds[other]) < tolerance for other in chosen)
        if not (seen and points.converged[place]):
            chosen.append(int(place))
    return chosen


def _improved(
    layout: Layout,
    runner: Runner,
    point: Points,
    *,
    n_moves: tuple[int, int],
    tolerance: float,
    rng: np.random.Generator,
) -> Points:
    """The point after move upon move, each the best of a handful, while one gains more than the tolerance."""
    looks = [(HANDFUL, FIRST_LOOK), SECOND_LOOK]
    for _ in range(MOVE_ROUNDS):
        parameters = rng.permutation(candidates.moves(layout, point.parameters[0], n_moves, rng))
        moved = runner.given(parameters, np.repeat(point.q, len(parameters), axis=0))
        higher = runner.race(moved, looks, tolerance, target=point.bounds[0] + tolerance)
        if higher is None:
            break
        point = higher
    return point
