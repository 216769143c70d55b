"""PAGs and runs kept by name, as a person meets them on the pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot
from support.model_acts import GRAPH, confounded, settle, small_result, state_with_result
from support.search_acts import quick_options

from latconf_core.data.preparing.choices import Preparation
from latconf_core.formats.projects.project_state import prepare_state
from latconf_core.formats.projects.state_changes import add_pag, add_run
from latconf_core.search.runner import run_search
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.widgets.collection_dialog import CollectionDialog
from latconf_gui.window.main_window import MainWindow

OTHER = GRAPH.without_edge("C", "D")


@pytest.fixture
def two(window: MainWindow, qtbot: QtBot) -> Iterator[MainWindow]:
    """A window with two PAGs and a run on each; the second ones are current."""
    state = add_pag(state_with_result(), OTHER, origin="GFCI, alpha 0.05")
    result = run_search(confounded(), OTHER, "ilc-v", options=quick_options(seed=2))
    window.document.open_state(add_run(state, result, title="ILC-V"), "Open")
    settle(window.page(ModelPage), qtbot)
    yield window
    window.page(ModelPage).stop()
    window.page(PagPage).stop()
    window.page(SearchPage).stop()


def texts(box: QComboBox) -> list[str]:
    return [box.itemText(index) for index in range(box.count())]


def greyed(box: QComboBox) -> list[str]:
    model = box.model()
    assert isinstance(model, QStandardItemModel)
    return [box.itemText(index) for index in range(box.count()) if not model.item(index).isEnabled()]


def take(box: QComboBox, start: str) -> None:
    """Choose the item that begins like this."""
    place = next(index for index, text in enumerate(texts(box)) if text.startswith(start))
    box.setCurrentIndex(place)
    box.activated.emit(place)


def drop_rows(window: MainWindow) -> None:
    """Prepare the table without the rows whose D is 2."""
    state = window.document.state
    window.document.set_preparation(
        prepare_state(state, replace(Preparation(missing_marks=("2",)), missing="drop rows")), "Drop rows"
    )


def test_that_a_second_search_adds_a_run_and_both_can_be_shown(two: MainWindow, qtbot: QtBot) -> None:
    page, document = two.page(SearchPage), two.document
    two.show_page("Search")
    page.preflight.stop()
    page.form.choose("hclc-v")
    with qtbot.waitSignal(page.running.finished, timeout=60_000):
        page.run()
    names = ["HCLC-V on drawn", "ILC-V on GFCI", "HCLC-V on GFCI"]
    assert texts(page.run_box.box) == [run.name for run in document.state.runs] == names
    assert page.run_box.box.currentText() == "HCLC-V on GFCI"
    take(page.run_box.box, "ILC-V on GFCI")
    shown = document.result
    assert shown is document.state.runs[1].result
    assert len(page.visits) == len(shown.history)
    assert "ILC-V visited" in page.banner.end.text()
    assert "Run on GFCI, alpha 0.05." in page.banner.end.text()
    document.undo_stack.undo()
    assert page.run_box.box.currentText() == "HCLC-V on GFCI"


def test_that_editing_the_pag_keeps_its_run_which_says_so(two: MainWindow) -> None:
    page, document = two.page(SearchPage), two.document
    two.page(PagPage).editor.delete_edges([("A", "C")])
    assert document.result is document.state.runs[1].result
    assert "Run on GFCI, alpha 0.05, as it was before it was edited." in page.banner.end.text()
    document.undo_stack.undo()
    assert "before it was edited" not in page.banner.end.text()


def test_that_the_pag_page_shows_the_pag_that_is_chosen(two: MainWindow, qtbot: QtBot) -> None:
    page = two.page(PagPage)
    assert texts(page.pag_box.box) == ["drawn", "GFCI, alpha 0.05"]
    take(page.pag_box.box, "drawn")
    assert two.document.pag == GRAPH
    assert page.canvas.scene.edge_item("C", "D") is not None
    two.document.undo_stack.undo()
    assert page.pag_box.box.currentText() == "GFCI, alpha 0.05"


def test_that_learning_again_adds_a_pag(two: MainWindow, qtbot: QtBot) -> None:
    page = two.page(PagPage)
    with qtbot.waitSignal(two.document.pag_changed, timeout=60_000):
        page.learning.start(page.learn_panel.options())
    qtbot.waitUntil(lambda: not two.runs.texts)
    assert texts(page.pag_box.box)[:2] == ["drawn", "GFCI, alpha 0.05"]
    assert len(two.document.state.pags) == 3
    assert two.document.state.pags[1].graph == OTHER


def test_that_the_model_page_lists_the_dags_of_both_runs(two: MainWindow, qtbot: QtBot) -> None:
    page, runs = two.page(ModelPage), two.document.state.runs
    listed = texts(page.choice)
    assert [text for text in listed if text.startswith("HCLC-V on drawn: best")]
    assert page.choice.currentText().startswith("ILC-V on GFCI: best")
    take(page.choice, "HCLC-V on drawn: best")
    settle(page, qtbot)
    assert page.dag == small_result().best
    assert page.result is runs[0].result
    assert two.document.result is runs[1].result
    assert page.inspector().value("Run") == "HCLC-V on drawn"
    page.context.actions["model.best"].trigger()
    assert page.result is runs[0].result


def test_that_an_opened_dag_stays_in_the_list_with_its_number(two: MainWindow, qtbot: QtBot) -> None:
    page, search = two.page(ModelPage), two.page(SearchPage)
    result = two.document.state.runs[1].result
    worst = min(result.history, key=lambda visit: visit.p_elbo).index
    two.show_page("Search")
    search.dag.show_visit(worst)
    search.open_model()
    settle(page, qtbot)
    below = result.history.best.p_elbo - result.history[worst].p_elbo
    said = f"ILC-V on GFCI: DAG {worst + 1}, {below:,.1f} below the best"
    assert page.choice.currentText() == said
    take(page.choice, "ILC-V on GFCI: best")
    settle(page, qtbot)
    assert said in texts(page.choice)
    assert page.dag == result.best


def test_that_other_data_grey_everything_with_the_reason_and_undo_brings_it_back(two: MainWindow) -> None:
    document, pag_page, search_page = two.document, two.page(PagPage), two.page(SearchPage)
    before = document.state
    drop_rows(two)
    dropped = before.dataset.n_rows - document.dataset.n_rows
    assert dropped > 0
    assert (document.pag, document.result) == (None, None)
    reason = "made from other data: "
    assert all(reason in text for text in texts(pag_page.pag_box.box) + texts(search_page.run_box.box))
    assert greyed(pag_page.pag_box.box) == texts(pag_page.pag_box.box)
    assert greyed(search_page.run_box.box) == texts(search_page.run_box.box)
    assert len(texts(search_page.run_box.box)) == 2
    assert search_page.run_box.box.currentText() == ""
    assert not search_page.banner.isVisibleTo(search_page)
    assert len(search_page.visits) == 0
    document.undo_stack.undo()
    assert document.result is before.result
    assert greyed(search_page.run_box.box) == []


def test_that_a_run_is_renamed_and_deleted_by_keys_and_undo_brings_it_back(two: MainWindow, qtbot: QtBot) -> None:
    page, document = two.page(SearchPage), two.document
    two.show_page("Search")
    two.actions_by_id["search.manage"].trigger()
    dialog = two.findChild(CollectionDialog)
    assert dialog is not None
    dialog.list.setCurrentItem(dialog.list.topLevelItem(1))
    QTest.keyClick(dialog.list, Qt.Key.Key_F2)
    field = dialog.list.findChild(QLineEdit)
    assert field is not None
    field.setText("final")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [run.name for run in document.state.runs] == ["HCLC-V on drawn", "final"])
    assert page.run_box.box.currentText() == "final"
    assert document.undo_stack.undoText() == "Rename ILC-V on GFCI"
    dialog.list.setCurrentItem(dialog.list.topLevelItem(1))
    QTest.keyClick(dialog.list, Qt.Key.Key_Delete)
    assert page.run_box.box.currentText() == "HCLC-V on drawn"
    assert document.result is document.state.runs[0].result
    document.undo_stack.undo()
    assert page.run_box.box.currentText() == "final"
    with qtbot.waitSignal(dialog.destroyed):
        dialog.reject()


def test_that_a_name_that_is_taken_is_refused_with_a_sentence(two: MainWindow, qtbot: QtBot) -> None:
    two.page(PagPage).pags.rename("drawn", "GFCI, alpha 0.05")
    assert "there is already a PAG" in two.problems.messages[-1].what
    assert [pag.name for pag in two.document.state.pags] == ["drawn", "GFCI, alpha 0.05"]


def test_that_a_project_opens_with_the_same_current_ones(two: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    take(two.page(SearchPage).run_box.box, "HCLC-V on drawn")
    take(two.page(PagPage).pag_box.box, "drawn")
    run = two.document.state.runs[1]
    two.document.open_dag(run.result.history.dag(0), run, 0)
    with qtbot.waitSignal(two.project.saved, timeout=20_000):
        two.project.save_to(tmp_path / "p.latconf")
    with qtbot.waitSignal(two.opener.project_opened, timeout=20_000):
        two.opener.open_path(tmp_path / "p.latconf")
    state = two.document.state
    assert (state.current_pag, state.current_run) == ("drawn", "HCLC-V on drawn")
    assert [run.name for run in state.runs] == ["HCLC-V on drawn", "ILC-V on GFCI"]
    assert two.document.opened_visits(state.runs[1]) == (0,)
    assert two.page(PagPage).pag_box.box.currentText() == "drawn"
    assert two.page(SearchPage).run_box.box.currentText() == "HCLC-V on drawn"
    settle(two.page(ModelPage), qtbot)
