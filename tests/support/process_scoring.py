"""The scoring port on processes that keep the data: what a cluster will do."""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.fit import Fit
from latconf_core.score.fit_task import FitTask, make_task, run_task

KEPT: dict[str, Dataset] = {}  # of a worker: sent once, asked for by digest


def keep(dataset: Dataset) -> None:
    KEPT[dataset.digest] = dataset


def run_kept(task: FitTask) -> Fit:
    dataset = KEPT[task.data_digest]
    return run_task(task, dataset, DiscreteFamilies(dataset, task.options), control=RunControl())


class ProcessScoring:
    """Hands fits to processes; use it in a `with`."""

    def __init__(self, n_workers: int, dataset: Dataset, options: VbemOptions) -> None:
        self.n_workers = n_workers
        self.n_submitted = 0
        self._digest, self._options = dataset.digest, options
        self._pool = ProcessPoolExecutor(n_workers, get_context("spawn"), initializer=keep, initargs=(dataset,))
        self._futures: list[Future[Fit]] = []

    def submit(self, component: Component) -> Future[Fit]:
        self.n_submitted += 1
        self._futures.append(self._pool.submit(run_kept, make_task(component, self._options, self._digest)))
        return self._futures[-1]

    def cancel_all(self) -> None:
        for future in self._futures:
            future.cancel()
        self._futures.clear()

    def __enter__(self) -> ProcessScoring:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)
