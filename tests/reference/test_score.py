"""The score against the authors' program and the best anyone has seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.load import load_dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

Case = dict[str, Any]


@pytest.fixture(scope="module")
def cases(reference: Path) -> list[Case]:
    loaded: list[Case] = json.loads((reference / "score_cases.json").read_text())["cases"]
    return loaded


@pytest.fixture(scope="module")
def datasets(reference: Path, cases: list[Case]) -> dict[str, Dataset]:
    return {name: load_dataset(reference / "data" / name).dataset for name in {case["data"] for case in cases}}


def dag_of(case: Case, dataset: Dataset) -> LatentDag:
    latents = [Latent(one["name"], one["states"], tuple(one["children"])) for one in case["latents"]]
    return LatentDag(dataset.names, [(parent, child) for parent, child in case["edges"]], latents)


def p_elbo(case: Case, datasets: dict[str, Dataset], options: VbemOptions) -> float:
    dataset = datasets[case["data"]]
    return Scorer(dataset, options).score(dag_of(case, dataset)).p_elbo


def test_that_scores_without_latents_are_exact(cases: list[Case], datasets: dict[str, Dataset]) -> None:
    for case in cases:
        if not case["latents"]:
            expected = pytest.approx(case["reference_p_elbo"], abs=1e-6)
            assert p_elbo(case, datasets, VbemOptions()) == expected, case["name"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_that_scores_with_latents_come_near_the_best_known(
    seed: int, cases: list[Case], datasets: dict[str, Dataset]
) -> None:
    gaps = []
    for case in cases:
        if case["latents"]:
            elbo = p_elbo(case, datasets, VbemOptions(seed=seed))
            assert elbo >= case["reference_p_elbo"], case["name"]
            gaps.append(case["best_known"] - elbo)
    assert np.mean(np.array(gaps) <= 0.1) >= 0.85
    assert np.mean(np.array(gaps) <= 2) >= 0.95


@pytest.mark.slow
def test_that_the_factorised_score_reaches_the_reference_run_to_convergence(
    cases: list[Case], datasets: dict[str, Dataset]
) -> None:
    for case in cases:
        if case["latents"]:
            factorised = p_elbo(case, datasets, VbemOptions(posterior="factorised"))
            if "reference_converged_seed0" in case:
                assert factorised >= case["reference_converged_seed0"] - 0.01, case["name"]
            assert p_elbo(case, datasets, VbemOptions()) >= factorised - 2, case["name"]
