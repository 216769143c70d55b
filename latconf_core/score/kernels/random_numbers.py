"""Random numbers that depend on a seed alone, whatever the machine."""

from __future__ import annotations

import numpy as np

from latconf_core.compiled import numba

RandomState = np.ndarray  # (1,) of uint64


@numba.njit(nogil=True, cache=True)
def uniform(random: RandomState) -> float:
    """A number in [0, 1): the splitmix64 generator."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.float64(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@numba.njit(nogil=True, cache=True)
def below(random: RandomState, n: int) -> int:
    """A whole number in [0, n)."""
    return int(uniform(random) * n)
