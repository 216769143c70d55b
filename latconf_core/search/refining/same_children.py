"""Makes one latent of several with the same children: what they say together is one hidden cause with more states."""

from __future__ import annotations

import numpy as np

from latconf_core.model.soft_latent import SoftLatent
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.soft_model import Scored, SoftModel


def merge_same_children(fitting: Fitting, present: Scored) -> Scored:
    """The model in which no two latents have the same children; the same object where that is so already.

    The one latent begins at the joint states of both, or where these are too many at the states of the larger one, and
    loses states while that pays.
    """
    while (pair := _same_pair(present.model)) is not None:
        first, second = pair
        merged = _merged(present.model.latents[first], present.model.latents[second], fitting.max_states)
        latents = [latent for k, latent in enumerate(present.model.latents) if k not in pair]
        present = fitting.refit(SoftModel(present.model.parents, (*latents, merged)))
        present = fitting.merge_states(present, len(latents))
    return present


def _same_pair(model: SoftModel) -> tuple[int, int] | None:
    """The places of two latents with the same children; None where there are none."""
    first: dict[int, int] = {}
    for index, latent in enumerate(model.latents):
        if latent.children in first:
            return first[latent.children], index
        first[latent.children] = index
    return None


def _merged(soft_latent: SoftLatent, other: SoftLatent, max_states: int) -> SoftLatent:
    n_states = soft_latent.n_states * other.n_states
    if n_states > max_states:
        return max(soft_latent, other, key=lambda latent: latent.n_states)
    joint = (soft_latent.q[:, :, None] * other.q[:, None, :]).reshape(len(soft_latent.q), n_states)
    return SoftLatent(soft_latent.children, np.ascontiguousarray(joint))
