from __future__ import annotations

import logging
import threading
from pathlib import Path

from pytestqt.qtbot import QtBot

from latconf_gui.window.exception_hooks import ExceptionHooks
from latconf_gui.window.log import LogDock, detach, start_file_log


def test_that_lines_of_any_thread_reach_the_dock(qtbot: QtBot) -> None:
    dock = LogDock()
    qtbot.addWidget(dock)
    writer = threading.Thread(target=lambda: logging.getLogger("latconf_core.pag").info("from a thread"))
    writer.start()
    writer.join()
    qtbot.waitUntil(lambda: "from a thread" in dock.tail())
    dock.close_log()
    logging.getLogger("latconf_core").info("after the end")
    assert "after the end" not in dock.tail()


def test_that_the_log_is_kept_in_a_file(tmp_path: Path) -> None:
    handler = start_file_log(tmp_path / "deep" / "folder")
    assert handler is not None
    logging.getLogger("latconf_gui").info("opened")
    detach(handler)
    assert "opened" in (tmp_path / "deep" / "folder" / "latconf.log").read_text(encoding="utf-8")


def test_that_a_folder_that_cannot_be_written_does_not_stop_the_program(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert start_file_log(tmp_path / "file") is None


def test_that_an_exception_of_a_thread_is_caught_with_the_name_of_the_thread(qtbot: QtBot) -> None:
    hooks = ExceptionHooks()
    error = ValueError("broken")
    thread = threading.Thread(name="layout")
    args = threading.ExceptHookArgs((ValueError, error, None, thread))
    with qtbot.waitSignal(hooks.caught) as caught:
        hooks.on_thread_exception(args)
    assert caught.args == [error, "In the background (layout)"]
