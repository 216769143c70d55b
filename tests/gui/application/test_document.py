from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from support.builders import mixed, random_dataset

from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare import Prepared
from latconf_core.formats.projects.project_state import ProjectState
from latconf_gui.application.document import Document


@pytest.fixture
def with_all(document: Document) -> Document:
    """A document that has data, a PAG, positions and a result."""
    data = random_dataset(np.random.default_rng(0), 20, [2, 2, 2])
    document.open_state(ProjectState(name="letters", prepared=Prepared(data, np.arange(20))), "Open letters")
    document.set_pag(mixed("A o-> B", "B <-> C"), "Learn the PAG", origin="fci")
    document.move_nodes({"A": (1.0, 2.0)}, "Move A")
    document.set_result("a result", "Search")
    return document


def test_that_a_new_pag_clears_the_result_and_undo_brings_both_back(with_all: Document) -> None:
    old = with_all.pag
    with_all.set_pag(mixed("A --> B", nodes="ABC"), "Orient A --> B")
    assert with_all.result is None
    with_all.undo_stack.undo()
    assert with_all.pag is old
    assert with_all.result == "a result"


def test_that_opening_clears_pag_result_and_positions_and_undo_brings_them_back(with_all: Document) -> None:
    with_all.open_state(ProjectState(name="other"), "Open other")
    assert (with_all.pag, with_all.result, with_all.positions) == (None, None, {})
    with_all.undo_stack.undo()
    assert with_all.name == "letters"
    assert with_all.positions == {"A": (1.0, 2.0)}
    assert with_all.pag_origin == "fci"


def test_that_positions_survive_a_new_pag(with_all: Document) -> None:
    with_all.set_pag(mixed("A o-o B", nodes="ABC"), "Learn again")
    assert with_all.positions == {"A": (1.0, 2.0)}


def test_that_moving_one_node_leaves_the_others(with_all: Document) -> None:
    with_all.move_nodes({"B": (5.0, 5.0)}, "Move B")
    assert with_all.positions == {"A": (1.0, 2.0), "B": (5.0, 5.0)}


def test_that_only_what_changed_is_signalled(with_all: Document, qtbot: QtBot) -> None:
    with (
        qtbot.assertNotEmitted(with_all.dataset_changed),
        qtbot.waitSignals([with_all.pag_changed, with_all.result_changed]),
    ):
        with_all.set_pag(None, "Remove the PAG")


def test_that_the_undo_stack_names_the_changes(with_all: Document) -> None:
    assert with_all.undo_stack.undoText() == "Search"
    with_all.undo_stack.undo()
    assert with_all.undo_stack.redoText() == "Search"


def test_that_renaming_states_keeps_the_pag_and_dropping_rows_does_not(with_all: Document) -> None:
    data = with_all.dataset
    assert data is not None
    renamed = Dataset(data.names, [["no", "yes"]] * 3, data.codes)
    with_all.set_preparation(ProjectState(prepared=Prepared(renamed, np.arange(20))), "Rename states")
    assert with_all.pag is not None
    assert with_all.result is None
    fewer = Dataset(data.names, data.states, data.codes[:10])
    with_all.set_preparation(ProjectState(prepared=Prepared(fewer, np.arange(10))), "Drop rows")
    assert with_all.pag is None
    with_all.undo_stack.undo()
    assert with_all.pag is not None
