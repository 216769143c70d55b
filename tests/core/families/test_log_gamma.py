from __future__ import annotations

import numpy as np
from scipy import special

from latconf_core.families.log_gamma import gammaln


def test_that_log_gamma_is_that_of_scipy_for_any_shape() -> None:
    for values in (np.geomspace(1e-6, 1e7, 600).reshape(20, 30), np.array(2.5), 0.25, np.zeros((0, 3))):
        found = gammaln(values)
        assert found.shape == np.shape(values)
        np.testing.assert_allclose(found, special.gammaln(values), rtol=1e-11, atol=1e-11)
