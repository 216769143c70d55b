"""Accelerated VBEM: batches of points run on and are halved, in slices that can be left at any row."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba
from latconf_core.score.kernels.special_functions import exp, logs
from latconf_core.score.kernels.vbem import (
    Problem,
    Workspace,
    complete,
    expect,
    relate,
    respond,
    respond_factorised,
    respond_tree,
)

# Where a run keeps its whole numbers, so that it can be left at any row and entered again …
STAGE, PLACE, PHASE, ROW, EVALUATIONS, QUIET_CYCLES, ALL_EVALUATIONS, N_INTEGERS = 0, 1, 2, 3, 4, 5, 6, 7
# … and its real ones: the bound at the current point and at its image, the part of a bound so far, the longest step.
CURRENT_BOUND, IMAGE_BOUND, PARTIAL, LONGEST, N_REALS = 0, 1, 2, 3, 4
# Its points: the current one, its image, the image's image, the extrapolation and its image, E[log θ] …
CURRENT, IMAGE, SECOND, TRIAL, TRIAL_IMAGE, EXPECTED = 0, 1, 2, 3, 4, 5
# … the logarithms of the first four, and of the prior.
LOG, LOG_PRIOR, N_POINTS = 6, 10, 11
# Its phases: what is evaluated next.
AT_CURRENT, AT_IMAGE, AT_TRIAL = 0, 1, 2
FIRST_LONGEST, LONGEST_EVER = 4.0, 1e4
EQUAL = 1e-7  # difference of bounds that rounding makes
MAX_GOAL_DISTANCE = 8.0  # times the rise to come, an estimate, that a goal may be away
QUIET_CYCLES_TO_CONVERGE = 2  # estimates below the tolerance in a row before a run counts as converged


class Batch(NamedTuple):
    """Some variational posteriors of one problem.

    parameters : (n_points, n_cells) of the Dirichlets
    q : (n_points, n_rows, n_columns) one factor a latent; no columns where the posterior is exact
    bounds : (n_points,) the evidence lower bound, as last known
    converged : (n_points,) the rise still to come was estimated below the tolerance
    hits : (n_points,) how many runs came there
    """

    parameters: FloatArray
    q: FloatArray
    bounds: FloatArray
    converged: np.ndarray
    hits: IntArray


class Run(NamedTuple):
    """Where a run stands.

    points : (N_POINTS, n_cells)
    q_before : (n_rows, n_columns) the factors before an extrapolation
    trace : the bound after each evaluation of the last run; what does not fit is not kept
    """

    points: FloatArray
    q_before: FloatArray
    integers: IntArray
    reals: FloatArray
    trace: FloatArray
    workspace: Workspace


@numba.njit(nogil=True, cache=True, inline="always")
def _evaluate(problem: Problem, run: Run, q: FloatArray, at: int, to: int, budget: int) -> int:
    """One map of parameters to their image, and the bound at them in PARTIAL; gives the rows of the budget left.

    With no budget left before the last row, the next call goes on at that row.
    """
    first = run.integers[ROW]
    expected, image = run.points[EXPECTED], run.points[to]
    if first == 0:
        run.reals[PARTIAL] = expect(problem, run.points[at], expected, run.workspace)
        run.reals[PARTIAL] += relate(problem, expected)
        for c in range(image.size):
            image[c] = 0.0
    end = min(problem.weights.size, first + budget)
    if q.size:
        run.reals[PARTIAL] += respond_factorised(problem, expected, image, q, first, end, run.workspace)
    elif problem.tree.shape[0]:
        run.reals[PARTIAL] += respond_tree(problem, expected, image, q, first, end, run.workspace)
    else:
        run.reals[PARTIAL] += respond(problem, expected, image, first, end, run.workspace)
    if end == problem.weights.size:
        complete(problem, image)
    run.integers[ROW] = end
    return budget - int(end - first)


@numba.njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def _squares(current: FloatArray, image: FloatArray, second: FloatArray) -> tuple[float, float, float]:
    """Squared lengths of the first step, of the second, and of their difference."""
    of_first, of_second, of_bend = 0.0, 0.0, 0.0
    for c in range(current.size):
        step, two = image[c] - current[c], second[c] - image[c]
        of_first += step * step
        of_second += two * two
        of_bend += (two - step) * (two - step)
    return of_first, of_second, of_bend


@numba.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def _step(points: FloatArray, prior: FloatArray, step: float) -> None:
    """A squared step on log parameters into TRIAL, never below the prior."""
    current, image, second = points[LOG + CURRENT], points[LOG + IMAGE], points[LOG + SECOND]
    log_trial, trial, log_prior = points[LOG + TRIAL], points[TRIAL], points[LOG_PRIOR]
    for c in range(prior.size):
        first_step, two = image[c] - current[c], second[c] - image[c]
        moved = current[c] + min(step * (2.0 * first_step + step * (two - first_step)), 30.0)
        log_trial[c] = max(moved, log_prior[c])
        trial[c] = max(exp(moved), prior[c])


@numba.njit(nogil=True, cache=True, inline="always")
def _extrapolate(points: FloatArray, prior: FloatArray, longest: float) -> tuple[float, float]:
    """A squared step (Varadhan & Roland 2008) on log parameters into TRIAL; its length and the rate of convergence."""
    logs(points[SECOND], points[LOG + SECOND])
    of_first, of_second, of_bend = _squares(points[LOG + CURRENT], points[LOG + IMAGE], points[LOG + SECOND])
    rate = math.sqrt(of_second / of_first) if of_first > 0.0 else 0.0
    if of_bend <= 0.0 or of_first <= of_bend:
        return 1.0, rate
    step = min(math.sqrt(of_first / of_bend), longest)
    _step(points, prior, step)
    return step, rate


@numba.njit(nogil=True, cache=True, inline="always")
def _move_on(run: Run, bound: float, current: int, image: int) -> None:
    points = run.points
    run.reals[CURRENT_BOUND] = bound
    for c in range(points.shape[1]):
        points[CURRENT, c] = points[current, c]
        points[IMAGE, c] = points[image, c]
        points[LOG + CURRENT, c] = points[LOG + current, c]
    if image == SECOND:
        for c in range(points.shape[1]):
            points[LOG + IMAGE, c] = points[LOG + SECOND, c]
    else:
        logs(points[IMAGE], points[LOG + IMAGE])


@numba.njit(nogil=True, cache=True)
def _copy(source: FloatArray, to: FloatArray) -> None:
    for i in range(source.shape[0]):
        for k in range(source.shape[1]):
            to[i, k] = source[i, k]


@numba.njit(nogil=True, cache=True, inline="always")
def _after_image(problem: Problem, run: Run, tolerance: float, goal: float) -> None:
    """With the bound at the image known: extrapolate, or take the plain step; give up where the goal is too far."""
    integers, reals = run.integers, run.reals
    bound = reals[PARTIAL]
    reals[IMAGE_BOUND] = bound
    step, rate = _extrapolate(run.points, problem.prior, reals[LONGEST])
    # The rises shrink with the square of the distance: what is left is a geometric series.
    to_come = (bound - reals[CURRENT_BOUND]) * rate * rate / max(1.0 - rate * rate, 1e-12)
    integers[QUIET_CYCLES] = integers[QUIET_CYCLES] + 1 if to_come < tolerance else 0
    if bound + MAX_GOAL_DISTANCE * (bound - reals[CURRENT_BOUND] + to_come) < goal:
        integers[QUIET_CYCLES] = QUIET_CYCLES_TO_CONVERGE
    if step > 1.0 and integers[QUIET_CYCLES] < QUIET_CYCLES_TO_CONVERGE:
        if step == reals[LONGEST]:
            reals[LONGEST] = min(reals[LONGEST] * 4.0, LONGEST_EVER)
        integers[PHASE] = AT_TRIAL
    else:
        _move_on(run, bound, IMAGE, SECOND)


@numba.njit(nogil=True, cache=True, inline="always")
def _after_trial(run: Run, q: FloatArray) -> None:
    """Keep the extrapolation if it does not lose against the image, else the plain step."""
    reals = run.reals
    if reals[PARTIAL] >= reals[IMAGE_BOUND]:
        _move_on(run, reals[PARTIAL], TRIAL, TRIAL_IMAGE)
    else:
        _move_on(run, reals[IMAGE_BOUND], IMAGE, SECOND)
        reals[LONGEST] = max(reals[LONGEST] * 0.25, 2.0)
        _copy(run.q_before, q)
    run.integers[PHASE] = AT_IMAGE


@numba.njit(nogil=True, cache=True, _nrt=False)  # type: ignore[call-overload]  # nothing allocated, no counting of references
def _run_on(
    problem: Problem, run: Run, q: FloatArray, n_evaluations: int, tolerance: float, goal: float, budget: int
) -> int:
    """Accelerated VBEM from CURRENT until calm or out of evaluations; gives the rows of the budget left, or −1.

    The bound never falls: an extrapolation that loses is dropped for the plain step.
    """
    integers, reals, points = run.integers, run.reals, run.points
    while True:
        phase = integers[PHASE]
        if phase == AT_TRIAL and integers[ROW] == 0:
            _copy(q, run.q_before)
        at = CURRENT if phase == AT_CURRENT else (IMAGE if phase == AT_IMAGE else TRIAL)
        to = IMAGE if phase == AT_CURRENT else (SECOND if phase == AT_IMAGE else TRIAL_IMAGE)
        budget = _evaluate(problem, run, q, at, to, budget)
        if integers[ROW] < problem.weights.size:
            return -1
        integers[ROW] = 0
        integers[EVALUATIONS] += 1
        if phase == AT_CURRENT:
            reals[CURRENT_BOUND] = reals[PARTIAL]
            logs(points[CURRENT], points[LOG + CURRENT])
            logs(points[IMAGE], points[LOG + IMAGE])
            integers[PHASE] = AT_IMAGE
        elif phase == AT_IMAGE:
            _after_image(problem, run, tolerance, goal)
        else:
            _after_trial(run, q)
        if integers[EVALUATIONS] <= run.trace.size:
            run.trace[integers[EVALUATIONS] - 1] = reals[CURRENT_BOUND]
        is_over = integers[QUIET_CYCLES] >= QUIET_CYCLES_TO_CONVERGE or integers[EVALUATIONS] >= n_evaluations
        if is_over and integers[PHASE] != AT_TRIAL:
            return max(budget, 0)


@numba.njit(nogil=True, cache=True)
def keep_best(batch: Batch, n_points: int, n_kept: int, twins: float) -> None:
    """The points with the highest bounds first, best first.

    Points with a bound as high as a better one's, but for `twins`, are as good as certainly the same: they go.
    """
    bounds, hits = batch.bounds, batch.hits
    order = np.argsort(-bounds[:n_points], kind="mergesort")
    better = order[0]
    for k in order[1:]:
        if bounds[better] - bounds[k] < twins:
            bounds[k] = -np.inf
            batch.converged[k] = True
            hits[better] += hits[k] if twins > EQUAL else 0  # equal from the first are not two
        else:
            better = k
    order = np.argsort(-bounds[:n_points], kind="mergesort")[:n_kept]
    batch.parameters[:n_kept] = batch.parameters[order]
    batch.q[:n_kept] = batch.q[order]
    bounds[:n_kept] = bounds[order]
    batch.converged[:n_kept] = batch.converged[order]
    hits[:n_kept] = hits[order]


@numba.njit(nogil=True, cache=True)
def is_under_way(run: Run) -> bool:
    """The run was left before its end and goes on when it is called again."""
    integers = run.integers
    return bool(integers[STAGE] + integers[PLACE] + integers[EVALUATIONS] + integers[ROW] > 0)


@numba.njit(nogil=True, cache=True)
def advance(
    problem: Problem, run: Run, batch: Batch, schedule: IntArray, tolerance: float, goal: float, budget: int
) -> int:
    """Successive halving: each line of the schedule keeps so many of the best points and runs them so far on, in place.

    A run that seems unable to reach the goal is given up.
    Gives the rows of the budget left; 0 where it ended first: call again.
    """
    integers, reals = run.integers, run.reals
    while integers[STAGE] < schedule.shape[0]:
        stage = integers[STAGE]
        n_kept, n_evaluations = schedule[stage, 0], schedule[stage, 1]
        is_new = integers[EVALUATIONS] == 0 and integers[ROW] == 0
        if stage > 0 and integers[PLACE] == 0 and is_new:
            keep_best(batch, schedule[stage - 1, 0], n_kept, EQUAL if stage == 1 else tolerance)
        while integers[PLACE] < n_kept:
            position = integers[PLACE]
            if integers[EVALUATIONS] == 0 and integers[ROW] == 0:
                if stage > 0 and batch.converged[position]:
                    integers[PLACE] += 1
                    continue
                integers[PHASE] = AT_CURRENT
                integers[QUIET_CYCLES] = 0
                reals[LONGEST] = FIRST_LONGEST
                run.points[CURRENT] = batch.parameters[position]
            budget = _run_on(problem, run, batch.q[position], n_evaluations, tolerance, goal, budget)
            if budget < 0:
                return 0
            batch.parameters[position] = run.points[IMAGE]
            batch.bounds[position] = reals[CURRENT_BOUND]
            batch.converged[position] = integers[QUIET_CYCLES] >= QUIET_CYCLES_TO_CONVERGE
            integers[ALL_EVALUATIONS] += integers[EVALUATIONS]
            integers[EVALUATIONS] = 0
            integers[PLACE] += 1
            if budget == 0:
                return 0
        integers[PLACE] = 0
        integers[STAGE] += 1
    integers[STAGE] = 0
    return budget
