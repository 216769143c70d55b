"""A crash leaves a log that the next start keeps and tells of; two windows never share one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from latconf_gui.window.crash_log import MAX_KEPT, end_crash_log, start_crash_log, take_crash_logs

CRASH = """
import faulthandler, sys
from pathlib import Path
from latconf_gui.window.crash_log import start_crash_log
file = start_crash_log(Path(sys.argv[1]))
faulthandler._sigabrt()
"""


def crash(folder: Path) -> None:
    """End a process by a signal that no Python code can catch."""
    done = subprocess.run([sys.executable, "-c", CRASH, str(folder)], capture_output=True)
    assert done.returncode != 0


def test_that_a_crash_is_told_of_once_and_its_log_stays(tmp_path: Path) -> None:
    crash(tmp_path)
    (log,) = take_crash_logs(tmp_path)
    assert "most recent call first" in log.read_text()
    assert take_crash_logs(tmp_path) == ()
    assert log.exists()


def test_that_the_log_of_a_window_that_lives_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / f"crash-{os.getppid()}.log").write_text("of another window")
    own = tmp_path / f"crash-{os.getpid()}.log"
    own.write_text("of this window")
    assert take_crash_logs(tmp_path) == ()
    assert own.read_text() == "of this window"


def test_that_a_window_that_ends_as_it_should_leaves_no_log(tmp_path: Path) -> None:
    import faulthandler

    was_enabled = faulthandler.is_enabled()
    file = start_crash_log(tmp_path)
    assert file is not None
    end_crash_log(file)
    if was_enabled:
        faulthandler.enable(sys.__stderr__)
    assert list(tmp_path.iterdir()) == []


def test_that_only_the_last_logs_are_kept(tmp_path: Path) -> None:
    for day in range(1, 10):
        (tmp_path / f"crashed-2026-01-0{day}-00-00-00.log").write_text("x")
    take_crash_logs(tmp_path)
    assert sorted(path.name[:18] for path in tmp_path.iterdir()) == [
        f"crashed-2026-01-0{day}" for day in range(10 - MAX_KEPT, 10)
    ]


def test_that_a_folder_that_is_not_there_gives_no_log(tmp_path: Path) -> None:
    assert start_crash_log(tmp_path / "none") is None
    assert take_crash_logs(tmp_path / "none") == ()
