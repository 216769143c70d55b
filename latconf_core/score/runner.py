"""Runs batches of points of one problem on, in slices short enough to stop between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latconf_core.control import RunControl
from latconf_core.score.problem import Layout

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

SLICE_STEPS = 1_000_000  # row × family × latent state steps between two checkpoints: a few milliseconds


@dataclass(eq=False)
class Points:
    """Some variational posteriors of one problem.

    parameters : (n_points, n_cells) of the Dirichlets
    q : (n_points, n_rows, n_columns) one factor a latent; no columns where the posterior is joint
    bounds : (n_points,) the evidence lower bound, as last known
    converged : (n_points,) the rise still to come was estimated below the tolerance
    """

    parameters: FloatArray
    q: FloatArray
    bounds: FloatArray
    converged: BoolArray

    def best(self, n_points: int) -> Points:
        """The points with the highest bounds, best first."""
        return self.take(np.argsort(-self.bounds, kind="stable")[:n_points])

    def take(self, chosen: npt.NDArray[np.intp]) -> Points:
        """Copies of the chosen points."""
        return Points(self.parameters[chosen], self.q[chosen], self.bounds[chosen], self.converged[chosen])


class Runner:
    """Advances points and counts evaluations of the VBEM map."""

    def __init__(self, layout: Layout, control: RunControl) -> None:
        from latconf_core.score import kernels

        self._kernels = kernels
        self._problem = layout.problem
        self._control = control
        n_families, n_joint = self._problem.states.shape
        n_lines = int(self._problem.factor_first[-1])
        self._slice_rows = max(1, SLICE_STEPS // (n_families * n_joint or n_lines * len(self._problem.q_first)))
        self._scratch = np.empty((kernels.N_POINTS, len(self._problem.prior)))
        self.is_joint = n_joint > 0
        self.n_evaluations = 0

    def points(self, q: FloatArray) -> Points:
        """The points that follow from responsibilities (n_points, n_rows, n_columns)."""
        parameters = np.empty((len(q), len(self._problem.prior)))
        self._kernels.spread(self._problem, q, parameters)
        return self.given(parameters, q[:, :, :0] if self.is_joint else q)

    def given(self, parameters: FloatArray, q: FloatArray) -> Points:
        """The points with these parameters; not evaluated yet."""
        n_points = len(parameters)
        return Points(parameters, q, np.full(n_points, -np.inf), np.zeros(n_points, dtype=np.bool_))

    def advance(self, points: Points, n_evaluations: int, tolerance: float, *, n_trace: int = 0) -> FloatArray:
        """Run every point on, in place; gives the course of the bounds, (n_points, n_trace), NaN behind the end."""
        kernels = self._kernels
        n_points = len(points.parameters)
        traces = np.full((n_points, n_trace), np.nan)
        evaluations = np.zeros(n_points, dtype=np.int64)
        integers, reals = np.zeros(kernels.N_INTEGERS, dtype=np.int64), np.zeros(kernels.N_REALS)
        q_before = np.empty(points.q.shape[1:])
        done = False
        while not done:
            self._control.checkpoint()
            done = kernels.advance(
                self._problem,
                points.parameters,
                points.q,
                points.bounds,
                evaluations,
                points.converged,
                traces,
                self._scratch,
                q_before,
                integers,
                reals,
                n_evaluations,
                tolerance,
                self._slice_rows,
            )
        self.n_evaluations += int(evaluations.sum())
        return traces
