"""The VBEM map on one component: parameters to their image, and the bound at them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba
from latconf_core.score.kernels.special_functions import digammas_gammalns, dot_of_difference, exp, log, total
from latconf_core.score.kernels.tree import CHUNK, respond_on_tree


class Problem(NamedTuple):
    """One component on its data, flat. A cell is one Dirichlet parameter that some row can touch.

    A line is the cells that a row can touch in one family: one for each configuration of the family's latents. A block
    is the lines of one configuration of observed parents.

    weights : (n_rows,) how often each distinct row occurs
    cells : (n_rows, n_families) first cell of each row's line
    n_looking : families whose lines may differ between rows; they stand first
    states : (n_joint, n_families) which cell of a line belongs to each joint state; n_joint 0 where there is no joint
    tree : (n_steps, N_STEP) the way up a tree of latents, see `tree`; n_steps 0 where they are not taken as a tree
    factor_first : (n_families + 1,) where each family's cells of a line begin in `factors`
    factors : (n_cells of all lines, n_latents of a family at most) the columns of q behind a cell, −1 behind the last
    q_first : (n_latents + 1,) the columns of q that belong to each latent: one a state
    prior : (n_cells,)
    group : (n_cells,) the Dirichlet of each cell
    rest : (n_groups,) prior mass of each Dirichlet on states never seen with that configuration
    line_weight : (n_lines,) weight of the rows of each line, in the order of blocks
    block_first, block_size, block_width : first cell, lines and cells of a line of each block
    n_observed_blocks : blocks of observed variables; they stand first
    constant : (1,) log normalisers of the priors
    """

    weights: FloatArray
    cells: IntArray
    n_looking: int
    states: IntArray
    tree: IntArray
    factor_first: IntArray
    factors: IntArray
    q_first: IntArray
    prior: FloatArray
    group: IntArray
    rest: FloatArray
    line_weight: FloatArray
    block_first: IntArray
    block_size: IntArray
    block_width: IntArray
    n_observed_blocks: int
    constant: FloatArray


class Workspace(NamedTuple):
    """Room for the numbers between one step and the next.

    sums, psi, log_gamma : (n_cells + n_groups,) of every parameter, then of every Dirichlet's mass
    logits : (n_joint + 1, CHUNK) of some rows, then their weights in each state; their part of the bound stands last.
        More where the latents are a tree, see `respond_on_tree`
    base, weight : (n_joint,) what all rows have in common, and their weight in each joint state
    factor : (n_columns,) of q; zeros where the latents are a tree
    """

    sums: FloatArray
    psi: FloatArray
    log_gamma: FloatArray
    logits: FloatArray
    base: FloatArray
    weight: FloatArray
    factor: FloatArray


@numba.njit(nogil=True, cache=True)
def make_workspace(problem: Problem) -> Workspace:
    """Room for one thread that works on this problem."""
    n_sums, n_joint = problem.prior.size + problem.rest.size, problem.states.shape[0]
    n_columns, n_lines = problem.q_first[-1], n_joint + 1
    if problem.tree.shape[0]:
        n_lines = 2 * n_columns + problem.factor_first[-1] + 1  # fewer messages than cells of all lines
    return Workspace(
        np.empty(n_sums),
        np.empty(n_sums),
        np.empty(n_sums),
        np.empty((n_lines, CHUNK)),
        np.empty(n_joint),
        np.empty(n_joint),
        np.zeros(n_columns),
    )


@numba.njit(nogil=True, cache=True)
def expect(problem: Problem, a: FloatArray, expected: FloatArray, workspace: Workspace) -> float:
    """E[log θ] of every cell; gives −KL(q(θ) ‖ p(θ))."""
    n_cells, n_sums = a.size, workspace.sums.size
    sums, psi, log_gamma, group = workspace.sums, workspace.psi, workspace.log_gamma, problem.group
    for g in range(n_cells, n_sums):
        sums[g] = problem.rest[g - n_cells]
    for c in range(n_cells):
        sums[c] = a[c]
        sums[n_cells + group[c]] += a[c]
    digammas_gammalns(sums, psi, log_gamma)
    for c in range(n_cells):
        expected[c] = psi[c] - psi[n_cells + group[c]]
    bound = problem.constant[0] + total(log_gamma, 0, n_cells) - total(log_gamma, n_cells, n_sums)
    return float(bound - dot_of_difference(a, problem.prior, expected))


@numba.njit(nogil=True, cache=True, inline="always")
def relate(problem: Problem, expected: FloatArray) -> float:
    """Make every line relative to its first cell; gives what the first cells add to the bound."""
    result = 0.0
    line = 0
    for block in range(problem.block_first.size):
        width = problem.block_width[block]
        first = problem.block_first[block]
        for _ in range(problem.block_size[block]):
            of_first = expected[first]
            result += problem.line_weight[line] * of_first
            for cell in range(first, first + width):
                expected[cell] -= of_first
            line += 1
            first += width
    return result


@numba.njit(nogil=True, cache=True, inline="always")
def complete(problem: Problem, counts: FloatArray) -> None:
    """Give the first cell of every line what its others leave of the line's weight, and every cell its prior."""
    line = 0
    for block in range(problem.block_first.size):
        width = problem.block_width[block]
        first = problem.block_first[block]
        for _ in range(problem.block_size[block]):
            left = problem.line_weight[line]
            for cell in range(first + 1, first + width):
                left -= counts[cell]
                counts[cell] += problem.prior[cell]
            counts[first] = max(left, 0.0) + problem.prior[first]
            line += 1
            first += width


