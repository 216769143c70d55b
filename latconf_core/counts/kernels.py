"""Compiled loops: special functions, counting, Dirichlet-multinomial scores. All release the interpreter lock."""

from __future__ import annotations

import math

import numpy as np

from latconf_core.arrays import CodeArray, FloatArray, IntArray
from latconf_core.compiled import numba

HALF_LOG_TWO_PI = 0.918938533204672741780329736406
SHIFT = 8.0  # Stirling's series is accurate to the last digit above this
EMPTY = np.int64(-1)


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
def extend_keys(keys: IntArray, codes: CodeArray, column: int, card: int) -> None:
    """One more column behind keys that are already there."""
    for i in range(keys.size):
        keys[i] = keys[i] * card + codes[i, column]


@numba.njit(nogil=True, cache=True)
def count_dense(keys: IntArray, weights: IntArray, size: int) -> IntArray:
    """Weight of every key below `size`; no weights means one each."""
    counts = np.zeros(size, dtype=np.int64)
    if weights.size:
        for i in range(keys.size):
            counts[keys[i]] += weights[i]
    else:
        for i in range(keys.size):
            counts[keys[i]] += 1
    return counts


@numba.njit(nogil=True, cache=True)
def count_columns(codes: CodeArray, weights: IntArray, ends: IntArray) -> IntArray:
    """Weight of every state, one column behind the other from `ends`; no weights means one each."""
    counts = np.zeros(ends[-1], dtype=np.int64)
    for i in range(codes.shape[0]):
        weight = weights[i] if weights.size else 1
        for k in range(codes.shape[1]):
            counts[ends[k] + codes[i, k]] += weight
    return counts


@numba.njit(nogil=True, cache=True)
def group_dense(
    codes: CodeArray, weights: IntArray, columns: IntArray, cards: IntArray, numbers: IntArray
) -> tuple[IntArray, IntArray]:
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
    table = np.zeros(size, dtype=np.int64)
    for i in range(codes.shape[0]):
        place = 0
        for k in range(columns.size):
            place += adds[first[k] + codes[i, columns[k]]]
        table[place] += weights[i] if weights.size else 1
    seen = np.flatnonzero(table)
    found = np.empty((seen.size, columns.size), dtype=np.int64)
    for i in range(seen.size):
        place = seen[i]
        for k in range(columns.size - 1, -1, -1):
            found[i, k] = place % cards[k]
            place //= cards[k]
    return found, table[seen]


@numba.njit(nogil=True, cache=True)
def _slot(key: np.int64, table: IntArray) -> np.int64:
    """Where a key stands, or would stand, in an open-addressing table of a power of two."""
    mask = table.size - 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
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
    place = np.zeros(size, dtype=np.int64)
    for i in range(distinct.size):
        slot = _slot(distinct[i], table)
        table[slot] = distinct[i]
        place[slot] = i
    found = np.empty(keys.size, dtype=np.int64)
    for i in range(keys.size):
        found[i] = place[_slot(keys[i], table)]
    return found


@numba.njit(nogil=True, cache=True)
def dirichlet_multinomial(counts: IntArray, prior: FloatArray) -> float:
    """Log marginal likelihood of counts (q, r) when every row has the Dirichlet `prior` (r,)."""
    prior_sum = prior.sum()
    of_prior_sum = gammaln(prior_sum)
    of_prior = np.empty(prior.size)
    for k in range(prior.size):
        of_prior[k] = gammaln(prior[k])
    total = 0.0
    for u in range(counts.shape[0]):
        row_sum = 0
        for k in range(counts.shape[1]):
            n = counts[u, k]
            if n > 0:
                row_sum += n
                total += gammaln(prior[k] + n) - of_prior[k]
        if row_sum > 0:
            total += of_prior_sum - gammaln(prior_sum + row_sum)
    return total
