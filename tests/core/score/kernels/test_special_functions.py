"""The branch-free functions of the kernels against scipy's."""

from __future__ import annotations

import numpy as np
from scipy import special

from latconf_core.compiled import numba
from latconf_core.score.kernels.special_functions import digammas_gammalns, dot_of_difference, exp, logs, total

POSITIVE = np.exp(np.random.default_rng(0).uniform(-16, 18, size=5000))  # priors of a cell, to counts of a large table


@numba.njit
def exps(x: np.ndarray, out: np.ndarray) -> None:
    for i in range(x.size):
        out[i] = exp(x[i])


def test_that_logarithms_are_right_to_the_last_digits() -> None:
    x = np.concatenate([POSITIVE, np.linspace(0.5, 2.0, 2001), [1.0, 1e-300, 1e300]])
    empty_like = np.empty_like(x)
    logs(x, empty_like)
    np.testing.assert_allclose(empty_like, np.log(x), rtol=1e-15, atol=1e-15)
    assert np.all(empty_like[x == 1.0] == 0.0)


def test_that_exponentials_are_right_and_stay_positive() -> None:
    x = np.linspace(-650, 300, 20_001)
    empty_like = np.empty_like(x)
    exps(x, empty_like)
    np.testing.assert_allclose(empty_like, np.exp(x), rtol=2e-14)
    far = np.array([-1e9, -800.0, 0.0])
    exps(far, far)
    assert np.all(far[:2] < 1e-300)
    assert far[2] == 1.0


def test_that_digamma_and_log_gamma_are_those_of_scipy() -> None:
    psi, log_gamma = np.empty_like(POSITIVE), np.empty_like(POSITIVE)
    digammas_gammalns(POSITIVE, psi, log_gamma)
    np.testing.assert_allclose(psi, special.digamma(POSITIVE), rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(log_gamma, special.gammaln(POSITIVE), rtol=1e-13, atol=1e-12)


def test_that_sums_and_products_are_those_of_numpy() -> None:
    x = np.random.default_rng(1).normal(size=1001)
    assert np.isclose(total(x, 3, 900), x[3:900].sum())
    assert np.isclose(dot_of_difference(x, x[::-1].copy(), x), (x - x[::-1]) @ x)
