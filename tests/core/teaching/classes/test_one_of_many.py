"""The class of a drawn DAG, reversed arrows and the answers of do(), against brute force over all orientations."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from latconf_core.errors import GraphError
from latconf_core.graph.separation import is_m_separated
from latconf_core.teaching.classes.dag_members import list_members
from latconf_core.teaching.classes.do_answers import ask_members, joint_of
from latconf_core.teaching.classes.sentences import (
    arrow_sentence,
    do_sentence,
    group_label,
    members_sentence,
    turn_sentence,
)
from latconf_core.teaching.classes.turning import TurnOutcome, find_witness, turn_arrow
from latconf_core.teaching.drawn_dag import DrawnDag

NAMES = ("A", "B", "C", "D", "E")


def random_drawn(rng: np.random.Generator, n: int, *, n_hidden: int = 0) -> DrawnDag:
    order = [NAMES[i] for i in rng.permutation(n)]
    edges = [(a, b) for a, b in combinations(order, 2) if rng.random() < 0.55]
    return DrawnDag(NAMES[:n], tuple(edges), frozenset(order[:n_hidden]))


def independences(dag: DrawnDag, nodes: tuple[str, ...]) -> frozenset:
    """Every (first, second, given) among these nodes that the DAG separates."""
    return frozenset(
        (a, b, given)
        for a, b in combinations(nodes, 2)
        for size in range(len(nodes) - 1)
        for given in combinations([name for name in nodes if name not in (a, b)], size)
        if is_m_separated(dag.graph, a, b, given)
    )


def orientations(dag: DrawnDag):
    """Every DAG with the same lines."""
    for flips in product((False, True), repeat=len(dag.edges)):
        edges = tuple((b, a) if is_flipped else (a, b) for (a, b), is_flipped in zip(dag.edges, flips))
        try:
            yield DrawnDag(dag.nodes, edges, dag.hidden)
        except GraphError:
            continue


@pytest.mark.parametrize("seed", range(25))
def test_that_the_members_are_the_dags_with_the_same_independences(seed):
    dag = random_drawn(np.random.default_rng(seed), 4)
    wanted = independences(dag, dag.nodes)
    truth = {member.edges for member in orientations(dag) if independences(member, dag.nodes) == wanted}
    members = list_members(dag)
    assert {member.edges for member in members.members} == truth
    assert len(members.members) == len(truth), "each once"
    assert members.place_of(dag) is not None
    for arrow in dag.edges:
        assert members.is_open(arrow) == any((arrow[1], arrow[0]) in edges for edges in truth)


def test_that_the_order_of_the_members_does_not_depend_on_the_dag_they_are_listed_from():
    dag = random_drawn(np.random.default_rng(3), 5)
    listed = [member.edges for member in list_members(dag).members]
    for member in list_members(dag).members:
        assert [other.edges for other in list_members(member).members] == listed


def test_that_a_list_that_is_cut_says_so():
    complete = DrawnDag(NAMES, tuple(combinations(NAMES, 2)))
    cut = list_members(complete, limit=100)
    assert cut.is_cut
    assert len(cut.members) == 100
    whole = list_members(complete)
    assert not whole.is_cut
    assert len(whole.members) == 120  # every order of five variables


@pytest.mark.parametrize("seed", range(30))
def test_that_a_reversed_arrow_is_told_by_a_test_exactly_where_measured_independences_change(seed):
    rng = np.random.default_rng(seed)
    dag = random_drawn(rng, 5, n_hidden=int(rng.integers(0, 3)))
    for arrow in dag.edges:
        turn = turn_arrow(dag, arrow)
        if turn.after is None:
            assert turn.outcome == TurnOutcome.CYCLE
            continue
        before, after = (independences(side, dag.observed) for side in (dag, turn.after))
        is_same_everywhere = independences(dag, dag.nodes) == independences(turn.after, dag.nodes)
        if turn.outcome == TurnOutcome.TESTABLE:
            witness = turn.witness
            assert witness is not None
            assert not {witness.first, witness.second, *witness.given} & dag.hidden
            pair = witness.first, witness.second
            assert is_m_separated(dag.graph, *pair, witness.given) == witness.is_independent_before
            assert is_m_separated(turn.after.graph, *pair, witness.given) != witness.is_independent_before
            assert len(witness.given) == min(len(given) for _, _, given in before ^ after)
        else:
            assert before == after
            assert (turn.outcome == TurnOutcome.SAME) == is_same_everywhere


def refitted(joint: np.ndarray, dag: DrawnDag, cause: str) -> np.ndarray:
    """The distribution after do(cause = yes): the joint factorised along the DAG, without the table of the cause."""
    names, n = dag.nodes, len(dag.nodes)
    after = np.ones_like(joint)
    for name in names:
        i = names.index(name)
        kept = {i, *(names.index(parent) for parent, child in dag.edges if child == name)}
        family = joint.sum(axis=tuple(axis for axis in range(n) if axis not in kept), keepdims=True)
        if name != cause:
            after = after * family / family.sum(axis=i, keepdims=True)
    one_state = np.zeros((1,) * names.index(cause) + (2,) + (1,) * (n - names.index(cause) - 1))
    np.moveaxis(one_state, names.index(cause), 0)[1] = 1.0
    return after * one_state


@pytest.mark.parametrize("seed", range(12))
def test_that_do_answers_in_each_member_as_its_own_factorisation_does(seed):
    dag = random_drawn(np.random.default_rng(100 + seed), 5)
    joint, members = joint_of(dag), list_members(dag)
    assert joint.sum() == pytest.approx(1.0)
    for cause, effect in [("A", "B"), ("C", "A"), ("D", "E")]:
        answers = ask_members(joint, members, cause=cause, effect=effect)
        assert sorted(place for group in answers.groups for place in group.members) == list(range(len(members.members)))
        for group in answers.groups:
            for member in group.members:
                after = refitted(joint, members.members[member], cause)
                truth = np.moveaxis(after, dag.nodes.index(effect), 0)[1].sum()
                assert group.answer == pytest.approx(float(truth), abs=1e-12)
        assert answers.least <= answers.greatest


def test_that_the_joint_distribution_fits_every_member():
    dag = DrawnDag(("A", "B", "C"), (("A", "B"), ("B", "C")))
    joint = joint_of(dag)
    for member in list_members(dag).members:
        product_of_tables = np.ones_like(joint)
        for i, name in enumerate(member.nodes):
            kept = {i, *(member.nodes.index(parent) for parent, child in member.edges if child == name)}
            family = joint.sum(axis=tuple(axis for axis in range(3) if axis not in kept), keepdims=True)
            product_of_tables = product_of_tables * family / family.sum(axis=i, keepdims=True)
        assert product_of_tables == pytest.approx(joint)


def test_that_what_cannot_be_done_is_refused_with_a_sentence():
    dag = DrawnDag(("A", "B"), (("A", "B"),))
    with pytest.raises(GraphError, match="no arrow B --> A"):
        turn_arrow(dag, ("B", "A"))
    with pytest.raises(GraphError, match="at most 12 variables"):
        joint_of(DrawnDag(tuple(f"V{i}" for i in range(13))))
    assert find_witness(dag, DrawnDag(("A", "B"), (("B", "A"),))) is None


def test_what_is_said_of_a_class_a_reversed_arrow_and_the_answers():
    chain = DrawnDag(("A", "B", "C"), (("A", "B"), ("B", "C")))
    members = list_members(chain)
    assert members_sentence(members, has_hidden=False) == "3 DAGs have these conditional independences."
    assert arrow_sentence(("A", "B"), members) == "A --> B in 1 and B --> A in 2 of the 3 DAGs."
    assert "No test of conditional independence can detect this" in turn_sentence(turn_arrow(chain, ("A", "B")))
    told = turn_sentence(turn_arrow(chain, ("B", "C")))
    assert told.endswith("A test can detect this: A and C were dependent, and are independent now.")
    collider = DrawnDag(("A", "B", "C"), (("A", "B"), ("C", "B")))
    assert arrow_sentence(("A", "B"), list_members(collider)) == "A --> B: every DAG of the class has this arrow."
    assert "every arrow is determined" in members_sentence(list_members(collider), has_hidden=False)
    triangle = DrawnDag(("A", "B", "C"), (("A", "B"), ("B", "C"), ("A", "C")))
    assert "directed cycle" in turn_sentence(turn_arrow(triangle, ("A", "C")))
    hidden = DrawnDag(("A", "B", "H"), (("A", "H"), ("B", "H")), frozenset("H"))
    assert turn_arrow(hidden, ("A", "H")).outcome == TurnOutcome.TESTABLE
    answers = ask_members(joint_of(chain), members, cause="A", effect="C")
    assert "depending on the DAG" in do_sentence(answers)
    assert {group_label(group, "A") for group in answers.groups} == {"1 DAG: no arrow into A", "2 DAGs: B --> A"}
