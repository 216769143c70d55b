"""Runs a person's script against a real window on an X server of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = ("Xvfb", "xvfb-run", "xdotool")
SCREEN = "-screen 0 1280x800x24"


def act_under_x(script: str, folder: Path) -> None:
    """Run a module of this folder, which must end with "done"; skip the test where there is no X server to start."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")
    search_path = os.pathsep.join((str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")))
    own = {"QT_QPA_PLATFORM": "xcb", "XDG_CONFIG_HOME": str(folder), "HOME": str(folder), "PYTHONPATH": search_path}
    environment = {**os.environ, **own}
    command = ["xvfb-run", "-a", "-s", SCREEN, sys.executable, "-m", f"support.{script}", str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split()[-1:] == ["done"]
