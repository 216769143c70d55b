"""Counts the processor time of every test, its fixtures and child processes included, and lists the dearest.

Wall time tells little on a machine that does other things, too; this is the same on a busy one and an idle one.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator
from typing import Any

import pytest

SECONDS = "processor_seconds"  # of a report: an attribute that pytest-xdist takes along


class ProcessorTime:
    """A plug-in of pytest; it speaks up where `--durations` asks for slow tests."""

    def __init__(self, clock: Callable[[], float] = lambda: sum(os.times()[:4])) -> None:
        """The clock: seconds of the processor of this process and of its children that ended."""
        self._clock = clock
        self._before = clock()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, Any]:
        """What was used since the last report is of this one: set-up, call and tear-down of a test have one each."""
        report = yield
        now = self._clock()
        setattr(report, SECONDS, now - self._before)
        self._before = now
        return report

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        n_listed = terminalreporter.config.option.durations
        if not n_listed:
            return
        total: Counter[str] = Counter()
        for report in (each for reports in terminalreporter.stats.values() for each in reports):
            total[getattr(report, "nodeid", "")] += getattr(report, SECONDS, 0.0)
        terminalreporter.write_sep("=", f"processor time: {total.total():.0f} s in all; most for")
        for name, seconds in total.most_common(n_listed):
            terminalreporter.write_line(f"{seconds:.2f} s  {name}")
