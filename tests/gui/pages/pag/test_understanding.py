from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.pag_acts import Host, agrees, click_mark, click_node, put_graph, settle

from latconf_core.graph.separation import is_m_separated
from latconf_core.mag.listing import enumerate_mags
from latconf_core.pag.validity import check_pag
from latconf_gui.look.colours import Highlight
from latconf_gui.pages.pag.pag_page import PagPage

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
    click_mark(page, "C", "D")
    settle(qtbot, page)
    reason = check_pag(page.document.pag).reasons[0]
    assert reason.sentence in page.legality.text.text()
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


def test_that_repairing_a_valid_pag_says_that_there_is_nothing_to_do(qtbot: QtBot, host: Host) -> None:
    put_graph(qtbot, host.page, VALID)
    host.actions_by_id["pag.repair"].trigger()
    qtbot.waitUntil(lambda: bool(host.problems))
    assert "nothing to repair" in host.problems[0]
    assert host.document.pag == VALID


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
