"""What a worker of a cluster runs. Everything it needs is handed in; what it gives depends on nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from time import perf_counter
from typing import NamedTuple, TypeVar

from latconf_core.cluster.versions import Versions, read_versions
from latconf_core.control import RunControl, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.families.family_model import FamiliesOf, FamilyModel
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.fit import Fit
from latconf_core.score.fit_task import make_task, run_task
from latconf_core.score.scorer import warm_up

Given = TypeVar("Given")


class OtherVersionsError(Exception):
    """A worker that joined later runs something else than whoever sent the work."""


class FitsDone(NamedTuple):
    """The fits of a batch, and what each took."""

    fits: list[Fit]
    seconds: list[float]


def hold(given: Given) -> Given:
    """What was given: a task of its own, so that data are sent once and come back should their worker be lost."""
    return given


def check_versions(expected: Versions) -> None:
    """Refuse to work for a process with other versions."""
    differences = expected.differences(read_versions())
    if differences:
        raise OtherVersionsError("; ".join(differences))


def fit_batch(
    dataset: Dataset,
    components: Sequence[Component],
    options: VbemOptions,
    families_of: FamiliesOf,
    expected: Versions,
) -> FitsDone | None:
    """The fits of some components; None where they are given up."""
    check_versions(expected)
    _get_ready()
    control = task_control()
    families = _families(dataset, options, families_of)
    done = FitsDone([], [])
    try:
        for component in components:
            began = perf_counter()
            task = make_task(component, options, dataset.digest)
            done.fits.append(run_task(task, dataset, families, control=control))
            done.seconds.append(perf_counter() - began)
    except StopRequested:
        return None
    return done


@cache
def _get_ready() -> None:
    """Load the kernels, so that no fit's seconds hold that."""
    warm_up()


@lru_cache(maxsize=8)
def _families(dataset: Dataset, options: VbemOptions, families_of: FamiliesOf) -> FamilyModel:
    return families_of(dataset, options)


def task_control() -> RunControl:
    """Stops when the task that runs in this thread is given up; never where it runs on no worker."""
    return RunControl(_task_is_given_up())


def _task_is_given_up() -> Callable[[], bool]:
    from distributed.worker import get_worker, thread_state

    try:
        tasks, key = get_worker().state.tasks, thread_state.key
    except (ValueError, AttributeError):
        return lambda: False

    def is_given_up() -> bool:
        task = tasks.get(key)
        return task is None or task.state == "cancelled"

    return is_given_up
