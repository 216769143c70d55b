from __future__ import annotations

import json

import pytest
from support.builders import mixed

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.separation.separation_graph import GraphKind
from latconf_core.teaching.separation.source_graph import SourceGraph

DAG = DrawnDag(("A", "B", "C", "H"), (("A", "B"), ("H", "B"), ("H", "C")), frozenset("H"), {"A": (1.0, 2.0)})
PAG = mixed("A o-> B", "C o-> B")


@pytest.mark.parametrize(
    "source", [SourceGraph.of_dag("a DAG", DAG), SourceGraph.of_pag("a PAG", PAG, {}), SourceGraph.of_pag("?", PAG, {})]
)
def test_that_a_source_goes_through_json_and_comes_back(source: SourceGraph) -> None:
    assert SourceGraph.from_json(json.loads(json.dumps(source.to_json()))) == source


def test_that_a_dag_can_be_asked_as_all_three_kinds_and_a_pag_as_one() -> None:
    source = SourceGraph.of_dag("a DAG", DAG)
    assert source.kinds == tuple(GraphKind)
    assert [source.asked(kind).kind for kind in GraphKind] == list(GraphKind)
    assert source.asked(GraphKind.DAG).hidden == {"H"}
    assert source.asked(GraphKind.MAG).graph == DAG.mag
    assert source.asked(GraphKind.PAG).graph == DAG.pag == source.pag
    alone = SourceGraph.of_pag("a PAG", PAG, {})
    assert alone.kinds == (GraphKind.PAG,)
    assert alone.asked(GraphKind.PAG).graph == PAG == alone.pag


def test_that_every_node_has_a_place() -> None:
    assert set(SourceGraph.of_dag("a DAG", DAG).positions) == set(DAG.nodes)
    spots = {"A": (0.0, 0.0), "B": (1.0, 1.0)}
    assert set(SourceGraph.of_pag("a PAG", PAG, spots).positions) == set("ABC")
    whole = {**spots, "C": (2.0, 2.0), "other": (9.0, 9.0)}
    assert SourceGraph.of_pag("a PAG", PAG, whole).positions == {**spots, "C": (2.0, 2.0)}
