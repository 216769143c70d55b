"""From an example to a saved model in a real window on an X server, by mouse and keyboard alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PERSON = Path(__file__).resolve().parents[1] / "person_to_model.py"


@pytest.mark.slow
def test_that_the_way_from_an_example_to_a_saved_model_works_by_mouse_and_keyboard_under_x(tmp_path: Path) -> None:
    missing = [tool for tool in ("Xvfb", "xvfb-run", "xdotool") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb", "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}
    command = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", sys.executable, str(PERSON), str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split()[-1:] == ["done"]
