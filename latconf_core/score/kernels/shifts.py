"""Moves of rows to other states of a latent: what these make of the parameters."""

from __future__ import annotations

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba
from latconf_core.score.kernels.random_numbers import RandomState, below, uniform
from latconf_core.score.kernels.special_functions import exp
from latconf_core.score.kernels.vbem import Problem, Workspace, cell_probability, expect, spread, tree_responsibilities

# Kinds of shift: the rows of one line that are in one state go to another; all of them go to one state; two states are
# divided anew by a function of one child and its parents; some rows go to any state.
TRANSFER, GATHER, DIVIDE, SCATTER, N_KINDS = 0, 1, 2, 3, 4
MILD, SHARP = 0.2, 0.05  # smaller share that a state gets where two are divided
MOST_SCATTERED = 8


@numba.njit(nogil=True, cache=True)
def latent_posteriors(
    problem: Problem, a: FloatArray, expected: FloatArray, q: FloatArray, workspace: Workspace
) -> None:
    """The posterior over the states of every latent in every row into q (n_rows, n_columns)."""
    if problem.tree.shape[0]:
        q[:] = tree_responsibilities(problem, a)
        return
    expect(problem, a, expected, workspace)
    n_joint, n_families = problem.states.shape
    first_own = n_families - problem.q_first.size + 1  # the latents' own families stand last
    logits = workspace.base
    q[:] = 0.0
    for i in range(q.shape[0]):
        logits[:] = 0.0
        for f in range(n_families):
            for j in range(n_joint):
                logits[j] += expected[problem.cells[i, f] + problem.states[j, f]]
        highest, norm = logits.max(), 0.0
        for j in range(n_joint):
            logits[j] = exp(logits[j] - highest)
            norm += logits[j]
        for j in range(n_joint):
            for f in range(first_own, n_families):
                q[i, _own_column(problem, f, j)] += logits[j] / norm


@numba.njit(nogil=True, cache=True)
def _own_column(problem: Problem, family: int, joint: int) -> int:
    """The column of q of a latent's state in a joint state; family is the latent's own."""
    line = problem.factor_first[family] + problem.states[joint, family]
    column = problem.factors[line, 0]
    for index in range(1, problem.factors.shape[1]):
        if problem.factors[line, index] >= 0:
            column = problem.factors[line, index]
    return int(column)


@numba.njit(nogil=True, cache=True)
def _follow(problem: Problem, q: FloatArray, shifted: FloatArray, latent: int, moved: FloatArray) -> None:
    """Change the parameters as the posterior of one latent changes from q to shifted, never below the prior."""
    first, end, factors = problem.q_first[latent], problem.q_first[latent + 1], problem.factors
    for f in range(problem.cells.shape[1]):
        first_line = problem.factor_first[f]
        for index in range(factors.shape[1]):
            if first <= factors[first_line, index] < end:
                for i in range(problem.weights.size):
                    for line in range(first_line, problem.factor_first[f + 1]):
                        more = shifted[i, factors[line, index]] - q[i, factors[line, index]]
                        if more != 0.0:
                            more *= problem.weights[i] * cell_probability(factors, line, q[i], index)
                            moved[problem.cells[i, f] + line - first_line] += more
    for c in range(moved.size):
        moved[c] = max(moved[c], problem.prior[c])


@numba.njit(nogil=True, cache=True)
def _draw_state(q: FloatArray, row: int, first: int, end: int, random: RandomState) -> int:
    """The column of a state drawn by what a row has of it."""
    u, column = uniform(random), first
    while column < end - 1 and u >= q[row, column]:
        u -= q[row, column]
        column += 1
    return column


@numba.njit(nogil=True, cache=True)
def _shift_line(
    problem: Problem,
    family: int,
    row: int,
    kind: int,
    ends: tuple[int, int],
    number: int,
    other: int,
    shifted: FloatArray,
) -> None:
    """TRANSFER or GATHER the rows that have the line of one row in a family."""
    line = problem.cells[row, family]
    for i in range(shifted.shape[0]):
        if problem.cells[i, family] == line:
            if kind == TRANSFER:
                shifted[i, other] += shifted[i, number]
                shifted[i, number] = 0.0
            else:
                shifted[i, ends[0] : ends[1]] = 0.0
                shifted[i, other] = 1.0


@numba.njit(nogil=True, cache=True)
def _divide(problem: Problem, family: int, number: int, other: int, random: RandomState, shifted: FloatArray) -> None:
    """Divide two states anew: each line of a family goes to one of them, but for a small share."""
    smaller = SHARP if uniform(random) < 0.5 else MILD
    share = np.zeros(problem.prior.size)  # of each line; drawn where its first row is met
    for i in range(shifted.shape[0]):
        line = problem.cells[i, family]
        if share[line] == 0.0:
            share[line] = smaller if uniform(random) < 0.5 else 1.0 - smaller
        both = shifted[i, number] + shifted[i, other]
        shifted[i, number] = share[line] * both
        shifted[i, other] = both - shifted[i, number]


@numba.njit(nogil=True, cache=True)
def shift(
    problem: Problem, families: IntArray, q: FloatArray, kind: int, random: RandomState, moved: FloatArray
) -> None:
    """Parameters after a shift of a latent drawn at random; before it they are those that q makes.

    families : see `make_start`
    """
    latent = below(random, problem.q_first.size - 1)
    first, end = problem.q_first[latent], problem.q_first[latent + 1]
    n_families = (families[latent] >= 0).sum()
    family, row = families[latent, below(random, n_families)], below(random, q.shape[0])
    state = _draw_state(q, row, first, end, random)
    other = first + (state - first + 1 + below(random, end - first - 1)) % (end - first)
    shifted = q.copy()
    if kind == DIVIDE:
        _divide(problem, family, state, other, random, shifted)
    elif kind == SCATTER:
        for _ in range(2 + below(random, MOST_SCATTERED - 1)):
            row = below(random, q.shape[0])
            shifted[row, first:end] = 0.0
            shifted[row, first + below(random, end - first)] = 1.0
    else:
        _shift_line(problem, family, row, kind, (first, end), state, other, shifted)
    if problem.q_first.size == 2:
        spread(problem, shifted, moved)
    else:
        _follow(problem, q, shifted, latent, moved)
