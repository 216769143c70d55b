"""The number of states of each latent (the paper's Algorithm 1b)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from latconf_core.search.outcome.events import StatesTried
from latconf_core.search.run import SearchRun


def search_states(run: SearchRun) -> Iterator[StatesTried]:
    """Raise the states of the latents of the best DAG that has any, one at a time while p-ELBO rises.

    The paper makes one pass over the latents; here passes go on until none of them gains by a state more. Those that
    come next are scored ahead, in case that the present one does not.
    """
    start = run.history.best_with_latents
    if start is None:
        return
    candidate, p_elbo = start.candidate, start.p_elbo
    most = run.options.max_states or max(run.dataset.n_states)
    places = range(len(candidate.latents))
    present, has_changed = 0, True
    while has_changed:
        has_changed = False
        open_places = [k for k in (*places[present:], *places[:present]) if candidate.latents[k].n_states < most]
        with closing(run.try_states(candidate, open_places, level=start.level, p_elbo=p_elbo)) as trials:
            for latent, trial in trials:
                yield trial
                if trial.p_elbo > p_elbo:
                    candidate, p_elbo, present, has_changed = trial.candidate, trial.p_elbo, latent, True
                    break
