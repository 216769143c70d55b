from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from latconf_core.formats.examples import example_names, load_example
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
