"""The whole search for a component's best posterior, in slices: starts, halving, moves, finish."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba
from latconf_core.score.kernels import stepping
from latconf_core.score.kernels.layout import RowIndex
from latconf_core.score.kernels.moves import make_move, propose
from latconf_core.score.kernels.random_numbers import RandomState
from latconf_core.score.kernels.shifts import latent_posteriors
from latconf_core.score.kernels.starts import START_KINDS, make_start
from latconf_core.score.kernels.stepping import Batch, Run, advance, is_under_way, keep_best
from latconf_core.score.kernels.vbem import Problem, make_workspace, spread

# Where a search keeps its whole numbers: what it does, at which start, finalist, round of moves and move it is, …
TASK, START, FINALIST, N_FINALISTS, ROUND, MOVE, N_MOVES = 0, 1, 2, 3, 4, 5, 6
# … how many times it has begun, how many finalists it has had, how often it came to the best point, and whether some
# run ended elsewhere.
TRY, N_SPREAD, HITS, DISAGREED, N_INTEGERS = 7, 8, 9, 10, 11
# What it does.
STARTING, HALVING, SETTLING, PROPOSING, MOVING, FINISHING, DONE = 0, 1, 2, 3, 4, 5, 6
AGREEMENT = 0.05  # difference of two bounds of the same optimum
SAME = 0.02  # … of the same point, after both have settled


class Plan(NamedTuple):
    """How much is tried.

    schedule : (n_stages, 2) how many of the best points are kept (all starts at first), and their evaluations
    n_removals, n_swaps, n_splits, n_shifts : moves of each kind in one round, at most
    settle : (1, 2) evaluations of a finalist, and of a point that a move led to, before the next moves
    look : (1, 2) a move's evaluations
    n_rounds : rounds of moves from one finalist
    n_tries : how many times the search begins until enough runs came to its best point, at most
    enough_hits, more_hits, most_hits : how many these are where all runs agree, how many more where some ended
        elsewhere, and how many starts that came together count as runs
    n_explored : runs that look at moves from the best point
    finish : (1, 2) the last run's evaluations
    tolerance, finish_tolerance : rise still to come at which a run ends, and the last run
    """

    schedule: IntArray
    n_removals: int
    n_swaps: int
    n_splits: int
    n_shifts: int
    settle: IntArray
    look: IntArray
    n_rounds: int
    n_tries: int
    enough_hits: int
    more_hits: int
    most_hits: int
    n_explored: int
    finish: IntArray
    tolerance: float
    finish_tolerance: float


class Search(NamedTuple):
    """Where a search stands.

    points : all starts, then the finalists
    best : the best point of all tries
    moved : a point after a move
    q : (n_rows, n_columns) of one start, then the posterior of every latent at the finalist that moves begin from
    moves : of one round, see `propose`
    spread : the bounds of all finalists after their moves
    """

    integers: IntArray
    random: RandomState
    points: Batch
    best: Batch
    moved: Batch
    q: FloatArray
    moves: IntArray
    spread: FloatArray
    run: Run


@numba.njit(nogil=True, cache=True)
def _n_columns(problem: Problem) -> int:
    """Of the factors that a point carries: none where the posterior is joint, or that of a tree."""
    return 0 if problem.states.shape[0] or problem.tree.shape[0] else problem.q_first[-1]


@numba.njit(nogil=True, cache=True)
def make_batch(problem: Problem, n_points: int) -> Batch:
    """Points that are not evaluated yet."""
    return Batch(
        np.empty((n_points, problem.prior.size)),
        np.empty((n_points, problem.weights.size, _n_columns(problem))),
        np.full(n_points, -np.inf),
        np.zeros(n_points, dtype=np.bool_),
        np.ones(n_points, dtype=np.int64),
    )


@numba.njit(nogil=True, cache=True)
def make_run(problem: Problem, n_trace: int) -> Run:
    """A run that has not begun."""
    points = np.empty((stepping.N_POINTS, problem.prior.size))
    points[stepping.LOG_PRIOR] = np.log(problem.prior)
    return Run(
        points,
        np.empty((problem.weights.size, _n_columns(problem))),
        np.zeros(stepping.N_INTEGERS, dtype=np.int64),
        np.zeros(stepping.N_REALS),
        np.full(n_trace, np.nan),
        make_workspace(problem),
    )


@numba.njit(nogil=True, cache=True)
def make_search(problem: Problem, plan: Plan, seed: np.uint64, n_trace: int) -> Search:
    """A search that has not begun."""
    n_moves = plan.n_removals + plan.n_swaps + plan.n_splits + plan.n_shifts + min(plan.n_shifts, problem.n_looking)
    random = np.empty(1, dtype=np.uint64)
    random[0] = seed
    return Search(
        np.zeros(N_INTEGERS, dtype=np.int64),
        random,
        make_batch(problem, plan.schedule[0, 0]),
        make_batch(problem, 1),
        make_batch(problem, 1),
        np.empty((problem.weights.size, problem.q_first[-1])),
        np.empty((n_moves, 3), dtype=np.int64),
        np.empty(plan.schedule[-1, 0] * plan.n_tries),
        make_run(problem, n_trace),
    )


@numba.njit(nogil=True, cache=True)
def copy_point(source: Batch, index: int, batch: Batch, to: int) -> None:
    """Make one point of a batch equal to one of another."""
    batch.parameters[to] = source.parameters[index]
    batch.q[to] = source.q[index]
    batch.bounds[to] = source.bounds[index]
    batch.converged[to] = source.converged[index]


@numba.njit(nogil=True, cache=True, inline="always")
def _start(problem: Problem, row_index: RowIndex, families: IntArray, search: Search, budget: int) -> int:
    """Make the starts one by one; gives the rows of the budget left, at most 0 where it ended first."""
    integers, points = search.integers, search.points
    while integers[START] < points.bounds.size and budget > 0:
        start = integers[START]
        make_start(problem, row_index, families, START_KINDS[start % START_KINDS.size], search.random, search.q)
        spread(problem, search.q, points.parameters[start])
        if points.q.shape[2]:
            points.q[start] = search.q
        integers[START] += 1
        budget -= problem.weights.size
    return budget


@numba.njit(nogil=True, cache=True)
def _begin_try(search: Search) -> None:
    """Forget the points of the last try."""
    integers, points = search.integers, search.points
    points.bounds[:] = -np.inf
    points.converged[:] = False
    points.hits[:] = 1
    integers[START] = 0
    integers[FINALIST] = 0
    integers[TASK] = STARTING


@numba.njit(nogil=True, cache=True)
def _end_run(plan: Plan, search: Search) -> None:
    """Keep a finalist that is better than all before; go on, or finish where enough runs came to the best point."""
    integers, points, best = search.integers, search.points, search.best
    finalist = integers[FINALIST]
    bound, known = points.bounds[finalist], best.bounds[0]
    if integers[N_SPREAD] > 0 and abs(bound - known) > AGREEMENT:
        integers[DISAGREED] = 1
    if bound > known + AGREEMENT:
        integers[HITS] = 0
    if bound > known:
        copy_point(points, finalist, best, 0)
    if bound > known - AGREEMENT:
        integers[HITS] += min(points.hits[finalist], plan.most_hits)
    search.spread[integers[N_SPREAD]] = bound
    integers[N_SPREAD] += 1
    integers[FINALIST] += 1
    integers[ROUND] = 0
    integers[TASK] = SETTLING
    is_last = integers[FINALIST] == integers[N_FINALISTS]
    is_enough = integers[HITS] >= plan.enough_hits + plan.more_hits * integers[DISAGREED]
    integers[TRY] += is_last or is_enough
    if is_enough or integers[TRY] == plan.n_tries:
        search.run.trace[:] = np.nan
        integers[TASK] = FINISHING
    elif is_last:
        _begin_try(search)


@numba.njit(nogil=True, cache=True)
def _is_known(plan: Plan, search: Search, bound: float) -> bool:
    """A run ended there before, and its moves were looked at; at the best point so far several times."""
    if bound > search.best.bounds[0] - AGREEMENT and search.integers[HITS] < plan.n_explored:
        return False
    return bool((np.abs(search.spread[: search.integers[N_SPREAD]] - bound) < SAME).any())


@numba.njit(nogil=True, cache=True, inline="always")
def _settle(problem: Problem, plan: Plan, search: Search, budget: int) -> int:
    """Run a finalist on until it is calm; the run ends where another one did, else its moves come next."""
    integers, points, moved = search.integers, search.points, search.moved
    finalist = integers[FINALIST]
    if plan.settle[0, 1] > 0 and not points.converged[finalist]:
        if not is_under_way(search.run):
            copy_point(points, finalist, moved, 0)
        budget = advance(problem, search.run, moved, plan.settle, plan.tolerance, -np.inf, budget)
        if budget == 0:
            return 0
        copy_point(moved, 0, points, finalist)
    if integers[ROUND] >= plan.n_rounds or _is_known(plan, search, points.bounds[finalist]):
        _end_run(plan, search)
    else:
        integers[TASK] = PROPOSING
    return budget


@numba.njit(nogil=True, cache=True, inline="always")
def _propose(problem: Problem, plan: Plan, search: Search) -> None:
    """Begin a round of moves from a finalist."""
    integers = search.integers
    points, finalist, kinds = search.points, integers[FINALIST], (plan.n_removals, plan.n_swaps, plan.n_splits)
    a = points.parameters[finalist]
    integers[N_MOVES] = propose(problem, a, *kinds, plan.n_shifts, search.random, search.moves)
    if points.q.shape[2]:
        search.q[:] = points.q[finalist]
    elif plan.n_shifts:
        latent_posteriors(problem, a, search.run.points[stepping.EXPECTED], search.q, search.run.workspace)
    integers[MOVE] = 0
    integers[TASK] = MOVING


@numba.njit(nogil=True, cache=True, inline="always")
def _move(problem: Problem, families: IntArray, plan: Plan, search: Search, budget: int) -> int:
    """Look at the next move and stay where it leads if that gains; gives the rows of the budget left."""
    integers, points, moved = search.integers, search.points, search.moved
    finalist, move = integers[FINALIST], integers[MOVE]
    if move == integers[N_MOVES]:
        _end_run(plan, search)
        return budget
    if not is_under_way(search.run):
        copy_point(points, finalist, moved, 0)
        a, random = points.parameters[finalist], search.random
        make_move(problem, families, a, search.q, search.moves[move], random, moved.parameters[0])
    goal = points.bounds[finalist] + plan.tolerance
    budget = advance(problem, search.run, moved, plan.look, plan.tolerance, goal, budget)
    if budget == 0:
        return 0
    integers[MOVE] += 1
    if moved.bounds[0] > goal:
        copy_point(moved, 0, points, finalist)
        integers[ROUND] += 1
        integers[TASK] = SETTLING
    return budget


@numba.njit(nogil=True, cache=True)
def go_on(problem: Problem, row_index: RowIndex, families: IntArray, plan: Plan, search: Search, budget: int) -> int:
    """Search on until the budget of rows ends (0) or the search is done; gives the number of finalists then.

    The best point is then in `best`.
    """
    integers, points, run = search.integers, search.points, search.run
    while budget > 0:
        task = integers[TASK]
        if task == STARTING:
            budget = _start(problem, row_index, families, search, budget)
            if integers[START] == points.bounds.size:
                integers[TASK] = HALVING
        elif task == HALVING:
            budget = advance(problem, run, points, plan.schedule, plan.tolerance, -np.inf, budget)
            if budget > 0:
                keep_best(points, plan.schedule[-1, 0], plan.schedule[-1, 0], plan.tolerance)
                integers[N_FINALISTS] = np.isfinite(points.bounds[: plan.schedule[-1, 0]]).sum()
                integers[TASK] = SETTLING
        elif task == SETTLING:
            budget = _settle(problem, plan, search, budget)
        elif task == PROPOSING:
            _propose(problem, plan, search)
        elif task == MOVING:
            budget = _move(problem, families, plan, search, budget)
        else:
            budget = advance(problem, run, search.best, plan.finish, plan.finish_tolerance, -np.inf, budget)
            if budget > 0:
                integers[TASK] = DONE
                return int(integers[N_SPREAD])
    return 0
