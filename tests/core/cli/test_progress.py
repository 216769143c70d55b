from __future__ import annotations

import io

from latconf_core.cli.terminal.bars import ProgressBar
from latconf_core.control import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_that_a_terminal_gets_one_line_that_redraws_itself() -> None:
    stream = Terminal()
    with ProgressBar(stream) as bar:
        bar.show(Progress(0, 2, "drawing"))
        bar.show(Progress(1, 2, "writing"))
    _, first, second = stream.getvalue().split("\r")
    assert first.rstrip() == f"[{'-' * 24}]   0% drawing"
    assert second.rstrip() == f"[{'#' * 12}{'-' * 12}]  50% writing"
    assert len(second.rstrip("\n")) >= len(first.rstrip())
    assert stream.getvalue().endswith("\n")


def test_that_a_log_gets_a_line_for_a_new_text_or_another_quarter() -> None:
    stream = io.StringIO()
    with ProgressBar(stream) as bar:
        for done in range(101):
            bar.show(Progress(done, 100, "drawing" if done < 60 else "writing"))
    shares = [line.split("] ")[1].strip() for line in stream.getvalue().splitlines()]
    assert shares == ["0% drawing", "25% drawing", "50% drawing", "60% writing", "85% writing"]


def test_that_work_of_unknown_length_shows_its_text() -> None:
    stream = io.StringIO()
    with ProgressBar(stream) as bar:
        bar.show(Progress(3, None, "3 candidates"))
    assert stream.getvalue().endswith("3 candidates\n")
