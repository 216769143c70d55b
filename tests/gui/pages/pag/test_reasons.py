"""Why this mark?"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.pag_acts import Host, agrees, click_mark, click_node, collider_data, put_data, put_graph, settle

from latconf_core.control import Progress, RunControl
from latconf_core.formats.projects.project_state import OpenedProject, open_project, save_state
from latconf_core.graph.marks import Mark
from latconf_core.pag.events import EdgeRemoved, PagLearned
from latconf_core.phrases import p_text
from latconf_gui.look.colours import Highlight
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.widgets.text import keep_arrows_whole


def learn(qtbot: QtBot, host: Host) -> PagPage:
    """Learn a PAG from data in which A and B cause C, which causes D."""
    page = host.page
    put_data(host, collider_data())
    host.actions_by_id["pag.learn"].trigger()
    qtbot.waitUntil(lambda: page.document.pag is not None and not page.is_learning, timeout=60_000)
    settle(qtbot, page)
    qtbot.waitUntil(lambda: page.run.replay is not None)
    page.canvas.view.fit()
    return page


def lit(page: PagPage) -> dict[str, Highlight]:
    items = page.canvas.scene.edge_items()
    return {"".join(sorted(item.pair)): item.highlight for item in items if item.highlight != Highlight.NONE}


def why(page: PagPage) -> str:
    return page.pag_inspector.why.text() if not page.pag_inspector.why.isHidden() else ""


def given(page: PagPage) -> list[str]:
    return [item.name for item in page.canvas.scene.node_items() if item.is_given]


def test_that_the_events_of_a_learner_are_kept_with_its_pag_but_for_progress(qtbot: QtBot, host: Host) -> None:
    page = learn(qtbot, host)
    kept = page.document.state.kept_pag
    assert kept is not None
    assert isinstance(kept.events[-1], PagLearned)
    assert kept.events[-1].result.graph == page.document.pag
    assert not any(isinstance(event, Progress) for event in kept.events)


def test_that_a_click_on_a_mark_names_its_rule_and_lights_its_triple(qtbot: QtBot, host: Host) -> None:
    page = learn(qtbot, host)
    assert agrees(page)
    click_mark(page, "C", "D")
    first = "A" if keep_arrows_whole("A o-> C") in why(page) else "B"  # both lead to the same mark
    assert why(page).startswith(keep_arrows_whole(f"R1: The graph has {first} o-> C and C o-o D"))
    assert page.pag_inspector.why_title.text() == "Why the tail at C?"
    assert lit(page) == {f"{first}C": Highlight.PATH}
    click_mark(page, "C", "A")
    assert re.match(r"(A and B|B and A) are not significantly dependent \(p = ", why(page))
    assert lit(page) == {"BC": Highlight.PATH}
    click_mark(page, "A", "C")
    assert ": undecided." in why(page)
    assert lit(page) == {}


def test_that_two_nodes_without_an_edge_say_what_separated_them(qtbot: QtBot, host: Host) -> None:
    page = learn(qtbot, host)
    click_node(page, "A")
    assert why(page) == ""
    click_node(page, "D", Qt.KeyboardModifier.ControlModifier)
    assert why(page).startswith("A and D are not significantly dependent given C (p = ")
    assert page.pag_inspector.why_title.text() == "Why is there no edge?"
    assert page.edges.meaning.text() == why(page)
    assert given(page) == ["C"]
    click_node(page, "A")
    assert given(page) == []


def test_that_removed_edges_are_listed_with_set_and_p_value_and_choose_their_nodes(qtbot: QtBot, host: Host) -> None:
    page = learn(qtbot, host)
    page.tabs.setCurrentWidget(page.edges)
    assert page.edges.table.isVisible()
    page.edges.shows_removed.click()
    table = page.edges.removed
    assert table.isVisible()
    assert not page.edges.table.isVisible()
    kept = page.document.state.kept_pag
    assert kept is not None
    removed = {frozenset((e.x, e.y)): e for e in kept.events if isinstance(e, EdgeRemoved)}
    assert table.pairs.rowCount() == len(removed) == 3
    for row in range(3):
        event = table.pairs.removed(row)
        assert removed[frozenset((event.x, event.y))] == event
        cells = [table.pairs.index(row, column).data() for column in range(4)]
        assert cells == [event.x, event.y, f"{event.p_value:.3f}", "C" if event.given else "nothing"]
    table.setFocus()
    table.selectRow(1)
    chosen = table.pairs.removed(table.sorted.mapToSource(table.currentIndex()).row())
    assert set(page.canvas.scene.selected_nodes()) == {chosen.x, chosen.y}
    assert p_text(chosen.p_value) in why(page)
    page.edges.filter.setText("b")
    assert table.sorted.rowCount() == 2


def test_that_marks_changed_by_hand_say_so_and_undo_takes_that_back(qtbot: QtBot, host: Host) -> None:
    page = learn(qtbot, host)
    page.editor.set_mark("A", "C", Mark.TAIL)
    page.canvas.scene.select_edge("A", "C", "A")
    assert why(page).startswith("The mark at A was changed manually or by a repair")
    page.document.undo_stack.undo()
    page.canvas.scene.select_edge("A", "C", "A")
    assert why(page).startswith("Circle at A: undecided.")
    page.document.undo_stack.undo()
    assert page.document.pag is None
    assert page.edges.removed.pairs.rowCount() == 0
    page.document.undo_stack.redo()
    qtbot.waitUntil(lambda: page.edges.removed.pairs.rowCount() == 3)
    settle(qtbot, page)


def test_that_an_edge_added_by_hand_is_no_removed_edge_any_more(qtbot: QtBot, host: Host) -> None:
    page = learn(qtbot, host)
    page.editor.add_edge("A", "D")
    assert page.edges.removed.pairs.rowCount() == 2
    page.canvas.scene.select_edge("A", "D", "D")
    assert why(page).startswith("This edge was added manually or by a repair")
    settle(qtbot, page)


def test_that_a_graph_that_was_not_learned_says_nothing_and_offers_nothing(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_graph(qtbot, page, mixed("A o-> C", "B o-> C"))
    page.canvas.scene.select_edge("A", "C", "C")
    assert why(page) == ""
    action = host.actions_by_id["pag.why"]
    assert not action.isEnabled()
    assert "was not learned here" in action.toolTip()
    assert not page.edges.shows_removed.isEnabled()


def test_that_why_can_be_asked_from_the_keyboard(qtbot: QtBot, host: Host) -> None:
    page = learn(qtbot, host)
    page.canvas.scene.clearSelection()
    action = host.actions_by_id["pag.why"]
    assert not action.isEnabled()
    page.canvas.view.setFocus()
    qtbot.keyClick(page.canvas.view, Qt.Key.Key_Period)
    assert action.isEnabled()
    qtbot.keyClick(page.canvas.view, Qt.Key.Key_W)
    assert why(page)


def test_that_visible_edges_are_thick_on_demand(qtbot: QtBot, host: Host) -> None:
    page = learn(qtbot, host)
    visible = host.actions_by_id["pag.visible"]
    before = page.canvas.scene.positions()
    visible.setChecked(True)
    thick = {item.pair for item in page.canvas.scene.edge_items() if item.drawn.is_visible}
    assert thick == {frozenset("CD")}
    assert "thick: no hidden common cause" in page.canvas.legend.accessibleDescription()
    assert page.canvas.scene.positions() == before
    click_mark(page, "C", "D")
    assert why(page)
    page.editor.set_mark("C", "D", Mark.ARROW)
    assert not any(item.drawn.is_visible for item in page.canvas.scene.edge_items())
    visible.setChecked(False)
    page.document.undo_stack.undo()
    assert not any(item.drawn.is_visible for item in page.canvas.scene.edge_items())
    settle(qtbot, page)


def test_that_a_reopened_project_still_says_why(qtbot: QtBot, host: Host, tmp_path: Path) -> None:
    page = learn(qtbot, host)
    page.editor.set_mark("A", "C", Mark.TAIL)
    path = tmp_path / "saved.latconf"
    list(save_state(page.document.state, path, RunControl(), post=lambda _progress: None))
    *_, opened = open_project(path, RunControl(), post=lambda _progress: None)
    assert isinstance(opened, OpenedProject)
    events, prepared = page.document.state.pags[0].events, page.document.state.prepared
    host.start_anew()
    page.document.open_state(replace(opened.state, prepared=prepared), "Open")  # the test's data have no table
    assert page.document.state.pags[0].events == events
    settle(qtbot, page)
    qtbot.waitUntil(lambda: page.run.replay is not None)
    page.canvas.scene.select_edge("C", "D", "C")
    assert why(page).startswith("R1")
    page.canvas.scene.select_edge("A", "C", "A")
    assert "was changed manually" in why(page)


def test_that_a_project_that_kept_only_some_events_says_what_they_say(qtbot: QtBot, host: Host) -> None:
    page, graph = host.page, mixed("A o-o C", "B o-o C", nodes=list("ABC"))
    events = (EdgeRemoved("A", "B", ("C",), 0.25, "skeleton"),)
    page.editor.add_graph(
        graph, "Open", origin="FCI", positions={"A": (0, 0), "B": (200, 0), "C": (100, 90)}, events=events
    )
    settle(qtbot, page)
    qtbot.waitUntil(lambda: page.run.replay is not None)
    page.canvas.scene.select_nodes(["A", "B"])
    assert why(page) == "A and B are not significantly dependent given C (p = 0.25); edge removed."
    assert host.problems == []


def test_that_events_that_do_not_fit_the_graph_are_told_and_do_no_harm(qtbot: QtBot, host: Host) -> None:
    page, events = host.page, (EdgeRemoved("A", "Z", (), 0.25, "skeleton"),)
    page.editor.add_graph(
        mixed("A o-o C"), "Open", origin="FCI", positions={"A": (0, 0), "C": (100, 90)}, events=events
    )
    qtbot.waitUntil(lambda: bool(host.problems))
    assert "'Z', which is not a variable of the PAG; learn it again" in host.problems[0]
    page.canvas.scene.select_edge("A", "C", "C")
    assert why(page) == ""
    settle(qtbot, page)


def test_that_another_pag_has_its_own_reasons(qtbot: QtBot, host: Host) -> None:
    page = learn(qtbot, host)
    put_graph(qtbot, page, mixed("A o-o C", nodes=list("ABCD")))
    page.canvas.scene.select_edge("A", "C", "C")
    assert why(page) == ""
    page.pags.choose("FCI, alpha 0.05")
    qtbot.waitUntil(lambda: page.run.replay is not None)
    settle(qtbot, page)
    page.canvas.scene.select_edge("A", "C", "C")
    assert re.match("(A and B|B and A) are not significantly dependent", why(page))
