"""Runs batches of points of one problem on, in slices short enough to stop between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

    def first(self, n_points: int) -> Points:
        """The first points; what is done to them is done to these."""
        return self.at(slice(n_points))

    def one(self, place: int) -> Points:
        """One point alone, still the same."""
        return self.at(slice(place, place + 1))

    def at(self, places: slice) -> Points:
        """Some points, still the same."""
        return Points(self.parameters[places], self.q[places], self.bounds[places], self.converged[places])


class Runner:
    """Advances points and counts evaluations of the VBEM map."""

    def __init__(self, layout: Layout, control: RunControl) -> None:
        from latconf_core.score.kernels import spread
        from latconf_core.score.stepping import kernels

        self._kernels = kernels
        self._spread = spread
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
        n_together = max(1, self._slice_rows * len(self._problem.q_first) // len(self._problem.weights))
        for first in range(0, len(q), n_together):
            self._control.checkpoint()
            self._spread(self._problem, q[first : first + n_together], parameters[first : first + n_together])
        return self.given(parameters, q[:, :, :0] if self.is_joint else q)

    def given(self, parameters: FloatArray, q: FloatArray) -> Points:
        """The points with these parameters; not evaluated yet."""
        n_points = len(parameters)
        return Points(parameters, q, np.full(n_points, -np.inf), np.zeros(n_points, dtype=np.bool_))

    def advance(
        self, points: Points, schedule: Sequence[tuple[int, int]], tolerance: float, *, n_trace: int = 0
    ) -> tuple[Points, FloatArray]:
        """The best points, best first, of successive halving, and the course of their last bounds (NaN at the end).

        schedule : how many of the best points are kept (all at first), and for how many evaluations they run on
        The points are changed in place.
        """
        stages = np.array(schedule, dtype=np.int64)
        stages[:, 0] = np.minimum(stages[:, 0], len(points.bounds))
        traces = np.full((len(points.bounds), n_trace), np.nan)
        self._run(self._kernels.advance, points, traces, stages, tolerance)
        return points.first(int(stages[-1, 0])), traces

    def race(
        self, points: Points, schedule: Sequence[tuple[int, int]], tolerance: float, *, target: float
    ) -> Points | None:
        """The first point to come above the target, one handful (the schedule's first) halved after the other."""
        stages = np.array(schedule, dtype=np.int64)
        traces = np.empty((len(points.bounds), 0))
        winner = self._run(self._kernels.race, points, traces, stages, tolerance, int(stages[0, 0]), target)
        return None if winner < 0 else points.one(winner)

    def _run(
        self,
        kernel: Callable[..., bool],
        points: Points,
        traces: FloatArray,
        stages: IntArray,
        tolerance: float,
        *more: float,
    ) -> int:
        """Call a kernel again and again until it is done; gives the place of its winner."""
        kernels = self._kernels
        integers, reals = np.zeros(kernels.N_INTEGERS, dtype=np.int64), np.zeros(kernels.N_REALS)
        integers[kernels.WINNER] = -1
        q_before = np.empty(points.q.shape[1:])
        done = False
        while not done:
            self._control.checkpoint()
            done = kernel(
                self._problem,
                points.parameters,
                points.q,
                points.bounds,
                points.converged,
                traces,
                self._scratch,
                q_before,
                integers,
                reals,
                stages,
                tolerance,
                self._slice_rows,
                *more,
            )
        self.n_evaluations += int(integers[kernels.ALL_EVALUATIONS])
        return int(integers[kernels.WINNER])
