"""Compiled loops: the maximum of a cumulative logit on counts, and its curvature. All release the interpreter lock.

With A = exp(threshold) and E = exp(linear predictor) the probability of a state is E (A_k − A_k−1) / ((E + A_k)(E +
A_k−1)): the log likelihood falls into terms of one threshold each, whose second derivatives are those of logistic
regressions. It is concave (Pratt 1981), so that Newton steps which are halved where they overshoot reach the maximum.
"""

from __future__ import annotations

import math

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba

MOST_STEPS = 60
TOLERANCE = 1e-9  # of the rise that a Newton step promises, in nats
MOST_HALVINGS = 40


@numba.njit(nogil=True, cache=True)
def fit_cumulative_logit(
    counts: FloatArray,
    levels: IntArray,
    first_level: IntArray,
    basis: FloatArray,
    precision: float,
    has_prior: bool,
    parameters: FloatArray,
) -> tuple[float, float]:
    """The maximum of the log likelihood (plus log prior), and the log determinant of the negative curvature there.

    counts : (n_configurations, n_states)
    levels : (n_configurations, n_parents) state of every parent
    first_level : (n_parents,) the row of `basis` of each parent's first state
    basis : (n_levels, n_coefficients) what each state of each parent adds to the linear predictor
    precision : of the Gaussian prior of every coefficient
    has_prior : whether the prior counts: that of coefficients, and equally likely distributions at predictor 0
    parameters : thresholds, then coefficients; where to begin, and afterwards the maximum
    """
    n_thresholds = counts.shape[1] - 1
    n_all = parameters.size
    gradient = np.empty(n_all)
    curvature = np.empty((n_all, n_all))
    now = _derive(counts, levels, first_level, basis, precision, has_prior, parameters, gradient, curvature)
    trial = np.empty(n_all)
    for _ in range(MOST_STEPS):
        _factor(curvature)
        step = _solve(curvature, gradient)
        rise = 0.0
        for i in range(n_all):
            rise += step[i] * gradient[i]
        if rise < TOLERANCE:
            break
        share = 1.0
        reached = -math.inf
        for _ in range(MOST_HALVINGS):
            for i in range(n_all):
                trial[i] = parameters[i] + share * step[i]
            if _ascends(trial, n_thresholds):
                reached = _value(counts, levels, first_level, basis, precision, has_prior, trial)
                if reached >= now:
                    break
            share *= 0.5
        if not reached > now:
            break
        parameters[:] = trial
        now = _derive(counts, levels, first_level, basis, precision, has_prior, parameters, gradient, curvature)
    now = _derive(counts, levels, first_level, basis, precision, has_prior, parameters, gradient, curvature)
    _factor(curvature)
    log_determinant = 0.0
    for i in range(n_all):
        log_determinant += 2.0 * math.log(curvature[i, i])
    return now, log_determinant


@numba.njit(nogil=True, cache=True)
def log_probabilities(
    levels: IntArray, first_level: IntArray, basis: FloatArray, n_states: int, parameters: FloatArray
) -> FloatArray:
    """The log probability of every state in some configurations, (n_configurations, n_states)."""
    n_thresholds = n_states - 1
    predictors = _predictors(levels, first_level, basis, parameters, n_thresholds)
    probabilities = np.empty((len(levels), n_states))
    for c in range(len(levels)):
        for k in range(n_states):
            value = 0.0
            if k > 0:
                value += predictors[c] - _log_sum(predictors[c], parameters[k - 1])
            if k < n_thresholds:
                value -= _log_sum(predictors[c], parameters[k])
                value += parameters[k]
                if k > 0:
                    value += math.log(-math.expm1(parameters[k - 1] - parameters[k]))
            probabilities[c, k] = value
    return probabilities


@numba.njit(nogil=True, cache=True)
def _ascends(parameters: FloatArray, n_thresholds: int) -> bool:
    n_rising = 0
    for k in range(1, n_thresholds):
        n_rising += parameters[k] > parameters[k - 1]
    return n_rising == n_thresholds - 1


