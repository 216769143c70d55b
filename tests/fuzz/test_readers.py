"""A seeded small share of the fuzzing; hours of it by `python -m fuzz.trial`, which says how."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_that_no_damaged_file_breaks_a_reader() -> None:
    path = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    done = subprocess.run(
        [sys.executable, "-m", "fuzz.trial", "--seed", "7", "--inputs", "15", "--together"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.stdout == ""
    assert done.returncode == 0, done.stderr


def test_that_a_reader_that_breaks_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no LatconfError, and what takes too long, is a failure."""
    from fuzz import trial

    monkeypatch.setattr(trial, "CPU_SECONDS", 0.05)

    def spin() -> None:
        while True:
            pass

    def fail() -> None:
        raise KeyError("x")

    import signal

    before = signal.signal(signal.SIGPROF, trial._stop)
    try:
        assert trial._problem(lambda: None) is None
        assert trial._problem(fail) is not None
        assert trial._problem(spin) is not None
    finally:
        signal.signal(signal.SIGPROF, before)
