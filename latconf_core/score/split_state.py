"""Starts the fit of a latent with one state more from the fit with one fewer: one of its states is split."""

from __future__ import annotations

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.component_layout import Layout
from latconf_core.score.fit import Fit
from latconf_core.score.fit_task import fit_seed
from latconf_core.score.read_back import Fitted, marginals
from latconf_core.score.warm_fit import fit_by_moves, fit_from_parameters

MOST_SPLIT = 3  # of the heaviest states are tried
LEAST_SHARE, MOST_SHARE = 0.2, 0.8  # of a cell that goes to the new state
LOOK = 30  # evaluations of each split


def find_raised(smaller: Component, larger: Component) -> int | None:
    """The place of the latent that has one state more in the larger component, all else being the same; else None."""
    apart = [index for index, (a, b) in enumerate(zip(smaller.latents, larger.latents)) if a != b]
    if len(apart) != 1 or len(smaller.latents) != len(larger.latents) or smaller.parents != larger.parents:
        return None
    latent, other = smaller.latents[apart[0]], larger.latents[apart[0]]
    return apart[0] if latent._replace(n_states=latent.n_states + 1) == other else None


def fit_by_splitting(
    fitted: Fitted, larger: Component, layout: Layout, options: VbemOptions, *, control: RunControl
) -> Fit:
    """A fit of a component that begins where the smaller one ended, a heavy state of the raised latent split.

    layout : of the larger component; its rows are those of the smaller
    """
    latent_index = find_raised(fitted.component, larger)
    if latent_index is None:
        raise ValueError(f"{larger} is not {fitted.component} with one state more")
    seed = fit_seed(layout, options.seed)
    rng = np.random.default_rng(seed)
    weights = fitted.layout.rows.weights @ marginals(fitted)[latent_index]
    looks = [
        fit_from_parameters(layout, *_split(fitted, layout, latent_index, int(state), rng), most=LOOK, control=control)
        for state in np.argsort(-weights, kind="stable")[:MOST_SPLIT]
    ]
    best = max(looks, key=lambda fit: fit.elbo)
    return fit_by_moves(layout, best, options, seed=seed, control=control)


def _split(
    fitted: Fitted, layout: Layout, index: int, state: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """The parameters, and the factors where the posterior has them, with a state of a latent shared by two."""
    states, index = fitted.layout.arrangement.states, fitted.layout.arrangement.latents.index(index)
    counts = fitted.fit.parameters - fitted.layout.problem.prior
    parameters = layout.problem.prior.copy()
    for f, latents in enumerate(layout.latents):
        share = counts[fitted.layout.offsets[f] : fitted.layout.offsets[f + 1]]
        if index in latents:
            share = share.reshape(-1, *[states[latent] for latent in latents])
            share = _share(share, 1 + latents.index(index), state, rng)
        parameters[layout.offsets[f] : layout.offsets[f + 1]] += np.maximum(share.ravel(), 0.0)
    q = fitted.fit.q
    if not q.size:
        return parameters, q
    first = int(fitted.layout.problem.q_first[index])
    share = _share(q[:, first : first + states[index]], 1, state, rng)
    return parameters, np.concatenate([q[:, :first], share, q[:, first + states[index] :]], axis=1)


def _share(counts: FloatArray, axis: int, state: int, rng: np.random.Generator) -> FloatArray:
    """A random share of every cell of a state moved to a new state, which stands last."""
    moved = np.take(counts, [state], axis=axis)
    moved *= rng.uniform(LEAST_SHARE, MOST_SHARE, size=moved.shape)
    kept = counts.copy()
    np.moveaxis(kept, axis, 0)[state] -= np.moveaxis(moved, axis, 0)[0]
    return np.concatenate([kept, moved], axis=axis)
