from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog
from pytestqt.qtbot import QtBot
from support.builders import mixed

from latconf_core.formats.example_choice import ExampleChoice, default_choice
from latconf_core.formats.examples import example_names, load_example
from latconf_core.formats.graphs.registry import write_graph
from latconf_core.formats.measured_examples import load_measured, measured_examples, measured_names
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.pages.start.example_panel import ExamplePanel
from latconf_gui.pages.start.start_page import StartPage
from latconf_gui.window.main_window import MainWindow


@pytest.fixture
def panel(qtbot: QtBot) -> ExamplePanel:
    panel = ExamplePanel()
    qtbot.addWidget(panel)
    return panel


def tick(panel: ExamplePanel, name: str, state: Qt.CheckState = Qt.CheckState.Checked) -> None:
    panel.hide_list.findItems(name, Qt.MatchFlag.MatchExactly)[0].setCheckState(state)


def test_that_an_example_opens_with_the_chosen_variables_hidden(window: MainWindow, qtbot: QtBot) -> None:
    page = window.page(StartPage)
    assert isinstance(page, StartPage)
    page.examples.list.setCurrentRow(example_names().index("asia"))
    tick(page.examples, "bronc")
    page.examples.rows.setValue(500)
    with qtbot.waitSignal(window.opener.opened):
        qtbot.mouseClick(page.examples.open_button, Qt.MouseButton.LeftButton)
    data, truth = window.document.dataset, window.document.truth
    assert data is not None
    assert truth is not None
    assert data.n_rows == 500
    assert truth.latents == {"smoke", "bronc"}
    assert set(data.names) == set(load_example("asia").variables) - truth.latents


def test_that_new_data_bring_learning_and_the_options_to_the_front(window: MainWindow, qtbot: QtBot) -> None:
    pag, search = window.page(PagPage), window.page(SearchPage)
    pag.tabs.setCurrentWidget(pag.edges)
    search.tabs.setCurrentWidget(search.dag)
    with qtbot.waitSignal(window.opener.opened):
        window.opener.open_example(ExampleChoice("asia", n_rows=50))
    assert pag.tabs.currentWidget() is pag.learn_panel
    assert search.tabs.currentWidget() is search.settings


def test_that_a_first_start_proposes_the_example_whose_hidden_cause_is_found(panel: ExamplePanel) -> None:
    assert panel.list.currentItem().text() == "Sachs"
    assert panel.hidden() == ("PKC",)


def test_that_every_example_offers_to_be_shown(panel: ExamplePanel, qtbot: QtBot) -> None:
    for row, name in enumerate(example_names()):
        panel.list.setCurrentRow(row)
        with qtbot.waitSignal(panel.path_asked) as asked:
            qtbot.mouseClick(panel.show_button, Qt.MouseButton.LeftButton)
        assert asked.args == [default_choice(name)]


def test_that_a_pag_is_opened_from_the_start_page(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    graph = mixed("A o-> B", "B <-> C")
    write_graph(graph, tmp_path / "graph.txt")
    qtbot.mouseClick(window.page(StartPage).open_pag_button, Qt.MouseButton.LeftButton)
    assert window.current_page is window.page(PagPage)
    dialog = next(each for each in window.findChildren(QFileDialog) if each.isVisible())
    dialog.selectFile(str(tmp_path / "graph.txt"))
    dialog.accept()
    qtbot.waitUntil(lambda: window.document.pag == graph)


@pytest.mark.parametrize("has_data", [False, True])
def test_that_a_graph_is_drawn_without_data_from_the_start_page(
    window: MainWindow, qtbot: QtBot, small_csv: Path, has_data: bool
) -> None:
    if has_data:
        with qtbot.waitSignal(window.opener.opened):
            window.opener.open_path(small_csv)
        window.show_page("Start")
    qtbot.mouseClick(window.page(StartPage).draw_button, Qt.MouseButton.LeftButton)
    assert window.current_page is window.page(PagPage)
    assert window.document.dataset is None
    dialog = next(each for each in window.findChildren(QInputDialog) if each.isVisible())
    dialog.setTextValue("Smoking")
    dialog.accept()
    assert window.document.pag is not None
    assert window.document.pag.nodes == ("Smoking",)
    if has_data:
        while window.document.dataset is None and window.document.undo_stack.canUndo():
            window.document.undo_stack.undo()
        assert window.document.name == small_csv.name


def test_that_data_under_a_search_are_not_taken_away_by_drawing(
    window: MainWindow, qtbot: QtBot, small_csv: Path
) -> None:
    with qtbot.waitSignal(window.opener.opened):
        window.opener.open_path(small_csv)
    window.show_page("Start")
    window.document.hold("A search is running.")
    before = window.document.state
    qtbot.mouseClick(window.page(StartPage).draw_button, Qt.MouseButton.LeftButton)
    assert window.document.state is before
    assert window.current_page is window.page(StartPage)
    assert window.problems.messages[0].what == "A search is running."
    window.document.release()


def test_that_the_same_seed_draws_the_same_rows_and_another_seed_others(window: MainWindow, qtbot: QtBot) -> None:
    page = window.page(StartPage)
    assert isinstance(page, StartPage)
    drawn = []
    for seed in (7, 7, 8):
        page.examples.seed.setValue(seed)
        page.examples.rows.setValue(200)
        with qtbot.waitSignal(window.opener.opened):
            page.examples.open_button.click()
        drawn.append(window.document.dataset)
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]


