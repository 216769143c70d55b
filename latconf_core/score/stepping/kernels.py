"""Compiled accelerated VBEM: batches of points run on and are halved. All release the interpreter lock."""

from __future__ import annotations

import math

import numba
import numpy as np

from latconf_core.score.kernels import Problem, expect, respond, respond_factorised

FloatArray = np.ndarray
IntArray = np.ndarray

# Where a run keeps its whole numbers, so that it can be left at any row and entered again …
STAGE, START, PHASE, ROW, EVALUATIONS, CALM, ALL_EVALUATIONS, FIRST, WINNER, N_INTEGERS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
# … and its real ones: the bound at the current point and at its image, the part of a bound so far, the longest step.
CURRENT_BOUND, IMAGE_BOUND, PARTIAL, LONGEST, N_REALS = 0, 1, 2, 3, 4
# Its points: the current one, its image, the image's image, the extrapolation and its image, E[log θ].
CURRENT, IMAGE, SECOND, TRIAL, TRIAL_IMAGE, EXPECTED = 0, 1, 2, 3, 4, 5
# … and the logarithms of the first four.
LOG, N_POINTS = 6, 10
# Its phases: what is evaluated next.
AT_CURRENT, AT_IMAGE, AT_TRIAL = 0, 1, 2
FIRST_LONGEST, LONGEST_EVER = 4.0, 1e4
CALM_CYCLES = 2  # estimates below the tolerance in a row before a run counts as converged


@numba.njit(nogil=True, cache=True)
def evaluate(
    problem: Problem,
    scratch: FloatArray,
    q: FloatArray,
    at: int,
    to: int,
    integers: IntArray,
    reals: FloatArray,
    budget: int,
) -> int:
    """One map of parameters to their image, and the bound at them in PARTIAL; gives the rows of the budget left.

    With no budget left before the last row, the next call goes on at that row.
    """
    if integers[ROW] == 0:
        reals[PARTIAL] = expect(problem, scratch[at], scratch[EXPECTED])
        scratch[to] = problem.prior
    first = integers[ROW]
    end = min(problem.weights.size, first + budget)
    if q.size:
        reals[PARTIAL] += respond_factorised(problem, scratch[EXPECTED], scratch[to], q, first, end)
    else:
        reals[PARTIAL] += respond(problem, scratch[EXPECTED], scratch[to], first, end)
    integers[ROW] = end
    return budget - int(end - first)


@numba.njit(nogil=True, cache=True)
def _take_logs(scratch: FloatArray, point: int, log_of: int) -> None:
    for c in range(scratch.shape[1]):
        scratch[LOG + log_of, c] = math.log(scratch[point, c])


@numba.njit(nogil=True, cache=True)
def extrapolate(scratch: FloatArray, prior: FloatArray, longest: float) -> tuple[float, float]:
    """A squared step (Varadhan & Roland 2008) on log parameters into TRIAL; its length and the rate of convergence."""
    _take_logs(scratch, SECOND, SECOND)
    current, image, second = scratch[LOG + CURRENT], scratch[LOG + IMAGE], scratch[LOG + SECOND]
    first_square, second_square, bend_square = 0.0, 0.0, 0.0
    for c in range(prior.size):
        one, two = image[c] - current[c], second[c] - image[c]
        first_square += one * one
        second_square += two * two
        bend_square += (two - one) * (two - one)
    rate = math.sqrt(second_square / first_square) if first_square > 0.0 else 0.0
    if bend_square <= 0.0 or first_square <= bend_square:
        return 1.0, rate
    step = min(math.sqrt(first_square / bend_square), longest)
    for c in range(prior.size):
        one, two = image[c] - current[c], second[c] - image[c]
        moved = current[c] + min(step * (2.0 * one + step * (two - one)), 30.0)
        scratch[LOG + TRIAL, c] = moved
        scratch[TRIAL, c] = math.exp(moved)
        if scratch[TRIAL, c] < prior[c]:
            scratch[TRIAL, c] = prior[c]
            scratch[LOG + TRIAL, c] = math.log(prior[c])
    return step, rate


