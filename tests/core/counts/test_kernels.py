from __future__ import annotations

import numpy as np
from scipy import special

from latconf_core.counts import kernels

POINTS = np.concatenate([np.geomspace(1e-6, 1e9, 3000), np.linspace(0.9, 2.1, 400), [1.0, 2.0, 8.0, 1e15]])


def test_that_digamma_agrees_with_scipy() -> None:
    ours = np.array([kernels.digamma(x) for x in POINTS])
    np.testing.assert_allclose(ours, special.digamma(POINTS), rtol=1e-13, atol=1e-13)


def test_that_gammaln_agrees_with_scipy() -> None:
    ours = np.array([kernels.gammaln(x) for x in POINTS])
    np.testing.assert_allclose(ours, special.gammaln(POINTS), rtol=1e-14, atol=3e-14)
