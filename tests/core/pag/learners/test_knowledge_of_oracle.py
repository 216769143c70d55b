"""PAGs with tiers by an oracle against the common marks of all MAGs of the class that the tiers allow."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from support.pag_cases import random_dags
from support.random_knowledge import descendants

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.data.dataset import Dataset
from latconf_core.graph.bits import BitGraph
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.mag.listing import enumerate_mags
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.pag.validity import pag_of_mag


def true_tiers(dag: LatentDag, rng: np.random.Generator, *, n_tiers: int) -> Knowledge:
    """Tiers of all variables that the DAG obeys."""
    order = [name for name in dag.topological_order if name in dag.nodes]
    cuts = [0, *sorted(rng.choice(range(1, len(order)), size=n_tiers - 1, replace=False).tolist()), len(order)]
    return Knowledge(tiers=tuple(tuple(order[a:b]) for a, b in pairwise(cuts)))


def obeys_tiers(mag: BitGraph, knowledge: Knowledge) -> bool:
    """Whether no variable is above one of an earlier tier."""
    names = mag.nodes
    below = descendants(names, {(names[a], names[b]) for a, b in mag.directed()})
    tiers = knowledge.tiers
    return not any(
        b in below[a] for late, tier in enumerate(tiers) for a in tier for early in tiers[:late] for b in early
    )


def common_marks(mags: list[MixedGraph]) -> np.ndarray:
    """The marks that all graphs share, circles elsewhere."""
    first = mags[0].marks
    is_same = np.all([graph.marks == first for graph in mags], axis=0)
    return np.where(is_same, first, np.where(first != Mark.NONE, Mark.CIRCLE, Mark.NONE))


@pytest.mark.parametrize("method", ["fci", "rfci"])
def test_that_tiers_give_the_common_marks_of_the_members_that_obey_them(method: str) -> None:
    rng = np.random.default_rng(4)
    n_informed = 0
    for dag in random_dags(21, 25):
        knowledge = true_tiers(dag, rng, n_tiers=2)
        pag = pag_of_mag(mag_of_dag(dag))
        members = [mag.to_graph() for mag in enumerate_mags(pag) if obeys_tiers(mag, knowledge)]
        learned = run_learner(DSeparationOracle(dag), PagOptions(method=method), knowledge=knowledge).graph
        plain = run_learner(DSeparationOracle(dag), PagOptions(method=method)).graph
        if plain != pag.reordered(plain.nodes):  # RFCI keeps edges that FCI removes, by design
            continue
        expected = MixedGraph(pag.nodes, common_marks([member.reordered(pag.nodes) for member in members]))
        assert learned == expected.reordered(learned.nodes), (dag, knowledge)
        n_informed += learned != plain
    assert n_informed >= 3


def test_that_pairs_kept_apart_are_not_joined_and_a_dependence_between_them_is_said() -> None:
    rng = np.random.default_rng(0)
    first = rng.integers(2, size=1000)
    second = np.where(rng.random(1000) < 0.8, first, 1 - first)
    data = Dataset("AB", [("no", "yes")] * 2, np.stack([first, second], axis=1))
    knowledge = Knowledge(exogenous=("A", "B"))
    for method in ("fci", "rfci", "cfci", "mfci", "gfci", "boss-fci"):
        result = run_learner(data, PagOptions(method=method), knowledge=knowledge)
        assert result.graph.n_edges == 0
        (conflict,) = result.knowledge_conflicts
        assert (conflict.first, conflict.second, conflict.given) == ("A", "B", ())
        assert conflict.p_value < 1e-6


def test_that_pairs_kept_apart_that_are_independent_are_no_conflict() -> None:
    dag = LatentDag("ABC", [("A", "C"), ("B", "C")])
    result = run_learner(DSeparationOracle(dag), knowledge=Knowledge(exogenous=("A", "B")))
    assert {str(edge) for edge in result.graph.edges()} == {"A --> C", "B --> C"}
    assert result.knowledge_conflicts == ()


def test_that_a_pair_without_a_hidden_cause_gets_a_tail_where_it_has_an_arrowhead() -> None:
    dag = LatentDag("ABC", [("A", "C"), ("B", "C")])
    result = run_learner(DSeparationOracle(dag), knowledge=Knowledge(no_hidden_cause=(("A", "C"),)))
    assert {str(edge) for edge in result.graph.edges()} == {"A --> C", "B o-> C"}