@numba.njit(nogil=True, cache=True)
def _gather(
    cells: IntArray,
    states: IntArray,
    n_looking: int,
    expected: FloatArray,
    base: FloatArray,
    logits: FloatArray,
    j: int,
    start: int,
    n_rows: int,
) -> None:
    """The logit of one joint state in some rows."""
    for i in range(n_rows):
        logit = base[j]
        for f in range(n_looking):
            logit += expected[cells[start + i, f] + states[j, f]]
        logits[j, i] = logit


@numba.njit(nogil=True, cache=True)
def _scatter(
    cells: IntArray,
    states: IntArray,
    n_looking: int,
    counts: FloatArray,
    logits: FloatArray,
    j: int,
    start: int,
    n_rows: int,
) -> None:
    """Add the weight of one joint state in some rows to the cells they touch."""
    for i in range(n_rows):
        share = logits[j, i]
        for f in range(n_looking):
            counts[cells[start + i, f] + states[j, f]] += share


@numba.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def _share_two(logits: FloatArray, weights: FloatArray, start: int, n_rows: int) -> None:
    """Weight of the second of two states from its logit, the first one's being 0; and the rows' part of the bound."""
    for i in range(n_rows):
        ahead, weight = logits[1, i], weights[start + i]
        small = exp(-abs(ahead))
        share = weight / (1.0 + small)
        logits[1, i] = share if ahead > 0.0 else small * share
        logits[2, i] = weight * (max(ahead, 0.0) + log(1.0 + small))


@numba.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def _share(logits: FloatArray, weights: FloatArray, start: int, n_rows: int) -> None:
    """Weight of every state from its logit, the first state's being 0; and the rows' part of the bound."""
    last = logits.shape[0] - 1
    for i in range(n_rows):
        logits[last, i] = 0.0  # the highest logit
    for j in range(1, last):
        for i in range(n_rows):
            logits[last, i] = max(logits[last, i], logits[j, i])
    for i in range(n_rows):
        logits[0, i] = exp(-logits[last, i])  # the sum of all
    for j in range(1, last):
        for i in range(n_rows):
            logits[j, i] = exp(logits[j, i] - logits[last, i])
            logits[0, i] += logits[j, i]
    for i in range(n_rows):
        logits[last, i] = weights[start + i] * (logits[last, i] + log(logits[0, i]))
        logits[0, i] = weights[start + i] / logits[0, i]
    for j in range(1, last):
        for i in range(n_rows):
            logits[j, i] *= logits[0, i]


