"""Compiled loops: special functions, counting, Dirichlet-multinomial scores. All release the interpreter lock."""

from __future__ import annotations

import math

import numpy as np

from latconf_core.arrays import CodeArray, FloatArray, IntArray, WeightArray
from latconf_core.compiled import numba

HALF_LOG_TWO_PI = 0.918938533204672741780329736406
SHIFT = 8.0  # Stirling's series is accurate to the last digit above this
EMPTY = np.int64(-1)
KEY_LIMIT = 1 << 62
HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
HASHED_AT_ONCE = 1 << 13  # rows: their hashes stay in the processor's nearest memory
LANES = 4  # tables that are counted side by side: equal neighbours would otherwise wait for each other
SMALL_CELLS = 1 << 11  # tables up to this size are counted in lanes


@numba.njit(nogil=True, cache=True, inline="always")
def _stirling_digamma(x: float) -> float:
    y = 1.0 / (x * x)
    tail = 1.0 / 240.0 - y * (1.0 / 132.0 - y * (691.0 / 32760.0 - y / 12.0))
    return math.log(x) - 0.5 / x - y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * tail)))


@numba.njit(nogil=True, cache=True, inline="always")
def _stirling_gammaln(x: float) -> float:
    y = 1.0 / (x * x)
    tail = 1.0 / 1188.0 - y * (691.0 / 360360.0 - y / 156.0)
    series = (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y * tail)))) / x
    return (x - 0.5) * math.log(x) - x + HALF_LOG_TWO_PI + series


@numba.njit(nogil=True, cache=True)
def digamma(x: float) -> float:
    """ψ(x) for x > 0, to about 1e-14 of its size."""
    product, slope = 1.0, 0.0  # of x (x+1) … : slope / product is the sum of reciprocals
    while x < SHIFT:
        slope = slope * x + product
        product *= x
        x += 1.0
    return _stirling_digamma(x) - slope / product


@numba.njit(nogil=True, cache=True)
def gammaln(x: float) -> float:
    """log Γ(x) for x > 0, to about 1e-14."""
    if x >= SHIFT:
        return _stirling_gammaln(x)
    product = 1.0
    while x < SHIFT:
        product *= x
        x += 1.0
    return _stirling_gammaln(x) - math.log(product)


@numba.njit(nogil=True, cache=True)
def extend_keys(keys: IntArray, column: CodeArray, card: int, out: IntArray) -> None:
    """One more column behind keys (or a first column) that are there; `out` may be the keys themselves."""
    wide = out.dtype.type(card)
    for i in range(keys.size):
        out[i] = keys[i] * wide + column[i]


@numba.njit(nogil=True, cache=True)
def row_keys(codes: CodeArray, columns: IntArray, cards: IntArray) -> tuple[IntArray, int]:
    """A number for each row over some columns, ordered as their codes, and a bound above all numbers.

    Where the product of states leaves 62 bits, the numbers so far are replaced by their places among the distinct ones.
    """
    keys = np.zeros(codes.shape[0], dtype=np.int64)
    size = 1
    for k in range(columns.size):
        if size > KEY_LIMIT // max(cards[k], 1):
            distinct = distinct_keys(keys)
            keys = positions(keys, distinct)
            size = distinct.size
        extend_keys(keys, codes[:, columns[k]], cards[k], keys)
        size *= cards[k]
    return keys, size


@numba.njit(nogil=True, cache=True)
def count_cells(keys: IntArray, weights: WeightArray, table: WeightArray) -> None:
    """Weight of every key into `table`, which may hold anything before; no weights means one each."""
    table[:] = 0
    if weights.size:
        for i in range(keys.size):
            table[keys[i]] += weights[i]
        return
    if table.size > SMALL_CELLS:
        for i in range(keys.size):
            table[keys[i]] += 1
        return
    lanes = np.zeros((LANES, table.size), dtype=table.dtype)
    first, second, third, fourth = lanes[0], lanes[1], lanes[2], lanes[3]
    whole = keys.size - keys.size % LANES
    for i in range(0, whole, LANES):
        first[keys[i]] += 1
        second[keys[i + 1]] += 1
        third[keys[i + 2]] += 1
        fourth[keys[i + 3]] += 1
    for i in range(whole, keys.size):
        first[keys[i]] += 1
    for cell in range(table.size):
        table[cell] = first[cell] + second[cell] + third[cell] + fourth[cell]


