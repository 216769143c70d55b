from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest
from support.ancestral_truth import every_query, random_latent_dag
from support.builders import mixed
from support.path_truth import PathTruth, separating_sets_by_trying

from latconf_core.dag.latent_projection import graph_of_dag, mag_of_dag
from latconf_core.errors import GraphError
from latconf_core.graph.separation import Verdict
from latconf_core.pag.validity import pag_of_mag
from latconf_core.teaching.separation.separating_sets import smallest_separating_sets, variables_that_open
from latconf_core.teaching.separation.separation_graph import GraphKind, SeparationGraph

N_GRAPHS = 1000
N_QUERIES = 12  # of each graph


def graphs() -> Iterator[tuple[SeparationGraph, nx.DiGraph]]:
    """Small random graphs of the three kinds, each with the DAG that has the same separations."""
    rng = np.random.default_rng(17)
    for k in range(N_GRAPHS):
        dag = random_latent_dag(rng, int(rng.integers(4, 7)), int(rng.integers(0, 4)), float(rng.uniform(0.2, 0.5)))
        kind = list(GraphKind)[k % 3]
        mag = mag_of_dag(dag)
        if kind == GraphKind.DAG:
            asked = SeparationGraph.of_dag(graph_of_dag(dag), [latent.name for latent in dag.latents])
        elif kind == GraphKind.MAG:
            asked = SeparationGraph.of_mag(mag)
        else:
            asked = SeparationGraph.of_pag(pag_of_mag(mag))
        yield asked, dag.to_networkx()


def check_paths(verdict: Verdict, truth: PathTruth) -> None:
    judged = truth.judged(verdict.first, verdict.second, verdict.given)
    assert {path.nodes for path in verdict.open_paths} == {path for path, blocking in judged if not blocking}
    blocked = {path.nodes: (path.blocked_by, path.reason) for path in verdict.blocked_paths}
    assert blocked == {path: blocking[0] for path, blocking in judged if blocking}
    assert len(verdict.open_paths) + len(verdict.blocked_paths) == len(judged)


@pytest.mark.slow
def test_that_verdicts_paths_and_reasons_agree_with_every_path_and_with_d_separation() -> None:
    rng = np.random.default_rng(18)
    n_separated = n_queries = 0
    kinds = set()
    for asked, dag in graphs():
        truth = PathTruth(asked.graph)
        queries = list(every_query(asked.observed))
        for i in rng.permutation(len(queries))[:N_QUERIES].tolist():
            x, y, given = queries[i]
            verdict = asked.explain(x, y, given, max_paths=10_000)
            assert verdict.is_separated == nx.is_d_separator(dag, {x}, {y}, set(given))
            assert verdict.is_separated == (not verdict.open_paths)
            assert not verdict.truncated
            check_paths(verdict, truth)
            n_separated += verdict.is_separated
            n_queries += 1
        kinds.add(asked.kind)
    assert kinds == set(GraphKind)
    assert 0.1 < n_separated / n_queries < 0.9


@pytest.mark.slow
def test_that_smallest_separating_sets_are_those_found_by_trying_every_set() -> None:
    rng = np.random.default_rng(19)
    sizes = set()
    for asked, dag in graphs():
        for _ in range(3):
            x, y = rng.choice(asked.observed, size=2, replace=False).tolist()
            expected = separating_sets_by_trying(dag, asked.observed, x, y)
            separating_sets = smallest_separating_sets(asked, x, y)
            assert sorted(map(sorted, separating_sets)) == sorted(map(sorted, expected))
            sizes.add(len(separating_sets[0]) if separating_sets else None)
    assert sizes >= {None, 0, 1, 2, 3}


def test_that_a_variable_opens_a_path_exactly_where_adding_it_connects_the_two() -> None:
    n_opening = 0
    for k, (asked, dag) in enumerate(graphs()):
        if k == 60:
            break
        for x, y, given in every_query(asked.observed):
            if not nx.is_d_separator(dag, {x}, {y}, set(given)):
                continue
            rest = [name for name in asked.observed if name not in (x, y, *given)]
            expected = [name for name in rest if not nx.is_d_separator(dag, {x}, {y}, {*given, name})]
            assert variables_that_open(asked, x, y, given) == expected
            n_opening += len(expected)
    assert n_opening > 200


def test_that_nothing_opens_a_path_where_one_is_open() -> None:
    asked = SeparationGraph.of_mag(mixed("A --> B", "B --> C", "A --> D", "C --> D"))
    assert variables_that_open(asked, "A", "C") == []
    assert variables_that_open(asked, "A", "C", ["B"]) == ["D"]


def test_that_only_paths_of_definite_status_count_on_a_pag() -> None:
    asked = SeparationGraph.of_pag(mixed("A o-o B", "B o-o C", "A o-o C", "C o-o D"))
    verdict = asked.explain("A", "D", ["C"])
    assert verdict.is_separated
    assert [path.nodes for path in verdict.blocked_paths] == [("A", "C", "D")]  # B is undecided on A – B – C – D


def test_that_a_graph_that_is_no_pag_gets_no_verdict_but_the_reason() -> None:
    asked = SeparationGraph.of_pag(mixed("A --> B", "B o-o C"))
    assert asked.problem.startswith("This graph is not a valid PAG: ")
    with pytest.raises(GraphError, match="not a valid PAG"):
        asked.explain("A", "C")
    with pytest.raises(GraphError, match="not a valid PAG"):
        smallest_separating_sets(asked, "A", "C")


def test_that_a_graph_that_is_no_mag_gets_no_verdict_but_the_reason() -> None:
    asked = SeparationGraph.of_mag(mixed("A --> B", "B --> C", "A <-> C"))
    assert asked.problem.startswith("This graph is not a MAG: ")
    with pytest.raises(GraphError, match="not a MAG"):
        asked.explain("A", "C")


@pytest.mark.parametrize("edges", [("A --> B", "B --> C", "C --> A"), ("A <-> B",)])
def test_that_a_graph_that_is_no_dag_gets_no_verdict_but_the_reason(edges: tuple[str, ...]) -> None:
    asked = SeparationGraph.of_dag(mixed(*edges))
    assert asked.problem.startswith("This is not a DAG: ")
    with pytest.raises(GraphError, match="not a DAG"):
        asked.explain("A", "B")


def test_that_a_hidden_variable_lies_on_paths_but_cannot_be_held_fixed() -> None:
    asked = SeparationGraph.of_dag(mixed("H --> A", "H --> B"), ["H"])
    assert [path.nodes for path in asked.explain("A", "B").open_paths] == [("A", "H", "B")]
    assert smallest_separating_sets(asked, "A", "B") == ()
    with pytest.raises(GraphError, match="'H' is hidden, so it can be neither"):
        asked.explain("A", "B", ["H"])


def test_that_open_paths_come_before_blocked_ones_and_a_cut_is_said() -> None:
    names = [f"N{i}" for i in range(9)]
    asked = SeparationGraph.of_mag(mixed(*(f"{a} --> {b}" for i, b in enumerate(names) for a in names[:i])))
    cut = asked.explain("N0", "N8", max_paths=40)
    assert len(cut.open_paths) == 40
    assert cut.blocked_paths == ()
    assert cut.truncated
    assert cut.open_truncated
    whole = asked.explain("N0", "N8", max_paths=20_000)
    assert whole.open_paths[:40] == cut.open_paths
    assert not whole.truncated
