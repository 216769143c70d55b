"""What the tests of the window share: settings of their own, and no thread that outlives its test."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.open_window import open_window

from latconf_gui.application.document import Document
from latconf_gui.application.settings import Settings
from latconf_gui.background.run_thread import RunThread
from latconf_gui.pages.data.data_page import DataPage
from latconf_gui.window.main_window import MainWindow


@pytest.fixture(scope="session", autouse=True)
def modules_are_no_garbage() -> None:
    """What was imported is set aside: to look at all of it after every test takes longer than many tests."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def garbage_is_collected_between_tests() -> Iterator[None]:
    """As in the program, garbage is never collected on another thread; what a test left goes at its end."""
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings in an empty folder: no test sees those of another, or of the person at the machine."""
    folder = str(tmp_path_factory.mktemp("settings"))
    for scope in (QSettings.Scope.UserScope, QSettings.Scope.SystemScope):
        QSettings.setPath(QSettings.Format.IniFormat, scope, folder)
    return Settings()


@pytest.fixture(autouse=True)
def own_recovery_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test leaves recovery files to the person at the machine, or is offered theirs."""
    folder = tmp_path_factory.mktemp("recovery")
    monkeypatch.setenv("LATCONF_RECOVERY_FOLDER", str(folder))
    return folder


@pytest.fixture(autouse=True)
def no_thread_outlives_its_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails a test that leaves a RunThread running or a thread of Python's behind."""
    started: weakref.WeakSet[RunThread] = weakref.WeakSet()
    start = RunThread.start
    before = set(threading.enumerate())

    def remember(thread: RunThread) -> None:
        started.add(thread)
        start(thread)

    monkeypatch.setattr(RunThread, "start", remember)
    yield
    running = [thread for thread in started if _is_running(thread)]
    for thread in running:
        thread.stop()
    assert not running, f"{len(running)} RunThread(s) were still running"
    left = [t for t in threading.enumerate() if t not in before and not isinstance(t, threading._DummyThread)]
    assert not left, f"threads were still running: {left}"


def _is_running(thread: RunThread) -> bool:
    try:
        return thread.isRunning()
    except RuntimeError:  # its C++ part is gone, so it has ended
        return False


@pytest.fixture
def document(qapp: object) -> Document:
    return Document()


@pytest.fixture
def small_csv(tmp_path: Path) -> Path:
    """A file of three variables and eight rows."""
    path = tmp_path / "small.csv"
    rows = ["rain,sprinkler,wet"] + ["yes,no,yes", "no,yes,yes", "no,no,no", "yes,yes,yes"] * 2
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def nothing_is_warmed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window begun by a test may be gone before its kernels are loaded; what warming does has its own tests."""
    monkeypatch.setattr("latconf_gui.app.start_warm_up", lambda: None)


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, own_settings: Settings) -> Iterator[MainWindow]:
    """The whole window on the screen, with nothing open."""
    with open_window(qapp, own_settings, shown=qtbot.waitActive) as window:
        yield window


@pytest.fixture
def open_text(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> Callable[[str], DataPage]:
    """Opens a table given as text and gives its Data page."""

    def open_it(text: str, name: str = "table.csv") -> DataPage:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        with qtbot.waitSignal(window.opener.opened):
            window.opener.open_path(path)
        page = window.page(DataPage)
        assert isinstance(page, DataPage)
        return page

    return open_it
