"""One fit as a value that can be sent to another process: everything it depends on, the data by their digest."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.families.family_model import FamilyModel
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.component_layout import Form, Layout, lay_out
from latconf_core.score.fit import Fit, fit

MOST_JOINT_OF_TREE = 16  # joint states above which messages along a tree cost less than the sum over all


@dataclass(frozen=True)
class FitTask:
    """A component to be fitted."""

    component: Component
    options: VbemOptions
    data_digest: str


def make_task(component: Component, options: VbemOptions, data_digest: str) -> FitTask:
    """The task of fitting a component on the data that have this digest."""
    return FitTask(component, options, data_digest)


def run_task(task: FitTask, dataset: Dataset, families: FamilyModel, *, control: RunControl) -> Fit:
    """The best posterior found: the same wherever and whenever it is computed."""
    layout = lay_out_task(task, dataset, families)
    return fit(layout, task.options, seed=fit_seed(layout, task.options.seed), control=control)


def lay_out_task(task: FitTask, dataset: Dataset, families: FamilyModel) -> Layout:
    """The flat problem of a task."""
    return lay_out(task.component, dataset, families.priors, form=posterior_form(task.component, task.options))


def posterior_form(component: Component, options: VbemOptions) -> Form:
    """How the posterior of a component's latents is held; one latent alone always has an exact one."""
    if options.posterior == "factorised" and len(component.latents) > 1:
        return "factorised"
    return exact_form(component, options) or "factorised"


def exact_form(component: Component, options: VbemOptions) -> Form | None:
    """The form in which the exact posterior of a component's latents costs least; None where it costs too much."""
    n_joint = component.n_joint_states
    if component.is_tree and n_joint > min(MOST_JOINT_OF_TREE, options.max_joint_states) and len(component.latents) > 1:
        return "tree"
    return "joint" if n_joint <= options.max_joint_states or len(component.latents) == 1 else None


def fit_seed(layout: Layout, seed: int) -> int:
    """The seed of a fit's random numbers: the run's seed, the component and the content of its columns.

    Neither what was scored before, nor the order of columns, nor a name has a part in it.
    """
    arrangement, rows = layout.arrangement, layout.rows
    position_of = {column: k for k, column in enumerate(arrangement.columns)}
    families = [
        (position_of.get(family.child, -1), tuple([position_of[parent] for parent in family.parents]), family.latents)
        for family in arrangement.families
    ]
    key = repr((seed, arrangement.states, families, rows.contents))
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")
