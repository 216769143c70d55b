"""The whole way through a real window on an X server, by mouse and keyboard alone: data, learn, edit, undo, export."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PERSON = Path(__file__).resolve().parents[2] / "person_at_window.py"


@pytest.mark.slow
def test_that_data_learn_edit_undo_export_works_by_mouse_and_keyboard_under_x(tmp_path: Path) -> None:
    missing = [tool for tool in ("Xvfb", "xvfb-run", "xdotool") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb", "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}
    command = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", sys.executable, str(PERSON), str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split()[-1:] == ["done"]
