"""How long a bench will still take, from what its finished cells took."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import fmean

from latconf_core.bench.bench_plan import BenchPlan
from latconf_core.bench.bench_run import BenchEvent, CellFinished, CellStarted
from latconf_core.bench.cell import Cell
from latconf_core.control import Progress
from latconf_core.phrases import duration


class TimeLeft:
    """Follows the events of a bench."""

    def __init__(self, plan: BenchPlan, n_lanes: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._n_lanes, self._clock = n_lanes, clock
        self._n_rows = {entry.name: entry.dataset.n_rows for entry in plan.data}
        self._left = dict.fromkeys(plan.cells)
        self._total = len(plan.cells)
        self._began: dict[Cell, float] = {}
        self._took: list[tuple[Cell, float]] = []

    def see(self, event: BenchEvent) -> None:
        """Take note of an event."""
        if isinstance(event, CellStarted):
            self._began[event.cell] = self._clock()
        elif isinstance(event, CellFinished):
            self._left.pop(event.cell, None)
            began = self._began.pop(event.cell, None)
            if began is not None:
                self._took.append((event.cell, self._clock() - began))

    def seconds(self) -> float | None:
        """About how long the rest takes; None where nothing was run yet."""
        if not self._took:
            return None
        now = self._clock()
        whole = 0.0
        for cell in self._left:
            spent = now - self._began[cell] if cell in self._began else 0.0
            whole += max(self._expected(cell) - spent, 0.0)
        return whole / self._n_lanes

    def progress(self) -> Progress:
        """Cells done of all, what is running and the time left, for a bar."""
        done, left = self._total - len(self._left), self.seconds()
        running = "; ".join(f"{cell.data}, {cell.title}" for cell in self._began)
        text = f"{done} of {self._total} cells"
        text += "" if left is None or left < 1 else f", about {duration(left)} left"
        return Progress(done, self._total, f"{text}: {running}" if running else text)

    def _expected(self, cell: Cell) -> float:
        """The mean of the same search on as many rows, else of the same search, else of all."""
        same = [(other, took) for other, took in self._took if other.search == cell.search]
        rows = self._n_rows[cell.data]
        alike = [took for other, took in same if self._n_rows[other.data] == rows]
        return fmean(alike or [took for _, took in same] or [took for _, took in self._took])
