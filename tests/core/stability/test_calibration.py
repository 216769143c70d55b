"""How often chance does as well: figures that depend on seed and number alone, and a gate that holds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from latconf_core.control import RunControl, StopReason
from latconf_core.data.dataset import Dataset
from latconf_core.errors import OptionError
from latconf_core.graph.mixed import empty_graph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search
from latconf_core.stability.calibration import Calibration, CalibrationFinished, start_calibration
from latconf_core.stability.null_draw import NullDraw, NullSearch, draw_table
from latconf_core.stability.repeats import RepeatFinished
from latconf_core.stability.search_again import SearchAgain

N_ROWS = 600


def hidden_cause(seed: int, strength: float) -> Dataset:
    """Four effects of one hidden cause, which each follow with a probability."""
    rng = np.random.default_rng(seed)
    cause = rng.integers(2, size=N_ROWS)
    effects = [np.where(rng.random(N_ROWS) < strength, cause, rng.integers(2, size=N_ROWS)) for _ in range(4)]
    return Dataset("ABCD", [["no", "yes"]] * 4, np.stack(effects, axis=1))


@cache
def real_run() -> tuple[SearchResult, Dataset]:
    dataset = hidden_cause(1, 0.8)
    options = SearchOptions(seed=7)
    return run_search(dataset, empty_graph(dataset.names), "refine", options=options), dataset


def calibrate(draws: int, **more: object) -> Calibration:
    result, dataset = real_run()
    *_, last = start_calibration(result, dataset, draws=draws, **more)  # type: ignore[arg-type]
    assert isinstance(last, CalibrationFinished)
    return last.calibration


@cache
def three_draws() -> Calibration:
    return calibrate(3)


def test_that_a_strong_hidden_cause_gains_more_than_chance() -> None:
    result, _ = real_run()
    calibration = three_draws()
    assert len(calibration.null_gains) == 3
    assert (
        calibration.gain
        == max(latent_evidence.density or 0.0 for latent_evidence in result.evidence)
        > max(calibration.null_gains)
    )
    assert calibration.share_at_least == 0.0
    assert {latent_evidence.support for latent_evidence in result.with_null_gains(calibration.null_gains).evidence} == {
        "strong"
    }


def test_that_a_run_which_chance_equals_is_weak_evidence_and_says_so_when_read_again() -> None:
    result, _ = real_run()
    doubted = result.with_null_gains((three_draws().gain, 0.0))
    assert {latent_evidence.support for latent_evidence in doubted.evidence} == {"weak"}
    again = SearchResult.from_json(doubted.to_json(), history=result.history)
    assert again.null_gains == doubted.null_gains
    assert again.evidence == doubted.evidence


def test_that_more_draws_begin_with_the_same_ones() -> None:
    assert calibrate(1).null_gains == three_draws().null_gains[:1]


@pytest.mark.slow
def test_that_the_figures_do_not_depend_on_the_number_of_workers() -> None:
    assert calibrate(3, n_workers=2).null_gains == three_draws().null_gains


def test_that_draws_have_the_rows_states_and_families_of_the_best_dag_without_latents() -> None:
    result, dataset = real_run()
    assert result.reference is not None
    network = Scorer(dataset, result.options.vbem).posterior(result.reference.dag).network()
    work = NullSearch(network, 200_000, SearchAgain("refine", result.options))
    drawn = draw_table(work, 1)
    assert (drawn.names, drawn.states) == (dataset.names, dataset.states)
    for name in dataset.names:  # the fitted tables keep the margins of the data, up to the prior
        share = dataset.counts(name)[1] / dataset.n_rows
        assert drawn.counts(name)[1] / drawn.n_rows == pytest.approx(share, abs=0.01)
    other = draw_table(work, 2)
    assert drawn.digest != other.digest


def test_that_cancelling_keeps_the_draws_that_are_done() -> None:
    result, dataset = real_run()
    is_cancelled = False
    control = RunControl(lambda: is_cancelled)
    for event in start_calibration(result, dataset, draws=5, control=control):
        if isinstance(event, RepeatFinished):
            is_cancelled = event.n_done == 1
    assert isinstance(event, CalibrationFinished)
    assert event.calibration.null_gains == three_draws().null_gains[:1]
    assert event.calibration.stop_reason is StopReason.CANCELLED


def test_that_other_data_and_runs_without_a_reference_are_refused() -> None:
    result, dataset = real_run()
    with pytest.raises(OptionError, match="other data"):
        start_calibration(result, hidden_cause(2, 0.8))
    with pytest.raises(OptionError, match="stopped early"):
        start_calibration(replace(result, reference=None), dataset)
    with pytest.raises(OptionError, match="older version of latconf"):
        start_calibration(replace(result, judged_under="paper"), dataset)
    with pytest.raises(OptionError, match="at least 1"):
        start_calibration(result, dataset, draws=0)


def test_that_draws_which_failed_are_left_out_and_named() -> None:
    draws = (NullDraw(1, 2.0), NullDraw(2, None, "it failed"), NullDraw(3, 4.0))
    calibration = Calibration(3, draws, 4.0, 1.0)
    assert calibration.null_gains == (2.0, 4.0)
    assert calibration.failures == ("it failed",)
    assert calibration.share_at_least == 0.5
    assert Calibration(3, (), 4.0, 1.0).share_at_least is None
