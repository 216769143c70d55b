from __future__ import annotations

import numpy as np
import pytest
from support.ancestral_truth import random_latent_dag
from support.builders import mixed

from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.listing import enumerate_mags
from latconf_core.pag import standing
from latconf_core.pag.standing import Kind, count_remaining, find_standing
from latconf_core.pag.validity import check_pag, pag_of_mag

CHAIN = mixed("A o-o B", "B o-o C")


@pytest.mark.parametrize(
    ("graph", "kind"),
    [
        (CHAIN, Kind.PAG),
        (mixed("A o-> B", "B <-o C"), Kind.PAG),
        (mixed("A o-> B", "B o-o C"), Kind.PAG_WITH_KNOWLEDGE),
        (mixed("B o-o A", "A <-o C", nodes=list("ABC")), Kind.PAG_WITH_KNOWLEDGE),  # whatever the order of nodes
        (mixed("A --> B", "B o-o C"), Kind.PAG_WITH_KNOWLEDGE),
        (mixed("A --> B", "B --> C"), Kind.MAG),
        (mixed("A --> B", "B <-> C"), Kind.MAG),
        (mixed("A --> B", "B --> C", "A <-> C"), Kind.OTHER),
        (mixed("A --- B", "B o-o C"), Kind.OTHER),
        (mixed("A --o B", "B o-o C"), Kind.OTHER),
        (mixed("A o-> B", "B <-o C", "B o-o D"), Kind.OTHER),  # B --> D follows, so its circles are no knowledge
    ],
    ids=str,
)
def test_that_a_graph_is_called_what_it_is(graph: MixedGraph, kind: Kind) -> None:
    found = find_standing(graph)
    assert found.kind == kind
    assert found.check == check_pag(graph)


def test_that_the_pag_below_a_mag_or_knowledge_is_found() -> None:
    assert find_standing(mixed("A o-> B", "B o-o C")).pag == CHAIN
    assert find_standing(mixed("A --> B", "B --> C")).pag == CHAIN


def test_that_an_arrowhead_leaves_two_of_the_five_mags_of_a_chain() -> None:
    # A → B → C, A ← B → C, A ← B ← C, A ↔ B → C, A ← B ↔ C; an arrowhead at B on A's edge leaves the first and fourth
    assert count_remaining(mixed("A o-> B", "B o-o C"), CHAIN) == (2, 5)
    assert count_remaining(mixed("A --> B", "B --> C"), CHAIN) == (1, 5)


def test_that_every_arrowhead_that_leaves_a_mag_is_knowledge() -> None:
    rng = np.random.default_rng(4)
    n_knowledge = 0
    for _ in range(80):
        pag = pag_of_mag(mag_of_dag(random_latent_dag(rng, 5, 1, 0.5)))
        circles = np.argwhere(pag.marks == Mark.CIRCLE).tolist()
        if not circles:
            continue
        a, b = circles[rng.integers(len(circles))]
        names = pag.nodes
        mark_there = Mark(int(pag.marks[b, a]))
        graph = pag.with_edge(Edge(names[a], names[b], mark_there, Mark.ARROW))
        if check_pag(graph).valid:  # it is the PAG of another class
            continue
        remaining = [mag for mag in enumerate_mags(pag, is_valid=True) if not mag.parents[a] >> b & 1]
        if not remaining:
            continue
        found = find_standing(graph)
        assert (found.kind in (Kind.PAG_WITH_KNOWLEDGE, Kind.MAG), found.pag) == (True, pag)
        assert count_remaining(graph, pag) == (len(remaining), sum(1 for _ in enumerate_mags(pag)))
        n_knowledge += 1
    assert n_knowledge > 10


def test_that_more_mags_than_the_limit_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "MAX_COUNTED", 4)
    assert count_remaining(mixed("A o-> B", "B o-o C"), CHAIN) is None
