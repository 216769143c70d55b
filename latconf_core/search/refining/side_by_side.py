"""Independent tasks on several threads, their results in order: the same whatever the number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import wait
from threading import Event
from typing import TypeVar

from latconf_core.control import RunControl
from latconf_core.workers_port import POLL_SECONDS, InThreads

Result = TypeVar("Result")


class SideBySide:
    """Runs tasks in threads, or one after the other where there is one worker.

    closing : set while the threads are asked to end; the checkpoints of the tasks must heed it
    """

    def __init__(self, n_workers: int, closing: Event, control: RunControl) -> None:
        self._n_workers = n_workers
        self._closing = closing
        self._control = control

    def run_all(self, tasks: Sequence[Callable[[], Result]]) -> Iterator[Result]:
        """The results of the tasks in their order, as they come; whatever ends it, no thread goes on."""
        if self._n_workers == 1:
            yield from (task() for task in tasks)
            return
        threads: InThreads[Callable[[], Result], Result] = InThreads(_do, self._n_workers, self._closing, "refine")
        try:
            for future in [threads.submit(task) for task in tasks]:
                while wait([future], timeout=POLL_SECONDS).not_done:
                    self._control.checkpoint()
                yield future.result()
        finally:
            threads.cancel_all()


def _do(task: Callable[[], Result]) -> Result:
    return task()
