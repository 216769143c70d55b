"""Logarithm, exponential, digamma and log-gamma without branches, so that the compiler works on four at a time."""

from __future__ import annotations

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.compiled import numba

LOG_TWO_HIGH, LOG_TWO_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # log 2 in two parts
HALF_LOG_TWO_PI = 0.918938533204672741780329736406
EXPONENT = np.uint64(52)  # where a double's exponent begins
ONE = np.uint64(0x3FF0000000000000)  # the bits of 1.0
HALF_ROOT = np.uint64(0x3FE6A09E667F3BCD)  # … of √½
TWO_52 = np.uint64(0x4330000000000000)  # … of 2^52: a small whole number in the last bits is added to it
ROUNDER = 6755399441055744.0  # 1.5 · 2^52: adding it rounds to a whole number, which stands in the last bits
BIAS = np.uint64(1023)
LEAST_EXPONENT = -700.0  # smaller ones give e^−700


@numba.njit(nogil=True, cache=True, inline="always")
def log(x: float) -> float:
    """Natural logarithm of a positive normal number, to the last digit but one.

    x = 2^k m with m in [√½, √2); log m by the series of the inverse hyperbolic tangent of (m − 1)/(m + 1).
    """
    bits = np.float64(x).view(np.uint64)
    k = (bits - HALF_ROOT + ONE) >> EXPONENT
    f = np.uint64(bits - (k << EXPONENT) + ONE).view(np.float64) - 1.0
    exponent = np.uint64(k | TWO_52).view(np.float64) - 4503599627371519.0  # less 2^52 and the bias
    s = f / (2.0 + f)
    z = s * s
    tail = 2.222222222222e-01 + z * (1.8181818e-01 + z * (1.5384616e-01 + z * (1.3333e-01 + z * 1.24e-01)))
    series = z * (6.66666666666666667e-01 + z * (0.4 + z * (2.8571428571428571e-01 + z * tail)))
    half_square = 0.5 * f * f
    return exponent * LOG_TWO_HIGH - ((half_square - (s * (half_square + series) + exponent * LOG_TWO_LOW)) - f)


@numba.njit(nogil=True, cache=True, inline="always")
def exp(x: float) -> float:
    """e^x for x below 700, to about 1e-14 of its size: 2^k times the power series of what is left."""
    x = max(x, LEAST_EXPONENT)
    shifted = x * 1.4426950408889634 + ROUNDER
    whole = shifted - ROUNDER
    r = (x - whole * LOG_TWO_HIGH) - whole * LOG_TWO_LOW
    tail = 1 / 5040 + r * (1 / 40320 + r * (1 / 362880 + r * (1 / 3628800 + r * (1 / 39916800))))
    series = 1.0 + r * (1.0 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * tail))))))
    return series * np.uint64((np.float64(shifted).view(np.uint64) + BIAS) << EXPONENT).view(np.float64)


@numba.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def digammas_gammalns(x: FloatArray, psi: FloatArray, log_gamma: FloatArray) -> None:
    """ψ(x) and log Γ(x) of positive numbers: Stirling's series at x + 6, accurate to 2e-13, brought back."""
    for i in range(x.size):
        # The product of x (x+1) … (x+5), pairs from outside in; its slope over it is the sum of reciprocals.
        y = x[i] * (x[i] + 5.0)
        product = y * (y + 4.0) * (y + 6.0)
        slope = (2.0 * x[i] + 5.0) * ((y + 4.0) * (y + 6.0) + y * (2.0 * y + 10.0))
        above = x[i] + 6.0
        both = 1.0 / (above * product)  # one division serves both reciprocals
        inverse = both * product
        y = inverse * inverse
        log_above = log(above)
        tail = 1.0 / 240.0 - y * (1.0 / 132.0 - y * (691.0 / 32760.0 - y / 12.0))
        below = y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * tail)))
        psi[i] = log_above - 0.5 * inverse - below - slope * (both * above)
        tail = 1.0 / 1188.0 - y * (691.0 / 360360.0 - y / 156.0)
        series = inverse * (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y * tail))))
        log_gamma[i] = (above - 0.5) * log_above - above + HALF_LOG_TWO_PI + series - log(product)


@numba.njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def logs(x: FloatArray, out: FloatArray) -> None:
    """The logarithms of positive numbers."""
    for i in range(x.size):
        out[i] = log(x[i])


@numba.njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def total(x: FloatArray, first: int, end: int) -> float:
    """The sum of some numbers, in the order that is fastest."""
    result = 0.0
    for i in range(first, end):
        result += x[i]
    return result


@numba.njit(nogil=True, cache=True, fastmath={"reassoc", "contract"})
def dot_of_difference(x: FloatArray, y: FloatArray, z: FloatArray) -> float:
    """(x − y) · z, in the order that is fastest."""
    total_product = 0.0
    for i in range(x.size):
        total_product += (x[i] - y[i]) * z[i]
    return total_product