@numba.njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def _line_total(logits: FloatArray, j: int, n_rows: int) -> float:
    line_total = 0.0
    for i in range(n_rows):
        line_total += logits[j, i]
    return line_total


@numba.njit(nogil=True, cache=True, inline="always")
def respond(
    problem: Problem, expected: FloatArray, counts: FloatArray, first_row: int, end_row: int, workspace: Workspace
) -> float:
    """Joint E-step of some rows from relative E[log θ]: adds to the counts of all but first cells, gives the bound."""
    n_joint, n_families = problem.states.shape
    cells, states, logits, base, weight = (
        problem.cells,
        problem.states,
        workspace.logits,
        workspace.base,
        workspace.weight,
    )
    for j in range(1, n_joint):
        base[j] = 0.0
        weight[j] = 0.0
        for f in range(problem.n_looking, n_families):
            base[j] += expected[cells[0, f] + states[j, f]]
    bound = 0.0
    for start in range(first_row, end_row, CHUNK):
        n_rows = min(CHUNK, end_row - start)
        for j in range(1, n_joint):
            _gather(cells, states, problem.n_looking, expected, base, logits, j, start, n_rows)
        if n_joint == 2:
            _share_two(logits, problem.weights, start, n_rows)
        else:
            _share(logits, problem.weights, start, n_rows)
        bound += _line_total(logits, n_joint, n_rows)
        for j in range(1, n_joint):
            weight[j] += _line_total(logits, j, n_rows)
            _scatter(cells, states, problem.n_looking, counts, logits, j, start, n_rows)
    for f in range(problem.n_looking, n_families):
        for j in range(1, n_joint):
            counts[cells[0, f] + states[j, f]] += weight[j]
    return bound


@numba.njit(nogil=True, cache=True)
def respond_tree(
    problem: Problem,
    expected: FloatArray,
    counts: FloatArray,
    q: FloatArray,
    first_row: int,
    end_row: int,
    workspace: Workspace,
) -> float:
    """The same as `respond` where the latents are a tree; q as in `respond_on_tree`."""
    return respond_on_tree(
        problem.cells[first_row:end_row],
        problem.tree,
        expected,
        counts,
        problem.weights[first_row:end_row],
        q[first_row:end_row],
        workspace.factor,
        workspace.logits,
    )


@numba.njit(nogil=True, cache=True)
def cell_probability(factors: IntArray, line: int, q: FloatArray, left_out: int) -> float:
    """Probability of a cell's latent states under q, the latent at one place left out."""
    weight = 1.0
    for index in range(factors.shape[1]):
        column = factors[line, index]
        if column >= 0 and index != left_out:
            weight *= q[column]
    return weight


@numba.njit(nogil=True, cache=True)
def _update_factor(
    problem: Problem, expected: FloatArray, row: int, q: FloatArray, latent: int, logits: FloatArray
) -> None:
    """q of one latent in one row, given the others' current q."""
    first, end = problem.q_first[latent], problem.q_first[latent + 1]
    factors = problem.factors
    for column in range(first, end):
        logits[column] = 0.0
    for f in range(problem.cells.shape[1]):
        first_line = problem.factor_first[f]
        for index in range(factors.shape[1]):
            if first <= factors[first_line, index] < end:
                for line in range(first_line, problem.factor_first[f + 1]):
                    value = expected[problem.cells[row, f] + line - first_line]
                    logits[factors[line, index]] += value * cell_probability(factors, line, q, index)
    highest, norm = logits[first], 0.0
    for column in range(first + 1, end):
        highest = max(highest, logits[column])
    for column in range(first, end):
        q[column] = math.exp(logits[column] - highest)
        norm += q[column]
    for column in range(first, end):
        q[column] /= norm


