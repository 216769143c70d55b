"""Compiled loops that make starts, and moves away from a local optimum. All release the interpreter lock."""

from __future__ import annotations

import math

import numba
import numpy as np

from latconf_core.score.kernels import Problem

FloatArray = np.ndarray
IntArray = np.ndarray

# Kinds of start.
STATES, NEAR_UNIFORM, RANDOM, PROTOTYPES, PROFILES = 0, 1, 2, 3, 4
SOFTNESS = 0.02  # weight of the states that a start by children's states does not choose
NEARNESS = 0.03
SHARPNESS = 3.3  # of random responsibilities: powers of uniform numbers
LIKENESS = 3.0  # log weight of one child in the prototype's state

LEAST_COUNT = 0.05  # a cell with less expected count is empty already


@numba.njit(nogil=True, cache=True)
def _start_from_states(
    q: FloatArray, uniform: FloatArray, codes: IntArray, children: IntArray, cards: IntArray, first: int, end: int
) -> None:
    """A latent that is a function of one child's states, or of two children's."""
    n_children = 0
    while n_children < children.size and children[n_children] >= 0:
        n_children += 1
    one = children[int(uniform[0, first] * n_children)]
    other = children[int(uniform[0, end - 1] * n_children)]
    n_states = end - first
    # One child alone more often than two: its states, or the same states in rotation where they are few.
    rotates = uniform[q.shape[0] - 1, first] < 0.5
    if uniform[q.shape[0] - 1, end - 1] < 0.6:
        other = one
    chosen = np.full(cards[one] * cards[other], -1, dtype=np.int64)
    n_chosen = int(uniform[q.shape[0] - 1, first] * 2.0 * n_states)
    for i in range(q.shape[0]):
        key = codes[i, one] * cards[other] + codes[i, other]
        if chosen[key] < 0:
            chosen[key] = n_chosen % n_states if rotates else int(uniform[i, first] * n_states)
            n_chosen += 1
        for column in range(first, end):
            q[i, column] = 1.0 if column - first == chosen[key] else SOFTNESS


@numba.njit(nogil=True, cache=True)
def _start_from_prototypes(
    q: FloatArray,
    uniform: FloatArray,
    cumulative: FloatArray,
    codes: IntArray,
    children: IntArray,
    first: int,
    end: int,
) -> None:
    """A state for each of some rows drawn by weight; others belong where they are alike in the latent's children."""
    for column in range(first, end):
        drawn = uniform[min(column - first, q.shape[0] - 1), column] * cumulative[-1]
        prototype = min(np.searchsorted(cumulative, drawn), q.shape[0] - 1)
        for i in range(q.shape[0]):
            alike = 0.5 * uniform[i, column]
            for k in range(children.size):
                if children[k] >= 0 and codes[i, children[k]] == codes[prototype, children[k]]:
                    alike += 1.0
            q[i, column] = math.exp(LIKENESS * alike)


@numba.njit(nogil=True, cache=True)
def _surprise(
    t: FloatArray, family: int, draws: FloatArray, weights: FloatArray, blocks: IntArray, states: IntArray
) -> None:
    """Add to t how far a random number for each state of a child is from its mean, given the child's parents."""
    n_blocks = blocks[family].max() + 1
    total, mass = np.zeros(n_blocks), np.zeros(n_blocks)
    for i in range(t.size):
        drawn = draws[(states[family, i] + 5 * family) % draws.size] - 0.5
        total[blocks[family, i]] += weights[i] * drawn
        mass[blocks[family, i]] += weights[i]
        t[i] += drawn
    for i in range(t.size):
        t[i] -= total[blocks[family, i]] / mass[blocks[family, i]]


@numba.njit(nogil=True, cache=True)
def _start_from_profiles(
    q: FloatArray,
    uniform: FloatArray,
    weights: FloatArray,
    pairs: IntArray,
    blocks: IntArray,
    states: IntArray,
    families: IntArray,
    first: int,
    end: int,
) -> None:
    """A latent that is a function of one child and its parents: pairs whose rows surprise alike share a state.

    Surprise is that of the other children, projected on a random direction; where it is cut is random too.
    """
    n_families = 0
    while n_families < families.size and families[n_families] >= 0:
        n_families += 1
    chosen = families[int(uniform[0, first] * n_families)]
    t = np.zeros(q.shape[0])
    for place in range(n_families):
        if families[place] != chosen:
            _surprise(t, families[place], uniform[:, end - 1], weights, blocks, states)
    n_pairs = pairs[chosen].max() + 1
    total, mass = np.zeros(n_pairs), np.zeros(n_pairs)
    for i in range(t.size):
        total[pairs[chosen, i]] += weights[i] * t[i]
        mass[pairs[chosen, i]] += weights[i]
    order = np.argsort(total / mass, kind="mergesort")
    cuts = np.empty(end - first - 1)
    for k in range(cuts.size):
        u = uniform[(k + 1) % q.shape[0], first + k % (end - first)]
        cuts[k] = (2.0 * u) ** 2 / 2.0 if u < 0.5 else 1.0 - (2.0 - 2.0 * u) ** 2 / 2.0  # small states are common
    state = np.empty(n_pairs, dtype=np.int64)
    before = 0.0
    for pair in order:
        middle = (before + 0.5 * mass[pair]) / weights.sum()
        state[pair] = (cuts < middle).sum()
        before += mass[pair]
    for i in range(t.size):
        for column in range(first, end):
            q[i, column] = 1.0 if column - first == state[pairs[chosen, i]] else SOFTNESS


