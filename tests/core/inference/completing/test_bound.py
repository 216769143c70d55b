"""Completed rows bound the evidence of what was observed, found by summing over every completion of the whole table."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.special import gammaln, logsumexp

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.families.objectives import OBJECTIVES
from latconf_core.families.priors import Priors
from latconf_core.inference.completing.completions import CompletionPlan
from latconf_core.inference.completing.em_rounds import EmRound, begin_at, complete_by
from latconf_core.options.scoring import ObjectiveName, VbemOptions
from latconf_core.score.scorer import Scorer

WHOLE = CompletionPlan(mass=1.0, most_per_row=100_000)
DAGS = {"chain": (0, 1, 2), "collider": (0, 0, 3), "full": (0, 1, 3), "none": (0, 0, 0)}  # parents as bits


def with_gaps(seed: int, n_rows: int = 8, n_gaps: int = 6) -> Dataset:
    """Dependent columns of 2, 3 and 2 states; some cells are missing."""
    rng = np.random.default_rng(seed)
    first = rng.integers(2, size=n_rows)
    second = np.where(rng.random(n_rows) < 0.7, first, rng.integers(3, size=n_rows))
    third = np.where(rng.random(n_rows) < 0.7, second > 0, rng.integers(2, size=n_rows))
    codes = np.stack([first, second, third], axis=1)
    gaps = rng.choice(codes.size, size=n_gaps, replace=False)
    codes.ravel()[gaps] = -1
    return Dataset("ABC", [("0", "1"), ("0", "1", "2"), ("0", "1")], codes)


def log_evidence(codes: np.ndarray, parents: tuple[int, ...], priors: list[FloatArray]) -> float:  # type: ignore[type-arg]
    """The Dirichlet-multinomial of a complete table, written out."""
    total = 0.0
    for child, mask in enumerate(parents):
        above = [v for v in range(codes.shape[1]) if mask >> v & 1]
        prior = priors[child]
        for configuration in {tuple(row[above]) for row in codes}:
            seen = [row[child] for row in codes if tuple(row[above]) == configuration]
            counts = np.bincount(seen, minlength=len(prior))
            total += float(gammaln(prior.sum()) - gammaln(prior.sum() + counts.sum()))
            total += float((gammaln(prior + counts) - gammaln(prior)).sum())
    return total


def exact_evidence(data: Dataset, parents: tuple[int, ...], priors: list[FloatArray]) -> float:
    """The log evidence of the observed cells: the sum over all completions of the table."""
    codes = data.codes.astype(int)
    gaps = np.argwhere(codes < 0)
    logs = []
    for values in product(*(range(data.n_states[column]) for _, column in gaps)):
        filled = codes.copy()
        filled[tuple(gaps.T)] = values
        logs.append(log_evidence(filled, parents, priors))
    return float(logsumexp(logs))


def rounds_of(data: Dataset, parents: tuple[int, ...], options: VbemOptions, n_rounds: int) -> list[EmRound]:
    rounds = [begin_at(data, parents, options, WHOLE, control=RunControl())]
    for _ in range(n_rounds):
        rounds.append(complete_by(rounds[-1], parents, options, WHOLE, control=RunControl()))
    return rounds


@pytest.mark.parametrize("objective", ["paper", "calibrated"])
@pytest.mark.parametrize("parents", DAGS.values(), ids=DAGS)
def test_that_score_and_entropy_are_below_the_evidence_and_never_fall(
    parents: tuple[int, ...], objective: ObjectiveName
) -> None:
    options = OBJECTIVES[objective].apply(VbemOptions())
    for seed in range(3):
        data = with_gaps(seed)
        priors = Priors(data, options)
        own = [priors.of_family(child, [v for v in range(3) if mask >> v & 1]) for child, mask in enumerate(parents)]
        price = sum(priors.prices.of_family(mask.bit_count()) for mask in parents)
        exact = exact_evidence(data, parents, own) - price
        scores = [scored.score for scored in rounds_of(data, parents, options, 12)]
        assert max(scores) <= exact + 1e-9  # a bound; rounding of sums alone
        assert all(later >= before - 1e-9 for before, later in pairwise(scores))
        assert scores[-1] > exact - 6  # and no idle one: six missing cells


def test_that_what_is_left_out_still_bounds() -> None:
    options = OBJECTIVES["calibrated"].apply(VbemOptions())
    data = with_gaps(5)
    whole = rounds_of(data, DAGS["full"], options, 5)[-1]
    part = begin_at(data, DAGS["full"], options, CompletionPlan(mass=0.6), control=RunControl())
    assert 0 < part.completion.mass_left_out < 0.4
    assert part.score <= whole.score + 1e-9


def test_that_the_priors_come_from_observed_cells_and_stay() -> None:
    options = OBJECTIVES["paper"].apply(VbemOptions())
    data = with_gaps(2)
    first, *_, last = rounds_of(data, DAGS["chain"], options, 3)
    for one in (first, last):
        priors = Priors(one.completion.data, options)
        for column, name in enumerate(data.names):
            counts = data.counts(name)
            assert np.allclose(priors.observed(column, ()), (counts + 1) / (counts.sum() + len(counts)))


def test_that_without_missing_cells_completed_rows_score_as_the_rows() -> None:
    options = OBJECTIVES["calibrated"].apply(VbemOptions())
    data = with_gaps(1, n_rows=30, n_gaps=0)
    begin = begin_at(data, DAGS["full"], options, CompletionPlan(), control=RunControl())
    scorer = Scorer(data, options)
    expected = sum(map(scorer.family_score, range(3), DAGS["full"]))
    assert begin.completion.n_completions == 0
    assert begin.completion.entropy == begin.completion.mass_left_out == 0
    assert begin.score == pytest.approx(expected, abs=1e-9)  # sums in another order