@numba.njit(nogil=True, cache=True)
def count_columns(codes: CodeArray, weights: WeightArray, ends: IntArray) -> WeightArray:
    """Weight of every state, one column behind the other from `ends`; no weights means one each."""
    counts = np.zeros(ends[-1], dtype=weights.dtype)
    for i in range(codes.shape[0]):
        weight = weights[i] if weights.size else 1
        for k in range(codes.shape[1]):
            counts[ends[k] + codes[i, k]] += weight
    return counts


@numba.njit(nogil=True, cache=True)
def group_dense(
    codes: CodeArray, weights: WeightArray, columns: IntArray, cards: IntArray, numbers: IntArray
) -> tuple[IntArray, WeightArray]:
    """The different rows over some columns, rising, and their weights; no weights means one each.

    numbers : another number for every state, one column behind the other
    """
    # What a state adds to a row's place in the table of all configurations.
    adds = numbers.copy()
    first = np.empty(columns.size, dtype=np.int64)
    size, end = 1, numbers.size
    for k in range(columns.size - 1, -1, -1):
        first[k] = end - cards[k]
        adds[first[k] : end] *= size
        size *= cards[k]
        end = first[k]
    table = np.zeros(size, dtype=weights.dtype)
    for i in range(codes.shape[0]):
        index = 0
        for k in range(columns.size):
            index += adds[first[k] + codes[i, columns[k]]]
        table[index] += weights[i] if weights.size else 1
    seen = np.flatnonzero(table)
    groups = np.empty((seen.size, columns.size), dtype=np.int64)
    for i in range(seen.size):
        index = seen[i]
        for k in range(columns.size - 1, -1, -1):
            groups[i, k] = index % cards[k]
            index //= cards[k]
    return groups, table[seen]


@numba.njit(nogil=True, cache=True)
def _slot(key: np.int64, table: IntArray) -> np.int64:
    """Where a key stands, or would stand, in an open-addressing table of a power of two."""
    mask = table.size - 1
    mixed = np.uint64(key) * HASH_FACTOR
    slot = np.int64((mixed >> np.uint64(20)) & np.uint64(mask))
    while table[slot] != EMPTY and table[slot] != key:
        slot = (slot + 1) & mask
    return slot


@numba.njit(nogil=True, cache=True)
def distinct_keys(keys: IntArray) -> IntArray:
    """The different keys, rising."""
    size = 16
    while size < 2 * keys.size:
        size *= 2
    table = np.full(size, EMPTY, dtype=np.int64)
    for i in range(keys.size):
        table[_slot(keys[i], table)] = keys[i]
    return np.sort(table[table != EMPTY])


@numba.njit(nogil=True, cache=True)
def positions(keys: IntArray, distinct: IntArray) -> IntArray:
    """The place of each key among the distinct ones."""
    size = 16
    while size < 2 * distinct.size:
        size *= 2
    table = np.full(size, EMPTY, dtype=np.int64)
    position_of = np.zeros(size, dtype=np.int64)
    for i in range(distinct.size):
        slot = _slot(distinct[i], table)
        table[slot] = distinct[i]
        position_of[slot] = i
    result = np.empty(keys.size, dtype=np.int64)
    for i in range(keys.size):
        result[i] = position_of[_slot(keys[i], table)]
    return result


