"""Compiled loops of variational Bayes on one component. All release the interpreter lock."""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np

from latconf_core.counts.kernels import distinct_keys, positions

FloatArray = np.ndarray
IntArray = np.ndarray

HALF_LOG_TWO_PI = 0.918938533204672741780329736406

# Where a run keeps its whole numbers, so that it can be left at any row and entered again …
START, PHASE, ROW, EVALUATIONS, CALM, N_INTEGERS = 0, 1, 2, 3, 4, 5
# … and its real ones: the bound at the current point and at its image, the part of a bound so far, the longest step.
CURRENT_BOUND, IMAGE_BOUND, PARTIAL, LONGEST, N_REALS = 0, 1, 2, 3, 4
# Its points: the current one, its image, the image's image, the extrapolation and its image, E[log θ].
CURRENT, IMAGE, SECOND, TRIAL, TRIAL_IMAGE, EXPECTED, N_POINTS = 0, 1, 2, 3, 4, 5, 6
# Its phases: what is evaluated next.
AT_CURRENT, AT_IMAGE, AT_TRIAL = 0, 1, 2
FIRST_LONGEST, LONGEST_EVER = 4.0, 1e4
CALM_CYCLES = 2  # estimates below the tolerance in a row before a run counts as converged


class Problem(NamedTuple):
    """One component on its data, flat. A cell is one Dirichlet parameter that some row can touch.

    weights : (n_rows,) how often each distinct row occurs
    cells : (n_rows, n_families) first of the cells that a row can touch in each family
    states : (n_families, n_joint) which of these cells belongs to each joint state
    n_looking : families whose cells differ between rows; they stand first
    prior : (n_cells,)
    group_first, group_size, group_stride : the cells of each Dirichlet
    group_rest : prior mass of each Dirichlet on states never seen with that configuration
    constant : log normalisers of the priors
    latent_sizes : states of each latent
    """

    weights: FloatArray
    cells: IntArray
    states: IntArray
    n_looking: int
    prior: FloatArray
    group_first: IntArray
    group_size: IntArray
    group_stride: IntArray
    group_rest: FloatArray
    constant: float
    latent_sizes: IntArray


