"""The workers port: pieces of work go to whoever does them, and come back as they are done.

Samples, draws and cells go to `Workers`, who each do one at a time. Fits and looks at models go into a `WorkQueue`,
which deals them out itself. What comes out never depends on who works, or on how many do. A back-end is one class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import Generic, Protocol, TypeVar

from latconf_core.control import RunControl, StopRequested
from latconf_core.errors import LatconfError
from latconf_core.worker_processes import take_result

POLL_SECONDS = 0.05  # between two looks at the control

Item = TypeVar("Item")
Result = TypeVar("Result")
Task = TypeVar("Task")
Given = TypeVar("Given", contravariant=True)
Computed = TypeVar("Computed")
# Makes a worker ready, here or elsewhere, with a control that stops when the work is given up; gives what does a task.
Begin = Callable[[RunControl], Callable[[Task], Result | None]]


class Workers(Protocol[Given, Result]):
    """Workers with numbers from 0, each of whom does one piece of work at a time."""

    n_workers: int

    def submit(self, worker: int, task: Given, /) -> Future[Result | None]:
        """Begin a task by a worker that is free; None comes of one that was given up."""

    def close(self) -> None:
        """Give up what is under way; nothing runs any more."""


class WorkQueue(Protocol[Given, Computed]):
    """Pieces of work that are begun in the order in which they are handed in."""

    @property
    def n_workers(self) -> int:
        """How many are done at a time."""

    def submit(self, item: Given, /) -> Future[Computed]:
        """Begin a piece of work, or put it behind those that were begun."""

    def cancel_all(self) -> None:
        """Give up what is under way; nothing of it runs in this process any more. More may be handed in later."""


class InThread(Generic[Item, Result]):
    """Computes each item at once, in the thread that hands it in."""

    n_workers = 1

    def __init__(self, compute: Callable[[Item], Result]) -> None:
        self._compute = compute

    def submit(self, item: Item) -> Future[Result]:
        future: Future[Result] = Future()
        try:
            future.set_result(self._compute(item))
        except Exception as error:  # as an executor does: whoever asks for the result hears of it
            future.set_exception(error)
        return future

    def cancel_all(self) -> None:
        """Nothing is ever under way."""


class InThreads(Generic[Item, Result]):
    """Computes several items at a time; kernels let other threads go on.

    closing : set while the threads are asked to end; what `compute` looks at to stop must heed it
    """

    def __init__(self, compute: Callable[[Item], Result], n_workers: int, closing: Event, name: str = "score") -> None:
        self.n_workers = n_workers
        self._compute = compute
        self._closing = closing
        self._name = f"latconf-{name}"
        self._pool: ThreadPoolExecutor | None = None

    def submit(self, item: Item) -> Future[Result]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.n_workers, thread_name_prefix=self._name)
        return self._pool.submit(self._compute, item)

    def cancel_all(self) -> None:
        """Every thread ends at its next checkpoint."""
        if self._pool is not None:
            self._closing.set()
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._closing.clear()
            self._pool = None


def make_threads(
    compute: Callable[[Item], Result], n_workers: int, closing: Event
) -> InThread[Item, Result] | InThreads[Item, Result]:
    """Threads where there are several workers, else the thread that asks."""
    return InThread(compute) if n_workers == 1 else InThreads(compute, n_workers, closing)


class OneWorker(Generic[Task, Result]):
    """Does each task at once, in the thread that hands it in."""

    n_workers = 1

    def __init__(self, begin: Begin[Task, Result], control: RunControl) -> None:
        self._thread: InThread[Task, Result | None] = InThread(begin(control))

    def submit(self, worker: int, task: Task) -> Future[Result | None]:
        return self._thread.submit(task)

    def close(self) -> None:
        """Nothing is ever under way."""


def until_stopped(
    compute: Callable[[Task, RunControl], Result], control: RunControl
) -> Callable[[Task], Result | None]:
    """What does a task with a control of its own; None where it is stopped."""

    def run(task: Task) -> Result | None:
        try:
            return compute(task, control.child())
        except StopRequested:
            return None

    return run


def work_through(
    workers: Workers[Task, Result], tasks: Iterable[Task], control: RunControl, *, lost: type[LatconfError]
) -> Iterator[Result]:
    """The result of every task as it comes; StopRequested where the control ends it. The workers are closed then.

    lost : the error where a worker ended that was not asked to
    """
    under_way: dict[Future[Result | None], int] = {}
    free, left = list(range(workers.n_workers)), iter(tasks)
    try:
        while True:
            for worker, task in zip(list(free), left):
                control.checkpoint()
                free.remove(worker)
                under_way[workers.submit(worker, task)] = worker
            if not under_way:
                return
            for future in wait(under_way, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED).done:
                free.append(under_way.pop(future))
                yield take_result(future, control, lost=lost)
            control.checkpoint()
    finally:  # also where nobody asks for more
        workers.close()
