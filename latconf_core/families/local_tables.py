"""Tables with local structure: parent configurations that share a row, paid for.

A hidden cause can be a cheap stand-in for a large table whose rows repeat. Two forms are tried: a tree (Friedman &
Goldszmidt 1996), and parents some of whose states count as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, log

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.families.log_gamma import gammaln

MAX_CONFIGURATIONS = 300  # above, looking for a structure takes longer than a stop may wait
LEAST_ROWS = 1.0  # of a node that is split


def local_score(counts: FloatArray, prior: FloatArray) -> float:
    """The score of a family whose table may have local structure; −∞ where it is too large to look for one.

    counts : one axis per parent, the states of the child last; need not be whole
    prior : (n_states,) Dirichlet parameters of every row that configurations share
    """
    if counts.size > MAX_CONFIGURATIONS * counts.shape[-1]:
        return -np.inf
    return max(tree_score(counts, prior), merged_score(counts, prior))


def tree_score(counts: FloatArray, prior: FloatArray) -> float:
    """The best tree that is grown by the best split at a time and cut back, paid for.

    Per node log 2 (split or leaf), per split the log of the number of splits possible there.
    """
    leaf = _shared_row(counts, prior) - log(2)
    options = list(_splits(counts))
    if not options or counts.sum() <= LEAST_ROWS:
        return leaf
    best = max(options, key=lambda parts: sum(_shared_row(part, prior) for part in parts))
    return max(leaf, sum(tree_score(part, prior) for part in best) - log(2) - log(len(options)))


def merged_score(counts: FloatArray, prior: FloatArray) -> float:
    """The best table after two states of a parent at a time count as one, the partition of its states paid for."""
    price = sum(log(n_partitions(n_states)) for n_states in counts.shape[:-1])
    score = _rows(counts, prior)
    while merged := [(_rows(trial, prior), trial) for trial in _merges(counts)]:
        best, trial = max(merged, key=lambda pair: pair[0])
        if best <= score:
            break
        score, counts = best, trial
    return score - price


def n_partitions(n_states: int) -> int:
    """In how many ways states can be parted into groups (the Bell number)."""
    bell_numbers = [1]
    for n in range(n_states):
        bell_numbers.append(sum(comb(n, k) * bell_numbers[k] for k in range(n + 1)))
    return bell_numbers[n_states]


def _splits(counts: FloatArray) -> Iterator[list[FloatArray]]:
    """Every way to part the configurations: by all states of a parent, or one state against the rest."""
    for axis in range(counts.ndim - 1):
        n_states = counts.shape[axis]
        if n_states > 1:
            yield [np.take(counts, [state], axis=axis) for state in range(n_states)]
        if n_states > 2:
            for state in range(n_states):
                yield [np.take(counts, [state], axis=axis), np.delete(counts, state, axis=axis)]


def _merges(counts: FloatArray) -> Iterator[FloatArray]:
    """Every table in which two states of one parent are one."""
    for axis in range(counts.ndim - 1):
        for gone in range(counts.shape[axis]):
            for kept in range(gone):
                merged = np.moveaxis(np.delete(counts, gone, axis=axis), axis, 0)
                merged[kept] += np.take(counts, gone, axis=axis)
                yield np.moveaxis(merged, 0, axis)


def _shared_row(counts: FloatArray, prior: FloatArray) -> float:
    """All configurations with one row."""
    return _rows(counts.reshape(-1, counts.shape[-1]).sum(axis=0), prior)


def _rows(counts: FloatArray, prior: FloatArray) -> float:
    """Every configuration with a row of its own."""
    rows = counts.reshape(-1, counts.shape[-1])
    mass = prior.sum()
    cells = (gammaln(rows + prior) - gammaln(prior)).sum()
    return float(cells + (gammaln(mass) - gammaln(rows.sum(axis=1) + mass)).sum())
