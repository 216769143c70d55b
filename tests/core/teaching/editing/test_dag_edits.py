"""Edits of a drawn DAG: each gives a new DAG, or says why not and changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from latconf_core.errors import GraphError
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.editing import dag_edits

CHAIN = DrawnDag(("A", "B", "C"), (("A", "B"), ("B", "C")), frozenset({"B"})).placed()


def test_that_a_new_variable_has_a_free_name_and_its_place() -> None:
    name = dag_edits.free_name(CHAIN)
    assert name == "D"
    after = dag_edits.add_node(CHAIN, name, (1, 2))
    assert after.nodes == ("A", "B", "C", "D")
    assert after.positions["D"] == (1.0, 2.0)
    assert after.edges == CHAIN.edges


def test_that_after_z_comes_a1() -> None:
    assert dag_edits.free_name(DrawnDag(tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))) == "A1"


def test_that_an_arrow_is_added_turned_or_refused() -> None:
    assert ("A", "C") in dag_edits.connect(CHAIN, "A", "C").edges
    assert dag_edits.connect(CHAIN, "B", "A").edges == (("B", "A"), ("B", "C"))
    with pytest.raises(GraphError, match="A --> B already exists"):
        dag_edits.connect(CHAIN, "A", "B")
    with pytest.raises(GraphError, match="would be a directed cycle; nothing can be a cause of itself"):
        dag_edits.connect(CHAIN, "C", "A")
    with pytest.raises(GraphError, match="A cannot be its own cause"):
        dag_edits.connect(CHAIN, "A", "A")


def test_that_a_deleted_variable_takes_its_arrows_along() -> None:
    after = dag_edits.delete(CHAIN, {"B"})
    assert (after.nodes, after.edges, after.hidden) == (("A", "C"), (), frozenset())
    assert set(after.positions) == {"A", "C"}
    assert dag_edits.delete(CHAIN, (), [("A", "B")]).edges == (("B", "C"),)


def test_that_hiding_and_showing_undo_each_other() -> None:
    hidden = dag_edits.hide(CHAIN, "A", is_hidden=True)
    assert hidden.hidden == {"A", "B"}
    assert dag_edits.hide(hidden, "A", is_hidden=False) == CHAIN


def test_that_a_name_goes_everywhere() -> None:
    after = dag_edits.rename(CHAIN, "B", " Wet ")
    assert after == DrawnDag(
        ("A", "Wet", "C"),
        (("A", "Wet"), ("Wet", "C")),
        frozenset({"Wet"}),
        {"A": CHAIN.positions["A"], "Wet": CHAIN.positions["B"], "C": CHAIN.positions["C"]},
    )
    assert dag_edits.rename(CHAIN, "B", "B") is CHAIN


@pytest.mark.parametrize(
    ("name", "said"),
    [("", "one word"), ("two words", "one word"), ("A", "already a variable A"), ("x" * 31, "at most 30 letters")],
)
def test_that_a_bad_name_gets_a_sentence(name: str, said: str) -> None:
    with pytest.raises(GraphError, match=said):
        dag_edits.rename(CHAIN, "B", name)
    with pytest.raises(GraphError, match=said):
        dag_edits.add_node(CHAIN, name, (0, 0))


def test_that_there_is_an_end_to_new_variables() -> None:
    full = DrawnDag(tuple(f"V{i}" for i in range(dag_edits.MOST_NODES)))
    with pytest.raises(GraphError, match="delete one first"):
        dag_edits.add_node(full, "X", (0, 0))


@pytest.mark.parametrize("n_arrows", [0, 6, 99])
def test_that_a_random_dag_has_as_many_arrows_as_there_is_room_for(n_arrows: int) -> None:
    dag = dag_edits.random_dag(np.random.default_rng(3), 5, n_arrows=n_arrows)
    assert len(dag.edges) == min(n_arrows, 10)
    assert set(dag.positions) == set("ABCDE")
    assert dag == dag_edits.random_dag(np.random.default_rng(3), 5, n_arrows=n_arrows)
