"""log Γ of arrays by a compiled loop, so that nothing larger has to be imported for it."""

from __future__ import annotations

import numpy as np

from latconf_core.arrays import FloatArray


def gammaln(values: FloatArray | float) -> FloatArray:
    """log Γ of positive numbers, of any shape."""
    from latconf_core.families.kernels import gammalns

    numbers = np.ascontiguousarray(values, dtype=np.float64)
    logs = np.empty(numbers.size)
    gammalns(numbers.ravel(), logs)
    return logs.reshape(np.shape(values))
