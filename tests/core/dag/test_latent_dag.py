"""LatentDag: canonical order, refusals, keys, and networkx there and back."""

from __future__ import annotations

import itertools
import pickle

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latconf_core.dag.latent_dag import Latent, LatentDag, latent_names
from latconf_core.errors import GraphError

NODES = ("A", "B", "C", "D")


@st.composite
def dags(draw: st.DrawFn) -> LatentDag:
    order = draw(st.permutations(NODES))
    edges = [pair for pair in itertools.combinations(order, 2) if draw(st.booleans())]
    children = draw(st.lists(st.sets(st.sampled_from(NODES), min_size=2, max_size=3), max_size=3))
    latents = [Latent(f"L{i}", draw(st.integers(2, 4)), tuple(child)) for i, child in enumerate(children, start=1)]
    return LatentDag(NODES, edges, latents)


def test_that_the_order_of_edges_latents_and_children_does_not_matter() -> None:
    latent_dag = LatentDag(
        NODES, [("A", "B"), ("C", "D"), ("A", "D")], [Latent("L1", 2, ("B", "C")), Latent("L2", 3, ("A", "C"))]
    )
    other = LatentDag(
        NODES, [("A", "D"), ("C", "D"), ("A", "B")], [Latent("L2", 3, ("C", "A")), Latent("L1", 2, ("C", "B"))]
    )
    assert latent_dag == other
    assert hash(latent_dag) == hash(other)
    assert latent_dag.edges == (("A", "B"), ("A", "D"), ("C", "D"))
    assert [latent.children for latent in latent_dag.latents] == [("A", "C"), ("B", "C")]


@given(dags())
def test_that_a_dag_survives_pickling_and_networkx(dag: LatentDag) -> None:
    assert pickle.loads(pickle.dumps(dag)) == dag
    graph = dag.to_networkx()
    assert nx.is_directed_acyclic_graph(graph)
    assert LatentDag.from_networkx(graph) == dag
    assert sorted(dag.all_edges()) == sorted(graph.edges)


@given(dags())
def test_that_parents_come_before_children(dag: LatentDag) -> None:
    position_of = {name: i for i, name in enumerate(dag.topological_order)}
    assert set(position_of) == {*NODES, *(latent.name for latent in dag.latents)}
    assert all(position_of[parent] < position_of[child] for parent, child in dag.all_edges())
    for name, parents in dag.parents_with_latents.items():
        assert set(parents) == set(dag.to_networkx().predecessors(name))


@given(dags())
def test_that_the_key_forgets_only_the_names_of_latents(dag: LatentDag) -> None:
    renamed = LatentDag(
        NODES,
        dag.edges,
        [Latent(f"Z{latent.name}", latent.n_states, latent.children) for latent in reversed(dag.latents)],
    )
    assert renamed.key == dag.key
    if dag.latents:
        assert dag.with_states(dag.latents[0].name, 9).key != dag.key
        assert dag.without_latents().key != dag.key
    assert hash(dag.key) == hash(renamed.key)


def test_that_a_latent_may_have_a_latent_parent() -> None:
    dag = LatentDag(NODES, [], [Latent("L1", 2, ("A", "B"), "L2"), Latent("L2", 2, ("L1", "C"))])
    assert dag.parents_with_latents["L1"] == ("L2",)
    assert dag.parents_with_latents["C"] == ("L2",)
    assert dag.topological_order.index("L2") < dag.topological_order.index("L1")
    assert LatentDag.from_networkx(dag.to_networkx()) == dag


def test_that_both_spellings_of_an_arc_between_latents_are_one_dag() -> None:
    listed = [Latent("U", 2, ("A", "V")), Latent("V", 3, ("B", "C"))]
    named = [Latent("U", 2, ("A", "D")), Latent("V", 3, ("B", "C"), "U")]
    both = [Latent("U", 2, ("A", "V")), Latent("V", 3, ("B", "C"), "U")]
    assert LatentDag(NODES, [], listed) == LatentDag(NODES, [], both)
    assert LatentDag(NODES, [], listed).key == LatentDag(NODES, [], both).key
    of_names = LatentDag(NODES, [], named)
    assert {latent.name: (latent.children, latent.parent) for latent in of_names.latents} == {
        "U": (("A", "D", "V"), None),
        "V": (("B", "C"), "U"),
    }
    assert of_names == LatentDag(NODES, [], [Latent("U", 2, ("A", "D", "V")), Latent("V", 3, ("B", "C"))])


@pytest.mark.parametrize(
    "latents",
    [
        [Latent("U", 2, ("A", "V")), Latent("W", 2, ("B", "V")), Latent("V", 2, ("C", "D"))],
        [Latent("U", 2, ("A", "V")), Latent("W", 2, ("A", "B")), Latent("V", 2, ("C", "D"), "W")],
        [Latent("U", 2, ("A", "V")), Latent("V", 2, ("C", "D"), "B")],
    ],
)
def test_that_a_latent_given_two_parents_is_refused_by_name(latents: list[Latent]) -> None:
    for order in itertools.permutations(latents):
        with pytest.raises(GraphError, match=r"'V' has two parents.*one parent at most"):
            LatentDag(NODES, [], order)