@numba.njit(nogil=True, cache=True, inline="always")
def _image_of(phase: int) -> int:
    return IMAGE if phase == AT_CURRENT else (SECOND if phase == AT_IMAGE else TRIAL_IMAGE)


@numba.njit(nogil=True, cache=True)
def _move_on(scratch: FloatArray, reals: FloatArray, bound: float, current: int, image: int) -> None:
    reals[CURRENT_BOUND] = bound
    scratch[CURRENT] = scratch[current]
    scratch[IMAGE] = scratch[image]
    scratch[LOG + CURRENT] = scratch[LOG + current]
    if image == SECOND:
        scratch[LOG + IMAGE] = scratch[LOG + SECOND]
    else:
        _take_logs(scratch, IMAGE, IMAGE)


@numba.njit(nogil=True, cache=True)
def _after_image(
    problem: Problem, scratch: FloatArray, integers: IntArray, reals: FloatArray, tolerance: float
) -> None:
    """With the bound at the image known: extrapolate, or take the plain step."""
    bound = reals[PARTIAL]
    reals[IMAGE_BOUND] = bound
    step, rate = extrapolate(scratch, problem.prior, reals[LONGEST])
    # The rises shrink with the square of the distance: what is left is a geometric series.
    to_come = (bound - reals[CURRENT_BOUND]) * rate * rate / max(1.0 - rate * rate, 1e-12)
    integers[CALM] = integers[CALM] + 1 if to_come < tolerance else 0
    if step > 1.0 and integers[CALM] < CALM_CYCLES:
        if step == reals[LONGEST]:
            reals[LONGEST] = min(reals[LONGEST] * 4.0, LONGEST_EVER)
        integers[PHASE] = AT_TRIAL
    else:
        _move_on(scratch, reals, bound, IMAGE, SECOND)


@numba.njit(nogil=True, cache=True)
def _after_trial(
    scratch: FloatArray, q: FloatArray, q_before: FloatArray, integers: IntArray, reals: FloatArray
) -> None:
    """Keep the extrapolation if it does not lose against the image, else the plain step."""
    if reals[PARTIAL] >= reals[IMAGE_BOUND]:
        _move_on(scratch, reals, reals[PARTIAL], TRIAL, TRIAL_IMAGE)
    else:
        _move_on(scratch, reals, reals[IMAGE_BOUND], IMAGE, SECOND)
        reals[LONGEST] = max(reals[LONGEST] * 0.25, 2.0)
        q[:] = q_before
    integers[PHASE] = AT_IMAGE


@numba.njit(nogil=True, cache=True)
def _advance_one(
    problem: Problem,
    scratch: FloatArray,
    q: FloatArray,
    q_before: FloatArray,
    trace: FloatArray,
    integers: IntArray,
    reals: FloatArray,
    n_evaluations: int,
    tolerance: float,
    budget: int,
) -> int:
    """Accelerated VBEM from CURRENT until calm or out of evaluations; gives the rows of the budget left, or −1.

    The bound never falls: an extrapolation that loses is dropped for the plain step.
    """
    while True:
        phase = integers[PHASE]
        if phase == AT_TRIAL and integers[ROW] == 0:
            q_before[:] = q
        at = CURRENT if phase == AT_CURRENT else (IMAGE if phase == AT_IMAGE else TRIAL)
        budget = evaluate(problem, scratch, q, at, _image_of(phase), integers, reals, budget)
        if integers[ROW] < problem.weights.size:
            return -1
        integers[ROW] = 0
        integers[EVALUATIONS] += 1
        if phase == AT_CURRENT:
            reals[CURRENT_BOUND] = reals[PARTIAL]
            _take_logs(scratch, CURRENT, CURRENT)
            _take_logs(scratch, IMAGE, IMAGE)
            integers[PHASE] = AT_IMAGE
        elif phase == AT_IMAGE:
            _after_image(problem, scratch, integers, reals, tolerance)
        else:
            _after_trial(scratch, q, q_before, integers, reals)
        if integers[EVALUATIONS] <= trace.size:
            trace[integers[EVALUATIONS] - 1] = reals[CURRENT_BOUND]
        is_over = integers[CALM] >= CALM_CYCLES or integers[EVALUATIONS] >= n_evaluations
        if is_over and integers[PHASE] != AT_TRIAL:
            return max(budget, 0)


