"""Another kind of family is handed in; the best DAG without latents and searches go by it."""

from __future__ import annotations

import numpy as np
import pytest
from support.proportional_odds import ProportionalOdds

from latconf_core.data.dataset import Dataset
from latconf_core.families.family_model import FamilyModel
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.score.naming import to_bits
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import start_search

STATES = [["a", "b", "c"], ["a", "b"], [str(k) for k in range(6)], ["a", "b"]]


def ordered_effect(n_rows: int = 300, seed: int = 1) -> Dataset:
    """Two causes shift the odds of an effect of six ordered states, which shifts those of another."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(3, size=n_rows), rng.integers(2, size=n_rows)
    shifted = 1.1 * a - 1.5 * b + rng.logistic(size=n_rows)
    y = np.digitize(shifted, [-1.5, -0.5, 0.5, 1.5, 2.5])
    z = (0.6 * (y - 2.5) + rng.logistic(size=n_rows) > 0).astype(int)
    return Dataset(["A", "B", "Y", "Z"], STATES, np.stack([a, b, y, z], axis=1))


DATA = ordered_effect()


def result_of(search: str, **options: object) -> SearchResult:
    """A search under the families handed in."""
    pag = MixedGraph.from_edges(DATA.names, [])
    asked = SearchOptions(seed=1, objective="calibrated", **options)  # type: ignore[arg-type]
    if search == "refine":
        asked = SearchOptions(seed=1, **options)  # type: ignore[arg-type]
    for event in start_search(DATA, pag, search, options=asked, families_of=ProportionalOdds):
        if isinstance(event, SearchFinished):
            return event.result
    raise AssertionError("a search ends with its result")


def score_by_hand(families: FamilyModel, result: SearchResult) -> float:
    assert result.best is not None
    return sum(families.log_score(child, mask) for child, mask in enumerate(to_bits(result.best).parents))


def calibrated() -> VbemOptions:
    return VbemOptions(prior="flat", prices="structure")


def test_that_laplace_agrees_with_a_sum_over_a_grid() -> None:
    families = ProportionalOdds(DATA, VbemOptions())
    single = Dataset(["C"], [["0", "1", "2"]], DATA.codes[:, :1])
    grid = np.linspace(-8, 8, 321)
    counts = np.bincount(single.codes[:, 0], minlength=3)
    first, step = np.meshgrid(grid, grid, indexing="ij")
    below = 1 / (1 + np.exp(-first)), 1 / (1 + np.exp(-(first + np.exp(step))))
    shares = np.stack([below[0], below[1] - below[0], 1 - below[1]])
    logs = np.tensordot(counts, np.log(np.maximum(shares, 1e-300)), axes=1)
    logs += -0.5 * (first**2 + step**2) / 9 - np.log(2 * np.pi * 9)
    by_sum = logs.max() + np.log(np.exp(logs - logs.max()).sum() * (grid[1] - grid[0]) ** 2)
    # 300 rows: Laplace is off by some hundredths of a nat.
    assert families.log_score(0, 0) == pytest.approx(by_sum, abs=0.05)


def test_that_the_best_dag_without_latents_goes_by_the_families_handed_in() -> None:
    result = result_of("no-latents")
    families = ProportionalOdds(DATA, calibrated())
    assert result.best is not None
    parents = result.best.parents["Y"]
    assert {"A", "B"} <= set(parents)  # 30 numbers as a table, 8 as proportional odds
    assert result.score == pytest.approx(score_by_hand(families, result), abs=1e-8)
    assert result.posterior is not None
    others = [name for name in "ABZ" if not result.best.parents[name]]
    assert len(others) == 3
    assert result.posterior.n_free_parameters == 2 + 1 + 1 + 5 + sum({"A": 2, "B": 1, "Z": 1}[name] for name in parents)
    as_tables = Scorer(DATA, calibrated()).score(result.best)
    assert result.score > as_tables.score + 5  # nats: what a judge of ordered variables would lose


@pytest.mark.slow
@pytest.mark.parametrize("search", ["refine", "glsl"])
def test_that_searches_for_latents_go_by_the_families_handed_in(search: str) -> None:
    result = result_of(search)
    families = ProportionalOdds(DATA, calibrated())
    assert result.best is not None
    assert result.best.latents == ()
    assert result.score == pytest.approx(score_by_hand(families, result), abs=1e-8)
    assert result.reference is not None
    assert result.reference.score >= result_of("no-latents").score - 1e-8
