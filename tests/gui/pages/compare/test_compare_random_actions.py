"""A person who tries everything on the Compare page, in any order."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from support.compare_acts import FCI, GFCI, HIDDEN, PLAIN, WIDER, drop_on, open_compare, settle

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.formats.projects.compared_graphs import compared_text, parse_compared
from latconf_core.formats.projects.state_changes import rename_pag
from latconf_gui.application.compared_graph import ComparedGraph
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.window.main_window import MainWindow

N_ACTIONS = 300
ACTS = (
    *("add", "offer", "choose", "command", "command", "key", "view", "rename", "cell", "undo", "face"),
    *("hand over", "drop", "drag", "list", "suggestion", "numbers", "collection"),
)
GRAPHS = (PLAIN, HIDDEN, WIDER, FCI, GFCI, LatentDag("ABCD"), LatentDag("XY", [("X", "Y")]))
COMMANDS = (
    *("remove", "reference", "up", "down", "overlay", "panes", "matrix", "flip", "only", "fit", "copy"),
    *("next_difference", "previous_difference", "next", "previous"),
)
KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Tab)


def act(page: ComparePage, rng: random.Random) -> None:
    """One thing that a person may do."""
    match rng.choice(ACTS):
        case "add":
            page.add(rng.choice("pqr"), rng.choice(GRAPHS), origin="random")
        case "offer" if page.adding.offers():
            page.adding.add_offers([rng.choice(page.adding.offers())])
        case "choose":
            page.panel.choose(rng.randrange(-1, 12))
        case "command":
            page.context.actions[f"compare.{rng.choice(COMMANDS)}"].trigger()
        case "key":
            QTest.keyClick(rng.choice((page.overlay.canvas.view, page.panel.list, page.tree)), rng.choice(KEYS))
        case "view":
            page.parts.view_as.setCurrentIndex(rng.randrange(page.parts.view_as.count()))
        case "rename" if page.candidates.items:
            page.candidates.rename(rng.randrange(len(page.candidates)), rng.choice(("", "x", "y", "p")))
        case "cell" if page.matrix.matrix.rowCount():
            model = page.matrix.matrix
            page.matrix.clicked.emit(model.index(rng.randrange(model.rowCount()), rng.randrange(model.columnCount())))
        case "undo":
            rng.choice((page.document.undo_stack.undo, page.document.undo_stack.redo))()
        case "hand over":
            page.document.compare_asked.emit(ComparedGraph(rng.choice("pqr"), "random", rng.choice(GRAPHS)))
        case "drop":
            graph = ComparedGraph(rng.choice("pqr"), rng.choice("uv"), rng.choice(GRAPHS))
            drop_on(rng.choice((page.overlay.canvas.view.viewport(), page.panel.list, page)), graph.to_mime())
        case "drag" if page.candidates.items:
            row, before = rng.randrange(len(page.candidates)), rng.randrange(len(page.candidates) + 1)
            page.candidates.moveRows(QModelIndex(), row, 1, QModelIndex(), before)
        case "list":
            offers = page.panel.offers
            QTest.keyClick(offers, rng.choice((*KEYS, Qt.Key.Key_Return)))
        case "suggestion" if page.adding.offers():
            page.adding.add_offers(rng.choices(page.adding.offers(), k=2))
        case "numbers":
            page.parts.show_table(rng.choice(("differences", "numbers")))
        case "collection" if page.document.state.pags:
            name = page.document.state.pags[0].name
            page.document.change(rename_pag(page.document.state, name, f"{name}'"), "Rename a PAG")
        case "face":
            page.overlay.show_face(rng.choice(("overlay", "A", "B")))


def check(page: ComparePage) -> None:
    """What always holds."""
    items = page.candidates.items
    assert len(items) <= 12
    assert len({item.name for item in items}) == len(items)
    assert page.panel.current < len(items)
    assert [item.item for item in items] == list(page.document.state.compared)
    state, notes = page.document.state, list[str]()
    text = compared_text(state.compared, state.pags, state.runs)
    assert parse_compared(text, state.pags, state.runs, notes) == state.compared
    assert not notes
    if items:
        assert page.parts.names.text().startswith(f"A: {items[0].name}")
    if page.pair is not None:
        assert (page.pair.a, page.pair.b) == (items[0].name, items[page.shown].name)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.exhaustive)])
def test_that_nothing_a_person_does_breaks_the_page(window: MainWindow, qtbot: QtBot, seed: int) -> None:
    page, rng = open_compare(window, qtbot), random.Random(seed)
    said: list[str] = []
    object.__setattr__(page.context, "report", lambda problem, _where: said.append(str(problem)))
    for _ in range(N_ACTIONS):
        act(page, rng)
        check(page)
        if window.current_page is not page and page.is_available(page.document):
            window.show_page("Compare")
    settle(page, qtbot)
    assert all("there are already" in one or "cannot be computed" in one for one in said), said