def test_that_the_key_tells_latents_apart_by_what_stands_above_their_parents() -> None:
    def towers(names: str) -> LatentDag:
        top, left, right, low_left, low_right = names
        latents = [
            Latent(low_left, 2, ("A", "B"), left),
            Latent(low_right, 2, ("A", "B"), right),
            Latent(left, 2, ("C", low_left), top),
            Latent(right, 2, ("C", low_right), "D"),
            Latent(top, 2, ("C", left)),
        ]
        return LatentDag(NODES, [], latents)

    assert len({towers("".join(names)).key for names in itertools.permutations("VWXYZ")}) == 1


def forest(names: str) -> LatentDag:
    """A root latent over two latents with the same number of states, each over two observed."""
    root, left, right = names
    return LatentDag(
        NODES,
        [],
        [Latent(left, 2, ("A", "B"), root), Latent(right, 2, ("C", "D"), root), Latent(root, 2, (left, right))],
    )


def test_that_the_key_of_a_latent_forest_forgets_names_too() -> None:
    keys = {forest("".join(names)).key for names in itertools.permutations("XYZ")}
    assert len(keys) == 1


@pytest.mark.parametrize(
    ("edges", "latents", "words"),
    [
        ([("A", "B"), ("B", "A")], [], "directed cycle: "),
        ([("A", "A")], [], "its own parent"),
        ([("A", "Z")], [], "'Z', which is not a variable"),
        ([], [Latent("L", 2, ("A", "Z"))], "'Z', which is not a variable"),
        ([], [Latent("L", 2, ("A", "B"), "Z")], "'Z', which is not a variable"),
        ([], [Latent("A", 2, ("B", "C"))], "the name of an observed variable"),
        ([], [Latent("L", 2, ("A", "B")), Latent("L", 2, ("C", "D"))], "two latents are named 'L'"),
        ([("A", "B"), ("B", "C"), ("C", "A")], [], "directed cycle: "),
        ([], [Latent("L1", 2, ("L2", "A"), "L2"), Latent("L2", 2, ("L1", "B"))], "directed cycle: "),
    ],
)
def test_that_a_broken_dag_is_refused_with_the_name(
    edges: list[tuple[str, str]], latents: list[Latent], words: str
) -> None:
    with pytest.raises(GraphError, match=words):
        LatentDag(NODES, edges, latents)


def test_that_a_cycle_is_written_along_its_arrows() -> None:
    with pytest.raises(GraphError) as caught:
        LatentDag(NODES, [("A", "B"), ("B", "C"), ("C", "A")])
    path = str(caught.value).split(": ")[1].split(" --> ")
    assert all(pair in {("A", "B"), ("B", "C"), ("C", "A")} for pair in itertools.pairwise(path))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("L", 2, ("A",)), "at least two"),
        (("L", 2, ()), "at least two"),
        (("L", 1, ("A", "B")), "needs at least two"),
        (("L", 2, ("A", "A")), "a child twice"),
    ],
)
def test_that_a_poor_latent_is_refused(arguments: tuple[str, int, tuple[str, ...]], words: str) -> None:
    with pytest.raises(GraphError, match=words):
        Latent(*arguments)


def test_that_two_observed_nodes_need_two_names() -> None:
    with pytest.raises(GraphError, match="'A'"):
        LatentDag(["A", "A"])


def test_that_states_of_an_unknown_latent_cannot_be_set() -> None:
    with pytest.raises(GraphError, match="no latent 'L7'"):
        LatentDag(NODES).with_states("L7", 3)


def test_that_a_latent_with_two_parents_is_refused() -> None:
    graph = nx.DiGraph([("A", "L"), ("B", "L"), ("L", "C"), ("L", "D")])
    graph.nodes["L"]["latent"] = True
    with pytest.raises(GraphError, match="2 parents"):
        LatentDag.from_networkx(graph)


def test_that_new_names_avoid_those_taken() -> None:
    assert latent_names(3, ["L2", "A"]) == ["L1", "L3", "L4"]


def test_that_latents_are_called_otherwise_also_where_they_are_children_and_parents() -> None:
    dag = LatentDag("ABC", [("A", "B")], [Latent("L1", 2, ("A", "L2")), Latent("L2", 3, ("B", "C"), parent="L1")])
    named = dag.with_latent_names({"L2": "Genes", "L9": "nobody"})
    assert named.key == dag.key
    assert {latent.name: (latent.children, latent.parent) for latent in named.latents} == {
        "L1": (("A", "Genes"), None),
        "Genes": (("B", "C"), "L1"),
    }
