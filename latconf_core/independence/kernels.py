"""Compiled loops of the independence tests: subsets in turn, statistics, p-values. They release the GIL."""

from __future__ import annotations

import math

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba
from latconf_core.counts.kernels import count_cells, extend_keys, row_keys

G_SQUARE, CHI_SQUARE = 0, 1
ADAPTIVE, FULL, FULL_GUARD = 0, 1, 2
EXHAUSTED, FOUND, PAUSED = 0, 1, 2
GUARD = 10.0  # rows that one degree of freedom needs under FULL_GUARD
EPSILON = 1e-16
PACKED_CELLS = 128  # tables up to this size are counted from bits, if there are any
TINY = 1e-300


@numba.njit(nogil=True, cache=True)
def chi_square_tail(statistic: float, df: float) -> float:
    """P(a chi-square variable with `df` degrees of freedom exceeds `statistic`); 1 where df is 0."""
    if df <= 0.0 or statistic <= 0.0:
        return 1.0
    a = 0.5 * df
    x = 0.5 * statistic
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1.0:
        return 1.0 - scale * _lower_series(a, x)
    return scale * _upper_fraction(a, x)


@numba.njit(nogil=True, cache=True)
def _lower_series(a: float, x: float) -> float:
    """The power series of the lower incomplete gamma function, without its leading factor."""
    term = 1.0 / a
    total = term
    while term > total * EPSILON:
        a += 1.0
        term *= x / a
        total += term
    return total


@numba.njit(nogil=True, cache=True)
def _upper_fraction(a: float, x: float) -> float:
    """The continued fraction of the upper incomplete gamma function (Lentz), without its leading factor."""
    b = x + 1.0 - a
    c = 1.0 / TINY
    d = 1.0 / b
    value = d
    i = 0.0
    while True:
        i += 1.0
        numerator = -i * (i - a)
        b += 2.0
        d = numerator * d + b
        c = b + numerator / c
        d = 1.0 / (d if abs(d) > TINY else TINY)
        c = c if abs(c) > TINY else TINY
        value *= d * c
        if abs(d * c - 1.0) < 4e-16 or i > 1e6:
            return value


@numba.njit(nogil=True, cache=True)
def _statistic(table, n_x, n_y, kind, x_log_x):  # type: ignore[no-untyped-def]
    """(statistic, adaptive degrees of freedom) of counts in the order x, y, stratum."""
    n_strata = table.size // (n_x * n_y)
    cells = table.reshape((n_x, n_y, n_strata))
    rows = np.zeros((n_x, n_strata), dtype=table.dtype)
    columns = np.zeros((n_y, n_strata), dtype=table.dtype)
    totals = np.zeros(n_strata, dtype=table.dtype)
    for i in range(n_x):
        for j in range(n_y):
            for s in range(n_strata):
                rows[i, s] += cells[i, j, s]
                columns[j, s] += cells[i, j, s]
        for s in range(n_strata):
            totals[s] += rows[i, s]
    if kind == G_SQUARE:
        inside = _sum_x_log_x(table, x_log_x) + _sum_x_log_x(totals, x_log_x)
        margins = _sum_x_log_x(rows.ravel(), x_log_x) + _sum_x_log_x(columns.ravel(), x_log_x)
        statistic = max(2.0 * (inside - margins), 0.0)
    else:
        statistic = _chi_square(cells, rows, columns, totals)
    return statistic, _adaptive_df(rows, columns, totals)


@numba.njit(nogil=True, cache=True)
def _sum_x_log_x(counts: IntArray, table: FloatArray) -> float:
    total = 0.0
    for count in counts:
        total += table[count] if count < table.size else count * math.log(count)
    return total


@numba.njit(nogil=True, cache=True)
def _adaptive_df(rows: IntArray, columns: IntArray, totals: IntArray) -> float:
    """The sum over strata of (rows seen - 1)(columns seen - 1)."""
    df = 0
    for s in range(totals.size):
        if totals[s]:
            n_rows, n_columns = -1, -1
            for i in range(rows.shape[0]):
                n_rows += rows[i, s] > 0
            for j in range(columns.shape[0]):
                n_columns += columns[j, s] > 0
            df += n_rows * n_columns
    return float(df)


@numba.njit(nogil=True, cache=True)
def _chi_square(cells: IntArray, rows: IntArray, columns: IntArray, totals: IntArray) -> float:
    statistic = 0.0
    for i in range(rows.shape[0]):
        for j in range(columns.shape[0]):
            for s in range(totals.size):
                if rows[i, s] and columns[j, s]:
                    expected = float(rows[i, s]) * columns[j, s] / totals[s]
                    gap = cells[i, j, s] - expected
                    statistic += gap * gap / expected
    return statistic


