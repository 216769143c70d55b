"""What a test costs is counted in processor time, over set-up, call and tear-down."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from support.processor_time import SECONDS, ProcessorTime


def test_that_each_report_counts_what_was_used_since_the_last() -> None:
    plugin = ProcessorTime(iter([1.5, 5.75, 5.75]).__next__)
    assert [_report(plugin), _report(plugin)] == [4.25, 0.0]


def _report(plugin: ProcessorTime) -> float:
    hook: Any = plugin.pytest_runtest_makereport
    made = hook()
    next(made)
    with pytest.raises(StopIteration) as ended:
        made.send(SimpleNamespace())
    return getattr(ended.value.value, SECONDS)  # type: ignore[no-any-return]


def test_that_the_dearest_tests_are_listed_where_slow_tests_are_asked_for() -> None:
    lines: list[str] = []
    reports = [("a", 1.0), ("b", 0.25), ("b", 2.0), ("c", 0.5)]
    terminal: Any = SimpleNamespace(
        config=SimpleNamespace(option=SimpleNamespace(durations=2)),
        stats={"passed": [SimpleNamespace(nodeid=name, **{SECONDS: seconds}) for name, seconds in reports]},
        write_sep=lambda _sign, text: lines.append(text),
        write_line=lines.append,
    )
    ProcessorTime().pytest_terminal_summary(terminal)
    assert lines == ["processor time: 4 s in all; most for", "2.25 s  b", "1.00 s  a"]
    terminal.config.option.durations = None
    ProcessorTime().pytest_terminal_summary(terminal)
    assert len(lines) == 3
