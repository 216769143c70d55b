from __future__ import annotations

import numpy as np
import pytest
from support.ancestral_truth import markov_classes, pag_by_intersection, random_latent_dag, random_marks, skeletons
from support.builders import mixed

from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.listing import enumerate_mags
from latconf_core.pag.validity import check_pag, pag_of_mag, repair_pag

ANY_MARKS = [(1, 1), (1, 1), (1, 2), (2, 1), (2, 3), (3, 2), (2, 2), (1, 3), (3, 3)]


def check_classes(pairs: list[tuple[str, str]]) -> int:
    """Each class's PAG by brute force is the PAG of all its MAGs, is valid, and is not changed by repair."""
    nodes = [chr(ord("A") + i) for i in range(5)]
    classes = markov_classes(nodes, pairs)
    for mags in classes:
        pag = pag_by_intersection(mags)
        assert all(pag_of_mag(mag) == pag for mag in mags)
        assert check_pag(pag).valid
        assert repair_pag(pag).graph == pag
        assert repair_pag(pag).diff == ()
    return len(classes)


def test_that_the_pag_of_a_mag_has_the_marks_its_whole_class_shares() -> None:
    shapes = [pairs for pairs in skeletons(5) if len(pairs) in (4, 5)]
    assert sum(check_classes(pairs) for pairs in shapes[::2]) > 40


@pytest.mark.exhaustive
def test_that_the_pag_is_right_for_all_classes_on_five_nodes() -> None:
    assert sum(check_classes(pairs) for pairs in skeletons(5)) == 756


@pytest.mark.parametrize(
    ("mag", "pag"),
    [
        (mixed("W --> X", "Z --> X", "X --> Y"), mixed("W o-> X", "Z o-> X", "X --> Y")),
        (mixed("A --> C", "C <-> D", "B --> D"), mixed("A o-> C", "C <-> D", "B o-> D")),
        (mixed("D --> A", "A <-> B", "A --> C", "B <-> C"), mixed("D o-> A", "A <-> B", "A --> C", "B <-> C")),
        (mixed("D --> A", "A <-> B", "A --> C", "B --> C"), mixed("D o-> A", "A <-o B", "A --> C", "B --> C")),
        (mixed("A --> B", "B --> C", "A --> C"), mixed("A o-o B", "B o-o C", "A o-o C")),
    ],
)
def test_that_textbook_mags_have_the_published_pag(mag: MixedGraph, pag: MixedGraph) -> None:
    assert pag_of_mag(mag) == pag


def test_that_a_graph_is_valid_exactly_when_repair_leaves_it_and_repair_is_always_valid() -> None:
    rng = np.random.default_rng(1)
    n_valid = 0
    for _ in range(400):
        graph = random_marks(rng, int(rng.integers(3, 7)), float(rng.uniform(0.2, 0.7)), ANY_MARKS)
        check, repair = check_pag(graph), repair_pag(graph)
        assert check.valid == (not check.reasons) == (not repair.diff) == (repair.graph == graph)
        assert check_pag(repair.graph).valid
        assert repair_pag(repair.graph).graph == repair.graph
        n_valid += check.valid
    assert 10 < n_valid < 300


def test_that_random_mags_of_ten_nodes_have_valid_pags() -> None:
    rng = np.random.default_rng(2)
    for _ in range(30):
        pag = pag_of_mag(mag_of_dag(random_latent_dag(rng, 10, 3, 0.2)))
        assert check_pag(pag).valid
        assert repair_pag(pag).diff == ()


@pytest.mark.parametrize(
    ("graph", "sentence", "edges"),
    [
        (
            mixed("A o-o B", "B o-o C", "C o-o D", "A o-o D"),
            "without a chord",
            ["A o-o B", "A o-o D", "B o-o C", "C o-o D"],
        ),
        (mixed("A --> B", "B --> C", "A <-> C"), "A is an ancestor of C", ["A <-> C", "A --> B", "B --> C"]),
        (mixed("A --> B", "B --> C", "C --> A"), "directed cycle", ["A --> B", "B --> C", "C --> A"]),
        (mixed("A --> B"), "A --> B should be A o-o B", ["A --> B"]),
        (mixed("A o-> B", "B o-o C"), "A o-> B should be A o-o B", ["A o-> B"]),
        (mixed("A --- B", "B o-o C"), "A --- B implies selection bias", ["A --- B"]),
        (mixed("A --o B"), "A --o B implies selection bias", ["A --o B"]),
    ],
)
def test_that_the_reason_names_the_edges_it_is_about(graph: MixedGraph, sentence: str, edges: list[str]) -> None:
    check = check_pag(graph)
    assert not check.valid
    reason = next(reason for reason in check.reasons if sentence in reason.sentence)
    directed = [str(edge if str(edge) in edges else edge.reversed()) for edge in reason.edges]
    assert sorted(directed) == sorted(edges)


def test_that_every_mark_that_differs_is_a_reason() -> None:
    sentences = [reason.sentence for reason in check_pag(mixed("A --> B", "C <-> B", "B o-o D")).reasons]
    assert len(sentences) == 3
    assert sentences[0].startswith("A --> B should be A o-> B")


def test_that_a_reason_says_which_end_must_be_what() -> None:
    (reason,) = check_pag(mixed("A o-> B", "B <-o C", "B o-> D")).reasons
    end = "with the other marks as they are, the end at B must be a tail"
    assert reason.sentence == f"B o-> D should be B --> D: {end}"
    sentences = [reason.sentence for reason in check_pag(mixed("A o-> B", "B <-o C", "B o-o D")).reasons]
    assert sentences[0].endswith("as they are, the end at B must be a tail and the end at D must be an arrowhead")


def test_that_a_repair_lists_what_it_changed_and_nothing_else() -> None:
    # A <-> C although A is an ancestor of C: the bidirected edge cannot stay.
    graph = mixed("A --> B", "B --> C", "A <-> C", "C --> D", "B --> D")
    repair = repair_pag(graph)
    changed = {(before.first, before.second) for before, _ in repair.diff if before is not None}
    assert ("A", "C") in changed
    rebuilt = graph
    for before, after in repair.diff:
        assert before != after
        if after is not None:
            rebuilt = rebuilt.with_edge(after)
        elif before is not None:
            rebuilt = rebuilt.without_edge(before.first, before.second)
    assert rebuilt == repair.graph


def test_that_repair_adds_the_edge_that_a_graph_lacks_to_be_maximal() -> None:
    graph = mixed("A <-> C", "C <-> D", "B <-> D", "C --> B", "D --> A")
    added = [str(after) for before, after in repair_pag(graph).diff if before is None]
    assert len(added) == 1
    assert added[0].startswith("A ")
    assert added[0].endswith(" B")


def test_that_all_mags_listed_from_a_repaired_graph_have_its_pag() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        repaired = repair_pag(random_marks(rng, 5, 0.6, ANY_MARKS)).graph
        for mag in enumerate_mags(repaired, max_bidirected=2):
            assert pag_of_mag(mag) == repaired


def test_that_a_mark_that_cannot_be_is_said_with_what_must_stand_there() -> None:
    [reason] = check_pag(mixed("A o-> C", "B o-> C", "C o-o D")).reasons
    assert reason.sentence == (
        "C o-o D should be C --> D: with the other marks as they are, "
        "the end at C must be a tail and the end at D must be an arrowhead"
    )
