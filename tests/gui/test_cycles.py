"""A window that is used all day holds no more in the evening than in the morning."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[1] / "benchmarks" / "cycles.py"


@pytest.mark.exhaustive
def test_that_two_hundred_cycles_leave_hardly_any_memory_and_no_thread_or_handle_behind() -> None:
    """In a process of its own: what other tests have left would count too."""
    done = subprocess.run([sys.executable, str(PROGRAM)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
