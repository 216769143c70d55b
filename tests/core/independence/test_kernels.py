import numpy as np
import pytest
from scipy.special import chdtrc

from latconf_core.independence import kernels


@pytest.mark.parametrize("df", [1, 2, 3, 7, 20, 99, 500, 4000])
def test_that_the_tail_of_chi_square_is_the_regularised_gamma_function(df: int) -> None:
    for statistic in df * np.array([0.01, 0.3, 0.8, 0.99, 1.0, 1.01, 1.3, 2.0, 4.0]):
        # lgamma loses digits with its size, so the error grows with df
        assert kernels.chi_square_tail(statistic, float(df)) == pytest.approx(
            chdtrc(df, statistic), rel=1e-12 * max(df, 10), abs=1e-300
        )


def test_that_a_tiny_tail_keeps_its_digits() -> None:
    assert kernels.chi_square_tail(700.0, 2.0) == pytest.approx(np.exp(-350.0), rel=1e-12)


def test_that_no_degree_of_freedom_means_independence() -> None:
    assert kernels.chi_square_tail(5.0, 0.0) == 1.0
