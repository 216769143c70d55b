"""A family of completed rows is counted on the rows with missing cells and their completions, with the same score."""

from __future__ import annotations

import numpy as np
import pytest

from latconf_core.control import RunControl
from latconf_core.counts.families import count_family, family_log_score
from latconf_core.data.completed_dataset import CompletedDataset
from latconf_core.data.dataset import Dataset
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.families.objectives import JUDGING
from latconf_core.graph.bits import bits
from latconf_core.inference.completing.completions import CompletionPlan
from latconf_core.inference.completing.em_rounds import begin_at
from latconf_core.options.scoring import VbemOptions

OPTIONS = JUDGING.apply(VbemOptions())
CARDS = (2, 3, 4, 2, 3)


def complete(share: float, *, n_rows: int, counts: bool = False) -> CompletedDataset:
    """The completions of random rows, by a chain; of a count column where `counts`."""
    rng = np.random.default_rng([n_rows, int(100 * share)])
    codes = np.stack([rng.integers(card, size=n_rows) for card in CARDS], axis=1)
    codes = np.where(rng.random(codes.shape) < share, -1, codes)
    states = [tuple(map(str, range(card))) for card in CARDS]
    data = Dataset("ABCDE", states, codes, rng.integers(1, 5, size=n_rows) if counts else None)
    plan = CompletionPlan(most_per_row=8)  # some are drawn
    return begin_at(data, (0, 1, 2, 4, 8), OPTIONS, plan, control=RunControl()).completion.data


@pytest.mark.parametrize("counts", [False, True], ids=["rows", "counts"])
@pytest.mark.parametrize("share", [0.05, 0.4])
@pytest.mark.parametrize("n_rows", [40, 2000], ids=["few repeats", "many repeats"])
def test_that_a_family_scores_as_on_the_completed_rows(n_rows: int, share: float, counts: bool) -> None:
    data = complete(share, n_rows=n_rows, counts=counts)
    families = DiscreteFamilies(data, OPTIONS)
    for child in range(5):
        for parents in range(1 << 5):
            if parents >> child & 1:
                continue
            columns = list(bits(parents))
            prior = families.priors.observed(child, [CARDS[column] for column in columns])
            expected = family_log_score(count_family(data, child, columns), prior)
            expected -= families.priors.prices.of_family(len(columns))
            assert families.log_score(child, parents) == pytest.approx(expected, abs=1e-8)  # sums in another order


def test_that_latents_filled_in_beside_completed_rows_are_counted() -> None:
    data = complete(0.2, n_rows=300)
    families = DiscreteFamilies(data, OPTIONS)
    plain = families.log_score(0, 0b10)
    latent = data.rows[:, 0].astype(np.uint8)
    codes = np.asfortranarray(np.column_stack([data.rows, latent]))
    wider = families.completed(codes, (*CARDS, CARDS[0]))
    assert wider.log_score(0, 0b10) == pytest.approx(plain)
    expected = wider.log_score(1, 1) + families.priors.prices.of_family(1)  # a latent parent has no price
    assert wider.log_score(1, 1 << 5) == pytest.approx(expected, abs=1e-8)
