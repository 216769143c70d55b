"""log Γ of arrays by the compiled loop that the score uses, so that nothing larger has to be imported for it."""

from __future__ import annotations

import numpy as np

from latconf_core.arrays import FloatArray


def gammaln(values: FloatArray | float) -> FloatArray:
    """log Γ of positive numbers, of any shape."""
    from latconf_core.score.kernels.special_functions import digammas_gammalns

    numbers = np.ascontiguousarray(values, dtype=np.float64)
    found, digammas = np.empty(numbers.size), np.empty(numbers.size)
    digammas_gammalns(numbers.ravel(), digammas, found)
    return found.reshape(np.shape(values))
