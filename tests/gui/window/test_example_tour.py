"""The five minutes of README, step by step."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from support.model_acts import click_node, settle
from support.person import LONG, Person

from latconf_core.formats.examples import example_names
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.app import StartRequest, begin
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.pages.start.start_page import StartPage
from latconf_gui.window.example_tour import LEARNER
from latconf_gui.window.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.mark.slow
def test_that_the_tour_of_the_readme_can_be_taken(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    person = Person(window, qtbot)
    model_page, search_page = window.page(ModelPage), window.page(SearchPage)

    # 1. Start: the example goes all the way by itself.
    begin(window, StartRequest(example="asia"))
    person.wait(lambda: window.stack.currentWidget() is model_page and not window.runs.texts)
    settle(model_page, qtbot)

    # 2. The data.
    person.go_to("Data")
    data = window.document.dataset
    assert data is not None
    assert "smoke" not in data.names
    assert {"lung", "bronc"} <= set(data.names)

    # 3. The PAG: a click on a mark explains it, another changes it, Ctrl+Z takes that back.
    person.go_to("PAG")
    pag = window.document.pag
    assert pag is not None
    canvas = window.page(PagPage).canvas
    assert window.page(PagPage).learn_panel.options().method == LEARNER.method  # who learns again gets the same
    person.wait(lambda: not window.page(PagPage).layouts.is_running)
    edge = next(pag.edges())
    mark = canvas.scene.edge_item(edge.first, edge.second).mark_items[edge.second]
    qtbot.mouseClick(canvas.view.viewport(), LEFT, pos=canvas.view.mapFromScene(mark.middle))
    assert window.document.pag == pag
    qtbot.mouseClick(canvas.view.viewport(), LEFT, pos=canvas.view.mapFromScene(mark.middle))
    assert window.document.pag != pag
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert window.document.pag == pag

    # 4. The search, a dot of its chart, and that DAG as a model.
    result = person.search("ilc-v")
    visit = next(each for each in result.history if each.n_latents)
    person.click_dot(visit.index)
    assert search_page.dag.shown is not None
    qtbot.mouseClick(search_page.banner.model, LEFT)
    assert window.stack.currentWidget() is model_page
    settle(model_page, qtbot)

    # 5. The model: any variable's table, and the card of a hidden cause.
    click_node(model_page, "dysp")
    assert model_page.table.variables.currentText() == "dysp"
    place = next(i for i in range(model_page.choice.count()) if "with latents" in model_page.choice.itemText(i))
    model_page.choice.setCurrentIndex(place)
    settle(model_page, qtbot)
    assert model_page.dag is not None
    click_node(model_page, model_page.dag.latents[0].name)
    assert model_page.table.variables.currentText() == model_page.dag.latents[0].name

    # 6. Ctrl+S keeps it all.
    QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    with qtbot.waitSignal(window.project.saved, timeout=LONG):
        person.choose_file(tmp_path / "asia.latconf")
    assert (tmp_path / "asia.latconf").exists()
    assert isinstance(window.document.result, SearchResult)
    assert window.problems.messages == []


@pytest.mark.slow
def test_that_the_last_step_of_the_tour_finds_the_hidden_cause(window: MainWindow, qtbot: QtBot) -> None:
    person = Person(window, qtbot)
    model_page, search_page = window.page(ModelPage), window.page(SearchPage)
    window.page(StartPage).examples.list.setCurrentRow(example_names().index("alarm"))
    person.open_example()
    data = window.document.dataset
    assert data is not None
    assert "ERRCAUTER" not in data.names
    person.learn_pag("gfci")
    person.search("hclc-v")
    qtbot.mouseClick(search_page.banner.model, LEFT)
    settle(model_page, qtbot)
    assert model_page.dag is not None
    (latent,) = model_page.dag.latents
    assert set(latent.children) == {"HREKG", "HRSAT"}
    click_node(model_page, latent.name)
    card = model_page.inspector().latent
    qtbot.waitUntil(lambda: "nats gained" in card.density.text(), timeout=LONG)
    assert 4.6 < float(card.density.text().split()[0]) < 5.0  # nearly five nats: odds of a hundred to one