@numba.njit(nogil=True, cache=True)
def _keep_best(
    n_points: int, n_kept: int, points: FloatArray, q: FloatArray, bounds: FloatArray, converged: np.ndarray
) -> None:
    """The points with the highest bounds first, best first."""
    order = np.argsort(-bounds[:n_points], kind="mergesort")[:n_kept]
    points[:n_kept] = points[order]
    q[:n_kept] = q[order]
    bounds[:n_kept] = bounds[order]
    converged[:n_kept] = converged[order]


@numba.njit(nogil=True, cache=True)
def advance(
    problem: Problem,
    points: FloatArray,
    q: FloatArray,
    bounds: FloatArray,
    converged: np.ndarray,
    traces: FloatArray,
    scratch: FloatArray,
    q_before: FloatArray,
    integers: IntArray,
    reals: FloatArray,
    schedule: IntArray,
    tolerance: float,
    budget: int,
) -> bool:
    """Successive halving: each line of the schedule keeps so many of the best points and runs them so far on, in place.

    False when the budget of rows ended first: call again.
    """
    while integers[STAGE] < schedule.shape[0]:
        stage = integers[STAGE]
        n_kept, n_evaluations = schedule[stage, 0], schedule[stage, 1]
        if stage > 0 and integers[START] == 0 and integers[EVALUATIONS] == 0 and integers[ROW] == 0:
            _keep_best(schedule[stage - 1, 0], n_kept, points, q, bounds, converged)
        while integers[START] < n_kept:
            start = integers[START]
            if integers[EVALUATIONS] == 0 and integers[ROW] == 0:
                if stage > 0 and converged[start]:
                    integers[START] += 1
                    continue
                integers[PHASE] = AT_CURRENT
                integers[CALM] = 0
                reals[LONGEST] = FIRST_LONGEST
                scratch[CURRENT] = points[start]
            budget = _advance_one(
                problem, scratch, q[start], q_before, traces[start], integers, reals, n_evaluations, tolerance, budget
            )
            if budget < 0:
                return False
            points[start] = scratch[IMAGE]
            bounds[start] = reals[CURRENT_BOUND]
            converged[start] = integers[CALM] >= CALM_CYCLES
            integers[ALL_EVALUATIONS] += integers[EVALUATIONS]
            integers[EVALUATIONS] = 0
            integers[START] += 1
            if budget == 0:
                return False
        integers[START] = 0
        integers[STAGE] += 1
    return True


@numba.njit(nogil=True, cache=True)
def race(
    problem: Problem,
    points: FloatArray,
    q: FloatArray,
    bounds: FloatArray,
    converged: np.ndarray,
    traces: FloatArray,
    scratch: FloatArray,
    q_before: FloatArray,
    integers: IntArray,
    reals: FloatArray,
    schedule: IntArray,
    tolerance: float,
    budget: int,
    handful: int,
    target: float,
) -> bool:
    """Halve one handful of points after the other until a bound is above the target; WINNER is its place, or −1.

    False when the budget of rows ended first: call again.
    """
    while integers[WINNER] < 0 and integers[FIRST] < points.shape[0]:
        first, end = integers[FIRST], min(integers[FIRST] + handful, points.shape[0])
        stages = np.minimum(schedule, np.array([[end - first, np.iinfo(np.int64).max]]))
        is_done = advance(
            problem,
            points[first:end],
            q[first:end],
            bounds[first:end],
            converged[first:end],
            traces[first:end],
            scratch,
            q_before,
            integers,
            reals,
            stages,
            tolerance,
            budget,
        )
        if not is_done:
            return False
        best = first + int(np.argmax(bounds[first : first + stages[-1, 0]]))
        if bounds[best] > target:
            integers[WINNER] = best
        integers[FIRST] = end
        integers[STAGE] = 0
    return True
