"""DAGs in DoWhy and PAGs in pywhy-graphs, with those libraries."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from support.builders import mixed

import latconf_core as latconf
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.sampling import sample
from latconf_core.errors import GraphError
from latconf_core.graph.mixed import MixedGraph

EVERY_EDGE = ("A o-> B", "B <-> C", "C --> D", "D o-o E", "E <-- A")


def confounded_network() -> BayesNet:
    """z acts on x and y, x on y; u, which may be hidden, acts on x and w."""
    two = ("0", "1")

    def table(name: str, parents: tuple[str, ...], shares: list[float]) -> Cpt:
        ones = np.array(shares).reshape((2,) * len(parents))
        return Cpt(name, two, parents, np.stack([1 - ones, ones], axis=-1))

    return BayesNet(
        [
            table("z", (), [0.4]),
            table("u", (), [0.5]),
            table("x", ("z", "u"), [0.2, 0.5, 0.5, 0.8]),
            table("w", ("u",), [0.2, 0.8]),
            table("y", ("z", "x"), [0.1, 0.4, 0.4, 0.9]),
        ]
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_that_dowhy_estimates_on_a_handed_over_dag_what_latconf_does() -> None:
    from dowhy import CausalModel

    drawn = sample(confounded_network(), 4000, rng=np.random.default_rng(0), hide=["u"])
    dag = drawn.truth
    assert [latent.children for latent in dag.latents] == [("x", "w")]
    frame = drawn.dataset.to_pandas().apply(lambda column: column.cat.codes.astype(int))
    model = CausalModel(frame, "x", "y", graph=latconf.to_dowhy(dag))
    estimand = model.identify_effect(proceed_when_unidentifiable=False)
    assert estimand.get_backdoor_variables() == ["z"]
    theirs = model.estimate_effect(estimand, method_name="backdoor.propensity_score_stratification").value
    truth = latconf.effect(confounded_network(), "x=1,0", "y=1", draws=0).in_dag
    by_hand = sum((frame.z == z).mean() * (mean_of_y(frame, 1, z) - mean_of_y(frame, 0, z)) for z in (0, 1))
    assert theirs == pytest.approx(by_hand, abs=0.02)  # strata of an estimated propensity, which has two values here
    assert theirs == pytest.approx(truth.difference, abs=0.06)  # three standard errors


def mean_of_y(frame: pd.DataFrame, x: int, z: int) -> float:
    return float(frame.y[(frame.x == x) & (frame.z == z)].mean())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_that_dowhy_does_not_identify_what_a_hidden_cause_confounds() -> None:
    from dowhy import CausalModel

    dag = LatentDag(("x", "y"), [("x", "y")], [Latent("L1", 2, ("x", "y"))])
    rng = np.random.default_rng(1)
    frame = latconf.Dataset("xy", [("0", "1")] * 2, rng.integers(2, size=(200, 2))).to_pandas()
    numbers = frame.apply(lambda column: column.cat.codes.astype(int))
    model = CausalModel(numbers, "x", "y", graph=latconf.to_dowhy(dag))
    estimand = model.identify_effect(proceed_when_unidentifiable=False)
    assert not estimand.get_backdoor_variables()
    assert estimand.estimands["backdoor"] is None


def test_that_hidden_causes_are_the_nodes_that_are_not_observed() -> None:
    graph = latconf.to_dowhy(LatentDag("AB", [("A", "B")], [Latent("L1", 2, ("A", "B"))]))
    assert dict(graph.nodes(data="observed")) == {"A": "yes", "B": "yes", "L1": "no"}
    assert set(graph.edges) == {("A", "B"), ("L1", "A"), ("L1", "B")}


def test_that_pags_go_to_pywhy_graphs_and_come_back() -> None:
    pytest.importorskip("pywhy_graphs", reason="pywhy-graphs 0.1 asks for a numpy below 2")
    graph = mixed(*EVERY_EDGE)
    theirs = latconf.to_pywhy_graphs(graph)
    edges = {kind: {tuple(map(str, edge)) for edge in value} for kind, value in theirs.edges().items()}
    assert edges["directed"] == {("A", "B"), ("C", "D"), ("A", "E")}
    assert edges["circle"] == {("B", "A"), ("D", "E"), ("E", "D")}
    assert {frozenset(edge) for edge in edges["bidirected"]} == {frozenset("BC")}
    assert latconf.from_pywhy_graphs(theirs) == graph


def stand_in(**edges: list[tuple[str, str]]) -> SimpleNamespace:
    """What is read of a PAG of pywhy-graphs."""
    kinds = ("directed", "circle", "bidirected", "undirected")
    names = {f"{kind}_edge_name": kind for kind in kinds}
    return SimpleNamespace(nodes=list("ABC"), edges=lambda: {kind: edges.get(kind, []) for kind in kinds}, **names)


def test_that_each_mark_is_read_from_the_edges_into_its_end() -> None:
    graph = stand_in(directed=[("A", "B")], circle=[("B", "A"), ("B", "C")])
    assert {str(edge) for edge in latconf.from_pywhy_graphs(graph).edges()} == {"A o-> B", "B --o C"}
    with pytest.raises(GraphError, match="joined by several edges"):
        latconf.from_pywhy_graphs(stand_in(directed=[("A", "B")], bidirected=[("A", "B")]))


def test_that_a_package_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pywhy_graphs", None)
    with pytest.raises(GraphError, match="pip install pywhy-graphs"):
        latconf.to_pywhy_graphs(MixedGraph("AB", np.zeros((2, 2), dtype=np.uint8)))
