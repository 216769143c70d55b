"""How runs of VBEM leave a local optimum."""

from __future__ import annotations

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba
from latconf_core.score.kernels.random_numbers import RandomState, below, uniform
from latconf_core.score.kernels.shifts import N_KINDS, shift
from latconf_core.score.kernels.vbem import Problem

LEAST_COUNT = 0.05  # a cell with less expected count is empty already
# In place of a block: a cell is emptied; states are merged and split; a family forgets its latents; rows are shifted.
EMPTY, SPLIT, FORGET, SHIFT = -1, -2, -3, -4
SPLITS_PER_STATE = 8  # moves of the last kind for every state above one, at most
MILD_SHARE, SHARE_RANGE = (
    0.05,
    0.2,
)  # the smaller share of a line that one half of a split state gets, and how it varies


@numba.njit(nogil=True, cache=True)
def _cells_to_empty(problem: Problem, a: FloatArray) -> IntArray:
    """Cells that hold expected counts; first those that hold almost nothing, or almost all, of their line."""
    cells = np.empty(a.size, dtype=np.int64)
    to_move = np.empty(a.size)
    index, line = 0, 0
    for block in range(problem.block_first.size):
        width = problem.block_width[block]
        for k in range(problem.block_size[block]):
            first = problem.block_first[block] + k * width
            for cell in range(first, first + width):
                count = a[cell] - problem.prior[cell]
                if count > LEAST_COUNT:
                    cells[index] = cell
                    to_move[index] = min(count, problem.line_weight[line] - count)
                    index += 1
            line += 1
    return cells[:index][np.argsort(to_move[:index], kind="mergesort")]


@numba.njit(nogil=True, cache=True)
def _propose_splits(n_states: int, n_splits: int, random: RandomState, moves: IntArray, n_before: int) -> int:
    """Merge a state into another and split one of those left, at random, behind the moves before; gives how many."""
    n_found = min(n_splits, SPLITS_PER_STATE * (n_states - 1))
    for move in range(n_before, n_before + n_found):
        gone = below(random, n_states)
        kept = (gone + 1 + below(random, n_states - 1)) % n_states
        cut = (gone + 1 + below(random, n_states - 1)) % n_states
        moves[move] = (SPLIT, gone * n_states + kept, cut)
    return n_found


@numba.njit(nogil=True, cache=True)
def propose(
    problem: Problem,
    a: FloatArray,
    n_removals: int,
    n_swaps: int,
    n_splits: int,
    n_shifts: int,
    random: RandomState,
    moves: IntArray,
) -> int:
    """Moves away from parameters a, in random order, each (block, one, other); gives how many there are.

    A cell `one` is emptied (the block is EMPTY), or two latent configurations are exchanged in a block: EM aligns the
    states within each configuration of observed parents early and cannot turn one round alone.
    Where there are too many cells, half of the moves take the smallest ones and half take any.
    One latent alone also has a state merged into another and a third split: EM never gives a state another role.
    Shifts of rows change what all children say of these together; with any, every family also forgets its latents once.
    """
    cells = _cells_to_empty(problem, a)
    n_moves = min(n_removals, cells.size)
    for move in range(n_moves):
        if cells.size > n_removals and move >= n_removals // 2:
            chosen = move + below(random, cells.size - move)
            cells[move], cells[chosen] = cells[chosen], cells[move]
        moves[move] = (EMPTY, cells[move], 0)
    n_all = 0
    for block in range(problem.n_observed_blocks):
        n_all += problem.block_width[block] * (problem.block_width[block] - 1) // 2
    n_parts = min(n_swaps, n_all)
    n_swapped, seen = 0, 0
    target = int(uniform(random) * n_all / max(n_parts, 1))
    for block in range(problem.n_observed_blocks):
        for index in range(problem.block_width[block]):
            for other in range(index + 1, problem.block_width[block]):
                # One pair of each of n_parts equal parts of the list.
                if n_swapped < n_parts and seen == target:
                    moves[n_moves + n_swapped] = (block, index, other)
                    n_swapped += 1
                    target = int((n_swapped + uniform(random)) * n_all / n_parts)
                seen += 1
    n_moves += n_swapped
    if problem.q_first.size == 2:
        n_moves += _propose_splits(problem.q_first[1], n_splits, random, moves, n_moves)
    for move in range(n_shifts):
        moves[n_moves] = (SHIFT, move % N_KINDS, 0)
        n_moves += 1
    for family in range(min(n_shifts, problem.n_looking)):
        moves[n_moves] = (FORGET, family, 0)
        n_moves += 1
    for move in range(n_moves - 1):
        chosen = move + below(random, n_moves - move)
        for k in range(3):
            moves[move, k], moves[chosen, k] = moves[chosen, k], moves[move, k]
    return n_moves


@numba.njit(nogil=True, cache=True)
def _split(
    problem: Problem, a: FloatArray, gone: int, kept: int, cut: int, random: RandomState, moved: FloatArray
) -> None:
    """Merge the state `gone` into `kept`, then give it a share of `cut`, small or large at random in every line."""
    prior, n_states = problem.prior, problem.q_first[1]
    for first in range(0, a.size, n_states):
        u = uniform(random)
        share = MILD_SHARE + SHARE_RANGE * u if u < 0.5 else 1.0 - MILD_SHARE - SHARE_RANGE * (u - 0.5)
        moved[first + kept] = a[first + kept] + max(a[first + gone] - prior[first + gone], 0.0)
        count = max(moved[first + cut] - prior[first + cut], 0.0)
        moved[first + gone] = prior[first + gone] + share * count
        moved[first + cut] = prior[first + cut] + (1.0 - share) * count


@numba.njit(nogil=True, cache=True)
def _forget(problem: Problem, family: int, moved: FloatArray) -> None:
    """Give every configuration of a family's latents the same count in each line."""
    width = problem.factor_first[family + 1] - problem.factor_first[family]
    for i in range(problem.weights.size):
        first = problem.cells[i, family]
        count = 0.0
        for cell in range(first, first + width):
            count += moved[cell] - problem.prior[cell]
        for cell in range(first, first + width):
            moved[cell] = problem.prior[cell] + count / width


@numba.njit(nogil=True, cache=True)
def make_move(
    problem: Problem,
    families: IntArray,
    a: FloatArray,
    q: FloatArray,
    move: IntArray,
    random: RandomState,
    moved: FloatArray,
) -> None:
    """The parameters a after one move; q the posterior of every latent at them where moves have shifts."""
    moved[:] = a
    block, first, other = move[0], move[1], move[2]
    if block == SPLIT:
        n_states = problem.q_first[1]
        _split(problem, a, first // n_states, first % n_states, other, random, moved)
    elif block == EMPTY:
        moved[first] = problem.prior[first]
    elif block == FORGET:
        _forget(problem, first, moved)
    elif block == SHIFT:
        shift(problem, families, q, first, random, moved)
    else:
        width = problem.block_width[block]
        for line in range(problem.block_size[block]):
            cell = problem.block_first[block] + line * width
            moved[cell + first], moved[cell + other] = a[cell + other], a[cell + first]
