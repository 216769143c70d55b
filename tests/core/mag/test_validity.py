from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from support.ancestral_truth import Truth, markov_classes, random_marks
from support.builders import mixed

from latconf_core.control import RunControl, StopRequested
from latconf_core.errors import GraphError
from latconf_core.graph.bits import BitGraph
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.validity import are_equivalent, as_mag, is_ancestral, is_mag, why_not_mag

DIRECTED_OR_BIDIRECTED = [(2, 3), (3, 2), (2, 2)]


def test_that_a_graph_is_called_a_mag_exactly_when_it_is_ancestral_and_every_gap_can_be_separated() -> None:
    rng = np.random.default_rng(1)
    n_mags = n_not_maximal = 0
    for _ in range(2500):
        graph = random_marks(rng, int(rng.integers(3, 7)), float(rng.uniform(0.3, 0.8)), DIRECTED_OR_BIDIRECTED)
        truth = Truth(graph)
        expected = truth.is_mag
        assert is_mag(graph) == is_mag(BitGraph.from_graph(graph)) == expected
        assert (why_not_mag(graph) is None) == expected
        assert is_ancestral(graph) == truth.is_ancestral
        n_mags += expected
        n_not_maximal += truth.is_ancestral and not expected
    assert n_mags > 300
    assert n_not_maximal > 3


@pytest.mark.parametrize(
    ("graph", "sentence", "nodes"),
    [
        (mixed("A --> B", "B --> C", "C --> A"), "directed cycle A --> B --> C --> A", {"A", "B", "C"}),
        (mixed("A --> B", "B --> C", "A <-> C"), "A <-> C, although A is an ancestor of C", {"A", "B", "C"}),
        (mixed("A <-> C", "C <-> D", "B <-> D", "C --> B", "D --> A"), "no set of nodes separates them", {"A", "B"}),
        (mixed("A o-> B"), "A o-> B is neither directed nor bidirected", {"A", "B"}),
        (mixed("A --- B"), "A --- B is neither directed nor bidirected", {"A", "B"}),
        (mixed("A --> B", "B --> C", "C --> D", "B <-> D"), "B <-> D, although B is an ancestor of D", {"B", "C", "D"}),
    ],
)
def test_that_the_reason_names_the_nodes_it_is_about(graph: MixedGraph, sentence: str, nodes: set[str]) -> None:
    reason = why_not_mag(graph)
    assert reason is not None
    assert sentence in reason.sentence
    assert set(reason.nodes) == nodes
    with pytest.raises(GraphError, match="not a MAG"):
        as_mag(graph)


def test_that_a_mag_passes_as_itself() -> None:
    graph = mixed("A --> C", "C <-> D", "B --> D")
    assert as_mag(graph) is graph


def test_that_mags_are_equivalent_exactly_when_their_separations_are_equal() -> None:
    # A skeleton with discriminating paths: five nodes, seven edges.
    pairs = [("A", "B"), ("A", "C"), ("B", "C"), ("B", "D"), ("C", "D"), ("B", "E"), ("D", "E")]
    classes = markov_classes("ABCDE", pairs)
    assert len(classes) > 20
    for one, other in itertools.product(classes, repeat=2):
        assert are_equivalent(one[0], other[-1]) == (one is other)


def test_that_the_order_of_the_nodes_does_not_matter_to_equivalence() -> None:
    first, second = mixed("A --> B", "B --> C"), mixed("B --> A", "B --> C", nodes="CBA")
    assert are_equivalent(first, second)
    assert not are_equivalent(mixed("A --> B", "C --> B"), second)


def test_that_graphs_on_other_nodes_cannot_be_compared() -> None:
    with pytest.raises(GraphError, match="different nodes"):
        are_equivalent(mixed("A --> B"), mixed("A --> C"))


def test_that_a_discriminating_path_tells_two_classes_apart() -> None:
    # Same skeleton, same unshielded colliders: only B's status on <D, A, B, C> differs.
    collider = mixed("D --> A", "A <-> B", "A --> C", "B <-> C")
    other = mixed("D --> A", "A <-> B", "A --> C", "B --> C")
    assert is_mag(collider)
    assert is_mag(other)
    assert not are_equivalent(collider, other)


@pytest.mark.parametrize("ask", [is_mag, why_not_mag])
def test_that_a_stop_request_is_heard_while_pairs_that_nothing_separates_are_looked_for(
    ask: Callable[..., object],
) -> None:
    graph = mixed("A <-> C", "C <-> D", "B <-> D", "C --> B", "D --> A")
    with pytest.raises(StopRequested):
        ask(graph, control=RunControl(lambda: True))
