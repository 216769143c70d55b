"""Splits a latent into two: what one with many states may stand for, where hidden causes share effects."""

from __future__ import annotations

from math import prod

import numpy as np

from latconf_core.graph.bits import bits
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.search.refining.fitting import MAX_JOINT, Fitting
from latconf_core.search.refining.local_climb import MAX_PARENTS
from latconf_core.search.refining.soft_model import Scored, SoftModel

# Of three or four states: the state of each of two binary latents that stands for it, in all ways that differ.
WAYS = (((0, 0), (0, 1), (1, 0), (1, 1)), ((0, 0), (0, 1), (1, 1), (1, 0)), ((0, 0), (1, 1), (0, 1), (1, 0)))
N_TURNS = 2


def split_latent(fitting: Fitting, present: Scored, index: int) -> Scored:
    """The best model with two binary latents in the place of one with three or four states; else as it is."""
    latent = present.model.latents[index]
    if latent.n_states not in (3, 4) or latent.children.bit_count() < 4:
        return present
    best = present
    for way in WAYS:
        fitting.checkpoint()
        begun = _with_halves(present.model, index, way)
        if begun is None:
            return present
        trial = fitting.refit(begun)
        for focus in (*range(len(begun.latents) - 2, len(begun.latents)),) * N_TURNS:
            trial = fitting.climb(trial, latent.children, focus=focus, rounds=2)
        best = max(best, trial, key=lambda scored: scored.score)
    return best


def _with_halves(model: SoftModel, index: int, way: tuple[tuple[int, int], ...]) -> SoftModel | None:
    """The model with two latents over the same children instead of one; None where there is no room for two."""
    latent, others = model.latents[index], model.without_latent(index).latents
    touched = prod(other.n_states for other in others if other.children & latent.children)
    has_room = all(model.parents[v].bit_count() + len(model.latents_of(v)) < MAX_PARENTS for v in bits(latent.children))
    if not has_room or 4 * touched > MAX_JOINT:
        return None
    halves = []
    for half in range(2):
        states = np.array([halves[half] for halves in way[: latent.n_states]])
        second = latent.q[:, states == 1].sum(axis=1)
        halves.append(SoftLatent(latent.children, np.stack([1 - second, second], axis=1)))
    return SoftModel(model.parents, (*others, *halves))
