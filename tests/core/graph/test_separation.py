from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from support.ancestral_truth import Truth, canonical_dag, every_query, random_latent_dag
from support.builders import mixed

from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.errors import GraphError
from latconf_core.graph.separation import explain_m_separation, is_m_separated


def test_that_m_separation_is_d_separation_in_the_canonical_dag() -> None:
    rng = np.random.default_rng(1)
    n_queries = n_separated = 0
    for _ in range(50):
        mag = mag_of_dag(random_latent_dag(rng, int(rng.integers(4, 7)), int(rng.integers(0, 4)), 0.35))
        dag = canonical_dag(mag)
        for x, y, given in every_query(mag.nodes):
            expected = nx.is_d_separator(dag, {x}, {y}, set(given))
            assert is_m_separated(mag, x, y, given) == expected
            n_queries += 1
            n_separated += expected
    assert n_queries > 4000
    assert 0.1 < n_separated / n_queries < 0.9


def test_that_explanations_agree_with_the_verdict_and_with_augmented_graphs() -> None:
    rng = np.random.default_rng(2)
    for _ in range(40):
        mag = mag_of_dag(random_latent_dag(rng, 5, int(rng.integers(0, 4)), 0.4))
        truth = Truth(mag)
        for x, y, given in every_query(mag.nodes):
            verdict = explain_m_separation(mag, x, y, given)
            z = sum(1 << mag.index[name] for name in given)
            assert verdict.is_separated == truth.is_separated(mag.index[x], mag.index[y], z)
            assert bool(verdict.open_paths) != verdict.is_separated
            assert not verdict.truncated


def test_that_every_blocked_path_names_the_node_that_blocks_it() -> None:
    graph = mixed("A --> B", "B --> C", "A --> D", "C --> D", "D --> E")
    verdict = explain_m_separation(graph, "A", "C", ["B"])
    assert verdict.is_separated
    assert [(path.nodes, path.blocked_by) for path in verdict.blocked_paths] == [
        (("A", "B", "C"), "B"),
        (("A", "D", "C"), "D"),
    ]
    assert verdict.blocked_paths[0].reason == "B is given and is not a collider"
    assert verdict.blocked_paths[1].reason == "D is a collider, and neither it nor a descendant of it is given"


def test_that_a_given_descendant_opens_a_collider_and_is_named() -> None:
    verdict = explain_m_separation(mixed("A --> B", "C --> B", "B --> D"), "A", "C", ["D"])
    assert [(path.nodes, path.reason) for path in verdict.open_paths] == [
        (("A", "B", "C"), "B is a collider whose descendant D is given")
    ]


def test_that_an_open_path_is_shown_even_where_only_one_path_fits() -> None:
    # The short paths are all blocked; the one open path is the longest.
    graph = mixed("X --> C1", "Y --> C1", "X --> C2", "Y --> C2", "X --> P", "P --> Q", "Q --> R", "R --> Y")
    verdict = explain_m_separation(graph, "X", "Y", [], max_paths=1)
    assert not verdict.is_separated
    assert [path.nodes for path in verdict.open_paths] == [("X", "P", "Q", "R", "Y")]
    assert verdict.truncated


def test_that_many_paths_are_cut_and_said_to_be() -> None:
    names = [f"N{i:02}" for i in range(14)]
    dense = mixed(*(f"{a} --> {b}" for i, b in enumerate(names) for a in names[:i]))
    verdict = explain_m_separation(dense, names[0], names[-1], names[1:-1], max_paths=20)
    assert verdict.truncated
    assert len(verdict.open_paths) + len(verdict.blocked_paths) == 20


@pytest.mark.parametrize(
    ("x", "y", "given", "problem"),
    [
        ("A", "Z", (), "'Z' is not a node"),
        ("A", "A", (), "two different nodes"),
        ("A", "B", ("B",), "which is an end"),
    ],
)
def test_that_a_query_that_makes_no_sense_is_refused(x: str, y: str, given: tuple[str, ...], problem: str) -> None:
    with pytest.raises(GraphError, match=problem):
        is_m_separated(mixed("A --> B"), x, y, given)


def test_that_circles_are_refused() -> None:
    with pytest.raises(GraphError, match="A o-> B is neither directed nor bidirected"):
        is_m_separated(mixed("A o-> B"), "A", "B")
