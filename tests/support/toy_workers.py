"""A back-end of the workers port: threads of this process. What it takes to add one."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Generic, TypeVar

from latconf_core.control import RunControl
from latconf_core.workers_port import Begin

Task = TypeVar("Task")
Result = TypeVar("Result")


class ToyWorkers(Generic[Task, Result]):
    """So many threads, each with what it was made ready with."""

    def __init__(self, n_workers: int, begin: Begin[Task, Result]) -> None:
        self.n_workers, self.is_closed = n_workers, False
        self._closing = Event()
        self._pool = ThreadPoolExecutor(n_workers)
        self._runs = [begin(RunControl(self._closing.is_set)) for _ in range(n_workers)]

    def submit(self, worker: int, task: Task) -> Future[Result | None]:
        return self._pool.submit(self._runs[worker], task)

    def close(self) -> None:
        self._closing.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self.is_closed = True
