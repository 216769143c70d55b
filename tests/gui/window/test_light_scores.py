"""A visit that the search fitted lightly: every page says "about" of its score, and the full one once it was opened."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from support.model_acts import confounded, settle, small_result, state_with_result

from latconf_core.control import RunControl
from latconf_core.formats.projects.project_state import OpenedProject, open_project, save_state
from latconf_core.phrases import nats
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.look.plain_tips import text_of_tip
from latconf_gui.pages.light_scores import LIGHT_TIP
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.search.columns import BELOW, EFFORT, SCORE
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow

MISSED = 7.5  # nats that the light fits of these tests miss


def light_visit(result: SearchResult) -> int:
    """A visit that no list names for being the best of its kind."""
    history = result.history
    kinds = {visit.index for visit in (history.best, history.best_with_latents, history.best_without_latents) if visit}
    return next(visit.index for visit in history if visit.index not in kinds and visit.candidate.latents)


def result_with_light(*, effort: str = "light") -> tuple[SearchResult, int]:
    """The small result as if one visit had been fitted with less effort, and that visit."""
    result = replace(small_result(), posterior=None)
    old, light = result.history, light_visit(result)
    history = History(old.nodes, level_name=old.level_name)
    for visit in old:
        own = (visit.p_elbo - MISSED, effort) if visit.index == light else (visit.p_elbo, visit.effort)
        history.add(visit.candidate, own[0], level=visit.level, kind=visit.kind, effort=own[1])
    return replace(result, history=history), light


def open_light(window: MainWindow, qtbot: QtBot, result: SearchResult, number: int) -> ModelPage:
    """Choose a visit on the Search page and open its model."""
    window.document.open_state(state_with_result(result), "Open a result")
    window.show_page("Search")
    search = window.page(SearchPage)
    search.results.table.visit_chosen.emit(number)
    qtbot.waitUntil(lambda: not search.dag.is_busy)
    window.actions_by_id["search.model"].trigger()
    return window.page(ModelPage)


def full_score(result: SearchResult, number: int) -> float:
    scorer = Scorer(confounded(), replace(result.options.vbem, seed=result.seed))
    return scorer.score(result.history.dag(number)).p_elbo


def cell(page: SearchPage, number: int, column: object) -> str:
    return page.results.table.visits.text(number, column)  # type: ignore[arg-type]


def test_that_a_light_score_is_marked_until_the_dag_was_opened_and_is_then_the_full_one(
    window: MainWindow, qtbot: QtBot
) -> None:
    result, number = result_with_light()
    best = result.history.best
    assert best is not None
    search = window.page(SearchPage)
    model = open_light(window, qtbot, result, number)
    light, full = result.history[number].p_elbo, full_score(result, number)
    assert full - light == pytest.approx(MISSED, abs=0.01)
    name = f"HCLC-V on drawn: DAG {number + 1}"
    assert model.choice.currentText() == f"{name}, about {best.p_elbo - light:,.1f} below the best"
    tip = text_of_tip(model.choice.itemData(model.choice.currentIndex(), Qt.ItemDataRole.ToolTipRole))
    assert LIGHT_TIP in tip
    assert f"p-ELBO about {nats(light)}, about " in search.dag.facts.text()
    assert search.dag.facts.text().endswith("fitted lightly")
    assert search.dag.facts.toolTip()
    assert f"p-ELBO about {nats(light)}" in search.results.describe(number)
    assert cell(search, number, EFFORT) == "light"

    settle(model, qtbot)
    assert model.inspector().value("p-ELBO") == f"{nats(full)} nats"
    assert model.choice.currentText() == f"{name}, {best.p_elbo - full:,.1f} below the best"
    tip = text_of_tip(model.choice.itemData(model.choice.currentIndex(), Qt.ItemDataRole.ToolTipRole))
    assert LIGHT_TIP not in tip
    assert search.dag.facts.text().startswith(f"p-ELBO {nats(full)}, {nats(best.p_elbo - full)} nats")
    assert not search.dag.facts.toolTip()
    assert cell(search, number, SCORE) == nats(full)
    assert cell(search, number, BELOW) == f"{best.p_elbo - full:,.2f}"
    assert cell(search, number, EFFORT) == "full"
    assert f"p-ELBO {nats(full)}" in search.results.describe(number)


def test_that_a_visit_whose_search_came_to_another_score_says_what_the_inspector_says(
    window: MainWindow, qtbot: QtBot
) -> None:
    result, number = result_with_light(effort="full")
    model = open_light(window, qtbot, result, number)
    settle(model, qtbot)
    best, full = result.history.best, full_score(result, number)
    assert best is not None
    assert model.choice.currentText().endswith(f", {best.p_elbo - full:,.1f} below the best")
    assert cell(window.page(SearchPage), number, SCORE) == nats(full)


def test_that_the_table_keeps_its_order_and_what_is_chosen_when_a_score_changes(
    window: MainWindow, qtbot: QtBot
) -> None:
    result, number = result_with_light()
    settle(open_light(window, qtbot, result, number), qtbot)
    window.show_page("Search")
    page = window.page(SearchPage)
    table, visits = page.results.table, page.results.table.visits
    shown = [visits.visit(row) for row in range(visits.rowCount())]
    scores = [page.visits.score(own) for own in shown]
    assert scores == sorted(scores, reverse=True)
    assert page.dag.shown == number
    (chosen,) = table.selectionModel().selectedRows()
    assert visits.visit(chosen.row()) == number
    assert table.viewport().rect().intersects(table.visualRect(chosen))


def test_that_the_full_score_is_saved_with_the_project_and_nothing_is_there_to_undo(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    result, number = result_with_light()
    model = open_light(window, qtbot, result, number)
    window.document.undo_stack.clear()
    settle(model, qtbot)
    assert not window.document.undo_stack.canUndo()
    state = window.document.with_opened_visits(window.document.state)
    list(save_state(state, tmp_path / "p.latconf", RunControl(), post=lambda _: None))
    *_, opened = open_project(tmp_path / "p.latconf", RunControl(), post=lambda _: None)
    assert isinstance(opened, OpenedProject)
    read = opened.state
    assert read.runs[0].result.history.full_scores == pytest.approx({number: full_score(result, number)})
    window.document.open_state(read, "Open it again")
    texts = [model.choice.itemText(index) for index in range(model.choice.count())]
    best = result.history.best
    assert best is not None
    below = best.p_elbo - full_score(result, number)
    assert f"HCLC-V on drawn: DAG {number + 1}, {below:,.1f} below the best" in texts
    settle(model, qtbot)


def test_that_a_dag_handed_to_compare_is_called_by_its_name_without_its_score(window: MainWindow, qtbot: QtBot) -> None:
    window.document.open_state(state_with_result(), "Open a result")
    window.show_page("Model")
    model = window.page(ModelPage)
    settle(model, qtbot)
    with qtbot.waitSignal(window.document.compare_asked) as asked:
        model.add_to_compare()
    assert asked.args[0].name == "HCLC-V on drawn: best"
