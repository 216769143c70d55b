from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from support.builders import mixed, random_dataset
from support.small_runs import small_run

from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare import Prepared
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.formats.projects.state_changes import delete_run
from latconf_gui.application.document import Document


@pytest.fixture
def with_all(document: Document) -> Document:
    """A document that has data, a PAG, positions and a result."""
    data = random_dataset(np.random.default_rng(0), 20, [2, 2, 2])
    document.open_state(ProjectState(name="letters", prepared=Prepared(data, np.arange(20))), "Open letters")
    document.set_pag(mixed("A o-> B", "B <-> C"), "Learn the PAG", origin="fci")
    document.move_nodes({"A": (1.0, 2.0)}, "Move A")
    document.add_result(replace(small_run(), dataset_digest=data.digest), "HCLC-V")
    return document


def test_that_editing_the_pag_keeps_the_result_and_undo_brings_the_graph_back(with_all: Document) -> None:
    old, result = with_all.pag, with_all.result
    with_all.set_pag(mixed("A --> B", nodes="ABC"), "Orient A --> B")
    assert (with_all.result, len(with_all.state.pags)) == (result, 1)
    with_all.undo_stack.undo()
    assert with_all.pag is old


def test_that_a_second_pag_and_a_second_run_are_added_and_each_is_undone(with_all: Document) -> None:
    first, result = with_all.pag, with_all.result
    with_all.set_pag(mixed("A --> B", nodes="ABC"), "Learn again", origin="gfci")
    with_all.add_result(replace(small_run(), dataset_digest=with_all.dataset.digest), "ILC-V")  # type: ignore[union-attr]
    assert [pag.name for pag in with_all.state.pags] == ["fci", "gfci"]
    assert [run.name for run in with_all.state.runs] == ["HCLC-V on fci", "ILC-V on gfci"]
    assert with_all.result is not result
    with_all.undo_stack.undo()
    assert with_all.result is result
    with_all.undo_stack.undo()
    assert with_all.pag is first


def test_that_looking_at_a_visit_changes_nothing_and_is_kept_for_saving(with_all: Document) -> None:
    state, run = with_all.state, with_all.state.runs[0]
    with_all.open_dag(run.result.history.dag(1), run, 1)
    assert with_all.state is state
    assert with_all.opened_visits(run) == (1,)
    assert with_all.with_opened_visits(state).runs[0].opened == (1,)


def test_that_the_dag_of_a_run_that_is_deleted_is_no_more_looked_at(with_all: Document, qtbot: QtBot) -> None:
    first = with_all.state.runs[0]
    with_all.add_result(replace(small_run(), dataset_digest=with_all.dataset.digest), "ILC-V")  # type: ignore[union-attr]
    with_all.open_dag(first.result.best, first)
    assert with_all.shown_run is first
    with qtbot.assertNotEmitted(with_all.dag_opened), qtbot.waitSignal(with_all.result_changed):
        with_all.change(delete_run(with_all.state, first.name), "Delete")
    assert with_all.opened_dag is None
    assert with_all.shown_run is with_all.state.runs[0]


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
        qtbot.assertNotEmitted(with_all.result_changed),
        qtbot.waitSignals([with_all.pag_changed, with_all.collections_changed]),
    ):
        with_all.set_pag(None, "Remove the PAG")


def test_that_the_undo_stack_names_the_changes(with_all: Document) -> None:
    assert with_all.undo_stack.undoText() == "Search with HCLC-V"
    with_all.undo_stack.undo()
    assert with_all.undo_stack.redoText() == "Search with HCLC-V"


def test_that_renaming_states_keeps_the_pag_in_sight_and_dropping_rows_does_not(with_all: Document) -> None:
    data = with_all.dataset
    assert data is not None
    renamed = Dataset(data.names, [["no", "yes"]] * 3, data.codes)
    with_all.set_preparation(ProjectState(prepared=Prepared(renamed, np.arange(20))), "Rename states")
    assert with_all.pag is not None
    assert with_all.result is None
    fewer = Dataset(data.names, data.states, data.codes[:10])
    with_all.set_preparation(ProjectState(prepared=Prepared(fewer, np.arange(10))), "Drop rows")
    assert with_all.pag is None
    assert (len(with_all.state.pags), len(with_all.state.runs)) == (1, 1)
    with_all.undo_stack.undo()
    assert with_all.pag is not None
    with_all.undo_stack.undo()
    assert with_all.result is with_all.state.runs[0].result


