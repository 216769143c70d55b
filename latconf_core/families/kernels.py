"""Compiled loops: log Γ of arrays, the score of one family at expected counts. Both release the interpreter lock."""

from __future__ import annotations

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba
from latconf_core.counts.kernels import gammaln


@numba.njit(nogil=True, cache=True)
def gammalns(x: FloatArray, out: FloatArray) -> None:
    """log Γ of positive numbers."""
    for i in range(x.size):
        out[i] = gammaln(x[i])


@numba.njit(nogil=True, cache=True)
def soft_score(columns: IntArray, family: IntArray, cards: IntArray, mass: FloatArray, prior: FloatArray) -> float:
    """The Dirichlet-multinomial of a family whose latent parents are known by a posterior.

    columns : (n_columns, n_rows) codes of the data
    family : its observed parents, then the child
    cards : numbers of states of the columns
    mass : (n_rows, n_joint) weight of each row in each joint state of the latents
    prior : (n_states,) of every configuration
    """
    n_rows, n_joint = mass.shape
    keys = np.zeros(n_rows, dtype=np.int64)
    size = 1
    for index in range(family.size):
        column, card = columns[family[index]], cards[family[index]]
        size *= card
        for i in range(n_rows):
            keys[i] = keys[i] * card + column[i]
    counts = np.zeros((size, n_joint))
    for i in range(n_rows):
        line = counts[keys[i]]
        for k in range(n_joint):
            line[k] += mass[i, k]
    n_states = prior.size
    whole = prior.sum()
    log_whole = gammaln(whole)
    log_prior = np.array([gammaln(prior[s]) for s in range(n_states)])
    score = 0.0
    for first in range(0, size, n_states):
        for k in range(n_joint):
            total = 0.0
            for s in range(n_states):
                count = counts[first + s, k]
                if count > 0.0:
                    score += gammaln(count + prior[s]) - log_prior[s]
                    total += count
            if total > 0.0:
                score += log_whole - gammaln(total + whole)
    return score
