"""Lanes in processes of their own: cells side by side on the cores of one machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.synchronize import Event

from latconf_core.bench.cell import CellResult
from latconf_core.bench.lanes import LaneMemory, Lanes, Task, ThisThread
from latconf_core.control import RunControl
from latconf_core.errors import LatconfError

LOST = (
    "a process that ran a cell has ended by itself, perhaps for want of memory; what was done is kept: run the bench "
    "again to go on, with fewer workers"
)


class LostLaneError(LatconfError):
    """A process ended that was not asked to."""

    def __init__(self) -> None:
        super().__init__(LOST)


class Processes:
    """As many lanes as processes, each with some threads."""

    def __init__(self, n_lanes: int, *, workers: int = 1) -> None:
        self.n_lanes = n_lanes
        context = multiprocessing.get_context("spawn")  # a copy of a process with threads may never wake up
        self._stop = context.Event()
        self._lanes = [
            ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(self._stop, workers))
            for _ in range(n_lanes)
        ]

    def submit(self, lane: int, task: Task) -> Future[CellResult | None]:
        with _without_interrupts():
            try:
                return self._lanes[lane].submit(_run, task)
            except BrokenProcessPool:
                raise LostLaneError from None

    def close(self) -> None:
        """Every process leaves its cell at the next checkpoint and ends."""
        self._stop.set()
        for lane in self._lanes:
            lane.shutdown(wait=True, cancel_futures=True)


def make_lanes(n_workers: int, n_data: int, control: RunControl) -> Lanes:
    """The best use of some cores: a process per data set while there are as many, the other cores inside a cell.

    Cells on one data set stay together because they share PAGs and the best DAG without latents. Threads inside a cell
    help less: of the CPU time on Alarm with 1,000 rows ILC-V spends 0.27 in fits, which is all that they share, HCLC-V
    0.48, GLSL 0.66, the search without latents nothing.
    """
    n_lanes = max(1, min(n_workers, n_data))
    if n_lanes == 1:
        return ThisThread(control, workers=n_workers)
    return Processes(n_lanes, workers=n_workers // n_lanes)


class _Own:
    """What a process of a lane keeps between two cells."""

    stop: Event
    workers: int
    memory: LaneMemory


def _begin(stop: Event, workers: int) -> None:
    """Make a new process ready; it ends with its parent, and Ctrl-C is the parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _Own.stop, _Own.workers, _Own.memory = stop, workers, LaneMemory()
    warm_up()


def warm_up() -> None:
    """Load or compile every kernel, so that no cell's seconds hold that."""
    from latconf_core.pag.learners.catalogue import warm_up as warm_up_learners
    from latconf_core.score.scorer import warm_up as warm_up_scoring
    from latconf_core.search.refining.soft_scores import warm_up as warm_up_refining

    warm_up_scoring()
    warm_up_refining()
    warm_up_learners()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _run(task: Task) -> CellResult | None:
    return _Own.memory.run(task, control=RunControl(_Own.stop.is_set), workers=_Own.workers)


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
