"""Work is not lost, and nothing lands where it does not belong: each of these once happened."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.model_acts import GRAPH, settle, state_with_data, state_with_result

from latconf_core.control import RunControl
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.formats.projects.opening import OpenedGraph
from latconf_core.formats.projects.project_state import save_state
from latconf_core.formats.projects.state_changes import add_pag
from latconf_gui.application import project_files
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag import files as pag_files
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.window.example_tour import ExamplePath
from latconf_gui.window.main_window import MainWindow

LONG = 20_000


def save(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.project.saved, timeout=LONG):
        window.project.save_to(path)


def open_file(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    signal = window.opener.project_opened if path.suffix == ".latconf" else window.opener.opened
    with qtbot.waitSignal(signal, timeout=LONG):
        window.opener.open_path(path)


def answer(window: MainWindow, text: str) -> None:
    """Click a button of the question on the screen."""
    box = next(each for each in window.findChildren(QMessageBox) if each.isVisible())
    next(button for button in box.buttons() if button.text().replace("&", "") == text).click()


def is_asked(window: MainWindow) -> bool:
    return any(box.isVisible() for box in window.findChildren(QMessageBox))


@pytest.fixture
def project(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> Path:
    """A saved project that is open."""
    window.document.open_state(state_with_result(), "Open")
    save(window, tmp_path / "p.latconf", qtbot)
    return tmp_path / "p.latconf"


def test_that_save_asks_where_after_an_open_was_undone(
    window: MainWindow, project: Path, small_csv: Path, qtbot: QtBot
) -> None:
    open_file(window, small_csv, qtbot)
    open_file(window, project, qtbot)
    content = project.read_bytes()
    window.actions_by_id["edit.undo"].trigger()
    assert window.document.name == "small.csv"
    window.actions_by_id["file.save"].trigger()
    assert any(dialog.isVisible() for dialog in window.findChildren(QFileDialog))
    assert not window.project.is_saving
    assert project.read_bytes() == content
    window.actions_by_id["edit.redo"].trigger()
    assert window.windowTitle() == "p.latconf – latconf"


def test_that_a_save_that_ends_late_does_not_name_what_was_opened_meanwhile(
    window: MainWindow, project: Path, small_csv: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def slow(state: object, path: Path, control: RunControl, **rest: object) -> Iterator[object]:
        go_on.wait(LONG / 1000)
        yield from save_state(state, path, control, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(project_files, "save_state", slow)
    with qtbot.waitSignal(window.project.saved, timeout=LONG):
        window.project.save()
        open_file(window, small_csv, qtbot)
        go_on.set()
    assert window.windowTitle() == "small.csv – latconf"
    window.actions_by_id["file.save"].trigger()
    assert any(dialog.isVisible() for dialog in window.findChildren(QFileDialog))


def test_that_an_open_that_a_search_refuses_changes_neither_the_file_nor_what_is_unsaved(
    window: MainWindow, project: Path, small_csv: Path, qtbot: QtBot
) -> None:
    window.document.move_nodes({"A": (5.0, 5.0)}, "Move A")
    before = window.document.state
    window.opener.open_path(small_csv)
    window.document.hold("A search is running.")  # it began while the file was being read
    qtbot.waitUntil(lambda: is_asked(window) or not window.runs.texts, timeout=LONG)
    if is_asked(window):
        answer(window, "Discard")
    window.document.release()
    assert window.document.state is before
    assert window.windowTitle() == "p.latconf* – latconf"
    assert small_csv not in window.settings.recent_files


def test_that_moving_a_node_during_a_search_does_not_let_undo_remove_its_pag(window: MainWindow, qtbot: QtBot) -> None:
    window.document.open_state(state_with_data(), "Open")
    window.document.set_pag(GRAPH, "Learn the PAG", origin="FCI")
    window.document.hold("A search is running.")
    undo = window.actions_by_id["edit.undo"]
    assert not undo.isEnabled()
    window.document.move_nodes({"A": (5.0, 5.0)}, "Move A")
    assert undo.isEnabled()
    undo.trigger()
    assert window.document.positions["A"] != (5.0, 5.0)
    assert not undo.isEnabled()
    window.document.undo_stack.undo()
    assert window.document.pag is GRAPH
    window.document.release()
    assert undo.isEnabled()


def test_that_a_file_opened_after_a_cancelled_example_is_only_opened(
    window: MainWindow, small_csv: Path, qtbot: QtBot
) -> None:
    path = ExamplePath(window)
    path.start(ExampleChoice("asia", ("smoke",), 50))
    window.runs.cancel_current()
    qtbot.waitUntil(lambda: not window.runs.texts, timeout=LONG)
    open_file(window, small_csv, qtbot)
    assert not window.page(PagPage).is_learning
    assert not path.is_under_way
    assert window.document.pag is None


def test_that_data_opened_during_a_layout_do_not_get_the_pag_of_other_variables(
    window: MainWindow, small_csv: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    page = window.page(PagPage)
    window.document.open_state(replace(state_with_data(), positions={}), "Open")
    window.document.mark_clean()
    page.introduce(GRAPH, "Learn the PAG", origin="FCI")
    assert page.layouts.is_running
    other = tmp_path / "other.csv"
    other.write_bytes(small_csv.read_bytes())
    with qtbot.waitSignal(page.layouts.ready, timeout=LONG):
        window.document.open_state(replace(state_with_data(), name="other"), "Open other")
    assert window.document.pag is None


def test_that_problems_of_other_files_go_when_something_else_is_opened(
    window: MainWindow, small_csv: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(window.problems.reported):
        window.opener.open_path(tmp_path / "gone.csv")
    open_file(window, small_csv, qtbot)
    assert window.problems.messages == []
    assert not window.problems.isVisible()


def test_that_work_is_not_replaced_before_the_person_has_said_so(
    window: MainWindow, project: Path, small_csv: Path, qtbot: QtBot
) -> None:
    window.document.move_nodes({"A": (5.0, 5.0)}, "Move A")
    before = window.document.state
    for act in (
        lambda: window.opener.open_path(small_csv),
        lambda: window.opener.open_example(ExampleChoice("asia", ("smoke",), 50)),
        lambda: window.actions_by_id["file.new"].trigger(),
        lambda: window.actions_by_id["file.close"].trigger(),
        lambda: window.close(),
    ):
        act()
        qtbot.waitUntil(lambda: is_asked(window), timeout=LONG)
        answer(window, "Cancel")
        qtbot.waitUntil(lambda: not window.runs.texts)
        assert window.document.state is before
        assert window.isVisible()
    with qtbot.waitSignal(window.opener.opened, timeout=LONG):
        window.opener.open_path(small_csv)
        qtbot.waitUntil(lambda: is_asked(window), timeout=LONG)
        answer(window, "Save")
    assert window.windowTitle() == "small.csv – latconf"
    open_file(window, project, qtbot)
    assert window.document.positions["A"] == (5.0, 5.0)


def test_that_importing_a_pag_into_the_data_does_not_ask(
    window: MainWindow, project: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window.document.move_nodes({"A": (5.0, 5.0)}, "Move A")
    graph = tmp_path / "pag.txt"
    graph.write_text("Graph Nodes:\nA;B;C;D\n\nGraph Edges:\n1. A o-> B\n", encoding="utf-8")
    with qtbot.waitSignal(window.opener.graph_opened, timeout=LONG):
        window.opener.open_path(graph)
    assert not is_asked(window)
    assert window.document.pag == mixed("A o-> B", nodes=list("ABCD"))


def test_that_a_graph_read_for_other_data_is_not_taken(
    window: MainWindow, project: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    graph = tmp_path / "pag.txt"
    graph.write_text("Graph Nodes:\nA;B;C;D\n\nGraph Edges:\n1. A o-> B\n", encoding="utf-8")
    with qtbot.waitSignal(window.opener.given_up, timeout=LONG):
        window.opener.open_path(graph)
        window.document.open_state(state_with_data(), "Open other")
    assert window.document.pag is None


def test_that_new_and_close_leave_nothing_open_and_can_be_undone(window: MainWindow, project: Path) -> None:
    for id in ("file.new", "file.close"):
        window.actions_by_id[id].trigger()
        assert not window.document.has_content
        assert window.windowTitle() == "latconf"
        assert window.current_page.title == "Start"
        assert not window.actions_by_id["file.close"].isEnabled()
        window.document.undo_stack.undo()
        assert window.document.pag == GRAPH
        assert window.document.path is None


def test_that_a_file_that_changed_on_the_disk_is_not_overwritten_unasked(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    window.document.move_nodes({"A": (5.0, 5.0)}, "Move A")
    project.write_bytes(project.read_bytes() + b" ")
    theirs = project.read_bytes()
    window.project.save()
    qtbot.waitUntil(lambda: is_asked(window), timeout=LONG)
    answer(window, "Cancel")
    assert project.read_bytes() == theirs
    assert window.document.is_modified
    window.project.save()
    qtbot.waitUntil(lambda: is_asked(window), timeout=LONG)
    with qtbot.waitSignal(window.project.saved, timeout=LONG):
        answer(window, "Overwrite")
    assert project.read_bytes() != theirs
    assert not window.document.is_modified


def test_that_a_file_that_was_only_touched_is_saved_without_a_question(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    window.document.move_nodes({"A": (5.0, 5.0)}, "Move A")
    project.touch()
    with qtbot.waitSignal(window.project.saved, timeout=LONG):
        window.project.save()
    assert not window.document.is_modified


def test_that_the_inspector_does_not_keep_what_was_chosen_in_another_document(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    window.show_page("PAG")
    page = window.page(PagPage)
    page.canvas.scene.select_edge("A", "B")
    assert page.inspector().title.text().startswith("A")
    other = mixed("A --> B", nodes=list("ABCD"))
    window.document.open_state(add_pag(replace(state_with_data(), name="other"), other), "Open other")
    assert page.canvas.scene.selected_pairs() == []
    assert not page.inspector().title.text().startswith("A")


def test_that_a_graph_imported_for_other_data_is_not_taken(
    window: MainWindow, project: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, go_on = window.page(PagPage), threading.Event()

    def read_slowly(*_given: object, **_named: object) -> object:
        go_on.wait(LONG / 1000)
        return OpenedGraph(GRAPH, graph.name)

    monkeypatch.setattr(pag_files, "open_graph", read_slowly)
    graph = tmp_path / "pag.txt"
    graph.touch()
    page.files.import_graph(graph)
    window.document.open_state(replace(state_with_data(), name="other"), "Open other")
    go_on.set()
    qtbot.waitUntil(lambda: not page.files.is_busy, timeout=LONG)
    assert window.document.pag is None


def test_that_a_layout_that_ends_late_moves_nothing_in_another_document(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    other = replace(state_with_data(), name="other", positions={}, model_positions={})
    pages = (window.page(PagPage), window.page(ModelPage))
    for page, lay_out in zip(pages, (lambda: pages[0].lay_out("dot"), pages[1].places.lay_out), strict=True):
        settle(pages[1], qtbot)
        qtbot.waitUntil(lambda: not any(each.canvas.layouts.is_running for each in pages), timeout=LONG)
        lay_out()
        assert page.canvas.layouts.is_running
        window.document.open_state(other, "Open other", is_saved=True)
        qtbot.waitUntil(lambda page=page: not page.canvas.layouts.is_running, timeout=LONG)
        assert window.document.positions == {}
        assert window.document.model_positions == {}
        assert not window.document.is_modified
        window.document.undo_stack.undo()


def test_that_an_example_goes_its_way_though_it_took_the_place_of_another_file(
    window: MainWindow, small_csv: Path, qtbot: QtBot
) -> None:
    window.opener.open_path(small_csv)
    path = ExamplePath(window)
    with qtbot.waitSignal(window.opener.opened, timeout=LONG):
        path.start(ExampleChoice("asia", ("smoke",), 50))
    assert path.is_under_way
    assert window.page(PagPage).is_learning
    window.runs.cancel_all()
    qtbot.waitUntil(lambda: not window.runs.texts, timeout=LONG)


def test_that_a_project_named_from_the_folder_one_is_in_is_found_from_any_other(
    window: MainWindow, project: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.parent)
    open_file(window, Path(project.name), qtbot)
    assert window.document.path == project
    save(window, Path("q.latconf"), qtbot)
    assert window.document.path == project.with_name("q.latconf")
