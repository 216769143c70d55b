"""Finds the best variational posterior of one component from many starts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latconf_core.control import RunControl
from latconf_core.options import VbemOptions
from latconf_core.score.problem import Layout

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

SLICE_CELLS = 1_000_000  # row × joint state × family steps between two checkpoints: a few milliseconds


@dataclass(frozen=True, eq=False)
class Fit:
    """The best posterior found for a component.

    parameters : (n_cells,) of the Dirichlets
    elbo : the bound at them, at least
    """

    parameters: FloatArray
    elbo: float
    converged: bool
    iterations: int
    starts: int


class Runner:
    """Runs batches of starts on one problem, in slices short enough to stop between them."""

    def __init__(self, layout: Layout, control: RunControl) -> None:
        from latconf_core.score import kernels

        self._kernels = kernels
        self.problem = layout.problem
        self._control = control
        n_families, n_joint = self.problem.states.shape
        self._slice_rows = max(1, SLICE_CELLS // (n_families * n_joint))
        self._scratch = np.empty((kernels.N_POINTS, len(self.problem.prior)))
        self.n_evaluations = 0

    def advance(self, points: FloatArray, n_evaluations: int, tolerance: float) -> tuple[FloatArray, BoolArray]:
        """Run every point (n_points, n_cells) on in place; the bounds reached and which have converged."""
        kernels = self._kernels
        bounds = np.empty(len(points))
        evaluations = np.zeros(len(points), dtype=np.int64)
        converged = np.zeros(len(points), dtype=np.bool_)
        integers, reals = np.zeros(kernels.N_INTEGERS, dtype=np.int64), np.zeros(kernels.N_REALS)
        done = False
        while not done:
            self._control.checkpoint()
            done = kernels.advance(
                self.problem,
                points,
                bounds,
                evaluations,
                converged,
                self._scratch,
                integers,
                reals,
                n_evaluations,
                tolerance,
                self._slice_rows,
            )
        self.n_evaluations += int(evaluations.sum())
        return bounds, converged

    def from_responsibilities(self, responsibilities: FloatArray) -> FloatArray:
        """The parameters that follow from responsibilities (n_starts, n_rows, n_joint)."""
        points = np.empty((len(responsibilities), len(self.problem.prior)))
        self._kernels.spread(self.problem, responsibilities, points)
        return points


def fit(layout: Layout, options: VbemOptions, *, rng: np.random.Generator, control: RunControl) -> Fit:
    """The best posterior found from many cheap starts, the best few of which are finished."""
    runner = Runner(layout, control)
    n_rows, n_joint = len(layout.problem.weights), layout.problem.states.shape[1]
    n_starts = 4 * options.restarts
    responsibilities = rng.standard_gamma(0.5, size=(n_starts, n_rows, n_joint)) + 1e-3
    responsibilities /= responsibilities.sum(axis=2, keepdims=True)
    points = runner.from_responsibilities(responsibilities)
    bounds, converged = runner.advance(points, 4, options.tolerance)
    for n_kept, n_evaluations in ((n_starts // 2, 8), (n_starts // 4, 16), (4, 64), (2, options.max_iterations)):
        best = np.argsort(-bounds, kind="stable")[: max(1, n_kept)]
        points = points[best]
        bounds, converged = runner.advance(points, n_evaluations, options.tolerance)
    winner = int(np.argmax(bounds))
    return Fit(points[winner], float(bounds[winner]), bool(converged[winner]), runner.n_evaluations, n_starts)