def test_that_every_example_lists_its_variables_with_one_to_hide(panel: ExamplePanel) -> None:
    for row, name in enumerate(example_names()):
        panel.list.setCurrentRow(row)
        listed = [panel.hide_list.item(i).text() for i in range(panel.hide_list.count())]
        assert listed == list(load_example(name).variables)
        assert len(panel.hidden()) == 1


def test_that_hiding_almost_everything_is_refused_with_a_reason(panel: ExamplePanel, qtbot: QtBot) -> None:
    panel.list.setCurrentRow(example_names().index("cancer"))
    names = [panel.hide_list.item(i).text() for i in range(panel.hide_list.count())]
    for name in names[1:]:
        tick(panel, name)
    assert not panel.open_button.isEnabled()
    assert panel.open_button.toolTip() == "Leave at least two variables visible"
    with qtbot.assertNotEmitted(panel.chosen):
        panel.list.itemActivated.emit(panel.list.currentItem())
    tick(panel, names[1], Qt.CheckState.Unchecked)
    assert panel.open_button.isEnabled()


def test_that_only_one_of_both_lists_has_a_chosen_example(panel: ExamplePanel) -> None:
    panel.choose("votes")
    assert panel.list.currentItem() is None
    assert panel.hidden() == ("party",)
    assert "232 rows, as measured" in panel.source.text()
    panel.choose("asia")
    assert panel.measured_list.currentItem() is None
    assert panel.hidden() == ("smoke",)


def test_that_a_measured_table_says_what_is_known_and_asks_for_no_number_of_rows(panel: ExamplePanel) -> None:
    for example in measured_examples():
        panel.choose(example.name)
        assert panel.about.text() == example.known
        assert example.source in panel.source.text()
        assert example.licence in panel.source.text()
        assert not panel.form.isRowVisible(panel.rows)
        assert panel.hidden() == example.hide
    panel.choose("asia")
    assert panel.form.isRowVisible(panel.rows)


def test_that_every_measured_table_offers_to_be_shown(panel: ExamplePanel, qtbot: QtBot) -> None:
    for name in measured_names():
        panel.choose(name)
        with qtbot.waitSignal(panel.path_asked) as asked:
            qtbot.mouseClick(panel.show_button, Qt.MouseButton.LeftButton)
        assert asked.args == [default_choice(name)]


def test_that_a_measured_table_opens_with_its_columns_held_back(window: MainWindow, qtbot: QtBot) -> None:
    page = window.page(StartPage)
    page.examples.choose("sachs-measured")
    with qtbot.waitSignal(window.opener.opened):
        qtbot.mouseClick(page.examples.open_button, Qt.MouseButton.LeftButton)
    state = window.document.state
    assert state.dataset == load_measured("sachs-measured").dataset
    assert [column.name for column in state.held_columns] == ["PKC"]
    assert [item.content for item in state.compared] == [load_measured("sachs-measured").believed_graph]
