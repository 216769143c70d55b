"""Makes the best of a model that was reached: its edges, its latents' children and states, and its order."""

from __future__ import annotations

from math import prod

from latconf_core.graph.bits import bits
from latconf_core.search.refining.candidates import MAX_CHILDREN
from latconf_core.search.refining.fitting import MAX_JOINT, REFIT_GAIN, Fitting
from latconf_core.search.refining.local_climb import MAX_PARENTS
from latconf_core.search.refining.reordering import reorder
from latconf_core.search.refining.soft_model import Scored, SoftModel

MOST_PASSES = 2
LEAST_LEFT_OUT = 4  # children of a latent of which one is left out
N_NEIGHBOURS = 6  # that a latent tries to take in
N_STARTS = 24
WITHIN = 60.0  # nats below the present model; a trial further down is given up


def polish(fitting: Fitting, present: Scored) -> Scored:
    """Climb everything, choose states anew, search orders with the posteriors held, and fit fully."""
    everything = (1 << fitting.n_variables) - 1
    for _ in range(MOST_PASSES):
        before = present.score
        for index in range(len(present.model.latents)):
            present = polish_latent(fitting, present, index)
        present = max(present, reorder(fitting, present.model), key=lambda scored: scored.score)
        present = fitting.climb(present, everything, rounds=2)
        if present.score <= before + REFIT_GAIN:
            break
    return fitting.refit(present.model, is_full=True)


def polish_latent(fitting: Fitting, present: Scored, index: int) -> Scored:
    """Climb around a latent, choose its states anew and begin it with one child more or less: the rest stays."""
    present = fitting.climb(present, present.model.latents[index].children, focus=index, rounds=4)
    present = fitting.split_states(present, index, may_change=True)
    present = fitting.merge_states(present, index)
    return change_one_child(fitting, present, index)


def change_one_child(fitting: Fitting, present: Scored, index: int) -> Scored:
    """The model in which a latent begins anew with one child more or one less, where that comes out better.

    A child that joined too early shapes the posterior so that it seems to belong there; one that is missing is
    explained by edges as long as it is missing.
    """
    children = present.model.latents[index].children
    best = present
    leaving = bits(children) if children.bit_count() >= LEAST_LEFT_OUT else ()
    for child in (*_neighbours(present.model, index), *leaving):
        trial = _begin_with(fitting, present, index, children ^ 1 << child, seed=child)
        if trial is not None:
            best = max(best, trial, key=lambda scored: scored.score)
    return best


def _neighbours(model: SoftModel, index: int) -> list[int]:
    """The variables with most links to the children of a latent; none where it has many children."""
    children, near = model.latents[index].children, model.adjacent()
    if children.bit_count() >= MAX_CHILDREN:
        return []
    links = {v: (near[v] & children).bit_count() for v in range(len(near)) if not children >> v & 1}
    return sorted((v for v in links if links[v]), key=lambda v: (-links[v], v))[:N_NEIGHBOURS]


def _begin_with(fitting: Fitting, present: Scored, index: int, children: int, *, seed: int) -> Scored | None:
    """The model with other children of a latent, a new one without edges to them; None where they cannot be so."""
    model, latent = present.model, present.model.latents[index]
    come = children & ~latent.children
    parents = tuple(
        mask & ~children if come >> v & 1 else mask & ~come if children >> v & 1 else mask
        for v, mask in enumerate(model.parents)
    )
    above = [latent for k, latent in enumerate(model.latents) if k != index and latent.children & children]
    is_full = any(parents[v].bit_count() + len(model.latents_of(v)) >= MAX_PARENTS for v in bits(come))
    n_joint = prod(latent.n_states for latent in above) * latent.n_states
    if is_full or n_joint > MAX_JOINT or not fitting.soft.may_share(children):
        return None
    fresh = fitting.start(parents, children, n_states=latent.n_states, n_starts=N_STARTS, seed=seed, by_moves=True)
    around = children | latent.children
    begun = SoftModel(parents, model.with_latent(index, fresh).latents)
    trial = fitting.climb(fitting.refit(begun), around, rounds=3)
    if trial.score > present.score - WITHIN:
        trial = fitting.climb(trial, around, focus=index, rounds=3)
    return trial
