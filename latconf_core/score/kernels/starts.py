"""Where runs of VBEM begin."""

from __future__ import annotations

import math

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.compiled import numba
from latconf_core.score.kernels.layout import RowIndex
from latconf_core.score.kernels.random_numbers import RandomState, below, uniform
from latconf_core.score.kernels.vbem import Problem

# Kinds of start, and their order.
STATES, MILD, RANDOM, PROTOTYPES, PROFILES = 0, 1, 2, 3, 4
START_KINDS = np.array([PROFILES, PROTOTYPES, STATES, PROFILES, MILD, PROFILES, RANDOM, PROFILES])
SOFTNESS = 0.02  # weight of the states that a hard start does not choose
CONTRAST = 3.0  # of mild responsibilities, which grow along the strongest dependences
SHARPNESS = 3.3  # of random responsibilities: powers of uniform numbers
LIKENESS = 3.0  # log weight of one child in the prototype's state


@numba.njit(nogil=True, cache=True)
def _start_from_states(q: FloatArray, row_index: RowIndex, families: IntArray, random: RandomState) -> None:
    """A latent that is a function of one child's states, or of two children's."""
    n_rows, n_states = q.shape
    # One child alone more often than two: its states, or the same states in rotation where they are few.
    family = other = families[below(random, families.size)]
    if uniform(random) < 0.4:
        other = families[below(random, families.size)]
    rotates = uniform(random) < 0.5
    n_other = row_index.state[other].max() + 1
    chosen = np.full((row_index.state[family].max() + 1) * n_other, -1, dtype=np.int64)
    n_chosen = below(random, n_states)
    for i in range(n_rows):
        key = row_index.state[family, i] * n_other + row_index.state[other, i]
        if chosen[key] < 0:
            chosen[key] = n_chosen % n_states if rotates else below(random, n_states)
            n_chosen += 1
        q[i] = SOFTNESS
        q[i, chosen[key]] = 1.0


@numba.njit(nogil=True, cache=True)
def _start_from_prototypes(
    q: FloatArray, weights: FloatArray, row_index: RowIndex, families: IntArray, random: RandomState
) -> None:
    """A state for each of some rows drawn by weight; others belong where they are alike in the latent's children."""
    cumulative = np.cumsum(weights)
    for state in range(q.shape[1]):
        prototype = min(np.searchsorted(cumulative, uniform(random) * cumulative[-1]), q.shape[0] - 1)
        for i in range(q.shape[0]):
            alike = 0.5 * uniform(random)
            for f in families:
                if row_index.state[f, i] == row_index.state[f, prototype]:
                    alike += 1.0
            q[i, state] = math.exp(LIKENESS * alike)


@numba.njit(nogil=True, cache=True)
def _surprise(t: FloatArray, weights: FloatArray, block: IntArray, state: IntArray, random: RandomState) -> None:
    """Add to t how far a random number for each state of a child is from its mean, given the child's parents."""
    n_states = state.max() + 1
    drawn = np.empty(n_states)
    for k in range(n_states):
        drawn[k] = uniform(random) - 0.5
    n_blocks = block.max() + 1
    total, mass = np.zeros(n_blocks), np.zeros(n_blocks)
    for i in range(t.size):
        total[block[i]] += weights[i] * drawn[state[i]]
        mass[block[i]] += weights[i]
    for i in range(t.size):
        t[i] += drawn[state[i]] - total[block[i]] / mass[block[i]]


@numba.njit(nogil=True, cache=True)
def _start_from_profiles(
    q: FloatArray, weights: FloatArray, row_index: RowIndex, families: IntArray, random: RandomState
) -> None:
    """A latent that is a function of one child and its parents: lines whose rows surprise alike share a state.

    Surprise is that of the other children, projected on a random direction; where it is cut is random too.
    """
    n_rows, n_states = q.shape
    chosen = families[below(random, families.size)]
    t = np.zeros(n_rows)
    for f in families:
        if f != chosen:
            _surprise(t, weights, row_index.block[f], row_index.state[f], random)
    line = row_index.line[chosen]
    n_lines = line.max() + 1
    total, mass = np.zeros(n_lines), np.zeros(n_lines)
    for i in range(n_rows):
        total[line[i]] += weights[i] * t[i]
        mass[line[i]] += weights[i]
    order = np.argsort(total / mass, kind="mergesort")
    cuts = np.empty(n_states - 1)
    for k in range(cuts.size):
        u = uniform(random)
        cuts[k] = (2.0 * u) ** 2 / 2.0 if u < 0.5 else 1.0 - (2.0 - 2.0 * u) ** 2 / 2.0  # small states are common
    state = np.empty(n_lines, dtype=np.int64)
    before, whole = 0.0, weights.sum()
    for k in order:
        state[k] = (cuts < (before + 0.5 * mass[k]) / whole).sum()
        before += mass[k]
    for i in range(n_rows):
        q[i] = SOFTNESS
        q[i, state[line[i]]] = 1.0


@numba.njit(nogil=True, cache=True)
def make_start(
    problem: Problem, row_index: RowIndex, families: IntArray, kind: int, random: RandomState, q: FloatArray
) -> None:
    """Responsibilities q (n_rows, n_columns), one factor a latent, of one kind of start.

    families : (n_latents, most children) the observed families each latent is a parent of, −1 behind the last
    """
    weights = problem.weights
    for latent in range(problem.q_first.size - 1):
        posterior = q[:, problem.q_first[latent] : problem.q_first[latent + 1]]
        below_it = families[latent][families[latent] >= 0]
        if kind == STATES:
            _start_from_states(posterior, row_index, below_it, random)
        elif kind == PROFILES and below_it.size > 1:
            _start_from_profiles(posterior, weights, row_index, below_it, random)
        elif kind == PROTOTYPES:
            _start_from_prototypes(posterior, weights, row_index, below_it, random)
        else:
            for i in range(posterior.shape[0]):
                for state in range(posterior.shape[1]):
                    u = uniform(random)
                    posterior[i, state] = 1.0 + CONTRAST * u if kind == MILD else u**SHARPNESS + 1e-3
        for i in range(posterior.shape[0]):
            total = 0.0
            for state in range(posterior.shape[1]):
                total += posterior[i, state]
            for state in range(posterior.shape[1]):
                posterior[i, state] /= total
