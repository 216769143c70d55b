"""Saving, opening and closing as a person does it."""

from __future__ import annotations

import errno
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot
from support.model_acts import GRAPH, PLACES, confounded, put_result, settle, small_result, state_with_result

from latconf_core.control import RunControl
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.formats.projects import project_file as project_module
from latconf_core.formats.projects.project_file import Project, write_project
from latconf_core.formats.projects.state_changes import delete_run
from latconf_core.search import judgement as judgement_module
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.run import SearchRun
from latconf_gui.application import project_files as gui_project
from latconf_gui.background.run_thread import RunThread
from latconf_gui.pages.data.data_page import DataPage
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow


def save(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.project.saved, timeout=20_000):
        window.project.save_to(path)


def open_project(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.opener.project_opened, timeout=20_000):
        window.opener.open_path(path)


def answer(window: MainWindow, text: str, qtbot: QtBot) -> None:
    """Click a button of the question on the screen."""
    box = window.findChild(QMessageBox)
    assert box is not None
    with qtbot.waitSignal(box.destroyed):
        next(button for button in box.buttons() if button.text().replace("&", "") == text).click()


def test_that_a_saved_document_comes_back_whole(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    put_result(window, qtbot)
    document = window.document
    latent = small_result().best.latents[0]  # type: ignore[union-attr]
    document.name_states(latent, ("ill", "well"), "Name the states")
    document.move_nodes({"A": (-7.5, 3.25)}, "Move A")
    before = document.state
    assert window.windowTitle() == "confounded.csv* – latconf"
    save(window, tmp_path / "work.latconf", qtbot)
    assert window.windowTitle() == "work.latconf – latconf"
    assert window.settings.recent_files[0] == tmp_path / "work.latconf"
    with qtbot.waitSignal(window.opener.opened):
        window.opener.open_example(ExampleChoice("asia", ("smoke",), 50))
    assert window.document.path is None
    open_project(window, tmp_path / "work.latconf", qtbot)
    after = document.state
    assert after.dataset == confounded()
    assert (after.pag, after.pag_origin, after.name) == (GRAPH, "drawn", "confounded.csv")
    assert dict(after.positions) == {**PLACES, "A": (-7.5, 3.25)}
    assert dict(after.state_names) == {latent: ("ill", "well")}
    assert after.preparation == before.preparation
    assert isinstance(after.result, SearchResult)
    assert after.result.history == small_result().history
    assert window.windowTitle() == "work.latconf – latconf"
    page = window.page(ModelPage)
    assert window.stack.currentWidget() is page
    settle(page, qtbot)
    assert page.network is not None
    assert page.network.states("L1") == ("ill", "well")
    assert len(window.page(SearchPage).visits) == len(small_result().history)


def test_that_choices_about_the_data_come_back_and_can_be_taken_back(
    window: MainWindow, open_text: Callable[[str], DataPage], tmp_path: Path, qtbot: QtBot
) -> None:
    rows = [f"P{i},{i % 17},{'ab'[i % 2]},{'NA' if i % 7 == 0 else 'x' + str(i % 3)}" for i in range(90)]
    open_text("id,age,sex,ward\n" + "\n".join(rows) + "\n")
    opener = window.opener
    for change in (
        lambda now: now.with_missing("own state"),
        lambda now: now.with_rule("age", Discretisation("equal width", 3)),
        lambda now: now.with_renames("sex", {"a": "female"}),
    ):
        with qtbot.waitSignal(opener.prepared):
            opener.prepare(change, "Change")
    before = window.document.state
    save(window, tmp_path / "p.latconf", qtbot)
    open_project(window, tmp_path / "p.latconf", qtbot)
    after = window.document.state
    assert after.dataset == before.dataset
    assert after.preparation == before.preparation
    assert [plan.name for plan in after.plans if not plan.is_used] == ["id"]
    with qtbot.waitSignal(opener.prepared):
        opener.prepare(lambda now: now.with_rule("age", None), "Keep the values")
    assert window.document.dataset is not None
    assert len(window.document.dataset.states[0]) == 17


def test_that_an_obstacle_of_the_data_is_there_again(
    window: MainWindow, open_text: Callable[[str], DataPage], tmp_path: Path, qtbot: QtBot
) -> None:
    open_text("a,b\n" + "x,NA\nNA,2\n" * 10)  # two columns of one state each
    assert window.document.dataset is None
    obstacle = window.document.state.obstacle
    save(window, tmp_path / "p.latconf", qtbot)
    open_project(window, tmp_path / "p.latconf", qtbot)
    assert window.document.dataset is None
    assert window.document.state.obstacle == obstacle


def test_that_what_was_just_opened_needs_no_saving_and_a_change_does(
    window: MainWindow, small_csv: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(window.opener.opened):
        window.opener.open_path(small_csv)
    assert not window.document.is_modified
    with qtbot.waitSignal(window.opener.prepared):
        window.opener.prepare(lambda now: now.with_renames("rain", {"yes": "wet"}), "Rename")
    assert window.document.is_modified
    assert window.windowTitle() == "small.csv* – latconf"
    window.document.undo_stack.undo()
    assert window.windowTitle() == "small.csv – latconf"


def test_that_save_asks_for_a_name_once(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window.document.open_state(state_with_result(), "Open")
    window.actions_by_id["file.save"].trigger()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.selectFile(str(tmp_path / "named"))
    with qtbot.waitSignal(window.project.saved, timeout=20_000):
        dialog.accept()
    assert (tmp_path / "named.latconf").is_file()
    window.document.move_nodes({"A": (1.0, 1.0)}, "Move A")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    with qtbot.waitSignal(window.project.saved, timeout=5_000):
        qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert not window.document.is_modified


def test_that_there_must_be_something_to_save(window: MainWindow, tmp_path: Path) -> None:
    window.actions_by_id["file.save"].trigger()
    assert "nothing to save" in window.problems.messages[0].what
    window.project.save_to(tmp_path / "x.latconf")
    assert not (tmp_path / "x.latconf").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no zip at all", "damaged"),
        ({"version": 99, "program": "9.0"}, "install a newer one"),
        ({"preparation": None}, "damaged"),
    ],
)
def test_that_a_project_that_cannot_be_read_changes_nothing(
    window: MainWindow, small_csv: Path, tmp_path: Path, qtbot: QtBot, content: bytes | dict[str, object], said: str
) -> None:
    with qtbot.waitSignal(window.opener.opened):
        window.opener.open_path(small_csv)
    state, page = window.document.state, window.stack.currentWidget()
    path = tmp_path / "bad.latconf"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        write_project(Project(name="x"), tmp_path / "good.latconf")
        with zipfile.ZipFile(tmp_path / "good.latconf") as good, zipfile.ZipFile(path, "w") as bad:
            header = {**json.loads(good.read("project.json")), **content}
            bad.writestr("project.json", json.dumps(header))
    with qtbot.waitSignal(window.problems.reported):
        window.opener.open_path(path)
    assert "bad.latconf" in window.problems.messages[0].what
    assert said in window.problems.messages[0].what
    assert window.document.state is state
    assert window.stack.currentWidget() is page
    assert window.document.path is None
    assert path not in window.settings.recent_files


def test_that_a_full_disk_is_explained_and_nothing_is_lost(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.document.open_state(state_with_result(), "Open")
    path = tmp_path / "p.latconf"
    save(window, path, qtbot)
    good = path.read_bytes()
    window.document.move_nodes({"A": (9.0, 9.0)}, "Move A")
    state = window.document.state

    def full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(project_module, "write_raw_table", full)
    with qtbot.waitSignal(window.problems.reported):
        window.project.save()
    qtbot.waitUntil(lambda: not window.runs.texts)
    assert "No space left on device" in window.problems.messages[0].what
    assert path.read_bytes() == good
    assert window.document.state is state
    assert window.document.is_modified
    assert [each.name for each in tmp_path.iterdir() if each.suffix != ".csv"] == ["p.latconf"]


def test_that_closing_with_unsaved_work_asks_and_does_as_told(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window.document.open_state(state_with_result(), "Open")
    window.document.mark_clean()
    window.document.move_nodes({"A": (9.0, 9.0)}, "Move A")
    assert not window.close()
    answer(window, "Cancel", qtbot)
    assert window.isVisible()
    window.document.file.path = tmp_path / "p.latconf"
    assert not window.close()
    answer(window, "Save", qtbot)
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=20_000)
    assert (tmp_path / "p.latconf").is_file()


def test_that_discarding_closes_without_a_file(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window.document.open_state(state_with_result(), "Open")
    assert not window.close()
    assert not window.close()  # the question is there already: no second one
    assert len(window.findChildren(QMessageBox)) == 1
    answer(window, "Discard", qtbot)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert list(tmp_path.glob("*.latconf")) == []


def test_that_closing_during_a_search_keeps_its_best_and_offers_to_save_it(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.document.open_state(delete_run(state_with_result(), "HCLC-V on drawn"), "Open")
    window.document.mark_clean()
    let_searches_wait(monkeypatch)
    page = window.page(SearchPage)
    window.show_page("Search")
    page.form.choose("ilc-v")
    page.run()
    qtbot.waitUntil(lambda: len(page.visits) > 0, timeout=20_000)
    assert not window.close()
    answer(window, "Stop and close", qtbot)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None, timeout=20_000)
    assert isinstance(window.document.result, SearchResult)
    assert window.document.result.best is not None
    answer(window, "Cancel", qtbot)
    assert window.isVisible()
    assert window.document.is_modified


def let_searches_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every search wait near its end until it is stopped."""

    def wait(run: SearchRun) -> Iterator[object]:
        while True:
            run.control.checkpoint()
            time.sleep(0.005)
        yield

    monkeypatch.setattr(judgement_module, "_judge_best", wait)


def test_that_a_second_save_waits_for_the_first(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.document.open_state(state_with_result(), "Open")

    def slow(state: object, path: Path, control: RunControl, **_rest: object) -> Iterator[object]:
        while True:
            control.checkpoint()
            time.sleep(0.005)
        yield path

    monkeypatch.setattr(gui_project, "save_state", slow)
    window.project.save_to(tmp_path / "a.latconf")
    window.project.save_to(tmp_path / "b.latconf")
    assert "already being saved" in window.problems.messages[0].what
    thread = window.runs.current
    assert isinstance(thread, RunThread)
    with qtbot.waitSignal(thread.ended):
        window.runs.cancel_current()
    assert window.document.is_modified
    assert window.document.path is None


def test_that_a_project_dropped_on_the_pag_page_is_opened(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window.document.open_state(state_with_result(), "Open")
    save(window, tmp_path / "p.latconf", qtbot)
    window.show_page("PAG")
    page = window.page(PagPage)
    content = QMimeData()
    content.setUrls([QUrl.fromLocalFile(str(tmp_path / "p.latconf"))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(page.rect().center(), Qt.DropAction.CopyAction, content, buttons, keys)
    QApplication.sendEvent(page, enter)
    drop = QDropEvent(QPointF(page.rect().center()), Qt.DropAction.CopyAction, content, buttons, keys)
    with qtbot.waitSignal(window.opener.project_opened, timeout=20_000):
        QApplication.sendEvent(page, drop)
    assert window.document.path == tmp_path / "p.latconf"


def test_that_what_a_project_had_to_leave_out_is_said_in_problems(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    window.document.open_state(state_with_result(small_result()), "Open")
    save(window, tmp_path / "good.latconf", qtbot)
    path = tmp_path / "p.latconf"
    with zipfile.ZipFile(tmp_path / "good.latconf") as good, zipfile.ZipFile(path, "w") as bad:
        for name in good.namelist():
            bad.writestr(name, b"broken" if name.endswith("posterior.npz") else good.read(name))
    open_project(window, path, qtbot)
    assert "the posterior of the best DAG could not be read" in window.problems.messages[0].what
    assert isinstance(window.document.result, SearchResult)
    assert window.document.dataset == confounded()