@numba.njit(nogil=True, cache=True)
def _log_sum(a: float, b: float) -> float:
    """log(e^a + e^b)."""
    high = max(a, b)
    return high + math.log1p(math.exp(min(a, b) - high))


@numba.njit(nogil=True, cache=True)
def _predictors(
    levels: IntArray, first_level: IntArray, basis: FloatArray, parameters: FloatArray, n_thresholds: int
) -> FloatArray:
    effects = np.zeros(len(basis))
    for level in range(len(basis)):
        for i in range(basis.shape[1]):
            effects[level] += basis[level, i] * parameters[n_thresholds + i]
    predictors = np.zeros(len(levels))
    for c in range(len(levels)):
        for v in range(first_level.size):
            predictors[c] += effects[first_level[v] + levels[c, v]]
    return predictors


@numba.njit(nogil=True, cache=True)
def _value(
    counts: FloatArray,
    levels: IntArray,
    first_level: IntArray,
    basis: FloatArray,
    precision: float,
    has_prior: bool,
    parameters: FloatArray,
) -> float:
    n_states = counts.shape[1]
    n_thresholds = n_states - 1
    predictors = _predictors(levels, first_level, basis, parameters, n_thresholds)
    totals = np.zeros(n_states)
    value = 0.0
    for c in range(len(counts)):
        above = 0.0
        for k in range(n_states):
            totals[k] += counts[c, k]
            if k > 0:
                above += counts[c, k]
        value += above * predictors[c]
        for k in range(n_thresholds):
            both = counts[c, k] + counts[c, k + 1]
            if both > 0.0:
                value -= both * _log_sum(predictors[c], parameters[k])
    value += totals[0] * parameters[0]
    for k in range(1, n_thresholds):
        value += totals[k] * (parameters[k] + math.log(-math.expm1(parameters[k - 1] - parameters[k])))
    if has_prior:
        for k in range(n_thresholds):
            value -= _log_sum(0.0, parameters[k]) + _log_sum(0.0, -parameters[k])
        for i in range(n_thresholds, parameters.size):
            value -= 0.5 * precision * parameters[i] ** 2
    return float(value)


@numba.njit(nogil=True, cache=True)
def _derive(
    counts: FloatArray,
    levels: IntArray,
    first_level: IntArray,
    basis: FloatArray,
    precision: float,
    has_prior: bool,
    parameters: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
) -> float:
    """The value at some parameters; fills in the gradient and the negative second derivatives."""
    n_states = counts.shape[1]
    n_thresholds, n_levels, n_parents = n_states - 1, len(basis), first_level.size
    predictors = _predictors(levels, first_level, basis, parameters, n_thresholds)
    gradient[:] = 0.0
    curvature[:] = 0.0
    slope = np.zeros(n_levels)  # by the effect of each state of each parent
    cross = np.zeros((n_thresholds, n_levels))
    square = np.zeros((n_levels, n_levels))
    totals = np.zeros(n_states)
    for c in range(len(counts)):
        own_slope, own_square = 0.0, 0.0
        totals[0] += counts[c, 0]
        for k in range(1, n_states):
            totals[k] += counts[c, k]
            own_slope += counts[c, k]
        for k in range(n_thresholds):
            both = counts[c, k] + counts[c, k + 1]
            if both > 0.0:
                share = 1.0 / (1.0 + math.exp(parameters[k] - predictors[c]))
                weight = both * share * (1.0 - share)
                gradient[k] -= both * (1.0 - share)
                curvature[k, k] += weight
                own_slope -= both * share
                own_square += weight
                for v in range(n_parents):
                    cross[k, first_level[v] + levels[c, v]] -= weight
        for v in range(n_parents):
            row = first_level[v] + levels[c, v]
            slope[row] += own_slope
            for w in range(n_parents):
                square[row, first_level[w] + levels[c, w]] += own_square
    _add_gaps(totals, parameters, gradient, curvature)
    _add_effects(basis, slope, cross, square, gradient, curvature)
    if has_prior:
        _add_prior(n_thresholds, precision, parameters, gradient, curvature)
    for i in range(parameters.size):
        for j in range(i):
            curvature[i, j] = curvature[j, i]
    return _value(counts, levels, first_level, basis, precision, has_prior, parameters)


