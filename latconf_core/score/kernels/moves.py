"""How runs of VBEM leave a local optimum."""

from __future__ import annotations

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba
from latconf_core.score.kernels.random_numbers import RandomState, below, uniform
from latconf_core.score.kernels.vbem import Problem

LEAST_COUNT = 0.05  # a cell with less expected count is empty already
EMPTY = -1  # in place of a block: a cell is emptied


@numba.njit(nogil=True, cache=True)
def _cells_to_empty(problem: Problem, a: FloatArray) -> IntArray:
    """Cells that hold expected counts; first those that hold almost nothing, or almost all, of their line."""
    cells = np.empty(a.size, dtype=np.int64)
    to_move = np.empty(a.size)
    found, line = 0, 0
    for block in range(problem.block_first.size):
        width = problem.block_width[block]
        for k in range(problem.block_size[block]):
            first = problem.block_first[block] + k * width
            for cell in range(first, first + width):
                count = a[cell] - problem.prior[cell]
                if count > LEAST_COUNT:
                    cells[found] = cell
                    to_move[found] = min(count, problem.line_weight[line] - count)
                    found += 1
            line += 1
    return cells[:found][np.argsort(to_move[:found], kind="mergesort")]


@numba.njit(nogil=True, cache=True)
def propose(
    problem: Problem, a: FloatArray, n_removals: int, n_swaps: int, random: RandomState, moves: IntArray
) -> int:
    """Moves away from parameters a, in random order, each (block, one, other); gives how many there are.

    A cell `one` is emptied (the block is EMPTY), or two latent configurations are exchanged in a block: EM aligns the
    states within each configuration of observed parents early and cannot turn one round alone.
    Where there are too many cells, half of the moves take the smallest ones and half take any.
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
        for one in range(problem.block_width[block]):
            for other in range(one + 1, problem.block_width[block]):
                # One pair of each of n_parts equal parts of the list.
                if n_swapped < n_parts and seen == target:
                    moves[n_moves + n_swapped] = (block, one, other)
                    n_swapped += 1
                    target = int((n_swapped + uniform(random)) * n_all / n_parts)
                seen += 1
    n_moves += n_swapped
    for move in range(n_moves - 1):
        chosen = move + below(random, n_moves - move)
        for k in range(3):
            moves[move, k], moves[chosen, k] = moves[chosen, k], moves[move, k]
    return n_moves


@numba.njit(nogil=True, cache=True)
def make_move(problem: Problem, a: FloatArray, move: IntArray, moved: FloatArray) -> None:
    """The parameters a after one move."""
    moved[:] = a
    block, one, other = move[0], move[1], move[2]
    if block == EMPTY:
        moved[one] = problem.prior[one]
        return
    width = problem.block_width[block]
    for line in range(problem.block_size[block]):
        cell = problem.block_first[block] + line * width
        moved[cell + one], moved[cell + other] = a[cell + other], a[cell + one]
