"""Processes that do pieces of work side by side on the cores of one machine, one piece at a time each."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.synchronize import Event
from typing import Any, Generic, TypeVar

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.errors import LatconfError

Task = TypeVar("Task")
Result = TypeVar("Result")
Begin = Callable[[RunControl], Callable[[Task], Result | None]]


class WorkerProcesses(Generic[Task, Result]):
    """So many processes, each made ready once and asked by its number; a back-end of the workers port.

    begin : called in each new process with a control that stops when they are closed; gives what does a task there
    lost : the error where a process ends that was not asked to
    """

    def __init__(self, n_processes: int, begin: Begin[Task, Result], *, lost: type[LatconfError]) -> None:
        self.n_workers = n_processes
        context = multiprocessing.get_context("spawn")  # a copy of a process with threads may never wake up
        self._stop = context.Event()
        self._lost = lost
        self._processes = [
            ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(self._stop, begin))
            for _ in range(n_processes)
        ]

    def submit(self, process: int, task: Task) -> Future[Result | None]:
        """Begin a task in a process that is free."""
        with _without_interrupts():
            try:
                return self._processes[process].submit(_run, task)
            except BrokenProcessPool:
                raise self._lost() from None

    def close(self) -> None:
        """Every process leaves its task at the next checkpoint and ends."""
        self._stop.set()
        for process in self._processes:
            process.shutdown(wait=True, cancel_futures=True)


def take_result(future: Future[Result | None], control: RunControl, *, lost: type[LatconfError]) -> Result:
    """The result of a finished task; StopRequested where it was given up.

    lost : the error where its process ended that was not asked to
    """
    try:
        result = future.result()
    except BrokenProcessPool:
        control.checkpoint()  # the system may have ended it because it ends all of the work
        raise lost() from None
    if result is None:
        control.checkpoint()
        raise StopRequested(StopReason.CANCELLED)
    return result


class _Own:
    """What a process keeps between two tasks."""

    run: Callable[[Any], Any]


def _begin(stop: Event, begin: Begin[Any, Any]) -> None:
    """Make a new process ready; it ends with its parent, and Ctrl-C is the parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _Own.run = begin(RunControl(stop.is_set))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _run(task: Any) -> Any:
    return _Own.run(task)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process that is started here never hears Ctrl-C, not even before its first line; this one hears it later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
