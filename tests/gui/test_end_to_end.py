"""From an example to an exported model, as a person would act: click, type, wait."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog
from pytestqt.qtbot import QtBot
from support.model_acts import click_node, settle, state_with_result
from support.person import LONG, Person

from latconf_core.control import StopReason, StopRequested
from latconf_core.model.bit_dag import BitDag
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.run import SearchRun
from latconf_gui.app import StartRequest, begin
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.widgets.file_dialogs import PictureDialog
from latconf_gui.window.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def endless_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sixth DAG of a search takes for ever, so that the search can be stopped half-way."""
    score = SearchRun._score

    is_stopped = threading.Event()

    def slowly(run: SearchRun, candidate: BitDag, begun: object, scores: object) -> float:
        while len(run.history) >= 5 and not is_stopped.is_set():
            try:
                run.control.checkpoint()
            except StopRequested:
                is_stopped.set()  # what is scored after that belongs to what was found
                raise
            time.sleep(0.005)
        return score(run, candidate, begun, scores)  # type: ignore[arg-type]

    monkeypatch.setattr(SearchRun, "_score", slowly)


@pytest.mark.slow
def test_that_a_person_gets_from_an_example_to_an_exported_model(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    person = Person(window, qtbot)
    person.open_example()
    pag_page = person.learn_pag("gfci")
    pag = window.document.pag
    assert pag is not None
    edge = next(edge for edge in pag.edges() if edge.arrow == "o-o")
    mark = pag_page.canvas.scene.edge_item(edge.first, edge.second).mark_items[edge.second]
    point = pag_page.canvas.view.mapFromScene(mark.middle)
    for _ in range(2):  # the first click chooses the mark
        qtbot.mouseClick(pag_page.canvas.view.viewport(), LEFT, pos=point)
    assert window.document.pag != pag
    first = person.search("hclc-v")
    second = person.search("ilc-v")
    assert second.history.best is not None
    assert first.history.best is not None
    assert second.history.best.p_elbo >= first.history.best.p_elbo - 1e-6

    search_page = window.page(SearchPage)
    person.wait(lambda: search_page.results.chart.n_drawn == len(second.history))
    visit = next(each for each in second.history if each.n_latents)
    person.click_dot(visit.index)
    chosen = search_page.dag.shown
    assert chosen is not None
    qtbot.mouseClick(search_page.banner.model, LEFT)
    model_page = window.page(ModelPage)
    assert window.stack.currentWidget() is model_page
    settle(model_page, qtbot)
    assert model_page.dag == second.history.dag(chosen)

    click_node(model_page, "dysp")
    data, dag = window.document.dataset, model_page.dag
    assert data is not None
    assert dag is not None
    posterior = Scorer(data, replace(second.options.vbem, seed=second.seed)).posterior(dag)
    cell = model_page.table.model
    assert cell.data(cell.index(0, cell.n_parents)) == f"{posterior.cpts['dysp'].table.ravel()[0]:.4f}"
    assert posterior.p_elbo == pytest.approx(second.history[chosen].p_elbo, abs=0.01)

    window.actions_by_id["model.picture"].trigger()
    dialog = model_page.findChild(PictureDialog)
    assert dialog is not None
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    qtbot.mouseClick(next(each for each in buttons.buttons() if each.text().startswith("Choose")), LEFT)
    person.wait(lambda: any(each.isVisible() for each in window.findChildren(QFileDialog)))
    person.choose_file(tmp_path / "model.svg")
    assert (tmp_path / "model.svg").stat().st_size > 1000

    window.actions_by_id["file.save"].trigger()
    with qtbot.waitSignal(window.project.saved, timeout=LONG):
        person.choose_file(tmp_path / "asia.latconf")
    before = window.document.state
    with qtbot.waitSignal(window.opener.opened, timeout=LONG):
        window.opener.open_example(window.document.source)
    with qtbot.waitSignal(window.opener.project_opened, timeout=LONG):
        window.opener.open_path(tmp_path / "asia.latconf")
    after = window.document.state
    assert after.dataset == before.dataset
    assert after.pag == before.pag
    assert dict(after.positions) == dict(before.positions)
    assert isinstance(after.result, SearchResult)
    assert after.result.history == second.history
    assert after.truth == before.truth
    settle(model_page, qtbot)
    assert [message.what for message in window.problems.messages] == []


@pytest.mark.slow
def test_that_a_search_stopped_half_way_keeps_its_best(window: MainWindow, qtbot: QtBot, endless_search: None) -> None:
    person = Person(window, qtbot)
    person.open_example()
    person.learn_pag("gfci")
    page = window.page(SearchPage)
    page.form.workers.setValue(1)
    page.form.fill("effort", "full")
    person.start_search("ilc-v")
    person.wait(lambda: len(page.visits) == 5)
    window.document.set_pag(None, "Clear the PAG")  # a wrong move: refused, and said
    assert window.document.pag is not None
    assert window.problems.messages
    QTest.keyClick(window, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    person.wait(lambda: not page.running.is_running)
    result = window.document.result
    assert isinstance(result, SearchResult)
    assert result.stop_reason is StopReason.CANCELLED
    assert result.best is not None
    assert result.p_elbo == max(visit.p_elbo for visit in result.history)
    model_page = window.page(ModelPage)
    person.go_to("Model")
    settle(model_page, qtbot)
    assert model_page.dag == result.best


@pytest.mark.slow
def test_that_the_example_of_the_command_line_shows_the_whole_path(window: MainWindow, qtbot: QtBot) -> None:
    begin(window, StartRequest(example="asia"))
    page = window.page(ModelPage)
    qtbot.waitUntil(lambda: window.stack.currentWidget() is page and not window.runs.texts, timeout=LONG)
    settle(page, qtbot)
    assert window.document.pag is not None
    assert isinstance(window.document.result, SearchResult)
    assert window.document.result.algorithm == "auto"
    assert page.facts is not None
    assert all(window.rail.button(index).isEnabled() for index in range(len(window.pages)))
    assert not window.document.is_modified
    assert window.problems.messages == []
    assert window.document.pag_origin == "GFCI, alpha 0.05"


def test_that_the_example_gives_way_when_something_else_is_opened(
    window: MainWindow, qtbot: QtBot, small_csv: Path
) -> None:
    begin(window, StartRequest(example="asia"))
    window.opener.open_path(small_csv)
    qtbot.waitUntil(lambda: window.document.name == "small.csv" and not window.runs.texts, timeout=LONG)
    assert window.document.result is None


def test_that_a_search_begun_as_soon_as_another_has_a_result_is_not_lost(window: MainWindow, qtbot: QtBot) -> None:
    window.document.open_state(state_with_result(), "Open")
    page = window.page(SearchPage)
    page.form.search.setCurrentIndex(page.form.search.findData("hclc-v"))
    results: list[SearchResult] = []

    def go_on(result: SearchResult) -> None:
        results.append(result)
        if len(results) == 1:
            page.run()  # the thread of the first has not ended yet

    failures: list[bool] = []
    page.running.finished.connect(go_on)
    page.running.failed.connect(lambda: failures.append(True))
    page.run()
    qtbot.waitUntil(lambda: len(results) == 2 and not window.runs.texts, timeout=LONG)
    assert not page.running.is_running
    assert not window.document.held_reason
    assert results[0].history == results[1].history
    assert failures == []
