"""Asking on the Model page as a person does it; every number is compared with the joint table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QMenu, QSpinBox, QWidget
from pytestqt.qtbot import QtBot
from support.joint_truth import marginals_by_summing
from support.model_acts import (
    ask_at_random,
    click_node,
    click_state,
    confounded,
    put_result,
    settle,
    small_result,
    state_with_data,
)

from latconf_core.inference.adjustment import adjust_in_dag
from latconf_core.inference.asking import CAVEAT
from latconf_gui.drawing.content.graph_drawing import Beliefs
from latconf_gui.pages.model.asking.held_states import HeldStates
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.window.main_window import MainWindow

EXACT = 1e-9


@pytest.fixture
def page(whole_window: MainWindow, qtbot: QtBot) -> Iterator[ModelPage]:
    """The Model page with the small result, asked."""
    whole_window.resize(1280, 800)
    page = put_result(whole_window, qtbot)
    page.canvas.scene.clearSelection()
    whole_window.document.undo_stack.clear()
    whole_window.problems.clear()
    page.context.actions["model.ask"].setChecked(True)
    settle(page, qtbot)
    yield page
    page.asking.panel.tabs.setCurrentIndex(0)
    page.context.actions["model.ask"].setChecked(False)
    settle(page, qtbot)
    page.stop()


def bars(page: ModelPage) -> dict[str, Beliefs]:
    result = {item.name: item.beliefs for item in page.canvas.scene.node_items()}
    assert all(own is not None for own in result.values())
    return result  # type: ignore[return-value]


def place(page: ModelPage, name: str) -> int:
    assert page.network is not None
    return page.network.variables.index(name)


def check_bars(page: ModelPage, see: dict[str, int], do: dict[str, int]) -> None:
    """Every bar, those of latents included, shows what the joint table says."""
    assert page.network is not None
    wanted, _ = marginals_by_summing(page.network, see, do)
    before, _ = marginals_by_summing(page.network, {}, {})
    shown = bars(page)
    assert set(shown) == set(page.network.variables)
    for name, value in shown.items():
        np.testing.assert_allclose(value.shares, wanted[name], atol=EXACT)
        np.testing.assert_allclose(value.before, before[name], atol=EXACT)
        assert (value.seen, value.set_to) == (see.get(name), do.get(name))


def test_that_a_click_sees_a_state_and_every_bar_follows(page: ModelPage, qtbot: QtBot) -> None:
    check_bars(page, {}, {})
    click_state(page, "C", 2)
    settle(page, qtbot)
    check_bars(page, {"C": 2}, {})
    click_state(page, "L1", 0)
    settle(page, qtbot)
    check_bars(page, {"C": 2, "L1": 0}, {})
    click_state(page, "C", 2)  # a second click takes it away
    settle(page, qtbot)
    check_bars(page, {"L1": 0}, {})
    assert page.chosen is None  # a click on a bar chooses no node


def test_that_shift_sets_a_state_and_cuts_the_edges_into_it(page: ModelPage, qtbot: QtBot) -> None:
    assert page.dag is not None
    assert page.asking.panel.caveat.isHidden()
    click_state(page, "A", 1, sets=True)
    settle(page, qtbot)
    check_bars(page, {}, {"A": 1})
    cut = {drawn.pair for drawn in page.canvas.scene.drawing.edges if drawn.is_cut}
    assert cut == {frozenset(("A", parent)) for parent in page.dag.parents_with_latents["A"]}
    assert page.asking.panel.caveat.text() == CAVEAT
    assert page.asking.panel.range.text() == "The same in every equally good DAG."
    assert not page.asking.panel.caveat.isVisible(), "the range says more"
    click_state(page, "D", 0)
    settle(page, qtbot)
    check_bars(page, {"D": 0}, {"A": 1})
    page.context.actions["model.clear"].trigger()
    settle(page, qtbot)
    check_bars(page, {}, {})
    assert not any(drawn.is_cut for drawn in page.canvas.scene.drawing.edges)


def test_that_setting_a_latent_is_refused_in_words_and_taken_back(page: ModelPage, qtbot: QtBot) -> None:
    click_state(page, "B", 0)
    settle(page, qtbot)
    click_state(page, "L1", 0, sets=True)
    settle(page, qtbot)
    assert "cannot be set" in page.asking.panel.problem.text()
    assert page.asking.panel.problem.isVisible()
    check_bars(page, {"B": 0}, {})
    click_state(page, "B", 1)
    settle(page, qtbot)
    assert not page.asking.panel.problem.isVisible()


def test_that_a_row_of_the_data_is_seen_with_one_click(page: ModelPage, qtbot: QtBot) -> None:
    data = confounded()
    page.asking.panel.row.setValue(7)
    settle(page, qtbot)
    check_bars(page, dict(zip(data.names, data.codes[6].tolist())), {})
    assert page.asking.panel.held.text().startswith("Evidence: all of row 7.")
    best = int(np.argmax(bars(page)["L1"].shares))
    assert page.network is not None
    assert f"L1 is {page.network.states('L1')[best]}" in page.asking.panel.latents.text()
    page.context.actions["model.next_row"].trigger()
    settle(page, qtbot)
    assert page.asking.panel.row.value() == 8
    check_bars(page, dict(zip(data.names, data.codes[7].tolist())), {})
    page.context.actions["model.previous_row"].trigger()
    settle(page, qtbot)
    assert page.asking.held.row == 6
    click_state(page, "A", int(1 - data.codes[6][0]))
    settle(page, qtbot)
    assert page.asking.panel.row.value() == 0  # no longer that row


def test_that_evidence_is_gone_when_another_dag_is_shown(page: ModelPage, qtbot: QtBot) -> None:
    assert page.dag is not None
    click_state(page, "C", 1)
    settle(page, qtbot)
    page.show_dag(page.dag.without_latents())
    settle(page, qtbot)
    assert page.asking.held == HeldStates()
    check_bars(page, {}, {})
    page.show_best()
    settle(page, qtbot)
    check_bars(page, {}, {})


def test_that_evidence_and_bars_are_gone_with_the_result(
    page: ModelPage, whole_window: MainWindow, qtbot: QtBot
) -> None:
    click_state(page, "C", 1)
    whole_window.document.open_state(state_with_data(), "Other data")
    settle(page, qtbot)
    assert page.asking.held == HeldStates()
    assert page.asking.panel.beliefs.rowCount() == 0
    assert not page.context.actions["model.clear"].isEnabled()


def test_that_renaming_a_latent_and_a_state_keeps_what_is_seen(page: ModelPage, qtbot: QtBot) -> None:
    click_state(page, "L1", 1)
    settle(page, qtbot)
    page.choose("L1")
    page.name_latent("<b>Smoking</b>")
    page.rename_state("s0", "50 % = <i>no</i>")
    settle(page, qtbot)
    check_bars(page, {"<b>Smoking</b>": 1}, {})
    page.document.undo_stack.undo()
    page.document.undo_stack.undo()
    settle(page, qtbot)
    check_bars(page, {"L1": 1}, {})


def test_that_the_keyboard_alone_can_ask_everything(page: ModelPage, qtbot: QtBot) -> None:
    window, table = page.window(), page.asking.panel.table
    QTest.keyClick(window, Qt.Key.Key_F7)
    assert not page.asking.is_on
    QTest.keyClick(window, Qt.Key.Key_F7)
    settle(page, qtbot)
    table.setFocus()
    for _ in range(page.asking.panel.beliefs.row_of((place(page, "C"), 1)) + 1):
        QTest.keyClick(table, Qt.Key.Key_Down)
    while table.chosen != (place(page, "C"), 1):
        QTest.keyClick(table, Qt.Key.Key_Up)
    QTest.keyClick(table, Qt.Key.Key_Return)
    settle(page, qtbot)
    check_bars(page, {"C": 1}, {})
    QTest.keyClick(table, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    settle(page, qtbot)
    check_bars(page, {}, {"C": 1})
    QTest.keyClick(table, Qt.Key.Key_Delete)
    settle(page, qtbot)
    check_bars(page, {}, {})
    QTest.keyClick(window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    settle(page, qtbot)
    assert page.asking.held.row == 0
    QTest.keyClick(window, Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    settle(page, qtbot)
    check_bars(page, {}, {})


def test_that_the_menu_of_a_bar_sees_sets_and_takes_away(page: ModelPage, qtbot: QtBot) -> None:
    view, item = page.canvas.view, page.canvas.scene.node_item("D")
    where = view.viewport().mapToGlobal(view.mapFromScene(item.state_place(2)))
    page.canvas.scene.menu_requested.emit(item, where)
    [menu] = [one for one in page.canvas.findChildren(QMenu) if one.isVisible()]
    texts = [action.text().replace("&", "") for action in menu.actions() if action.text()]
    assert texts == [
        "Observe the selected state",
        "Set the selected state",
        "Remove evidence",
        "Clear evidence and interventions",
    ]
    menu.actions()[1].trigger()
    menu.close()
    settle(page, qtbot)
    check_bars(page, {}, {"D": 2})
    assert page.context.actions["model.set"].isEnabled()
    page.asking.panel.table.choose(place(page, "L1"), 0)
    assert not page.context.actions["model.set"].isEnabled()


def test_that_seeing_is_shown_against_setting_with_the_paths_between(page: ModelPage, qtbot: QtBot) -> None:
    panel, pair = page.asking.panel, page.asking.panel.pair
    assert page.network is not None
    panel.tabs.setCurrentWidget(pair)
    pair.ask_about("A", "B", "yes")
    settle(page, qtbot)
    seen, _ = marginals_by_summing(page.network, {"A": 1}, {})
    set_to, _ = marginals_by_summing(page.network, {}, {"A": 1})
    for row in range(2):
        assert pair.numbers.item(row, 2).text() == f"{seen['B'][row]:.3f}"
        assert pair.numbers.item(row, 3).text() == f"{set_to['B'][row]:.3f}"
    texts = [pair.paths.item(i).text() for i in range(pair.paths.count())]
    assert "A ← L1 → B" in texts
    assert (len(texts) == 1) == ("this comes from L1" in pair.sentence.text())
    lit = {item.pair for item in page.canvas.scene.edge_items() if item.highlight.value == "open path"}
    assert {frozenset(("A", "L1")), frozenset(("B", "L1"))} <= lit
    best = small_result().best
    assert best is not None
    wanted = adjust_in_dag(best, "A", "B")
    assert pair.sets.count() == (len([own for own in wanted.sets if own]) if wanted.is_cause else 0)
    pair.ask_about("A", "A")
    settle(page, qtbot)
    assert pair.sentence.text().startswith("Choose two different measured variables")
    page.context.actions["model.ask"].setChecked(False)
    assert not [item for item in page.canvas.scene.edge_items() if item.highlight.value == "open path"]


def test_that_nodes_do_not_overlap_with_their_bars_and_come_back_where_they_were(page: ModelPage, qtbot: QtBot) -> None:
    scene = page.canvas.scene
    boxes = [item.scene_box() for item in scene.node_items()]
    assert not any(a.intersects(b) for i, a in enumerate(boxes) for b in boxes[:i])
    before = dict(page.document.positions)
    x, y = scene.node_item("D").pos().toTuple()
    scene.nodes_moved.emit({"D": (x + 80.0, y)})
    assert scene.node_item("D").pos().toTuple() == pytest.approx((x + 80.0, y))
    page.document.undo_stack.undo()
    page.context.actions["model.ask"].setChecked(False)
    assert page.document.positions == before
    assert scene.node_item("D").pos().toTuple() == before["D"]
    assert scene.node_item("L1").node.states == ()


def test_that_asking_works_while_the_model_is_presented_and_nothing_is_edited(page: ModelPage, qtbot: QtBot) -> None:
    before = page.document.state
    page.document.set_presenting(True)
    click_state(page, "C", 0)
    settle(page, qtbot)
    check_bars(page, {"C": 0}, {})
    page.document.set_presenting(False)
    assert page.document.state is before


def test_that_a_click_on_the_name_of_a_node_still_chooses_it(page: ModelPage, qtbot: QtBot) -> None:
    item, view = page.canvas.scene.node_item("B"), page.canvas.view
    top = view.mapFromScene(item.pos().x(), item.scene_box().top() + 8)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, top)
    assert page.chosen == "B"
    assert page.asking.held.is_empty


def test_that_a_random_person_leaves_bars_that_are_true(page: ModelPage, qtbot: QtBot) -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        for _ in range(25):
            ask_at_random(page, rng)
            if rng.random() < 0.3:
                qtbot.wait(1)
        page.context.actions["model.ask"].setChecked(True)
        settle(page, qtbot)
        question = page.asking.held
        assert page.network is not None
        names = page.network.variables
        check_bars(
            page,
            {names[i]: state for i, state in question.seen.items()},
            {names[i]: state for i, state in question.set_to.items()},
        )


def test_that_everything_in_the_panel_has_a_name_for_a_screen_reader(page: ModelPage) -> None:
    kinds = (QAbstractButton, QAbstractItemView, QComboBox, QSpinBox)
    nameless = [
        each
        for each in page.asking.panel.findChildren(QWidget)
        if isinstance(each, kinds)
        and each.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not each.objectName().startswith("qt_")
        and not each.accessibleName()
        and not (isinstance(each, QAbstractButton) and len(each.text()) > 1)
        and each.window() is page.window()
    ]
    assert nameless == []


def test_that_the_page_fits_a_small_window_at_double_text(page: ModelPage, whole_window: MainWindow) -> None:
    whole_window.theme.set_text_percent(200)
    try:
        click_node(page, "C")
        assert page.minimumSizeHint().width() < 960  # the Inspector can be closed on a screen of 1280 pixels
    finally:
        whole_window.theme.set_text_percent(100)


def test_that_a_click_changes_only_the_commands_whose_use_changes(page: ModelPage, qtbot: QtBot) -> None:
    actions, told = page.context.actions, []
    for id in ("model.ask", "model.next_row", "model.previous_row", "model.clear"):
        actions[id].enabledChanged.connect(lambda _, id=id: told.append(id))
    click_state(page, "A", 0)
    settle(page, qtbot)
    assert told == ["model.clear"]  # now there is something to clear


def test_that_a_clicked_state_is_chosen_in_the_table(page: ModelPage, qtbot: QtBot) -> None:
    click_state(page, "C", 2)
    settle(page, qtbot)
    assert page.asking.panel.table.chosen == (place(page, "C"), 2)


def test_that_the_table_gives_the_name_of_a_variable_the_whole_width(page: ModelPage) -> None:
    table, model = page.asking.panel.table, page.asking.panel.beliefs
    widths = [table.columnSpan(row, 0) for row in range(model.rowCount())]
    whole = model.columnCount()
    assert widths == [whole if model.line(row) is None else 1 for row in range(model.rowCount())]
    assert set(widths) == {1, whole}
