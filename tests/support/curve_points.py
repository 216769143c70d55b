"""Where the lines of edges run, for tests."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from latconf_gui.drawing.geometry.curves import Curve


def points_of(curve: Curve) -> npt.NDArray[np.float64]:
    """Points along a curve, its ends left out, (300, 2)."""
    return np.array([curve.at(t) for t in np.linspace(0.01, 0.99, 300)])
