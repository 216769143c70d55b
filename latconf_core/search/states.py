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
    dag, p_elbo = run.history.dag(start.index), start.p_elbo
    most = run.options.max_states or max(run.dataset.n_states)
    has_changed = True
    while has_changed:
        has_changed = False
        for name in [latent.name for latent in dag.latents]:
            n_states = next(latent.n_states for latent in dag.latents if latent.name == name)
            while n_states < most:
                n_states += 1
                trial = run.try_states(dag, name, n_states, n_bidirected=start.n_bidirected)
                if trial is None:  # scored in an earlier pass, and no better then
                    break
                yield trial
                if trial.p_elbo <= p_elbo:
                    break
                dag, p_elbo, has_changed = trial.dag, trial.p_elbo, True