def test_that_every_change_says_whether_it_was_carried_out(with_all: Document, qtbot: QtBot) -> None:
    reasons: list[str] = []
    with_all.refused.connect(reasons.append)
    with_all.hold("A search is running.")
    assert not with_all.set_pag(None, "Remove the PAG")
    assert not with_all.open_state(ProjectState(), "Close")
    assert not with_all.set_preparation(ProjectState(), "Drop rows")
    assert reasons == ["A search is running."] * 3
    assert with_all.add_result(small_run(), "HCLC-V")
    assert with_all.move_nodes({"B": (0.0, 0.0)}, "Move B")
    with_all.release()
    assert with_all.set_pag(None, "Remove the PAG")


def test_that_undo_and_redo_obey_the_hold(with_all: Document) -> None:
    reasons: list[str] = []
    with_all.refused.connect(reasons.append)
    stack = with_all.undo_stack
    with_all.hold("A search is running.")
    assert stack.undo()  # the result
    assert stack.undo()  # the move
    assert not stack.canUndo()
    assert not stack.undo()  # the PAG
    assert reasons == ["A search is running."]
    assert with_all.pag is not None
    with_all.release()
    assert stack.undo()
    with_all.hold("A search is running.")
    assert not stack.canRedo()
    assert not stack.redo()
    assert with_all.pag is None


def test_that_only_so_many_steps_can_be_undone(qapp: object) -> None:
    document = Document(max_steps=3)
    for index in range(5):
        document.move_nodes({"A": (float(index), 0.0)}, f"Move {index}")
    n_undone = 0
    while document.undo_stack.undo():
        n_undone += 1
    assert n_undone == 3
    assert document.positions["A"] == (1.0, 0.0)


def test_that_the_oldest_steps_go_when_they_hold_too_much(qapp: object) -> None:
    document = Document(max_bytes=200_000)
    for number in range(6):
        data = Dataset("AB", [["0", "1"]] * 2, np.zeros((10_000, 2), dtype=int))
        state = ProjectState(name=str(number), prepared=Prepared(data, np.arange(10_000)))
        document.open_state(state, f"Open {number}")
        for _ in range(3):  # steps that share the data cost next to nothing
            document.move_nodes({"A": (0.0, float(number))}, "Move A")
    names = [document.name]
    while document.undo_stack.undo():
        names.append(document.name)
    assert list(dict.fromkeys(names)) == ["5", "4"]
    assert names.count("5") == 4


def test_that_a_ticket_holds_for_the_document_and_data_it_was_given_for(with_all: Document) -> None:
    ticket = with_all.ticket()
    with_all.set_pag(None, "Remove the PAG")
    assert with_all.is_valid(ticket)
    with_all.open_state(ProjectState(prepared=with_all.prepared), "Open the same data")
    assert not with_all.is_valid(ticket)
    with_all.undo_stack.undo()
    assert with_all.is_valid(ticket)


def test_that_a_save_marks_the_state_that_was_saved_and_the_document_it_was_of(with_all: Document) -> None:
    saved = with_all.snapshot
    with_all.move_nodes({"A": (0.0, 0.0)}, "Move A")
    with_all.mark_saved(saved, Path("a.latconf"))
    assert with_all.is_modified is with_all.has_content
    assert with_all.title == "a.latconf"
    with_all.open_state(ProjectState(name="other"), "Open other")
    with_all.mark_saved(saved, Path("b.latconf"))
    assert with_all.title == "other"
    with_all.undo_stack.undo()
    assert with_all.path is None  # an Open was undone
    with_all.undo_stack.undo()
    assert not with_all.is_modified
