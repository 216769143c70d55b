"""Work that was not saved is offered back after a crash; two windows do not overwrite each other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot
from support.killing import kill
from support.model_acts import GRAPH, state_with_result

from latconf_core.control import RunControl
from latconf_core.files import name_in_progress
from latconf_core.formats.projects.state_changes import delete_run
from latconf_gui.application import autosave as autosave_module
from latconf_gui.application.recovering import Offer
from latconf_gui.application.recovery_file import path_beside, read_recovery
from latconf_gui.application.settings import Settings
from latconf_gui.look.theme import Theme
from latconf_gui.window.main_window import MainWindow
from latconf_gui.window.system_signals import SystemSignals

LONG = 20_000
MakeWindow = Callable[[], MainWindow]


@pytest.fixture
def make_window(
    qtbot: QtBot, qapp: QApplication, own_settings: Settings, own_recovery_folder: Path
) -> Iterator[MakeWindow]:
    """Windows that keep work, as those of the program do, but at once."""
    made: list[MainWindow] = []
    theme = Theme(qapp, own_settings)

    def make() -> MainWindow:
        window = MainWindow(own_settings, theme)
        window.show()
        window.load_pages()
        window.autosave.after = 1
        window.keep_work(own_recovery_folder)
        made.append(window)
        return window

    yield make
    for window in made:
        window.close_at_once()
        window.deleteLater()
    theme.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def move(window: MainWindow, place: float, qtbot: QtBot) -> None:
    """Change something and wait until it is in the recovery file."""
    with qtbot.waitSignal(window.autosave.written, timeout=LONG):
        window.document.move_nodes({"A": (place, 0.0)}, "Move A")


def save(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.project.saved, timeout=LONG):
        window.project.save_to(path)


def open_project(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.opener.project_opened, timeout=LONG):
        window.opener.open_path(path)
    qtbot.waitUntil(lambda: not window.recovering.is_looking, timeout=LONG)


def offers(window: MainWindow, qtbot: QtBot) -> list[QMessageBox]:
    qtbot.waitUntil(lambda: not window.recovering.is_looking, timeout=LONG)
    return [box for box in window.findChildren(QMessageBox) if box.isVisible()]


def answer(window: MainWindow, text: str, qtbot: QtBot) -> None:
    (box,) = offers(window, qtbot)
    next(button for button in box.buttons() if button.text().replace("&", "") == text).click()


@pytest.fixture
def project(make_window: MakeWindow, tmp_path: Path, qtbot: QtBot) -> Path:
    """A project that was saved and closed."""
    window = make_window()
    window.document.open_state(state_with_result(), "Open")
    save(window, tmp_path / "p.latconf", qtbot)
    window.close_at_once()
    return tmp_path / "p.latconf"


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_that_a_change_is_kept_beside_the_project_until_it_is_saved(
    make_window: MakeWindow, project: Path, own_recovery_folder: Path, qtbot: QtBot
) -> None:
    window = make_window()
    open_project(window, project, qtbot)
    move(window, 7.0, qtbot)
    kept = read_recovery(path_beside(project), RunControl())
    assert kept.state.positions["A"] == (7.0, 0.0)
    assert kept.project == project
    with qtbot.waitSignal(window.project.saved, timeout=LONG):
        window.project.save()
    qtbot.waitUntil(lambda: not path_beside(project).exists(), timeout=LONG)
    window.close_at_once()
    assert files_in(project.parent) == ["p.latconf"]
    assert files_in(own_recovery_folder) == []


def test_that_work_without_a_file_is_kept_in_the_users_folder_and_offered_after_a_crash(
    make_window: MakeWindow, own_recovery_folder: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window = make_window()
    window.document.open_state(state_with_result(), "Open")
    move(window, 7.0, qtbot)
    kill(window.autosave, window.lock)
    again = make_window()
    (box,) = offers(again, qtbot)
    assert "confounded.csv" in box.text()
    assert "600 rows of 4 variables, a PAG with 4 edges, the result of a search" in box.informativeText()
    with qtbot.waitSignal(again.autosave.written, timeout=LONG):
        answer(again, "Restore", qtbot)
    assert again.document.positions["A"] == (7.0, 0.0)
    assert again.document.pag == GRAPH
    assert again.document.is_modified
    assert again.document.path is None
    assert len(list(own_recovery_folder.glob("*.recovery"))) == 1
    save(again, tmp_path / "saved.latconf", qtbot)
    qtbot.waitUntil(lambda: not list(own_recovery_folder.glob("*.recovery")), timeout=LONG)


def test_that_work_on_a_project_is_offered_and_saved_to_that_project(
    make_window: MakeWindow, project: Path, qtbot: QtBot
) -> None:
    window = make_window()
    open_project(window, project, qtbot)
    move(window, 7.0, qtbot)
    kill(window.autosave, window.lock)
    again = make_window()
    answer(again, "Restore", qtbot)
    assert again.document.path == project
    assert again.document.is_modified
    with qtbot.waitSignal(again.project.saved, timeout=LONG):
        again.project.save()
    again.close_at_once()
    third = make_window()
    assert offers(third, qtbot) == []
    open_project(third, project, qtbot)
    assert third.document.positions["A"] == (7.0, 0.0)


def test_that_work_left_beside_a_project_is_offered_when_it_is_opened(
    make_window: MakeWindow, project: Path, own_recovery_folder: Path, qtbot: QtBot
) -> None:
    window = make_window()
    open_project(window, project, qtbot)
    move(window, 7.0, qtbot)
    kill(window.autosave, window.lock)
    for each in own_recovery_folder.iterdir():  # the folder of another machine
        each.unlink()
    again = make_window()
    assert offers(again, qtbot) == []
    open_project(again, project, qtbot)
    answer(again, "Restore", qtbot)
    assert again.document.positions["A"] == (7.0, 0.0)


def test_that_discarded_work_is_not_offered_again_and_undecided_work_is(
    make_window: MakeWindow, own_recovery_folder: Path, qtbot: QtBot
) -> None:
    window = make_window()
    window.document.open_state(state_with_result(), "Open")
    move(window, 7.0, qtbot)
    kill(window.autosave, window.lock)
    again = make_window()
    answer(again, "Decide later", qtbot)
    again.close_at_once()
    third = make_window()
    answer(third, "Discard", qtbot)
    third.close_at_once()
    assert offers(make_window(), qtbot) == []


def test_that_what_is_older_than_the_last_save_is_not_offered(
    make_window: MakeWindow, project: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window()
    open_project(window, project, qtbot)
    move(window, 7.0, qtbot)
    old = path_beside(project).read_bytes()
    window.document.move_nodes({"A": (8.0, 0.0)}, "Move A")
    path_beside(project).write_bytes(old)
    with qtbot.waitSignal(window.project.saved, timeout=LONG):
        window.project.save()
    monkeypatch.setattr(autosave_module.AutoSave, "_remove_all", lambda _self: None)
    kill(window.autosave, window.lock)
    again = make_window()
    assert offers(again, qtbot) == []
    open_project(again, project, qtbot)
    assert offers(again, qtbot) == []
    assert again.document.positions["A"] == (8.0, 0.0)


def test_that_a_window_that_lives_is_left_its_work(make_window: MakeWindow, qtbot: QtBot) -> None:
    window = make_window()
    window.document.open_state(state_with_result(), "Open")
    move(window, 7.0, qtbot)
    assert offers(make_window(), qtbot) == []


def test_that_the_second_window_on_a_project_says_so_and_does_not_overwrite_the_first(
    make_window: MakeWindow, project: Path, own_recovery_folder: Path, qtbot: QtBot
) -> None:
    first, second = make_window(), make_window()
    open_project(first, project, qtbot)
    assert first.problems.messages == []
    open_project(second, project, qtbot)
    assert "p.latconf is also open in another window" in second.problems.messages[0].what
    move(first, 1.0, qtbot)
    move(second, 2.0, qtbot)
    assert read_recovery(path_beside(project), RunControl()).state.positions["A"] == (1.0, 0.0)
    with qtbot.waitSignal(first.project.saved, timeout=LONG):
        first.project.save()
    second.project.save()
    qtbot.waitUntil(lambda: any(box.isVisible() for box in second.findChildren(QMessageBox)), timeout=LONG)
    answer(second, "Cancel", qtbot)
    first.close_at_once()
    third = make_window()
    open_project(third, project, qtbot)
    assert third.problems.messages == []
    assert third.document.positions["A"] == (1.0, 0.0)


def test_that_a_save_waits_for_the_recovery_file_that_is_being_written(
    make_window: MakeWindow, project: Path, qtbot: QtBot
) -> None:
    window = make_window()
    open_project(window, project, qtbot)
    window.document.move_nodes({"A": (3.0, 0.0)}, "Move A")
    window.autosave._timer.timeout.emit()
    assert window.autosave._thread is not None
    with qtbot.waitSignal(window.project.saved, timeout=LONG):
        window.project.save()
        assert "Saving p.latconf" not in window.runs.texts
    qtbot.waitUntil(lambda: window.autosave._thread is None and not path_beside(project).exists(), timeout=LONG)
    assert not window.document.is_modified


def test_that_a_damaged_recovery_file_is_passed_over(
    make_window: MakeWindow, own_recovery_folder: Path, qtbot: QtBot
) -> None:
    window = make_window()
    window.document.open_state(delete_run(state_with_result(), "HCLC-V on drawn"), "Open")
    move(window, 7.0, qtbot)
    kill(window.autosave, window.lock)
    (path,) = own_recovery_folder.glob("*.recovery")
    path.write_bytes(path.read_bytes()[:100])
    seen: list[Offer] = []
    again = make_window()
    again.recovering.offered.connect(seen.append)
    assert offers(again, qtbot) == []
    assert seen == []


def test_that_a_recovery_file_that_cannot_be_written_is_said_once_a_change(
    make_window: MakeWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object, **_named: object) -> None:
        raise OSError(28, "No space left on device", "kept")

    window = make_window()
    monkeypatch.setattr(autosave_module, "write_recovery", full)
    with qtbot.waitSignal(window.problems.reported, timeout=LONG):
        window.document.open_state(state_with_result(), "Open")
    qtbot.waitUntil(lambda: window.autosave._thread is None)
    assert not window.autosave._timer.isActive()  # not again before there is something new
    assert "No space left" in window.problems.messages[0].what
    monkeypatch.undo()
    move(window, 7.0, qtbot)


def test_that_what_takes_long_to_write_is_written_less_often(
    make_window: MakeWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window()
    times = iter([0.0, 60.0])
    window.autosave._clock = lambda: next(times)
    with qtbot.waitSignal(window.autosave.written, timeout=LONG):
        window.document.open_state(state_with_result(), "Open")
    window.document.move_nodes({"A": (1.0, 0.0)}, "Move A")
    assert window.autosave._timer.interval() == autosave_module.REST_FACTOR * 60_000


def test_that_what_a_process_that_is_gone_had_begun_to_write_goes(
    make_window: MakeWindow, project: Path, qtbot: QtBot
) -> None:
    name = "from latconf_core.files import name_in_progress; print(name_in_progress())"
    gone = subprocess.run([sys.executable, "-c", name], check=True, capture_output=True, text=True).stdout.strip()
    left, living, foreign = (project.with_name(name) for name in (gone, name_in_progress(), ".q.1.tmp"))
    for path in (left, living, foreign):
        path.touch()
    open_project(make_window(), project, qtbot)
    assert not left.exists()
    assert living.exists()
    assert foreign.exists()


def test_that_a_state_kept_before_a_save_of_another_one_is_kept_again(
    make_window: MakeWindow, project: Path, qtbot: QtBot
) -> None:
    window = make_window()
    open_project(window, project, qtbot)
    window.document.move_nodes({"A": (1.0, 0.0)}, "Move A")
    move(window, 2.0, qtbot)
    window.document.undo_stack.undo()
    with qtbot.waitSignal(window.autosave.written, timeout=LONG), qtbot.waitSignal(window.project.saved, timeout=LONG):
        window.project.save()
        window.document.undo_stack.redo()
    kill(window.autosave, window.lock)
    again = make_window()
    answer(again, "Restore", qtbot)
    assert again.document.positions["A"] == (2.0, 0.0)


def test_that_the_system_ends_the_window_and_the_work_is_offered_the_next_time(
    make_window: MakeWindow, project: Path, qtbot: QtBot
) -> None:
    window = make_window()
    open_project(window, project, qtbot)
    window.autosave.after = 1_000_000  # nothing is kept yet when the signal comes
    window.document.move_nodes({"A": (7.0, 0.0)}, "Move A")
    signals = SystemSignals(window.leave)
    os.kill(os.getpid(), signal.SIGTERM)
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=LONG)
    signals.stop()
    assert read_recovery(path_beside(project), RunControl()).state.positions["A"] == (7.0, 0.0)
    second = make_window()
    open_project(second, project, qtbot)
    answer(second, "Restore", qtbot)
    assert second.document.state.positions["A"] == (7.0, 0.0)


def test_that_the_system_ends_a_window_without_unsaved_work_at_once(
    make_window: MakeWindow, project: Path, qtbot: QtBot
) -> None:
    window = make_window()
    open_project(window, project, qtbot)
    window.leave()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=LONG)
    assert files_in(project.parent) == ["p.latconf"]
