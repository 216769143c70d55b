"""Quitting while kernels are being compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latconf_core.control import RunControl
from latconf_gui.background import warm_up
from latconf_gui.background.run_thread import some_are_left

PROGRAM = """
import sys, threading
from PySide6.QtCore import QTimer
from latconf_gui import app
from latconf_gui.background import warm_up
from latconf_gui.window.main_window import MainWindow

def compile_for_ever(control):
    QTimer.singleShot(0, windows[0], windows[0].close)
    threading.Event().wait()
    yield "never"

windows = []
made = app.make_window
app.make_window = lambda *given: windows.append(made(*given)) or windows[0]
warm_up._warm = compile_for_ever
sys.exit(app.run(app.StartRequest()))
"""


def test_that_quitting_does_not_wait_for_the_kernels(
    qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def compile_long(control: RunControl) -> Iterator[object]:
        go_on.wait(20)
        yield "warm"

    monkeypatch.setattr(warm_up, "_warm", compile_long)
    thread = warm_up.start_warm_up()
    qapp.aboutToQuit.emit()
    assert thread.isRunning()
    assert thread.is_cancelled
    assert some_are_left()
    go_on.set()
    qtbot.waitUntil(lambda: not some_are_left())


@pytest.mark.slow
def test_that_the_program_ends_though_a_kernel_is_being_compiled(tmp_path: Path) -> None:
    own = {"XDG_CONFIG_HOME": str(tmp_path), "LATCONF_LOG_FOLDER": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, **own},
        timeout=120,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "Destroyed" in done.stderr) == (0, False), done.stderr
