"""A drawn DAG is a value; what it says of the observed variables is what brute force over d-separation says."""

from __future__ import annotations

import json

import numpy as np
import pytest
from support.drawn_dag_truth import mag_by_definition, random_drawn_dag

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import GraphError
from latconf_core.teaching.drawn_dag import DrawnDag, places_on_circle


def test_that_a_drawing_survives_json() -> None:
    drawn = DrawnDag(("A", "H", "B"), (("H", "A"), ("H", "B")), frozenset({"H"}), {"A": (0, 1), "H": (2.5, 3)})
    again = DrawnDag.from_json(json.loads(json.dumps(drawn.to_json())))
    assert again == drawn
    assert hash(again) == hash(drawn)
    assert again.positions["H"] == (2.5, 3.0)


def test_that_a_hidden_variable_with_causes_still_gives_the_mag() -> None:
    drawn = DrawnDag(("A", "H", "B", "C"), (("A", "H"), ("H", "B"), ("H", "C")), frozenset({"H"}))
    assert drawn.observed == ("A", "B", "C")
    assert {str(edge) for edge in drawn.mag.edges()} == {"A --> B", "A --> C", "B <-> C"}
    assert drawn.latent_dag == LatentDag(("A", "B", "C"), (("A", "B"), ("A", "C")), [Latent("H", 2, ("B", "C"))])


def test_that_everything_may_be_hidden() -> None:
    drawn = DrawnDag(("A", "B"), (("A", "B"),), frozenset({"A", "B"}))
    assert drawn.mag.nodes == ()
    assert drawn.pag.nodes == ()


@pytest.mark.parametrize(
    ("nodes", "edges", "hidden", "said"),
    [
        (("A", "A"), (), (), "two variables are called 'A'"),
        (("A",), (("A", "B"),), (), "names 'B'"),
        (("A",), (("A", "A"),), (), "A cannot be its own cause"),
        (("A", "B"), (("A", "B"), ("B", "A")), (), "would be a directed cycle"),
        (("A",), (), ("B",), "'B' is hidden but is not a variable"),
    ],
)
def test_that_what_cannot_be_drawn_is_refused_with_a_sentence(
    nodes: tuple[str, ...], edges: tuple[tuple[str, str], ...], hidden: tuple[str, ...], said: str
) -> None:
    with pytest.raises(GraphError, match=said):
        DrawnDag(nodes, edges, frozenset(hidden))


def test_that_a_dag_with_latents_becomes_a_drawing_and_back() -> None:
    dag = LatentDag(("A", "B", "C"), (("A", "B"),), [Latent("L1", 2, ("B", "C"))])
    drawn = DrawnDag.from_latent_dag(dag)
    assert drawn.hidden == {"L1"}
    assert drawn.latent_dag == dag


def test_that_nodes_without_a_place_stand_apart_and_others_stay() -> None:
    drawn = DrawnDag(tuple("ABCDE"), positions={"A": (7, 8)}).placed()
    assert drawn.positions["A"] == (7.0, 8.0)
    assert set(drawn.positions) == set("ABCDE")
    places = np.array(list(places_on_circle("ABCDE").values()))
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert apart[~np.eye(5, dtype=bool)].min() > 100


@pytest.mark.parametrize("seed", range(60))
def test_that_the_mag_is_that_of_the_definition_whatever_is_hidden(seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = random_drawn_dag(rng, int(rng.integers(3, 8)), density=0.45, hide=0.35)
    assert drawn.mag == mag_by_definition(drawn)
