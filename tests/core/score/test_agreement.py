from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import latconf_core as latconf
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.held_columns import HeldColumn
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.agreement import measure_agreements
from latconf_core.score.posterior import Posterior
from latconf_core.score.scorer import Scorer
from latconf_core.wording.agreement_sentences import agreement_sentence


@pytest.fixture(scope="module")
def posterior() -> Posterior:
    """Of a latent with three children, on rows drawn from such a model; its two states are easily told apart."""
    rng = np.random.default_rng(3)
    hidden = rng.integers(2, size=300)
    codes = np.stack([np.where(rng.random(300) < 0.9, hidden, 1 - hidden) for _ in range(3)], axis=1)
    data = Dataset("ABC", [("0", "1")] * 3, codes)
    return Scorer(data, VbemOptions(seed=1)).posterior(LatentDag("ABC", (), [Latent("L", 2, ("A", "B", "C"))]))


def best_share(posterior: Posterior, codes: np.ndarray, n_states: int) -> float:
    """The best share over all ways to read the latent's states as states of the column."""
    likely = posterior.responsibilities("L").argmax(axis=1)
    known = codes >= 0
    return max(
        float(np.mean([reading[state] == code for state, code in zip(likely[known], codes[known])]))
        for reading in product(range(n_states), repeat=2)
    )


@pytest.mark.parametrize("n_states", [2, 3])
def test_that_agreement_is_that_of_the_best_reading_of_the_states(posterior: Posterior, n_states: int) -> None:
    rng = np.random.default_rng(n_states)
    codes = rng.integers(-1, n_states, size=300)
    column = HeldColumn("held", tuple("abc"[:n_states]), codes)
    (agreement,) = measure_agreements(posterior, "L", [column])
    assert agreement.share == pytest.approx(best_share(posterior, codes, n_states), abs=1e-12)
    assert agreement.n_rows == np.count_nonzero(codes >= 0)
    assert agreement.guess == pytest.approx(np.bincount(codes[codes >= 0]).max() / agreement.n_rows)
    assert agreement.share >= agreement.guess


def test_that_a_copy_of_the_latent_agrees_in_every_row_and_says_which_state_is_which(posterior: Posterior) -> None:
    likely = posterior.responsibilities("L").argmax(axis=1)
    column = HeldColumn("party", ("left", "right"), 1 - likely)
    (agreement,) = measure_agreements(posterior, "L", [column])
    assert agreement.share == 1
    assert agreement.stands_for == ("right", "left")
    said = agreement_sentence(agreement, ("1", "2"))
    assert "party. The hidden cause agrees with it in 100 % of 300 rows" in said
    assert "1 = right, 2 = left" in said


def test_that_a_column_that_the_latent_does_not_tell_is_no_better_than_guessing(posterior: Posterior) -> None:
    codes = np.zeros(300, dtype=np.int64)
    codes[:3] = 1
    (agreement,) = measure_agreements(posterior, "L", [HeldColumn("rare", ("a", "b"), codes)])
    assert not agreement.tells_apart
    assert agreement_sentence(agreement, ("1", "2")).endswith("no better than guessing the most frequent value.")


def test_that_columns_without_a_known_cell_are_passed_over_and_the_best_comes_first(posterior: Posterior) -> None:
    likely = posterior.responsibilities("L").argmax(axis=1)
    noise = np.random.default_rng(1).integers(2, size=300)
    columns = [
        HeldColumn("none", ("a", "b"), np.full(300, -1)),
        HeldColumn("noise", ("a", "b"), noise),
        HeldColumn("copy", ("a", "b"), likely),
    ]
    assert [each.column for each in measure_agreements(posterior, "L", columns)] == ["copy", "noise"]


def test_that_rows_of_other_data_are_refused(posterior: Posterior) -> None:
    with pytest.raises(ValueError, match="5 cells of 'held' do not fit 300 rows"):
        measure_agreements(posterior, "L", [HeldColumn("held", ("a", "b"), np.zeros(5, dtype=np.int64))])
    assert measure_agreements(posterior, "L", []) == ()


def test_that_agreement_on_rows_completed_for_missing_cells_is_of_the_rows_as_given() -> None:
    rng = np.random.default_rng(5)
    hidden = rng.integers(2, size=400)
    codes = np.stack([np.where(rng.random(400) < 0.95, hidden, 1 - hidden) for _ in range(4)], axis=1)
    codes[rng.random(codes.shape) < 0.05] = -1
    data = Dataset("ABCD", [("0", "1")] * 4, codes)
    result = latconf.find_latents(data, algorithm="refine", seed=1)
    assert result.posterior is not None
    for latent in result.posterior.latents:
        column = HeldColumn("hidden", ("0", "1"), hidden)
        (agreement,) = measure_agreements(result.posterior, latent, [column])
        assert agreement.n_rows == 400
