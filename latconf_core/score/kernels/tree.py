"""The E-step of latents that form a tree: sums over each arc in place of all joint states, and as exact.

Every observed child has one latent parent. Messages go from the leaves up, marginals from the roots down, in log space.
"""

from __future__ import annotations

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba
from latconf_core.score.kernels.special_functions import exp, log

# A step of the way up: the family whose cells are used, a latent's first column of q and its number of states, the same
# of its parent, and the first line of the room that holds the message to the parent.
FAMILY, FIRST, STATES, PARENT, PARENT_STATES, MESSAGE, N_STEP = 0, 1, 2, 3, 4, 5, 6
NONE = -1  # no parent: the family's cells are added at the latent; no family: the sum at a root is taken
CHUNK = 128  # rows worked on together


@numba.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def _log_sum(
    room: FloatArray, first: int, n_states: int, expected: FloatArray, cell: int, out: FloatArray, n_rows: int
) -> None:
    """log Σ exp over the states from line `first` on, the cells from `cell` on added, for each row."""
    total = room[room.shape[0] - 1]
    for i in range(n_rows):
        out[i] = room[first, i] + expected[cell]
        total[i] = 0.0
    for state in range(1, n_states):
        for i in range(n_rows):
            out[i] = max(out[i], room[first + state, i] + expected[cell + state])
    for state in range(n_states):
        for i in range(n_rows):
            total[i] += exp(room[first + state, i] + expected[cell + state] - out[i])
    for i in range(n_rows):
        out[i] += log(total[i])


@numba.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract", "reassoc"})
def _share(
    above: FloatArray, logits: FloatArray, along: float, log_sums: FloatArray, out: FloatArray, n_rows: int
) -> float:
    """Add to `out` the share of each row's weight above that a state has; gives the sum of the shares."""
    result = 0.0
    for i in range(n_rows):
        share = above[i] * exp(logits[i] + along - log_sums[i])
        out[i] += share
        result += share
    return result


@numba.njit(nogil=True, cache=True)
def _go_up(
    cells: IntArray, steps: IntArray, expected: FloatArray, zeros: FloatArray, room: FloatArray, start: int, n_rows: int
) -> None:
    """The logits of every latent given all that is below it, and the messages to the parents."""
    for k in range(steps.shape[0]):
        family, first, n_states, parent = steps[k, FAMILY], steps[k, FIRST], steps[k, STATES], steps[k, PARENT]
        message = steps[k, MESSAGE]
        if family == NONE:
            _log_sum(room, first, n_states, zeros, 0, room[message], n_rows)
        elif parent == NONE:
            for state in range(n_states):
                for i in range(n_rows):
                    room[first + state, i] += expected[cells[start + i, family] + state]
        else:
            for above in range(steps[k, PARENT_STATES]):
                cell = cells[0, family] + above * n_states
                _log_sum(room, first, n_states, expected, cell, room[message + above], n_rows)
                for i in range(n_rows):
                    room[parent + above, i] += room[message + above, i]


@numba.njit(nogil=True, cache=True)
def _go_down(
    cells: IntArray,
    steps: IntArray,
    expected: FloatArray,
    counts: FloatArray,
    weights: FloatArray,
    room: FloatArray,
    n_columns: int,
    start: int,
    n_rows: int,
) -> float:
    """The weight of every row in each state of each latent, added to the counts; gives the rows' part of the bound.

    The shares of a latent stand n_columns lines behind its logits.
    """
    bound = 0.0
    for k in range(steps.shape[0] - 1, -1, -1):
        family, first, n_states, parent = steps[k, FAMILY], steps[k, FIRST], steps[k, STATES], steps[k, PARENT]
        message, shares = steps[k, MESSAGE], steps[k, FIRST] + n_columns
        if family == NONE:
            for i in range(n_rows):
                bound += weights[start + i] * room[message, i]
            for state in range(n_states):
                _share(weights[start:], room[first + state], 0.0, room[message], room[shares + state], n_rows)
        elif parent == NONE:
            for state in range(n_states):
                for i in range(n_rows):
                    counts[cells[start + i, family] + state] += room[shares + state, i]
        else:
            for above in range(steps[k, PARENT_STATES]):
                of_parent, log_sums = room[parent + n_columns + above], room[message + above]
                for state in range(n_states):
                    cell = cells[0, family] + above * n_states + state
                    logits, out = room[first + state], room[shares + state]
                    counts[cell] += _share(of_parent, logits, expected[cell], log_sums, out, n_rows)
    return bound


@numba.njit(nogil=True, cache=True)
def respond_on_tree(
    cells: IntArray,
    steps: IntArray,
    expected: FloatArray,
    counts: FloatArray,
    weights: FloatArray,
    q: FloatArray,
    zeros: FloatArray,
    room: FloatArray,
) -> float:
    """E-step of some rows, whose cells and weights are given; adds to the counts, gives their part of the bound.

    q : (n_rows, n_columns) the weight of each row in each state of each latent, written where it has columns
    zeros : (n_columns,)
    room : logits of every column, their shares, messages and one more line; CHUNK wide
    """
    n_columns, bound = zeros.size, 0.0
    for start in range(0, weights.size, CHUNK):
        n_rows = min(CHUNK, weights.size - start)
        for line in range(2 * n_columns):
            for i in range(n_rows):
                room[line, i] = 0.0
        _go_up(cells, steps, expected, zeros, room, start, n_rows)
        bound += _go_down(cells, steps, expected, counts, weights, room, n_columns, start, n_rows)
        for column in range(q.shape[1]):
            for i in range(n_rows):
                q[start + i, column] = room[n_columns + column, i]
    return bound