@numba.njit(nogil=True, cache=True)
def meet_rows(codes: CodeArray, first: int, end: int, seen: IntArray, n_seen: int) -> int:
    """How many different rows were seen once those from `first` to `end` are put among the `n_seen` of before.

    It ends early where half of the table `seen` (a power of two, EMPTY at first) is full. Rows are compared by hashes
    of 63 bits: among a million rows, two different ones have the same with odds of about 1 to 20 million.
    """
    hashes = np.empty(HASHED_AT_ONCE, dtype=np.uint64)
    for start in range(first, end, HASHED_AT_ONCE):
        n_here = min(HASHED_AT_ONCE, end - start)
        hashes[:] = 0
        for column in range(codes.shape[1]):
            for i in range(n_here):
                mixed = (hashes[i] ^ np.uint64(codes[start + i, column])) * HASH_FACTOR
                hashes[i] = mixed ^ (mixed >> np.uint64(29))
        for i in range(n_here):
            key = np.int64(hashes[i] >> np.uint64(1))
            slot = _slot(key, seen)
            if seen[slot] == EMPTY:
                seen[slot] = key
                n_seen += 1
                if 2 * n_seen >= seen.size:
                    return n_seen
    return n_seen


@numba.njit(nogil=True, cache=True)
def dirichlet_multinomial(counts: WeightArray, prior: FloatArray) -> float:
    """Log marginal likelihood of counts (q, r) when every row has the Dirichlet `prior` (r,)."""
    prior_sum = prior.sum()
    of_prior_sum = gammaln(prior_sum)
    of_prior = np.empty(prior.size)
    for k in range(prior.size):
        of_prior[k] = gammaln(prior[k])
    total = 0.0
    for u in range(counts.shape[0]):
        row_sum = counts[u, 0] - counts[u, 0]
        for k in range(counts.shape[1]):
            n = counts[u, k]
            if n > 0:
                row_sum += n
                total += gammaln(prior[k] + n) - of_prior[k]
        if row_sum > 0:
            total += of_prior_sum - gammaln(prior_sum + row_sum)
    return total


@numba.njit(nogil=True, cache=True)
def family_score(codes, weights, cards, child, parents, prior, keys, table):  # type: ignore[no-untyped-def]
    """Log marginal likelihood of column `child` given the columns `parents`, counted in the same call.

    prior : (n_states,) the Dirichlet of every configuration
    keys : scratch (n_rows,), of a type that can number the cells
    table : scratch with room for every cell
    """
    n_configurations, n_states = _number(codes, cards, parents, keys), cards[child]
    extend_keys(keys, codes[:, child], n_states, keys)
    cells = table[: n_configurations * n_states]
    count_cells(keys, weights, cells)
    return dirichlet_multinomial(cells.reshape((n_configurations, n_states)), prior)


