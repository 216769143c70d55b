"""A weak dependence that one test misses makes no collider where the middle separates the ends as well."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.hidden_problems import random_network
from support.pag_cases import chosen_dags

from latconf_core.comparison.metrics import compare_graphs
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.graph.marks import Mark
from latconf_core.independence.contingency import ContingencyTest
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.options.learning import PAG_PRESETS, PagOptions
from latconf_core.pag.learners.catalogue import LEARNERS, run_learner
from latconf_core.pag.validity import pag_of_mag

METHODS = ("fci", "rfci")


def weak_chain(seed: int) -> Dataset:
    """A --> B --> C, of which neither arrow is strong."""
    rng = np.random.default_rng(seed)
    a = rng.random(1500) < 0.5
    b = rng.random(1500) < np.where(a, 0.58, 0.42)
    c = rng.random(1500) < np.where(b, 0.58, 0.42)
    return Dataset("ABC", [("0", "1")] * 3, np.array([a, b, c], dtype=np.uint8).T)


def misses_the_ends(data: Dataset) -> bool:
    """Whether A and C pass for independent given nothing and given B, and both arrows are seen."""
    test = ContingencyTest(data)
    ends = test.is_independent(0, 2, ()) and test.is_independent(0, 2, (1,))
    joined = ((0, 1, ()), (0, 1, (2,)), (1, 2, ()), (1, 2, (0,)))
    return ends and not any(test.is_independent(x, y, given) for x, y, given in joined)


@pytest.mark.parametrize("method", METHODS)
def test_that_the_middle_of_a_weak_chain_is_no_collider(method: str) -> None:
    tables = [data for data in map(weak_chain, range(60)) if misses_the_ends(data)]
    assert len(tables) > 5
    for data in tables:
        graph = run_learner(data, PagOptions(method=method)).graph
        assert not (graph.marks == Mark.ARROW).any()
        by_one_set = run_learner(data, PagOptions(method=method, checked_colliders=False)).graph
        assert by_one_set.mark_at("B", "A") == Mark.ARROW == by_one_set.mark_at("B", "C")


def test_that_a_collider_is_still_seen() -> None:
    rng = np.random.default_rng(1)
    a, c = rng.random((2, 2000)) < 0.5
    b = rng.random(2000) < np.where(a ^ c, 0.2, 0.7)
    data = Dataset("ABC", [("0", "1")] * 3, np.array([a, b | a, c], dtype=np.uint8).T)
    assert [str(edge) for edge in run_learner(data).graph.edges()] == ["A o-> B", "B <-o C"]


@pytest.mark.parametrize("method", METHODS)
def test_that_a_chosen_maximum_is_kept(method: str) -> None:
    """With no conditioning at all there is nothing to check with."""
    for data in [data for data in map(weak_chain, range(60)) if misses_the_ends(data)][:3]:
        options = PagOptions(method=method, max_conditioning=0)
        assert run_learner(data, options).graph == run_learner(data, replace(options, checked_colliders=False)).graph


@pytest.mark.parametrize("method", METHODS)
def test_that_an_oracle_and_the_papers_presets_are_not_asked(method: str) -> None:
    options = PagOptions(method=method)
    for dag in chosen_dags()[::4]:
        checked, plain = (
            run_learner(DSeparationOracle(dag), one) for one in (options, replace(options, checked_colliders=False))
        )
        assert (checked.graph, checked.n_tests) == (plain.graph, plain.n_tests)
    assert not any(PAG_PRESETS[name].checked_colliders for name in ("paper-fci", "paper-gfci"))


@pytest.mark.parametrize("method", METHODS)
def test_that_the_graph_is_nearer_to_the_truth_on_drawn_tables(method: str) -> None:
    checked = plain = 0
    for seed in range(8):
        rng = np.random.default_rng([seed, 36])
        drawn = sample(random_network(rng, 1), 2000, rng=rng, hide=["h0"])
        truth = pag_of_mag(mag_of_dag(drawn.truth))
        checked += compare_graphs(run_learner(drawn.dataset, PagOptions(method=method)).graph, truth).shd
        options = PagOptions(method=method, checked_colliders=False)
        plain += compare_graphs(run_learner(drawn.dataset, options).graph, truth).shd
    assert checked < 0.9 * plain


def test_that_who_uses_the_option_shows_it_and_older_files_are_read_as_before() -> None:
    assert {name for name, learner in LEARNERS.items() if "checked_colliders" in learner.options} == set(METHODS)
    content = PagOptions().to_json()
    del content["checked_colliders"]
    assert not PagOptions.from_json(content).checked_colliders
