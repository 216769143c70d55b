"""The best DAG without hidden causes and Refine on the paper's data, against searches of a PAG and the true DAG."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.load import load_dataset
from latconf_core.formats.examples import load_example
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.runner import run_search

HALF = 0.5  # targets are rounded to two digits; half a nat is far below what tells models apart
OPTIONS = SearchOptions(seed=1, workers=2, time_limit=None)


@cache
def data_of(reference: Path, name: str) -> Dataset:
    return load_dataset(reference / "data" / f"{name}.csv").dataset


@cache
def p_elbo(reference: Path, name: str, search: str) -> float:
    """What a search that gets no PAG reaches."""
    data = data_of(reference, name)
    result = run_search(
        data, MixedGraph(data.names, np.zeros((data.n_variables,) * 2, np.uint8)), search, options=OPTIONS
    )
    assert result.p_elbo is not None
    return result.p_elbo


@cache
def true_p_elbo(reference: Path, name: str) -> float:
    """The score of the DAG that the rows were drawn from, its hidden variable as a latent."""
    network, hidden, _ = name.split("_")
    data = data_of(reference, name)
    truth = hidden_truth(load_example(network), [hidden])
    assert set(truth.nodes) == set(data.names)
    return Scorer(data, OPTIONS.vbem).score(LatentDag(data.names, truth.edges, truth.latents)).p_elbo


def targets(reference: Path) -> dict[str, dict[str, float]]:
    loads: dict[str, dict[str, float]] = json.loads((reference / "run_targets.json").read_text())
    return loads


@pytest.mark.parametrize("name", ["asia_smoke_1000", "asia_smoke_10000"])
def test_that_on_asia_refine_the_best_dag_without_latents_and_the_true_one_are_in_order(
    reference: Path, name: str
) -> None:
    alone = p_elbo(reference, name, "no-latents")
    assert alone >= max(targets(reference)[name].values()) - HALF
    assert alone >= true_p_elbo(reference, name)
    assert p_elbo(reference, name, "refine") >= alone - 1e-6


@pytest.mark.exhaustive
def test_that_the_best_dag_without_latents_is_above_the_searches_of_a_pag(reference: Path) -> None:
    for name, wanted in targets(reference).items():
        assert p_elbo(reference, name, "no-latents") >= max(wanted.values()) - HALF, name


@pytest.mark.exhaustive
def test_that_the_best_dag_without_latents_is_seldom_below_the_true_one(reference: Path) -> None:
    names = list(targets(reference))
    above = [name for name in names if p_elbo(reference, name, "no-latents") >= true_p_elbo(reference, name)]
    assert len(above) >= 12, set(names) - set(above)


@pytest.mark.exhaustive
def test_that_refine_is_never_below_the_best_dag_without_latents_and_seldom_below_the_true_one(reference: Path) -> None:
    names = list(targets(reference))
    for name in names:
        assert p_elbo(reference, name, "refine") >= p_elbo(reference, name, "no-latents") - 1e-6, name
    above = [name for name in names if p_elbo(reference, name, "refine") >= true_p_elbo(reference, name)]
    assert len(above) >= 13, set(names) - set(above)
