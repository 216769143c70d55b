"""Cumulative logits against statsmodels, against a numeric integral, and by what they must not depend on."""

from __future__ import annotations

from math import lgamma, log

import numpy as np
import pytest
from scipy.stats import norm

from latconf_core.counts.families import counting_table
from latconf_core.data.column_order import ColumnOrder
from latconf_core.data.dataset import Dataset
from latconf_core.families.ordinal import ordinal_families
from latconf_core.families.ordinal.kernels import fit_cumulative_logit
from latconf_core.families.ordinal.ordinal_families import SPREAD, OrdinalFamilies, factor_part, join_parts, score_part


def draw(n_rows: int, seed: int = 0) -> np.ndarray:
    """Three parents of four states and a child of four that a cumulative logit of them gives."""
    rng = np.random.default_rng(seed)
    parents = rng.integers(0, 4, size=(n_rows, 3))
    level = parents @ [0.5, -0.3, 0.8] + rng.logistic(size=n_rows)
    return np.column_stack([parents, np.searchsorted(np.quantile(level, [0.2, 0.5, 0.8]), level)])


def ordered(codes: np.ndarray, weights: np.ndarray | None = None, *, only: str = "ABCY") -> Dataset:
    return Dataset(
        "ABCY", [list("0123")] * 4, codes, weights, ordered={name: ColumnOrder() for name in "ABCY" if name in only}
    )


def test_that_fits_without_a_prior_agree_with_statsmodels() -> None:
    models = pytest.importorskip("statsmodels.miscmodels.ordinal_model")
    codes = draw(3000)
    basis, first_level = join_parts([score_part(4), factor_part(4), score_part(4)])
    counts = np.eye(4)[codes[:, 3]]
    parameters = np.concatenate([[-1.0, 0.0, 1.0], np.zeros(5)])
    value, _ = fit_cumulative_logit(counts, codes[:, :3].astype(np.int64), first_level, basis, 0.0, False, parameters)
    columns = sum(basis[first_level[v] + codes[:, v]] for v in range(3))
    theirs = models.OrderedModel(codes[:, 3], columns, distr="logit").fit(
        method="bfgs", disp=False, gtol=1e-8, maxiter=500
    )
    assert value == pytest.approx(theirs.llf, abs=1e-6)
    assert parameters[3:] == pytest.approx(theirs.params[:5], abs=1e-4)
    steps = np.cumsum([theirs.params[5], *np.exp(theirs.params[6:])])
    assert parameters[:3] == pytest.approx(steps, abs=1e-4)


def test_that_the_evidence_is_near_the_integral_over_thresholds_and_coefficient() -> None:
    rng = np.random.default_rng(3)
    parent = rng.integers(0, 2, 300)
    child = np.clip(parent + rng.integers(0, 3, 300) - 1, 0, 2)
    data = Dataset("XY", [list("01"), list("012")], np.column_stack([parent, child]), ordered={"Y": ColumnOrder()})
    fit = OrdinalFamilies(data).fit(1, 0b01)
    assert fit is not None
    counts = np.zeros((2, 3))
    np.add.at(counts, (parent, child), 1)
    sides = factor_part(2)[:, 0]

    def log_joint(first: np.ndarray, gap: np.ndarray, slope: np.ndarray) -> np.ndarray:
        thresholds = np.stack([first, first + gap], axis=-1)[..., None, :]
        below = 1 / (1 + np.exp(-(thresholds - (slope[..., None] * sides)[..., None])))
        shares = np.diff(below, axis=-1, prepend=0.0, append=1.0)
        flat = 1 / (1 + np.exp(-thresholds[..., 0, :]))
        prior = lgamma(3) + np.log(flat * (1 - flat)).sum(axis=-1) + norm.logpdf(slope, scale=SPREAD)
        return np.asarray((counts * np.log(np.maximum(shares, 1e-300))).sum(axis=(-1, -2)) + prior)

    top, second, slope = fit.parameters[0], fit.parameters[1] - fit.parameters[0], fit.parameters[2]
    bounds = [(top - 1.2, top + 1.2), (max(second - 1.2, 1e-6), second + 1.2), (slope - 1.0, slope + 1.0)]
    points, weights = np.polynomial.legendre.leggauss(50)  # far more points than a peak of this width needs
    axes = [(low + high) / 2 + (high - low) / 2 * points for low, high in bounds]
    values = log_joint(*np.meshgrid(*axes, indexing="ij"))
    peak = values.max()
    volume = np.einsum("ijk,i,j,k", np.exp(values - peak), weights, weights, weights)
    volume *= float(np.prod([(high - low) / 2 for low, high in bounds]))
    assert fit.score + ordinal_families.FORM_PRICE == pytest.approx(peak + log(volume), abs=0.05)


def test_that_weighted_rows_score_as_the_rows_written_out() -> None:
    codes = draw(400)
    distinct, counts = np.unique(codes, axis=0, return_counts=True)
    written, weighed = OrdinalFamilies(ordered(codes)), OrdinalFamilies(ordered(distinct, counts))
    for parents in (0b001, 0b011, 0b111):
        assert weighed.log_score(3, parents) == pytest.approx(written.log_score(3, parents), abs=1e-8)


def test_that_reversing_every_order_changes_nothing() -> None:
    codes = draw(500)
    there, back = OrdinalFamilies(ordered(codes)), OrdinalFamilies(ordered(3 - codes))
    assert back.log_score(3, 0b111) == pytest.approx(there.log_score(3, 0b111), abs=1e-6)


def test_that_only_ordered_variables_and_two_states_below_an_order_have_logits() -> None:
    codes = draw(300)
    families = OrdinalFamilies(ordered(codes, only="AB"))
    assert families.log_score(3, 0b001) == -np.inf
    assert families.log_score(0, 0b000) == -np.inf
    assert np.isfinite(families.log_score(0, 0b1000))
    binary = Dataset("AY", [list("0123"), list("01")], codes[:, [0, 3]] // [1, 2], ordered={"A": ColumnOrder()})
    assert np.isfinite(OrdinalFamilies(binary).log_score(1, 0b01))


def test_that_separation_has_a_finite_score() -> None:
    codes = np.repeat(np.arange(4), 50)
    families = OrdinalFamilies(ordered(np.column_stack([codes] * 4)))
    assert np.isfinite(families.log_score(3, 0b001))


def test_that_states_that_never_occur_are_passed_over() -> None:
    codes = draw(300)
    codes[:, 3] = np.where(codes[:, 3] == 1, 2, codes[:, 3])
    fit = OrdinalFamilies(ordered(codes)).fit(3, 0b111)
    assert fit is not None
    assert fit.seen.tolist() == [0, 2, 3]


def test_that_a_latent_known_for_certain_scores_as_a_measured_factor() -> None:
    data = ordered(draw(500), only="Y")
    families = OrdinalFamilies(data)
    rows, counts = counting_table(data)
    q = np.eye(4)[rows[:, 0]] * (counts if len(counts) else np.ones(len(rows)))[:, None]
    measured = families.fit(3, 0b011)
    hidden = families.fit(3, 0b010, mass=q, latent_parts=[factor_part(4)])
    assert measured is not None
    assert hidden is not None
    assert hidden.score == pytest.approx(measured.score, abs=1e-6)
