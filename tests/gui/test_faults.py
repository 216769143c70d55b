"""What goes wrong outside of the program: each fault ends with a sentence, nothing is lost, the window goes on."""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from support.model_acts import state_with_result
from support.search_acts import warm

from latconf_core.control import RunControl
from latconf_core.formats.projects.project_state import OpenedProject, open_project
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.background.run_thread import some_are_left
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow

LONG = 30_000
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits, pipes and folders of Linux")
TABLE = "rain,wet\n" + "yes,yes\nno,no\nyes,no\n" * 4


@pytest.fixture
def project(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> Path:
    """A saved project that is open, with a change that is not saved."""
    folder = tmp_path / "work"
    folder.mkdir()
    window.document.open_state(state_with_result(), "Open")
    save(window, folder / "p.latconf", qtbot)
    window.document.move_nodes({"A": (9.0, 9.0)}, "Move A")
    return folder / "p.latconf"


def save(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.project.saved, timeout=LONG):
        window.project.save_to(path)


def fail_to_save(window: MainWindow, path: Path, qtbot: QtBot) -> str:
    """The sentence that a save ends with."""
    with qtbot.waitSignal(window.problems.reported, timeout=LONG):
        window.project.save_to(path)
    qtbot.waitUntil(lambda: not window.runs.texts and not window.project.is_saving, timeout=LONG)
    return window.problems.messages[-1].what


def place_of_a(path: Path) -> tuple[float, float]:
    """Where node A stands in a project on the disk."""
    events = open_project(path, RunControl(), post=lambda _event: None)
    return next(event.state.positions["A"] for event in events if isinstance(event, OpenedProject))


def assert_alive(window: MainWindow, qtbot: QtBot) -> None:
    """The window answers: it shows other pages, undoes and redoes."""
    state = window.document.state
    for title in ("Data", "PAG"):
        window.show_page(title)
        qtbot.waitUntil(lambda title=title: window.current_page.title == title)
    window.actions_by_id["edit.undo"].trigger()
    window.actions_by_id["edit.redo"].trigger()
    assert window.document.state is state


@contextmanager
def full_disk(n_bytes: int) -> Iterator[None]:
    """No file of this process can become longer: every writer meets it, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@LINUX
def test_that_a_full_disk_costs_no_save_and_the_next_one_succeeds(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    good = project.read_bytes()
    state = window.document.state
    with full_disk(512):
        said = fail_to_save(window, project, qtbot)
    assert "the file cannot be written" in said
    assert project.read_bytes() == good
    assert window.document.state is state
    assert window.document.is_modified
    assert os.listdir(project.parent) == [project.name]
    assert_alive(window, qtbot)
    save(window, project, qtbot)
    assert place_of_a(project) == (9.0, 9.0)


@LINUX
def test_that_work_goes_on_where_the_recovery_file_cannot_be_written(
    window: MainWindow, project: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    window.autosave.after = 1
    window.autosave.start(tmp_path / "recovery")
    with full_disk(16), qtbot.waitSignal(window.autosave.failed, timeout=LONG):
        window.document.move_nodes({"B": (5.0, 5.0)}, "Move B")
    qtbot.waitUntil(lambda: window.autosave._thread is None)
    assert_alive(window, qtbot)
    with qtbot.waitSignal(window.autosave.written, timeout=LONG):
        window.document.move_nodes({"B": (6.0, 6.0)}, "Move B")


@LINUX
def test_that_a_read_only_folder_is_named_and_another_one_takes_the_project(
    window: MainWindow, project: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    folder = Path("/sys") if os.geteuid() == 0 else closed  # root may write anywhere but there
    said = fail_to_save(window, folder / "p.latconf", qtbot)
    assert "the file cannot be written" in said
    assert window.document.path == project
    assert window.document.is_modified
    assert_alive(window, qtbot)
    save(window, tmp_path / "open.latconf", qtbot)
    assert place_of_a(tmp_path / "open.latconf") == (9.0, 9.0)


def test_that_a_folder_that_vanishes_is_named_and_takes_the_project_when_it_is_back(
    window: MainWindow, project: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    project.parent.rename(elsewhere)
    with qtbot.waitSignal(window.problems.reported, timeout=LONG):
        window.project.save_to(project, may_overwrite=True)
    qtbot.waitUntil(lambda: not window.project.is_saving, timeout=LONG)
    assert "does not exist; create it first" in window.problems.messages[-1].what
    assert window.document.is_modified
    assert_alive(window, qtbot)
    elsewhere.rename(project.parent)
    save(window, project, qtbot)
    assert place_of_a(project) == (9.0, 9.0)


def test_that_a_table_that_vanishes_leaves_what_is_open(
    window: MainWindow, project: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    table = tmp_path / "gone.csv"
    state = window.document.state
    with qtbot.waitSignal(window.problems.reported, timeout=LONG):
        window.opener.open_path(table)
    assert "gone.csv" in window.problems.messages[-1].what + window.problems.messages[-1].where
    assert window.document.state is state
    assert_alive(window, qtbot)


class HangingDrive:
    """A table on a drive that does not answer until `come_back`: a pipe, of which the program does not know."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        os.mkfifo(path)
        self._plain = path.with_name("plain.csv")
        self._plain.write_text(TABLE, encoding="utf-8")
        self.hangs = threading.Event()
        exists = Path.exists

        def hang(asked: Path, **options: bool) -> bool:
            """Whoever asks for the table waits at the pipe, and then finds an ordinary file in its place."""
            if asked == path and not self.hangs.is_set():
                self.hangs.set()
                path.open("rb").close()
                self._plain.replace(path)
            return exists(asked, **options)

        monkeypatch.setattr(Path, "exists", hang)

    def come_back(self) -> None:
        self.path.open("wb").close()


@LINUX
@pytest.mark.parametrize("is_given_up", [False, True])
def test_that_the_window_goes_on_while_a_drive_hangs(
    window: MainWindow, project: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_given_up: bool
) -> None:
    save(window, project, qtbot)
    drive, state = HangingDrive(tmp_path / "far.csv", monkeypatch), window.document.state
    window.opener.open_path(drive.path)
    qtbot.waitUntil(drive.hangs.is_set, timeout=LONG)
    assert window.runs.texts == ["Opening far.csv"]
    assert_alive(window, qtbot)
    assert window.document.state is state
    if is_given_up:
        window.opener.give_up()
    drive.come_back()
    qtbot.waitUntil(lambda: not window.runs.texts, timeout=LONG)
    if is_given_up:
        assert window.document.state is state
    else:
        qtbot.waitUntil(lambda: window.document.source == drive.path, timeout=LONG)
    assert window.problems.messages == []


def open_hanging(window: MainWindow, drive: HangingDrive, qtbot: QtBot) -> None:
    window.opener.open_path(drive.path)
    qtbot.waitUntil(drive.hangs.is_set, timeout=LONG)
    window.closing._patience.setInterval(1)


def return_late(drive: HangingDrive, qtbot: QtBot) -> None:
    """The drive answers when the window is closed: nobody listens, and nothing breaks."""
    assert some_are_left()  # so the program ends at once, without waiting for it
    drive.come_back()
    qtbot.waitUntil(lambda: not some_are_left(), timeout=LONG)


@LINUX
def test_that_the_window_closes_while_a_drive_hangs(
    window: MainWindow, project: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(window, project, qtbot)
    drive = HangingDrive(tmp_path / "far.csv", monkeypatch)
    open_hanging(window, drive, qtbot)
    window.close()
    box = window.closing._box
    assert box is not None
    next(button for button in box.buttons() if button.text() == "Stop and close").click()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=LONG)
    assert window.runs.texts == []
    return_late(drive, qtbot)
    assert window.problems.messages == []


@LINUX
def test_that_work_is_kept_where_the_system_ends_the_program_while_a_drive_hangs(
    window: MainWindow, project: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.autosave.start(tmp_path / "recovery")
    drive = HangingDrive(tmp_path / "far.csv", monkeypatch)
    open_hanging(window, drive, qtbot)
    window.leave()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=LONG)
    (kept,) = [*project.parent.glob(".*.recovery"), *tmp_path.glob("recovery/*.recovery")]
    assert place_of_a(kept) == (9.0, 9.0)
    return_late(drive, qtbot)


@LINUX
def test_that_the_window_closes_where_work_cannot_be_kept_because_the_drive_hangs(
    window: MainWindow, project: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recovery file is on the drive that hangs."""
    monkeypatch.setattr("latconf_gui.background.run_thread.PATIENCE_MILLISECONDS", 1)
    hangs, answers = threading.Event(), threading.Event()

    def hang(*_: object, **__: object) -> None:
        hangs.set()
        answers.wait()

    monkeypatch.setattr("latconf_gui.application.autosave.write_recovery", hang)
    window.autosave.start(tmp_path / "recovery")
    window.closing.keeping_milliseconds = 1
    window.leave()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=LONG)
    assert hangs.is_set()
    assert some_are_left()
    answers.set()
    qtbot.waitUntil(lambda: not some_are_left(), timeout=LONG)


@LINUX
def test_that_a_person_who_stays_after_all_can_open_another_file(
    window: MainWindow, project: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_csv: Path
) -> None:
    """The question about work that is not saved is answered with Cancel when the hanging file is left behind."""
    drive = HangingDrive(tmp_path / "far.csv", monkeypatch)
    open_hanging(window, drive, qtbot)
    window.close()
    box = window.closing._box
    assert box is not None
    with qtbot.waitSignal(window.unsaved.asked, timeout=LONG) as asked:
        next(button for button in box.buttons() if button.text() == "Stop and close").click()
    asked.args[0].cancel()
    for question in window.findChildren(QMessageBox):
        question.close()
    assert window.isVisible()
    save(window, project, qtbot)
    with qtbot.waitSignal(window.opener.opened, timeout=LONG):
        window.opener.open_path(small_csv)
    return_late(drive, qtbot)
    assert window.document.source == small_csv


@pytest.mark.parametrize("jump", [-1e9, 1e9])
def test_that_a_clock_that_jumps_changes_neither_a_search_nor_a_save(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    warm()
    window.document.open_state(state_with_result(), "Open")
    save(window, tmp_path / "p.latconf", qtbot)
    own = time.time
    page = window.page(SearchPage)
    window.show_page("Search")
    page.form.choose("hclc-v")
    before = window.document.result
    QTimer.singleShot(0, page, lambda: monkeypatch.setattr(time, "time", lambda: own() + jump))
    with qtbot.waitSignal(page.running.finished, timeout=60_000):
        window.actions_by_id["search.run"].trigger()
    qtbot.waitUntil(lambda: window.document.result is not before, timeout=LONG)
    result = window.document.result
    assert isinstance(result, SearchResult)
    assert 0 <= result.seconds < 3600
    save(window, tmp_path / "p.latconf", qtbot)  # nobody asks whether the file was changed by another program
    assert not any(box.isVisible() for box in window.findChildren(QMessageBox))
    assert not window.document.is_modified
    with qtbot.waitSignal(window.opener.project_opened, timeout=LONG):
        window.opener.open_path(tmp_path / "p.latconf")
    assert window.problems.messages == []


def test_that_a_file_replaced_behind_the_window_is_not_overwritten_without_a_question(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    other = project.with_name("other.latconf")
    project.replace(other)
    other.write_bytes(b"of another program")
    other.replace(project)
    with qtbot.waitSignal(window.project.overwrite_asked, timeout=LONG):
        window.project.save_to(project)
    assert project.read_bytes() == b"of another program"
    assert window.document.is_modified
    for box in window.findChildren(QMessageBox):
        box.close()
