"""One fit as a value that can be sent to another process: everything it depends on, the data by their digest."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.component import Component
from latconf_core.score.component_layout import Layout, lay_out
from latconf_core.score.fit import Fit, fit
from latconf_core.score.prior import Priors


@dataclass(frozen=True)
class FitTask:
    """A component to be fitted; `seed` is its own, made of the run's seed and the component."""

    component: Component
    options: VbemOptions
    seed: int
    data_digest: str


def make_task(component: Component, options: VbemOptions, data_digest: str) -> FitTask:
    """The task of fitting a component on the data that have this digest."""
    return FitTask(component, options, component_seed(component, options.seed), data_digest)


def run_task(task: FitTask, dataset: Dataset, priors: Priors, *, control: RunControl) -> Fit:
    """The best posterior found: the same wherever and whenever it is computed."""
    layout = lay_out_task(task, dataset, priors)
    return fit(layout, task.options, seed=task.seed, control=control)


def lay_out_task(task: FitTask, dataset: Dataset, priors: Priors) -> Layout:
    """The flat problem of a task."""
    return lay_out(task.component, dataset, priors, joint=is_joint(task.component, task.options))


def is_joint(component: Component, options: VbemOptions) -> bool:
    """The latents of this component get one joint posterior; one latent alone always does."""
    if len(component.latents) == 1:
        return True
    return options.posterior == "joint" and component.n_joint_states <= options.max_joint_states


def component_seed(component: Component, seed: int) -> int:
    """The seed of a component's random numbers: the run's seed and the component, whatever was scored before."""
    key = repr((seed, component.states, [(one.child, one.parents, one.latents) for one in component.families]))
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")
