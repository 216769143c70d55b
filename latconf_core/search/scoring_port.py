"""The scoring port: searches hand in components and get futures, whoever computes them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Generic, Protocol, TypeVar

from latconf_core.model.component import Component
from latconf_core.score.fit import Fit
from latconf_core.score.scorer import Scorer
from latconf_core.workers_port import InThread

Item = TypeVar("Item")
Result = TypeVar("Result")


class Scoring(Protocol):
    """Computes fits of components; what comes out never depends on which implementation does, or on `n_workers`."""

    @property
    def n_workers(self) -> int:
        """How many are computed at a time."""

    def submit(self, component: Component, /) -> Future[Fit]:
        """Begin a fit, or put it behind those that were begun."""

    def cancel_all(self) -> None:
        """Give up what is under way; nothing of it runs in this process any more. More may be handed in later."""


class InThreads(Generic[Item, Result]):
    """Computes several items at a time; kernels let other threads go on.

    closing : set while the threads are asked to end; what `compute` looks at to stop must heed it
    """

    def __init__(self, compute: Callable[[Item], Result], n_workers: int, closing: Event) -> None:
        self.n_workers = n_workers
        self._compute = compute
        self._closing = closing
        self._pool: ThreadPoolExecutor | None = None

    def submit(self, item: Item) -> Future[Result]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.n_workers, thread_name_prefix="latconf-score")
        return self._pool.submit(self._compute, item)

    def cancel_all(self) -> None:
        """Every thread ends at its next checkpoint."""
        if self._pool is not None:
            self._closing.set()
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._closing.clear()
            self._pool = None


# Who computes the fits of a scorer; `closing` is set while threads of this process are asked to end.
ScoringOf = Callable[[Scorer, Event], Scoring]


def make_scoring(
    compute: Callable[[Item], Result], n_workers: int, closing: Event
) -> InThread[Item, Result] | InThreads[Item, Result]:
    """Threads where there are several workers, else the thread that asks."""
    return InThread(compute) if n_workers == 1 else InThreads(compute, n_workers, closing)
