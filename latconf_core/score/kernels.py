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
SHIFT = 6.0  # Stirling's series is accurate to 2e-13 above this


class Problem(NamedTuple):
    """One component on its data, flat. A cell is one Dirichlet parameter that some row can touch.

    weights : (n_rows,) how often each distinct row occurs
    cells : (n_rows, n_families) first of the cells that a row can touch in each family
    n_looking : families whose cells differ between rows; they stand first
    states : (n_families, n_joint) which of these cells belongs to each joint state; n_joint 0 where factorised
    factor_first : (n_families + 1,) where each family's lines in `factors` begin: one for each of these cells
    factors : (n_lines, n_latents of a family at most) the columns of q behind a cell, −1 where there are fewer
    q_first : (n_latents + 1,) the columns of q that belong to each latent: one a state
    prior : (n_cells,)
    group_first, group_size, group_stride : the cells of each Dirichlet
    group_rest : prior mass of each Dirichlet on states never seen with that configuration
    constant : log normalisers of the priors
    block_first, block_size, block_width : lines of cells that share a configuration of observed parents
    n_latent_blocks : blocks of latent variables; they stand first
    """

    weights: FloatArray
    cells: IntArray
    n_looking: int
    states: IntArray
    factor_first: IntArray
    factors: IntArray
    q_first: IntArray
    prior: FloatArray
    group_first: IntArray
    group_size: IntArray
    group_stride: IntArray
    group_rest: FloatArray
    constant: float
    block_first: IntArray
    block_size: IntArray
    block_width: IntArray
    n_latent_blocks: int


@numba.njit(nogil=True, cache=True)
def index_rows(codes: IntArray, places: IntArray, cards: IntArray) -> tuple[IntArray, IntArray]:
    """Which distinct configuration of some columns each row has, and the distinct ones as numbers, rising."""
    keys = np.zeros(codes.shape[0], dtype=np.int64)
    for k in range(places.size):
        for i in range(keys.size):
            keys[i] = keys[i] * cards[k] + codes[i, places[k]]
    distinct = distinct_keys(keys)
    return positions(keys, distinct), distinct


@numba.njit(nogil=True, cache=True)
def observed_groups(
    seen: IntArray, state_prior: FloatArray, n_latent: int
) -> tuple[FloatArray, IntArray, IntArray, IntArray, FloatArray]:
    """Prior of every cell; first cell, cells, distance and unseen prior mass of every Dirichlet of an observed child.

    seen : (n_seen,) its seen (configuration of observed parents, state) pairs as numbers, rising
    """
    n_states = state_prior.size
    prior = np.empty(seen.size * n_latent)
    first = np.empty(seen.size * n_latent, dtype=np.int64)
    size, rest = np.empty_like(first), np.empty(first.size)
    whole = state_prior.sum()
    n_groups, start = 0, 0
    while start < seen.size:
        end, mass = start, 0.0
        while end < seen.size and seen[end] // n_states == seen[start] // n_states:
            own = state_prior[seen[end] % n_states]
            prior[end * n_latent : (end + 1) * n_latent] = own
            mass += own
            end += 1
        for latent in range(n_latent):
            first[n_groups] = start * n_latent + latent
            size[n_groups] = end - start
            rest[n_groups] = max(whole - mass, 0.0)
            n_groups += 1
        start = end
    stride = np.full(n_groups, n_latent)
    return prior, first[:n_groups], size[:n_groups], stride, rest[:n_groups]


@numba.njit(nogil=True, cache=True, inline="always")
def digamma_gammaln(x: float) -> tuple[float, float]:
    """ψ(x) and log Γ(x) together: they share the logarithm."""
    product, slope = 1.0, 0.0  # of x (x+1) … (x+5), pairs from outside in: slope / product is the sum of reciprocals
    shifted = x < SHIFT
    if shifted:
        y = x * (x + 5.0)
        product = y * (y + 4.0) * (y + 6.0)
        slope = (2.0 * x + 5.0) * ((y + 4.0) * (y + 6.0) + y * (2.0 * y + 10.0))
        x += 6.0
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
def _respond_two(
    problem: Problem,
    expected: FloatArray,
    counts: FloatArray,
    lead: float,
    total: FloatArray,
    first_row: int,
    end_row: int,
) -> float:
    """The joint E-step where there are two states, the second ahead by `lead`: one exponential a row."""
    cells, n_looking = problem.cells, problem.n_looking
    bound = 0.0
    for i in range(first_row, end_row):
        ahead, behind = lead, 0.0
        for f in range(n_looking):
            behind += expected[cells[i, f]]
            ahead += expected[cells[i, f] + 1] - expected[cells[i, f]]
        small = math.exp(-abs(ahead))
        weight = problem.weights[i]
        first = weight / (1.0 + small)
        second = first * small
        if ahead > 0.0:
            first, second = second, first
        bound += weight * (behind + max(ahead, 0.0) + math.log(1.0 + small))
        total[0] += first
        total[1] += second
        for f in range(n_looking):
            counts[cells[i, f]] += first
            counts[cells[i, f] + 1] += second
    return bound


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
    if n_joint == 2:
        bound = _respond_two(problem, expected, counts, base[1] - base[0], total, first_row, end_row)
        bound += base[0] * (total[0] + total[1])
        first_row = end_row
    else:
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
def _line_weight(factors: IntArray, line: int, q: FloatArray, left_out: int) -> float:
    """Probability of a cell's latent states under q, the latent at one place left out."""
    weight = 1.0
    for place in range(factors.shape[1]):
        column = factors[line, place]
        if column >= 0 and place != left_out:
            weight *= q[column]
    return weight