@numba.njit(nogil=True, cache=True)
def index_keys(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Place of each key among the distinct ones, and these, rising."""
    distinct = distinct_keys(keys)
    return positions(keys, distinct), distinct


@numba.njit(nogil=True, cache=True, inline="always")
def digamma_gammaln(x: float) -> tuple[float, float]:
    """ψ(x) and log Γ(x) together: they share the logarithm."""
    product, slope = 1.0, 0.0
    shifted = x < 8.0
    while x < 8.0:
        slope = slope * x + product
        product *= x
        x += 1.0
    inverse = 1.0 / x
    y = inverse * inverse
    log_x = math.log(x)
    tail = 1.0 / 240.0 - y * (1.0 / 132.0 - y * (691.0 / 32760.0 - y / 12.0))
    psi = log_x - 0.5 * inverse - y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * tail)))
    tail = 1.0 / 1188.0 - y * (691.0 / 360360.0 - y / 156.0)
    series = inverse * (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y * tail))))
    log_gamma = (x - 0.5) * log_x - x + HALF_LOG_TWO_PI + series
    if shifted:
        psi -= slope / product
        log_gamma -= math.log(product)
    return psi, log_gamma


@numba.njit(nogil=True, cache=True)
def expect(problem: Problem, a: FloatArray, expected: FloatArray) -> float:
    """E[log θ] of every cell; gives −KL(q(θ) ‖ p(θ))."""
    total = problem.constant
    for g in range(problem.group_first.size):
        first, stride = problem.group_first[g], problem.group_stride[g]
        end = first + problem.group_size[g] * stride
        mass = problem.group_rest[g]
        for cell in range(first, end, stride):
            mass += a[cell]
        psi_mass, log_gamma_mass = digamma_gammaln(mass)
        total -= log_gamma_mass
        for cell in range(first, end, stride):
            psi, log_gamma = digamma_gammaln(a[cell])
            expected[cell] = psi - psi_mass
            total += log_gamma - (a[cell] - problem.prior[cell]) * expected[cell]
    return total


@numba.njit(nogil=True, cache=True)
def respond(problem: Problem, expected: FloatArray, counts: FloatArray, first_row: int, end_row: int) -> float:
    """Joint E-step of some rows: adds their expected counts, gives their part of the bound."""
    n_families, n_joint = problem.states.shape
    cells, states, n_looking = problem.cells, problem.states, problem.n_looking
    base = np.zeros(n_joint)
    for f in range(n_looking, n_families):
        for j in range(n_joint):
            base[j] += expected[cells[0, f] + states[f, j]]
    r = np.empty(n_joint)  # responsibilities of one row
    total = np.zeros(n_joint)
    bound = 0.0
    for i in range(first_row, end_row):
        for j in range(n_joint):
            r[j] = base[j]
        for f in range(n_looking):
            cell = cells[i, f]
            for j in range(n_joint):
                r[j] += expected[cell + states[f, j]]
        highest = r[0]
        for j in range(1, n_joint):
            highest = max(highest, r[j])
        norm = 0.0
        for j in range(n_joint):
            r[j] = math.exp(r[j] - highest)
            norm += r[j]
        weight = problem.weights[i]
        bound += weight * (highest + math.log(norm))
        scale = weight / norm
        for j in range(n_joint):
            r[j] *= scale
            total[j] += r[j]
        for f in range(n_looking):
            cell = cells[i, f]
            for j in range(n_joint):
                counts[cell + states[f, j]] += r[j]
    for f in range(n_looking, n_families):
        for j in range(n_joint):
            counts[cells[0, f] + states[f, j]] += total[j]
    return bound


@numba.njit(nogil=True, cache=True)
def evaluate(
    problem: Problem, scratch: FloatArray, at: int, to: int, integers: IntArray, reals: FloatArray, budget: int
) -> int:
    """One map of parameters to their image, and the bound at them in PARTIAL; gives the rows of the budget left.

    With no budget left before the last row, the next call goes on at that row.
    """
    if integers[ROW] == 0:
        reals[PARTIAL] = expect(problem, scratch[at], scratch[EXPECTED])
        scratch[to] = problem.prior
    first = integers[ROW]
    end = min(problem.weights.size, first + budget)
    reals[PARTIAL] += respond(problem, scratch[EXPECTED], scratch[to], first, end)
    integers[ROW] = end
    return budget - int(end - first)


@numba.njit(nogil=True, cache=True)
def extrapolate(scratch: FloatArray, prior: FloatArray, longest: float) -> tuple[float, float]:
    """A squared step (Varadhan & Roland 2008) on log parameters into TRIAL; its length and the rate of convergence."""
    first_square, second_square, bend_square = 0.0, 0.0, 0.0
    for c in range(prior.size):
        first = math.log(scratch[IMAGE, c] / scratch[CURRENT, c])
        second = math.log(scratch[SECOND, c] / scratch[IMAGE, c])
        first_square += first * first
        second_square += second * second
        bend_square += (second - first) * (second - first)
    rate = math.sqrt(second_square / first_square) if first_square > 0.0 else 0.0
    if bend_square <= 0.0 or first_square <= bend_square:
        return 1.0, rate
    step = min(math.sqrt(first_square / bend_square), longest)
    for c in range(prior.size):
        first = math.log(scratch[IMAGE, c] / scratch[CURRENT, c])
        bend = math.log(scratch[SECOND, c] / scratch[IMAGE, c]) - first
        moved = scratch[CURRENT, c] * math.exp(min(step * (2.0 * first + step * bend), 30.0))
        scratch[TRIAL, c] = max(moved, prior[c])
    return step, rate


@numba.njit(nogil=True, cache=True)
def _move_on(scratch: FloatArray, current: int, image: int) -> None:
    scratch[CURRENT] = scratch[current]
    scratch[IMAGE] = scratch[image]


@numba.njit(nogil=True, cache=True)
def _advance_one(
    problem: Problem,
    scratch: FloatArray,
    integers: IntArray,
    reals: FloatArray,
    n_evaluations: int,
    tolerance: float,
    budget: int,
) -> int:
    """Accelerated VBEM from CURRENT until converged or out of evaluations; gives the rows of the budget left, or −1.

    The bound never falls: an extrapolation that loses is dropped for the plain step.
    """
    n_rows = problem.weights.size
    while True:
        phase = integers[PHASE]
        at = CURRENT if phase == AT_CURRENT else (IMAGE if phase == AT_IMAGE else TRIAL)
        budget = evaluate(problem, scratch, at, _image_of(phase), integers, reals, budget)
        if integers[ROW] < n_rows:
            return -1
        integers[ROW] = 0
        integers[EVALUATIONS] += 1
        bound = reals[PARTIAL]
        if phase == AT_CURRENT:
            reals[CURRENT_BOUND] = bound
            integers[PHASE] = AT_IMAGE
        elif phase == AT_IMAGE:
            rise = bound - reals[CURRENT_BOUND]
            reals[IMAGE_BOUND] = bound
            step, rate = extrapolate(scratch, problem.prior, reals[LONGEST])
            to_come = rise * rate * rate / max(1.0 - rate * rate, 1e-12)
            integers[CALM] = integers[CALM] + 1 if to_come < tolerance else 0
            if step > 1.0 and integers[CALM] < CALM_CYCLES:
                if step == reals[LONGEST]:
                    reals[LONGEST] = min(reals[LONGEST] * 4.0, LONGEST_EVER)
                integers[PHASE] = AT_TRIAL
            else:
                reals[CURRENT_BOUND] = bound
                _move_on(scratch, IMAGE, SECOND)
        else:
            if bound >= reals[IMAGE_BOUND]:
                reals[CURRENT_BOUND] = bound
                _move_on(scratch, TRIAL, TRIAL_IMAGE)
            else:
                reals[CURRENT_BOUND] = reals[IMAGE_BOUND]
                reals[LONGEST] = max(reals[LONGEST] * 0.25, 2.0)
                _move_on(scratch, IMAGE, SECOND)
            integers[PHASE] = AT_IMAGE
        if integers[PHASE] != AT_TRIAL and (integers[CALM] >= CALM_CYCLES or integers[EVALUATIONS] >= n_evaluations):
            return budget


@numba.njit(nogil=True, cache=True, inline="always")
def _image_of(phase: int) -> int:
    return IMAGE if phase == AT_CURRENT else (SECOND if phase == AT_IMAGE else TRIAL_IMAGE)


@numba.njit(nogil=True, cache=True)
def advance(
    problem: Problem,
    points: FloatArray,
    bounds: FloatArray,
    evaluations: IntArray,
    converged: np.ndarray,
    scratch: FloatArray,
    integers: IntArray,
    reals: FloatArray,
    n_evaluations: int,
    tolerance: float,
    budget: int,
) -> bool:
    """Run every point (n_points, n_cells) on in place; False when the budget of rows ended first: call again."""
    while integers[START] < points.shape[0]:
        start = integers[START]
        if integers[EVALUATIONS] == 0 and integers[ROW] == 0:
            integers[PHASE] = AT_CURRENT
            integers[CALM] = 0
            reals[LONGEST] = FIRST_LONGEST
            scratch[CURRENT] = points[start]
        budget = _advance_one(problem, scratch, integers, reals, n_evaluations, tolerance, budget)
        if budget < 0:
            return False
        points[start] = scratch[IMAGE]
        bounds[start] = reals[CURRENT_BOUND]
        evaluations[start] += integers[EVALUATIONS]
        converged[start] = integers[CALM] >= CALM_CYCLES
        integers[EVALUATIONS] = 0
        integers[START] += 1
        if budget <= 0 and integers[START] < points.shape[0]:
            return False
    return True


@numba.njit(nogil=True, cache=True)
def spread(problem: Problem, responsibilities: FloatArray, points: FloatArray) -> None:
    """Parameters (n_starts, n_cells) that follow from responsibilities (n_starts, n_rows, n_joint)."""
    n_families, n_joint = problem.states.shape
    for start in range(points.shape[0]):
        a = points[start]
        a[:] = problem.prior
        for i in range(problem.weights.size):
            for f in range(n_families):
                cell = problem.cells[i, f]
                for j in range(n_joint):
                    a[cell + problem.states[f, j]] += problem.weights[i] * responsibilities[start, i, j]
