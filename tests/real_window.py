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
    """Run a script of this folder, which must end with "done"; skip the test where there is no X server to start."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb", "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    command = ["xvfb-run", "-a", "-s", SCREEN, sys.executable, str(Path(__file__).with_name(script)), str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split()[-1:] == ["done"]
