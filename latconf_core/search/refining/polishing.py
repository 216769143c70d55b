"""Makes the best of a model that was reached: its edges, its latents' children and states, and its order."""

from __future__ import annotations

from latconf_core.graph.bits import bits
from latconf_core.search.refining.fitting import REFIT_GAIN, Fitting
from latconf_core.search.refining.reordering import reorder
from latconf_core.search.refining.soft_model import Scored

MOST_PASSES = 2
LEAST_LEFT_OUT = 4  # children of a latent of which one is left out
N_STARTS = 24
WITHIN = 60.0  # nats below the present model; a trial further down is given up


def polish(fitting: Fitting, present: Scored) -> Scored:
    """Climb everything, choose states anew, search orders with the posteriors held, and fit fully."""
    everything = (1 << fitting.n_variables) - 1
    for _ in range(MOST_PASSES):
        before = present.score
        for place in range(len(present.model.latents)):
            present = fitting.climb(present, present.model.latents[place].children, focus=place, rounds=4)
            present = fitting.split_states(present, place, may_change=True)
            present = fitting.merge_states(present, place)
            present = leave_one_out(fitting, present, place)
        present = max(present, reorder(fitting, present.model), key=lambda one: one.score)
        present = fitting.climb(present, everything, rounds=2)
        if present.score <= before + REFIT_GAIN:
            break
    return fitting.refit(present.model, is_full=True)


def leave_one_out(fitting: Fitting, present: Scored, place: int) -> Scored:
    """The model in which a latent begins anew without one of its children, where that comes out better.

    A child that joined too early shapes the posterior so that it seems to belong there.
    """
    latent = present.model.latents[place]
    if latent.children.bit_count() < LEAST_LEFT_OUT:
        return present
    best = present
    for child in bits(latent.children):
        rest = latent.children & ~(1 << child)
        fresh = fitting.start(
            present.model.parents, rest, n_states=latent.n_states, n_starts=N_STARTS, seed=child, by_moves=True
        )
        trial = fitting.climb(fitting.refit(present.model.with_latent(place, fresh)), latent.children, rounds=3)
        if trial.score > present.score - WITHIN:
            trial = fitting.climb(trial, latent.children, focus=place, rounds=3)
        best = max(best, trial, key=lambda one: one.score)
    return best
