"""kill -9 while saving and autosaving: the newest completed save opens, and what came after it is offered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]


def kill_saves(folder: Path, n_kills: int) -> str:
    script = TESTS / "support" / "killed_saves.py"
    paths = os.pathsep.join([str(TESTS), str(TESTS.parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(script), str(folder), str(n_kills), "7"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes that are killed are forked")
def test_that_ten_kills_lose_no_completed_save_and_nothing_that_was_kept(tmp_path: Path) -> None:
    assert kill_saves(tmp_path, 10).endswith("nothing lost\n")


@pytest.mark.exhaustive
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes that are killed are forked")
def test_that_a_hundred_kills_lose_no_completed_save_and_nothing_that_was_kept(tmp_path: Path) -> None:
    assert kill_saves(tmp_path, 100).endswith("nothing lost\n")