@numba.njit(nogil=True, cache=True)
def _update_factor(
    problem: Problem, expected: FloatArray, row: int, q: FloatArray, latent: int, logits: FloatArray
) -> None:
    """q of one latent in one row, given the others' current q."""
    first, end = problem.q_first[latent], problem.q_first[latent + 1]
    factors = problem.factors
    logits[first:end] = 0.0
    for f in range(problem.cells.shape[1]):
        first_line = problem.factor_first[f]
        for place in range(factors.shape[1]):
            if first <= factors[first_line, place] < end:
                for line in range(first_line, problem.factor_first[f + 1]):
                    value = expected[problem.cells[row, f] + line - first_line]
                    logits[factors[line, place]] += value * _line_weight(factors, line, q, place)
    highest = logits[first:end].max()
    norm = 0.0
    for column in range(first, end):
        q[column] = math.exp(logits[column] - highest)
        norm += q[column]
    for column in range(first, end):
        q[column] /= norm


@numba.njit(nogil=True, cache=True)
def respond_factorised(
    problem: Problem, expected: FloatArray, counts: FloatArray, q: FloatArray, first_row: int, end_row: int
) -> float:
    """E-step of some rows with one factor a latent, updated in turn from q (n_rows, n_columns) in place."""
    bound = 0.0
    logits = np.empty(q.shape[1])
    for i in range(first_row, end_row):
        for latent in range(problem.q_first.size - 1):
            _update_factor(problem, expected, i, q[i], latent, logits)
        value = 0.0
        for column in range(q.shape[1]):
            if q[i, column] > 0.0:
                value -= q[i, column] * math.log(q[i, column])
        for f in range(problem.cells.shape[1]):
            for line in range(problem.factor_first[f], problem.factor_first[f + 1]):
                cell = problem.cells[i, f] + line - problem.factor_first[f]
                weight = _line_weight(problem.factors, line, q[i], -1)
                value += weight * expected[cell]
                counts[cell] += problem.weights[i] * weight
        bound += problem.weights[i] * value
    return bound


@numba.njit(nogil=True, cache=True)
def spread(problem: Problem, q: FloatArray, points: FloatArray) -> None:
    """Parameters (n_starts, n_cells) that follow from one factor a latent, q (n_starts, n_rows, n_columns)."""
    for start in range(points.shape[0]):
        points[start] = problem.prior
        for i in range(problem.weights.size):
            for f in range(problem.cells.shape[1]):
                for line in range(problem.factor_first[f], problem.factor_first[f + 1]):
                    cell = problem.cells[i, f] + line - problem.factor_first[f]
                    weight = _line_weight(problem.factors, line, q[start, i], -1)
                    points[start, cell] += problem.weights[i] * weight


@numba.njit(nogil=True, cache=True)
def joint_responsibilities(problem: Problem, a: FloatArray) -> FloatArray:
    """The posterior over joint states of every row, (n_rows, n_joint)."""
    expected = np.empty_like(a)
    expect(problem, a, expected)
    n_families, n_joint = problem.states.shape
    logits = np.zeros((problem.weights.size, n_joint))
    for i in range(problem.weights.size):
        for f in range(n_families):
            for j in range(n_joint):
                logits[i, j] += expected[problem.cells[i, f] + problem.states[f, j]]
        logits[i] = np.exp(logits[i] - logits[i].max())
        logits[i] /= logits[i].sum()
    return logits


@numba.njit(nogil=True, cache=True)
def log_likelihood(problem: Problem, a: FloatArray) -> float:
    """Of the rows at the mean parameters."""
    log_mean = np.empty_like(a)
    for g in range(problem.group_first.size):
        first, stride = problem.group_first[g], problem.group_stride[g]
        end = first + problem.group_size[g] * stride
        mass = problem.group_rest[g]
        for cell in range(first, end, stride):
            mass += a[cell]
        for cell in range(first, end, stride):
            log_mean[cell] = math.log(a[cell] / mass)
    return respond(problem, log_mean, np.empty_like(a), 0, problem.weights.size)