@numba.njit(nogil=True, cache=True)
def family_scores(codes, weights, cards, child, parents, candidates, priors, scratch, table, scores):  # type: ignore[no-untyped-def]
    """The same with one more parent, for each of several: what is common to all is numbered once.

    Every score has each digit of `family_score`, because cells are numbered and summed in the same order.

    candidates : rising, none of them a parent or the child
    priors : (n_candidates, n_states) the Dirichlet of every configuration with that one more
    scratch : (2, n_rows), of a type that can number the cells
    scores : gets the result, (n_candidates,)
    """
    n_states = cards[child]
    high, low = scratch[0], scratch[1]
    n_before, n_low, n_high = -1, 1, 1
    for index in range(candidates.size):
        candidate = candidates[index]
        n_smaller = 0
        while n_smaller < parents.size and parents[n_smaller] < candidate:
            n_smaller += 1
        if n_smaller != n_before:  # the candidate stands among the parents in the order of the columns
            n_before = n_smaller
            n_high = _number(codes, cards, parents[:n_smaller], high)
            n_low = _number(codes, cards, parents[n_smaller:], low) * n_states
            extend_keys(low, codes[:, child], n_states, low)
        card = cards[candidate]
        n_cells = n_high * card * n_low
        cells = table[:n_cells]
        _count_between(high, codes[:, candidate], low, card, n_low, weights, cells)
        scores[index] = dirichlet_multinomial(cells.reshape((n_cells // n_states, n_states)), priors[index])


@numba.njit(nogil=True, cache=True)
def _number(codes, cards, columns, keys):  # type: ignore[no-untyped-def]
    """Number the rows over some columns into `keys`; how many numbers there may be."""
    keys[:] = 0
    size = 1
    for column in columns:
        extend_keys(keys, codes[:, column], cards[column], keys)
        size *= cards[column]
    return size


@numba.njit(nogil=True, cache=True)
def _count_between(high, column, low, card, n_low, weights, table):  # type: ignore[no-untyped-def]
    """Count the cells of a column that stands between two numbered groups of others."""
    table[:] = 0
    if weights.size:
        for i in range(high.size):
            table[(np.int64(high[i]) * card + column[i]) * n_low + low[i]] += weights[i]
        return
    if table.size > SMALL_CELLS:
        for i in range(high.size):
            table[(np.int64(high[i]) * card + column[i]) * n_low + low[i]] += 1
        return
    lanes = np.zeros((LANES, table.size), dtype=table.dtype)
    first, second, third, fourth = lanes[0], lanes[1], lanes[2], lanes[3]
    whole = high.size - high.size % LANES
    for i in range(0, whole, LANES):
        first[(np.int64(high[i]) * card + column[i]) * n_low + low[i]] += 1
        second[(np.int64(high[i + 1]) * card + column[i + 1]) * n_low + low[i + 1]] += 1
        third[(np.int64(high[i + 2]) * card + column[i + 2]) * n_low + low[i + 2]] += 1
        fourth[(np.int64(high[i + 3]) * card + column[i + 3]) * n_low + low[i + 3]] += 1
    for i in range(whole, high.size):
        first[(np.int64(high[i]) * card + column[i]) * n_low + low[i]] += 1
    for cell in range(table.size):
        table[cell] = first[cell] + second[cell] + third[cell] + fourth[cell]


@numba.njit(nogil=True, cache=True)
def completed_family_score(  # type: ignore[no-untyped-def]
    codes, weights, cards, child, parents, prior, keys, table, gaps, completions, fractions
):
    """The same where cells are missing: what a row with a gap in the family counts is shared out to its completions.

    codes, weights : of the rows, a missing cell as state 0
    gaps : where each column's rows with a missing cell begin, these rows, (n_distinct, n_columns) whether a cell is
        missing, the codes of the distinct rows and how often each occurs
    completions : where those of each distinct row begin, their codes and weights
    fractions : scratch as `table`, of floating-point numbers
    """
    first_gap, rows, is_missing, row_codes, counts = gaps
    first_completion, filled, filled_weights = completions
    n_configurations, n_states = _number(codes, cards, parents, keys), cards[child]
    extend_keys(keys, codes[:, child], n_states, keys)
    n_cells = n_configurations * n_states
    count_cells(keys, weights, table[:n_cells])
    fractions[:n_cells] = 0.0
    for k in range(parents.size + 1):
        column = parents[k] if k < parents.size else child
        for index in range(first_gap[column], first_gap[column + 1]):
            row = rows[index]
            is_done = False  # by an earlier column of the family
            key = 0
            for j in range(parents.size):
                if j < k and is_missing[row, parents[j]]:
                    is_done = True
                    break
                key = key * cards[parents[j]] + row_codes[row, parents[j]]
            if is_done:
                continue
            table[key * n_states + row_codes[row, child]] -= counts[row]
            for position in range(first_completion[row], first_completion[row + 1]):
                key = 0
                for parent in parents:
                    key = key * cards[parent] + filled[position, parent]
                fractions[key * n_states + filled[position, child]] += filled_weights[position]
    for cell in range(n_cells):
        fractions[cell] += table[cell]
    return dirichlet_multinomial(fractions[:n_cells].reshape((n_configurations, n_states)), prior)
