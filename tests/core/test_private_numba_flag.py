"""A kernel is compiled with a flag that numba keeps to itself; a new numba may drop or rename it."""

from __future__ import annotations

import numba
import numpy as np


def _add_one(values: np.ndarray) -> None:
    for i in range(len(values)):
        values[i] += 1.0


def test_that_numba_still_knows_the_flag_that_leaves_out_the_counting_of_references() -> None:
    plain = numba.njit(_add_one)
    without = numba.njit(_nrt=False)(_add_one)
    values = np.zeros(3)
    plain(values)
    without(values)
    assert values.tolist() == [2.0, 2.0, 2.0]
    (counted,), (uncounted,) = plain.inspect_llvm().values(), without.inspect_llvm().values()
    assert "NRT_" in counted
    assert "NRT_" not in uncounted