@numba.njit(nogil=True, cache=True)
def make_starts(
    problem: Problem,
    kinds: IntArray,
    uniforms: FloatArray,
    codes: IntArray,
    cards: IntArray,
    children: IntArray,
    pairs: IntArray,
    blocks: IntArray,
    states: IntArray,
    families: IntArray,
    q: FloatArray,
) -> None:
    """Responsibilities q (n_starts, n_rows, n_columns), one factor a latent, of starts of the given kinds.

    uniforms : of the shape of q
    codes, cards : the distinct rows, and the number of states of each of their columns
    children : (n_latents, most children) the columns each latent points at, −1 behind the last
    pairs, blocks, states : (n_families, n_rows) what each row has of a family: its seen pair of observed parents and
        child, the parents' configuration, the child's state
    families : (n_latents, most children) the families each latent is a parent of, −1 behind the last
    """
    cumulative = np.cumsum(problem.weights)
    for start in range(kinds.size):
        for latent in range(problem.q_first.size - 1):
            first, end = problem.q_first[latent], problem.q_first[latent + 1]
            own, uniform = q[start], uniforms[start]
            if kinds[start] == STATES:
                _start_from_states(own, uniform, codes, children[latent], cards, first, end)
            elif kinds[start] == PROFILES and families.shape[1] > 1 and families[latent, 1] >= 0:
                _start_from_profiles(own, uniform, problem.weights, pairs, blocks, states, families[latent], first, end)
            elif kinds[start] == PROTOTYPES:
                _start_from_prototypes(own, uniform, cumulative, codes, children[latent], first, end)
            else:
                for i in range(own.shape[0]):
                    for column in range(first, end):
                        u = uniform[i, column]
                        own[i, column] = 1.0 + NEARNESS * u if kinds[start] == NEAR_UNIFORM else u**SHARPNESS + 1e-3
            for i in range(own.shape[0]):
                total = 0.0
                for column in range(first, end):
                    total += own[i, column]
                for column in range(first, end):
                    own[i, column] /= total


@numba.njit(nogil=True, cache=True)
def removable_cells(problem: Problem, a: FloatArray) -> IntArray:
    """Cells that hold expected counts; first those that hold almost nothing, or almost all, of their line."""
    cells = np.empty(a.size, dtype=np.int64)
    to_move = np.empty(a.size)
    found = 0
    for block in range(problem.block_first.size):
        width = problem.block_width[block]
        for line in range(problem.block_size[block]):
            first = problem.block_first[block] + line * width
            total = 0.0
            for cell in range(first, first + width):
                total += a[cell] - problem.prior[cell]
            for cell in range(first, first + width):
                count = a[cell] - problem.prior[cell]
                if count > LEAST_COUNT:
                    cells[found] = cell
                    to_move[found] = min(count, total - count)
                    found += 1
    order = np.argsort(to_move[:found], kind="mergesort")
    return cells[:found][order]


@numba.njit(nogil=True, cache=True)
def _remove_cells(problem: Problem, a: FloatArray, uniform: FloatArray, moved: FloatArray, n_most: int) -> int:
    """Copies of the parameters with one cell emptied; gives their number.

    Where there are too many cells, half of the copies take the smallest ones and half take any.
    """
    cells = removable_cells(problem, a)
    n_moves = min(n_most, cells.size)
    for move in range(n_moves):
        chosen = move
        if cells.size > n_most and move >= n_most // 2:
            chosen = move + int(uniform[move] * (cells.size - move))
            cells[move], cells[chosen] = cells[chosen], cells[move]
        cell = cells[move]
        moved[move] = a
        moved[move, cell] = problem.prior[cell]
    return n_moves


@numba.njit(nogil=True, cache=True)
def _swap(moved: FloatArray, first: int, size: int, width: int, one: int, other: int) -> None:
    for line in range(size):
        cell = first + line * width
        moved[cell + one], moved[cell + other] = moved[cell + other], moved[cell + one]


@numba.njit(nogil=True, cache=True)
def _swap_states(problem: Problem, a: FloatArray, uniform: FloatArray, moved: FloatArray) -> int:
    """Copies of the parameters with two latent configurations exchanged in one block; gives their number.

    EM aligns the states within each configuration of observed parents early and cannot turn one round alone.
    """
    n_all = 0
    for block in range(problem.n_latent_blocks, problem.block_first.size):
        n_all += problem.block_width[block] * (problem.block_width[block] - 1) // 2
    n_most = min(moved.shape[0], n_all)
    n_moves, seen = 0, 0
    for block in range(problem.n_latent_blocks, problem.block_first.size):
        width = problem.block_width[block]
        for one in range(width):
            for other in range(one + 1, width):
                # One pair of each of n_most equal parts of the list.
                if n_moves < n_most and seen == int((n_moves + uniform[n_moves]) * n_all / n_most):
                    moved[n_moves] = a
                    _swap(moved[n_moves], problem.block_first[block], problem.block_size[block], width, one, other)
                    n_moves += 1
                seen += 1
    return n_moves


@numba.njit(nogil=True, cache=True)
def propose(problem: Problem, a: FloatArray, uniform: FloatArray, moved: FloatArray, n_removals: int) -> int:
    """Moves away from parameters a into `moved` (n_most, n_cells); gives how many were made."""
    n_moves = _remove_cells(problem, a, uniform, moved, n_removals)
    if n_moves < moved.shape[0]:
        n_moves += _swap_states(problem, a, uniform[n_moves:], moved[n_moves:])
    return n_moves