@numba.njit(nogil=True, cache=True)
def _sparse_statistic(codes, weights, cards, chosen, xy, n_x, n_y, kind, x_log_x):  # type: ignore[no-untyped-def]
    """(statistic, adaptive degrees of freedom) where the table is too large to hold: one stratum after the other."""
    n = xy.size
    keys, _ = row_keys(codes, chosen, cards[chosen])
    order = np.argsort(keys)
    cells = np.zeros(n_x * n_y, dtype=np.int32)
    statistic, df = 0.0, 0.0
    start = 0
    for stop in range(1, n + 1):
        if stop < n and keys[order[stop]] == keys[order[start]]:
            continue
        if stop - start > 1:  # a stratum with one kind of row says nothing
            for k in range(start, stop):
                cells[xy[order[k]]] += weights[order[k]] if weights.size else 1
            part, part_df = _statistic(cells, n_x, n_y, kind, x_log_x)
            statistic += part
            df += part_df
            for k in range(start, stop):
                cells[xy[order[k]]] = 0
        start = stop
    return statistic, df


@numba.njit(nogil=True, cache=True)
def _next_subset(subset: IntArray, n_pool: int) -> int:
    """Make `subset` the next one in lexicographic order; gives the first place that changed, or -1 at the end."""
    size = subset.size
    k = size - 1
    while k >= 0 and subset[k] == n_pool - size + k:
        k -= 1
    if k >= 0:
        subset[k] += 1
        for later in range(k + 1, size):
            subset[later] = subset[later - 1] + 1
    return k


@numba.njit(nogil=True, cache=True)
def _is_known(subset: IntArray, known: IntArray) -> bool:
    """Whether all members carry a common flag; never for the empty subset."""
    common = np.uint8(255 if subset.size else 0)
    for k in subset:
        common &= known[k]
    return bool(common)


