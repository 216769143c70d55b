"""What a change did is said in words, and is what a comparison of the two graphs finds."""

from __future__ import annotations

import numpy as np
import pytest
from support.builders import mixed
from support.drawn_dag_truth import mag_by_definition, random_drawn_dag

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.editing import dag_edits
from latconf_core.teaching.editing.changes import compare_graphs, describe_change

FORK = DrawnDag(("C", "S", "B"), (("S", "C"), ("S", "B")))


def test_that_hiding_a_common_cause_is_said_as_in_a_textbook() -> None:
    after = dag_edits.hide(FORK, "S", is_hidden=True)
    assert describe_change("Hiding S", FORK, after) == "Hiding S added C <-> B. In the PAG it added C o-o B."
    back = describe_change("Showing S", after, FORK)
    assert back == "Showing S removed C <-> B. In the PAG it removed C o-o B."


def test_that_nothing_is_said_to_be_nothing() -> None:
    collider = DrawnDag(("A", "B", "E"), (("A", "E"), ("B", "E")))
    after = dag_edits.hide(collider, "E", is_hidden=True)
    assert describe_change("Hiding E", collider, after) == "Hiding E changed nothing between the measured variables."


def test_that_a_mag_may_change_while_the_pag_stays() -> None:
    chain = DrawnDag(("A", "B"), (("A", "B"),))
    after = dag_edits.connect(chain, "B", "A")
    assert (
        describe_change("Turning the arrow", chain, after)
        == "Turning the arrow changed A --> B into A <-- B. The PAG is unchanged."
    )


def test_that_what_both_graphs_show_is_said_once() -> None:
    m = DrawnDag(tuple("ACHDB"), (("A", "C"), ("H", "C"), ("H", "D"), ("B", "D")))
    said = describe_change("Hiding H", m, dag_edits.hide(m, "H", is_hidden=True))
    assert said == "Hiding H added C <-> D, in the MAG and in the PAG."


def test_that_many_changes_are_counted() -> None:
    names = tuple("ABCDEF")
    star = DrawnDag((*names, "S"), tuple(("S", name) for name in names))
    said = describe_change("Hiding S", star, dag_edits.hide(star, "S", is_hidden=True))
    assert said.startswith("Hiding S added A <-> B, A <-> C, A <-> D and 12 more. In the PAG it added A o-o B, ")


def test_that_edges_are_made_turned_and_taken() -> None:
    before, after = mixed("A --> B", "B --> C", nodes="ABCD"), mixed("A <-> B", "C --> D", nodes="ABCD")
    change = compare_graphs(before, after)
    assert [str(edge) for edge in change.made] == ["C --> D"]
    assert [(str(was), str(now)) for was, now in change.turned] == [("A --> B", "A <-> B")]
    assert [str(edge) for edge in change.taken] == ["B --> C"]
    assert [str(edge) for edge in change.touched] == ["C --> D", "A <-> B"]


@pytest.mark.parametrize("seed", range(40))
def test_that_hiding_says_what_the_definition_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = random_drawn_dag(rng, 6, density=0.45, hide=0.2)
    name = str(rng.choice(before.nodes))
    after = dag_edits.hide(before, name, is_hidden=name not in before.hidden)
    change, was, now = compare_graphs(before.mag, after.mag), mag_by_definition(before), mag_by_definition(after)
    common = [node for node in now.nodes if node in was.nodes]
    differing = {
        frozenset((a, b))
        for a in common
        for b in common
        if a < b
        and (was.edge(a, b) if was.is_adjacent(a, b) else None) != (now.edge(a, b) if now.is_adjacent(a, b) else None)
    }
    told = (*change.touched, *change.taken)
    assert {frozenset((edge.first, edge.second)) for edge in told} == differing