@numba.njit(nogil=True, cache=True)
def respond_factorised(
    problem: Problem,
    expected: FloatArray,
    counts: FloatArray,
    q: FloatArray,
    first_row: int,
    end_row: int,
    workspace: Workspace,
) -> float:
    """E-step of some rows with one factor a latent, updated in turn from q (n_rows, n_columns) in place."""
    bound = 0.0
    for i in range(first_row, end_row):
        for latent in range(problem.q_first.size - 1):
            _update_factor(problem, expected, i, q[i], latent, workspace.factor)
        value = 0.0
        for column in range(q.shape[1]):
            if q[i, column] > 0.0:
                value -= q[i, column] * math.log(q[i, column])
        for f in range(problem.cells.shape[1]):
            for line in range(problem.factor_first[f], problem.factor_first[f + 1]):
                cell = problem.cells[i, f] + line - problem.factor_first[f]
                weight = cell_probability(problem.factors, line, q[i], -1)
                value += weight * expected[cell]
                counts[cell] += problem.weights[i] * weight
        bound += problem.weights[i] * value
    return bound


@numba.njit(nogil=True, cache=True)
def spread(problem: Problem, q: FloatArray, a: FloatArray) -> None:
    """The parameters that follow from one factor a latent, q (n_rows, n_columns)."""
    a[:] = problem.prior
    for f in range(problem.cells.shape[1]):
        first_line, end_line = problem.factor_first[f], problem.factor_first[f + 1]
        for i in range(problem.weights.size):
            for line in range(first_line, end_line):
                weight = cell_probability(problem.factors, line, q[i], -1)
                a[problem.cells[i, f] + line - first_line] += problem.weights[i] * weight


@numba.njit(nogil=True, cache=True)
def joint_responsibilities(problem: Problem, a: FloatArray) -> FloatArray:
    """The posterior over joint states of every row, (n_rows, n_joint)."""
    expected = np.empty_like(a)
    expect(problem, a, expected, make_workspace(problem))
    n_joint, n_families = problem.states.shape
    logits = np.zeros((problem.weights.size, n_joint))
    for i in range(problem.weights.size):
        for f in range(n_families):
            for j in range(n_joint):
                logits[i, j] += expected[problem.cells[i, f] + problem.states[j, f]]
        logits[i] = np.exp(logits[i] - logits[i].max())
        logits[i] /= logits[i].sum()
    return logits


@numba.njit(nogil=True, cache=True)
def tree_responsibilities(problem: Problem, a: FloatArray) -> FloatArray:
    """The posterior over the states of every latent of a tree, (n_rows, n_columns)."""
    expected, q = np.empty_like(a), np.empty((problem.weights.size, problem.q_first[-1]))
    workspace = make_workspace(problem)
    expect(problem, a, expected, workspace)
    respond_tree(problem, expected, np.zeros_like(a), q, 0, problem.weights.size, workspace)
    for i in range(q.shape[0]):
        q[i] /= problem.weights[i]
    return q


@numba.njit(nogil=True, cache=True)
def log_likelihood(problem: Problem, a: FloatArray) -> float:
    """Of the rows at the mean parameters."""
    mass = problem.rest.copy()
    for c in range(a.size):
        mass[problem.group[c]] += a[c]
    log_mean = np.empty_like(a)
    for c in range(a.size):
        log_mean[c] = math.log(a[c] / mass[problem.group[c]])
    likelihood = relate(problem, log_mean)
    workspace, n_rows = make_workspace(problem), problem.weights.size
    if problem.tree.shape[0]:
        return likelihood + respond_tree(
            problem, log_mean, np.zeros_like(a), np.empty((n_rows, 0)), 0, n_rows, workspace
        )
    return likelihood + respond(problem, log_mean, np.zeros_like(a), 0, n_rows, workspace)