@numba.njit(nogil=True, cache=True)
def _add_gaps(totals: FloatArray, parameters: FloatArray, gradient: FloatArray, curvature: FloatArray) -> None:
    """What the thresholds add apart from the predictors: each middle state needs a gap between two of them."""
    gradient[0] += totals[0]
    for k in range(1, totals.size - 1):
        gap = parameters[k] - parameters[k - 1]
        share = -1.0 / math.expm1(-gap)
        gradient[k] += totals[k] * share
        gradient[k - 1] -= totals[k] * (share - 1.0)
        bend = totals[k] * share * (share - 1.0)
        curvature[k, k] += bend
        curvature[k - 1, k - 1] += bend
        curvature[k - 1, k] -= bend


@numba.njit(nogil=True, cache=True)
def _add_effects(
    basis: FloatArray,
    slope: FloatArray,
    cross: FloatArray,
    square: FloatArray,
    gradient: FloatArray,
    curvature: FloatArray,
) -> None:
    """What the coefficients take from the effects of every state of every parent, by the chain rule."""
    n_thresholds, n_levels = cross.shape
    n_coefficients = basis.shape[1]
    for i in range(n_coefficients):
        for level in range(n_levels):
            gradient[n_thresholds + i] += basis[level, i] * slope[level]
            for k in range(n_thresholds):
                curvature[k, n_thresholds + i] += basis[level, i] * cross[k, level]
    half = _product(square, basis)
    for i in range(n_coefficients):
        for j in range(n_coefficients):
            for level in range(n_levels):
                curvature[n_thresholds + i, n_thresholds + j] += basis[level, i] * half[level, j]


@numba.njit(nogil=True, cache=True)
def _add_prior(
    n_thresholds: int, precision: float, parameters: FloatArray, gradient: FloatArray, curvature: FloatArray
) -> None:
    """What the prior adds: equally likely distributions at predictor 0, and a Gaussian on every coefficient."""
    for k in range(n_thresholds):
        share = 1.0 / (1.0 + math.exp(-parameters[k]))
        gradient[k] += 1.0 - 2.0 * share
        curvature[k, k] += 2.0 * share * (1.0 - share)
    for i in range(n_thresholds, parameters.size):
        gradient[i] -= precision * parameters[i]
        curvature[i, i] += precision


@numba.njit(nogil=True, cache=True)
def _product(left: FloatArray, right: FloatArray) -> FloatArray:
    product = np.zeros((left.shape[0], right.shape[1]))
    for i in range(left.shape[0]):
        for j in range(left.shape[1]):
            if left[i, j] != 0.0:
                for k in range(right.shape[1]):
                    product[i, k] += left[i, j] * right[j, k]
    return product


@numba.njit(nogil=True, cache=True)
def _factor(matrix: FloatArray) -> None:
    """The lower Cholesky factor of a matrix that is not quite singular, in its place."""
    n = len(matrix)
    for i in range(n):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            if i == j:
                matrix[i, i] = math.sqrt(max(total, 1e-12))
            else:
                matrix[i, j] = total / matrix[j, j]


@numba.njit(nogil=True, cache=True)
def _solve(factor: FloatArray, right: FloatArray) -> FloatArray:
    """The solution of a system by its Cholesky factor."""
    n = len(factor)
    solve = right.copy()
    for i in range(n):
        for k in range(i):
            solve[i] -= factor[i, k] * solve[k]
        solve[i] /= factor[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            solve[i] -= factor[k, i] * solve[k]
        solve[i] /= factor[i, i]
    return solve
