"""Which graphs are compared belongs to the document: it is undone, saved and opened with the rest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from support.compare_acts import HIDDEN, PLAIN, compare_dags, names, open_compare, settle
from support.model_acts import PLACES, confounded, small_result, state_with_result

from latconf_core.score.scorer import Scorer
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.window.main_window import MainWindow


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> ComparePage:
    return open_compare(window, qtbot)


def test_that_every_change_of_the_list_is_undone_and_done_again(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    seen = [names(page)]
    for change in (
        lambda: page.candidates.rename(1, "other"),
        lambda: page.candidates.move(2, 1),
        lambda: page.candidates.make_reference(1),
        lambda: page.candidates.remove(0),
    ):
        change()
        seen.append(names(page))
    stack = page.document.undo_stack
    assert stack.undoText() == "Remove wider from Compare"
    for before in reversed(seen[:-1]):
        assert stack.undo()
        assert names(page) == before
        assert page.parts.names.text().startswith(f"A: {before[0]}")
    for after in seen[1:]:
        assert stack.redo()
        assert names(page) == after
    settle(page, qtbot)


def test_that_undo_keeps_the_graph_that_is_looked_at(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    page.panel.choose(1)
    page.candidates.move(2, 0)
    assert page.candidates.items[page.panel.current].content == HIDDEN
    page.document.undo_stack.undo()
    assert page.candidates.items[page.panel.current].content == HIDDEN
    settle(page, qtbot)


def test_that_a_pair_that_is_suggested_is_one_step(page: ComparePage, qtbot: QtBot) -> None:
    before = page.document.undo_stack.count()
    page.adding.add_offers([offer for offer in page.adding.offers() if offer.role in ("PAG", "best")])
    assert len(page.candidates) == 2
    assert page.document.undo_stack.count() == before + 1
    settle(page, qtbot)


def test_that_a_project_opens_with_what_was_compared(
    page: ComparePage, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    compare_dags(page, qtbot)
    page.adding.add_offers([next(offer for offer in page.adding.offers() if offer.role == "best")])
    page.candidates.rename(3, "the best")
    page.candidates.make_reference(3)
    settle(page, qtbot)
    kept, path = page.document.state.compared, tmp_path / "x.latconf"
    with qtbot.waitSignal(window.project.ended, timeout=20_000):
        window.project.save_to(path)
    assert not page.document.is_modified
    window.document.open_state(type(window.document.state)(), "Close")
    assert not page.candidates.items
    with qtbot.waitSignal(window.opener.project_opened, timeout=20_000):
        window.opener.open_path(path)
    window.show_page("Compare")
    assert page.document.state.compared == kept
    assert names(page) == ["the best", "plain", "hidden", "wider"]
    assert page.shown == 1
    settle(page, qtbot)
    assert page.pair is not None
    assert page.pair.parts is not None


def test_that_learning_other_data_keeps_what_is_compared(page: ComparePage, qtbot: QtBot) -> None:
    compare_dags(page, qtbot)
    state = page.document.state
    page.document.set_preparation(state, "Prepare anew")
    assert names(page) == ["plain", "hidden", "wider"]
    settle(page, qtbot)


def test_that_a_visit_with_light_effort_is_fitted_fully(page: ComparePage, qtbot: QtBot) -> None:
    result = small_result()
    light = replace(result.options, vbem=replace(result.options.vbem, effort="light"))
    state = state_with_result(replace(result, options=light, posterior=None, parts=()))
    page.document.open_state(replace(state, positions=PLACES), "Open a run of light effort")
    page.add("plain", PLAIN)
    page.adding.add_offers([offer for offer in page.adding.offers() if offer.role == "best"])
    settle(page, qtbot)
    assert page.pair is not None
    assert page.pair.scores is not None
    dags = [item.subject.dag for item in page.candidates.items]
    scorer = Scorer(confounded(), replace(result.options.vbem, seed=result.seed))
    assert page.pair.scores == pytest.approx([scorer.score(dag).score for dag in dags if dag is not None], abs=1e-6)
