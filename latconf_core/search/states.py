"""The number of states of each latent (the paper's Algorithm 1b)."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.search.events import StatesTried
from latconf_core.search.run import SearchRun


def search_states(run: SearchRun) -> Iterator[StatesTried]:
    """Raise the states of the latents of the best DAG that has any, one at a time while p-ELBO rises.

    The paper makes one pass over the latents; here passes go on until one changes nothing.
    """
    start = run.history.best_with_latents
    if start is None:
        return
    model, p_elbo = start.model, start.p_elbo
    most = run.options.max_states or max(run.dataset.n_states)
    has_changed = True
    while has_changed:
        has_changed = False
        for latent in range(len(model.latents)):
            while model.latents[latent].n_states < most:
                trial = run.try_states(model, latent, n_bidirected=start.n_bidirected)
                if trial is None:  # scored in an earlier pass, and no better then
                    break
                yield trial
                if trial.p_elbo <= p_elbo:
                    break
                model, p_elbo, has_changed = trial.model, trial.p_elbo, True