@numba.njit(nogil=True, cache=True)
def pack_states(codes, cards, starts):  # type: ignore[no-untyped-def]
    """Of every state of every column its rows as bits: (states, words); `starts` says where a column's states begin."""
    n = codes.shape[0]
    packed = np.zeros((starts[-1], (n + 63) // 64), dtype=np.uint64)
    for column in range(cards.size):
        first = starts[column]
        for i in range(n):
            packed[first + codes[i, column], i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    return packed


@numba.extending.intrinsic
def _ones(typing_context, word):  # type: ignore[no-untyped-def]
    """The number of bits set in a word, by the processor's own instruction."""
    return numba.uint64(numba.uint64), lambda context, builder, signature, words: builder.ctpop(words[0])


@numba.njit(nogil=True, cache=True)
def _cross(before, n_before, states, first, n_states, after):  # type: ignore[no-untyped-def]
    """The rows in each of some cells and in each of some states: of one cell the states in turn."""
    for cell in range(n_before):
        for state in range(n_states):
            for k in range(states.shape[1]):
                after[cell * n_states + state, k] = before[cell, k] & states[first + state, k]


@numba.njit(nogil=True, cache=True)
def _count_crossed(before, n_before, states, first, n_states, table):  # type: ignore[no-untyped-def]
    """How many rows are in each of some cells and in each of some states, in the order of `_cross`."""
    for cell in range(n_before):
        for state in range(n_states):
            total = np.uint64(0)
            for k in range(states.shape[1]):
                total += _ones(before[cell, k] & states[first + state, k])  # type: ignore[call-arg]  # numba gives the context
            table[cell * n_states + state] = total


@numba.njit(nogil=True, cache=True)
def _count_packed(packed, cards, x, y, chosen, crossed, room, table):  # type: ignore[no-untyped-def]
    """Fill `table` in the order x, y, chosen from bits; gives how many of the chosen are crossed in `room` now.

    crossed : how many are already; -1 where not even x and y are
    """
    states, starts = packed
    size = chosen.size
    if size == 0:
        _count_crossed(states[starts[x] :], cards[x], states, starts[y], cards[y], table)
        return -1
    if crossed < 0:
        _cross(states[starts[x] :], cards[x], states, starts[y], cards[y], room[0])
        crossed = 0
    cells = cards[x] * cards[y]
    for k in range(size - 1):
        column = chosen[k]
        if k >= crossed:
            _cross(room[k], cells, states, starts[column], cards[column], room[k + 1])
        cells *= cards[column]
    last = chosen[size - 1]
    _count_crossed(room[size - 1], cells, states, starts[last], cards[last], table)
    return size - 1


@numba.njit(nogil=True, cache=True)
def _p_value(data, packed, x, y, chosen, settings, fresh, keys, room, table):  # type: ignore[no-untyped-def]
    """The p-value of x and y given some others.

    fresh : how many of the chosen are in `keys`, and in `room`, from the test before; brought up to date
    """
    codes, weights, cards, x_log_x = data
    kind, convention, n_rows = settings[0], settings[1], settings[2]
    n_x, n_y = cards[x], cards[y]
    n_strata = 1.0
    for column in chosen:
        n_strata *= cards[column]
    df = float(n_x - 1) * (n_y - 1) * n_strata
    if convention == FULL_GUARD and n_rows < GUARD * df:
        return 1.0
    n_cells = n_strata * n_x * n_y
    if packed[0].size and n_cells <= PACKED_CELLS:
        used = table[: int(n_cells)]
        fresh[1] = _count_packed(packed, cards, x, y, chosen, fresh[1], room, used)
        statistic, adaptive = _statistic(used, n_x, n_y, kind, x_log_x)
        return chi_square_tail(statistic, adaptive if convention == ADAPTIVE else df)
    if fresh[0] < 0:
        extend_keys(codes[:, x], codes[:, y], n_y, keys[0])
        fresh[0] = 0
    if n_cells <= table.size:
        while fresh[0] < chosen.size:
            column = chosen[fresh[0]]
            extend_keys(keys[fresh[0]], codes[:, column], cards[column], keys[fresh[0] + 1])
            fresh[0] += 1
        used = table[: int(n_cells)]
        count_cells(keys[chosen.size], weights, used)
        statistic, adaptive = _statistic(used, n_x, n_y, kind, x_log_x)
    else:
        statistic, adaptive = _sparse_statistic(codes, weights, cards, chosen, keys[0], n_x, n_y, kind, x_log_x)
    return chi_square_tail(statistic, adaptive if convention == ADAPTIVE else df)


@numba.njit(nogil=True, cache=True)
def search_subsets(data, packed, pair, pool, known, subset, settings, alpha, best, keys, room, table):  # type: ignore[no-untyped-def]
    """Test x and y given one subset of `pool` after the other, lexicographically.

    Gives (status, tests done, p-value of the last test); it ends at the first p-value above `alpha`, or where the best
    is asked for, after all of them.

    data : codes, weights (none: one each), cards, n log n
    packed : the rows of each state as bits, and where the states of each column begin; no bits where there are weights
    pair : x, y
    known : (n_pool,) bit flags; a subset whose members share a flag was tested before and is passed over
    subset : places in `pool` to begin with; at FOUND the subset that separates, at PAUSED the next one
    settings : statistic, degrees of freedom, number of rows, how many tests at most, whether to begin after `subset`
    best : p-value of the best so far (none: the first is asked for), and its places; both are moved on
    keys : scratch (subset.size + 1, n_rows), of a type that can number the cells of any table that fits `table`
    room : scratch (subset.size, PACKED_CELLS, words), where there are bits
    """
    max_tests, is_after = settings[3], settings[4]
    x, y = pair
    chosen = np.empty(subset.size, dtype=np.int64)
    done = 0
    p = 1.0
    fresh = np.full(2, -1)  # how many members the keys, and the bits, hold besides x and y; -1: not even these
    step = _next_subset(subset, pool.size) if is_after else 0
    while step >= 0:
        fresh[0], fresh[1] = min(fresh[0], step), min(fresh[1], step)
        if not _is_known(subset, known):
            if done == max_tests:
                return PAUSED, done, p
            for k in range(subset.size):
                chosen[k] = pool[subset[k]]
            p = _p_value(data, packed, x, y, chosen, settings, fresh, keys, room, table)
            done += 1
            if p > alpha:
                if not best[0].size:
                    return FOUND, done, p
                if p > best[0][0]:
                    best[0][0] = p
                    best[1][:] = subset
        step = _next_subset(subset, pool.size)
    return EXHAUSTED, done, p


@numba.njit(nogil=True, cache=True)
def test_pairs(data, packed, x, others, settings, keys, room, table):  # type: ignore[no-untyped-def]
    """The p-values (n_others,) of x with each of the others, given nothing.

    data, packed, keys, room, table : as for `search_subsets`
    settings : statistic, degrees of freedom, number of rows
    """
    nobody = np.empty(0, dtype=np.int64)
    p_values = np.empty(others.size)
    fresh = np.empty(2, dtype=np.int64)
    for k in range(others.size):
        fresh[:] = -1
        p_values[k] = _p_value(data, packed, x, others[k], nobody, settings, fresh, keys, room, table)
    return p_values
