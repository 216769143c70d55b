"""The kinds of arrays that signatures name."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
IndexArray = npt.NDArray[np.intp]  # places in another array
BoolArray = npt.NDArray[np.bool_]
CodeArray = npt.NDArray[np.integer]  # codes of states, in the smallest integers that hold them
WeightArray = npt.NDArray[np.integer | np.floating]  # how often rows occur: whole numbers, or fractions of rows
