from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.pag_acts import Host, agrees, change_mark, click_node, put_graph, settle

from latconf_core.graph.marks import Mark
from latconf_core.graph.separation import is_m_separated
from latconf_core.inference.adjustment_in_pag import adjust_in_pag
from latconf_core.mag.listing import enumerate_mags
from latconf_core.pag.validity import check_pag
from latconf_core.wording.adjustment_sentences import adjustment_sentences
from latconf_gui.look.colours import Highlight
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.widgets.text import keep_arrows_whole

VALID = mixed("A o-> C", "B o-> C", "C --> D")
BROKEN = mixed("A --> B", "B --> C", "A <-- C")


def lit(page: PagPage) -> dict[str, Highlight]:
    items = page.canvas.scene.edge_items()
    return {"".join(sorted(item.pair)): item.highlight for item in items if item.highlight != Highlight.NONE}


def test_that_a_valid_pag_is_called_valid_and_nothing_is_lit(qtbot: QtBot, host: Host) -> None:
    put_graph(qtbot, host.page, VALID)
    assert host.page.legality.text.text() == "This is a valid PAG."
    assert lit(host.page) == {}
    assert not host.page.legality.repair.isVisible()


def test_that_a_broken_rule_is_named_and_its_edges_lit_live(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_graph(qtbot, page, VALID)
    change_mark(page, "C", "D")
    settle(qtbot, page)
    reason = check_pag(page.document.pag).reasons[0]
    assert keep_arrows_whole(reason.sentence) in page.legality.text.text()
    assert lit(page) == {"".join(sorted((e.first, e.second))): Highlight.PROBLEM for e in reason.edges} != {}
    page.document.undo_stack.undo()
    settle(qtbot, page)
    assert page.legality.text.text() == "This is a valid PAG."
    assert lit(page) == {}


def test_that_each_reason_is_shown_in_turn(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_graph(qtbot, page, mixed("A --- B", "C --o D"))
    said = set()
    for _ in range(2):
        said.add(page.legality.text.text())
        qtbot.mouseClick(page.legality.next, Qt.MouseButton.LeftButton)
    assert len(said) == 2
    assert all("of 2" in sentence for sentence in said)


@pytest.mark.parametrize("applies", [True, False])
def test_that_a_repair_shows_its_changes_before_it_is_applied(qtbot: QtBot, host: Host, applies: bool) -> None:
    page = host.page
    put_graph(qtbot, page, BROKEN)
    qtbot.mouseClick(page.legality.repair, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: hasattr(page, "repair_dialog") and page.repair_dialog.isVisible(), timeout=20_000)
    dialog = page.repair_dialog
    assert page.document.pag == BROKEN
    rows = [dialog.table.topLevelItem(i).text(0) for i in range(dialog.table.topLevelItemCount())]
    assert rows == [str(before) for before, _ in dialog.repair.diff]
    assert set(lit(page)) >= {"AB"}
    repaired = dialog.repair.graph
    dialog.apply.click() if applies else dialog.reject()
    settle(qtbot, page)
    assert page.document.pag == (repaired if applies else BROKEN)
    assert agrees(page)
    assert page.document.undo_stack.count() == int(applies)
    if applies:
        assert page.legality.text.text() == "This is a valid PAG."
        assert lit(page) == {}
    del page.repair_dialog


def test_that_a_valid_pag_offers_no_repair_and_says_why(qtbot: QtBot, host: Host) -> None:
    put_graph(qtbot, host.page, VALID)
    repair = host.actions_by_id["pag.repair"]
    assert not repair.isEnabled()
    assert "nothing to repair" in repair.toolTip()
    put_graph(qtbot, host.page, BROKEN)
    assert repair.isEnabled()
    assert "nothing to repair" not in repair.toolTip()


def test_that_a_graph_is_checked_when_it_is_seen_and_repair_without_need_is_said(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_graph(qtbot, page, BROKEN)
    page.hide()
    put_graph(qtbot, page, VALID)
    assert page.legality.kind is None
    host.actions_by_id["pag.repair"].trigger()
    qtbot.waitUntil(lambda: bool(host.problems))
    assert "nothing to repair" in host.problems[0]
    page.show()
    qtbot.waitUntil(lambda: page.legality.text.text() == "This is a valid PAG.")
    settle(qtbot, page)


def test_that_an_arrowhead_of_an_expert_is_knowledge_and_no_mistake(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_graph(qtbot, page, mixed("A o-o B", "B o-o C"))
    page.editor.set_mark("B", "A", Mark.ARROW)
    settle(qtbot, page)
    said = "PAG with knowledge: 2 of 5 MAGs remain; the search uses it as given."
    assert page.legality.text.text() == said
    assert lit(page) == {}
    assert not page.legality.next.isVisible()
    assert not page.legality.repair.isVisible()
    repair = host.actions_by_id["pag.repair"]
    assert repair.text() == "Show the PAG without &knowledge…"
    assert repair.isEnabled()


def test_that_knowledge_that_the_search_would_repair_is_not_promised_to_be_used(qtbot: QtBot, host: Host) -> None:
    put_graph(qtbot, host.page, mixed("A <-> B", "A <-o D", "A <-o E", "B o-o D", "B o-o E", nodes=list("ABDE")))
    assert "the search repairs it first unless you decide more" in host.page.legality.text.text()


def test_that_without_numbers_in_reasonable_time_knowledge_is_said_without(
    qtbot: QtBot, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("latconf_core.pag.standing.MAX_COUNTED", 3)
    put_graph(qtbot, host.page, mixed("A o-> B", "B o-o C"))
    assert host.page.legality.text.text() == "PAG with knowledge; the search uses it as given."


def test_that_a_mag_is_called_one_and_its_pag_offered(qtbot: QtBot, host: Host) -> None:
    page, mag = host.page, mixed("A --> B", "B --> C")
    put_graph(qtbot, page, mag)
    assert page.legality.text.text().startswith("This is a MAG")
    assert lit(page) == {}
    assert page.legality.repair.text() == "Show its PAG…"
    qtbot.mouseClick(page.legality.repair, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: hasattr(page, "repair_dialog") and page.repair_dialog.isVisible(), timeout=20_000)
    assert page.repair_dialog.windowTitle() == "The PAG of this MAG"
    page.repair_dialog.apply.click()
    settle(qtbot, page)
    assert page.document.pag == mixed("A o-o B", "B o-o C")
    assert page.document.undo_stack.undoText() == "Show the PAG of the MAG"
    assert page.legality.text.text() == "This is a valid PAG."
    page.document.undo_stack.undo()
    assert page.document.pag == mag
    settle(qtbot, page)
    del page.repair_dialog


def test_that_the_drawing_stays_where_it_is_whatever_is_said_above_it(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_graph(qtbot, page, VALID)
    before = page.canvas.geometry(), page.canvas.view.geometry()
    for graph in (BROKEN, mixed("A --- B", "C --o D"), mixed("A --> B", "B --> C"), VALID):
        put_graph(qtbot, page, graph)
        assert (page.canvas.geometry(), page.canvas.view.geometry()) == before


def test_that_the_bar_above_the_drawing_grows_with_the_text(qtbot: QtBot, host: Host) -> None:
    put_graph(qtbot, host.page, VALID)
    bar = host.page.legality
    before, font = bar.height(), bar.font()
    larger = QFont(font)
    larger.setPointSizeF(font.pointSizeF() * 2)
    bar.setFont(larger)
    qtbot.waitUntil(lambda: bar.height() > 1.5 * before)
    bar.setFont(font)
    qtbot.waitUntil(lambda: bar.height() == before)


def test_that_what_is_said_above_the_drawing_lies_within_its_bar(qtbot: QtBot, host: Host) -> None:
    """Qt's least height of what scrolls was larger than the bar, which cut the last line."""
    put_graph(qtbot, host.page, VALID)
    bar = host.page.legality
    bar.setFixedWidth(600)
    for label in (" ".join(["A valid PAG."] * 30), "Valid."):
        bar.text.setText(label)
        qtbot.wait(0)
        scroll = bar.findChild(QScrollArea)
        assert scroll.geometry().bottom() <= bar.height()


def test_that_separation_agrees_with_every_mag_of_the_pag(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_graph(qtbot, page, VALID)
    page.tabs.setCurrentWidget(page.separation)
    mags = [mag.to_graph() for mag in enumerate_mags(VALID)]
    for first, second, given in (("A", "B", ""), ("A", "B", "C"), ("A", "B", "D"), ("A", "D", ""), ("A", "D", "C")):
        page.separation.ask_about(first, second)
        page.separation.set_given(set(given))
        qtbot.waitUntil(lambda: page.separation.verdict is not None and not page.separation.is_busy)
        truths = {is_m_separated(mag, first, second, set(given)) for mag in mags}
        assert {page.separation.verdict.is_separated} == truths
        word = "separated" if truths == {True} else "connected"
        assert f"{first} and {second} are {word}" in page.separation.verdict_text.text()


def test_that_what_to_hold_fixed_is_said_for_both_directions(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_graph(qtbot, page, VALID)
    panel = page.separation
    page.tabs.setCurrentWidget(panel)
    panel.ask_about("C", "D")
    qtbot.waitUntil(lambda: panel.verdict is not None and not panel.is_busy)
    wanted = adjustment_sentences(adjust_in_pag(VALID, "C", "D"))
    assert panel.adjustment.text().splitlines()[0] == wanted[0]
    panel.swap.click()
    qtbot.waitUntil(lambda: panel.verdict is not None and not panel.is_busy)
    assert "is not a cause of C" in panel.adjustment.text()
    panel.ask_about("A", "D")
    qtbot.waitUntil(lambda: panel.verdict is not None and not panel.is_busy)
    assert panel.adjustment.text().startswith("The PAG is not amenable")
    put_graph(qtbot, page, mixed("A --> B", "B --> C"))
    qtbot.waitUntil(lambda: panel.verdict is not None and not panel.is_busy)
    assert panel.adjustment.text().startswith("The graph is not a valid PAG")


def test_that_open_paths_are_lit_and_go_out_with_the_panel(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_graph(qtbot, page, VALID)
    click_node(page, "A")
    click_node(page, "D", Qt.KeyboardModifier.ControlModifier)
    page.canvas.view.setFocus()
    qtbot.keyClick(page.canvas.view, "s")
    qtbot.waitUntil(lambda: page.separation.verdict is not None)
    assert lit(page) == {"AC": Highlight.PATH, "CD": Highlight.PATH}
    page.tabs.setCurrentIndex(0)
    assert lit(page) == {}


def test_that_chosen_nodes_are_held_fixed_by_a_key_and_drawn_so(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_graph(qtbot, page, VALID)
    click_node(page, "C")
    page.canvas.view.setFocus()
    qtbot.keyClick(page.canvas.view, "g")
    assert page.separation.given_names() == ["C"]
    assert [item.name for item in page.canvas.scene.node_items() if item.is_given] == ["C"]
    qtbot.keyClick(page.canvas.view, "g")
    assert page.separation.given_names() == []
    settle(qtbot, page)


def test_that_every_control_of_the_page_has_a_name_for_screen_readers(qtbot: QtBot, host: Host) -> None:
    from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QListWidget, QTableView

    put_graph(qtbot, host.page, VALID)
    kinds = (QComboBox, QLineEdit, QTableView, QListWidget, QAbstractSpinBox)
    widgets = itertools.chain.from_iterable(host.page.findChildren(kind) for kind in kinds)
    nameless = [
        w for w in widgets if not w.accessibleName() and not isinstance(w.parent(), QComboBox | QAbstractSpinBox)
    ]
    assert nameless == []
