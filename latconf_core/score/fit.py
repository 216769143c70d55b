"""Finds the best variational posterior of one component: many cheap starts, moves out of local optima, one finish."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, lgamma
from typing import TYPE_CHECKING

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.component_layout import Layout
from latconf_core.score.fit_plans import FULL, FULL_OF_FEW, choose_plan, compile_plan, evaluation_cost, row_cost

if TYPE_CHECKING:
    from latconf_core.score.kernels.vbem import Problem


N_TRACE = 1000
SLICE_STEPS = 1_000_000  # row × family × latent state steps between two checkpoints: a few milliseconds
# What a fit is expected to take; a single one on the paper's data takes a fifth to three times as long.
USUAL_LOOK = 4  # evaluations of a move until it is given up
SECONDS_PER_STEP = 5e-9  # three fits in four take less: those that are not measured for want of time are the long ones
LEAST_SECONDS = 0.001


@dataclass(frozen=True, eq=False)
class Fit:
    """The best posterior found for a component.

    parameters : (n_cells,) of the Dirichlets
    q : (n_rows, n_columns) one factor a latent; no columns where the posterior is exact
    elbo : the bound at them, at least
    p_elbo : elbo − Σ log(n_states!), the relabellings of latent states that describe the same model, − the price of its
        edges and latents
    trace : the bound along the last run
    spread : the bounds that the finalists reached, best first
    is_full : it was made with the full effort, asked for or not
    """

    parameters: FloatArray
    q: FloatArray
    elbo: float
    p_elbo: float
    converged: bool
    iterations: int
    starts: int
    trace: FloatArray
    spread: FloatArray
    is_full: bool = False

    @property
    def apart(self) -> float:
        """How far below the best the worst finalist ended; 0 where there was one alone."""
        return float(self.spread[0] - self.spread[-1]) if len(self.spread) > 1 else 0.0


def fit(layout: Layout, options: VbemOptions, *, seed: int, control: RunControl) -> Fit:
    """The best posterior found; the same for the same layout, options and seed."""
    from latconf_core.score.kernels import best_posterior as kernels
    from latconf_core.score.kernels.stepping import ALL_EVALUATIONS

    problem = layout.problem
    chosen = choose_plan(problem, options)
    plan = compile_plan(chosen, problem, options)
    search = kernels.make_search(problem, plan, np.uint64(seed), N_TRACE)
    budget = slice_rows(problem)
    n_finalists = 0
    while n_finalists == 0:
        control.checkpoint()
        n_finalists = kernels.go_on(problem, layout.row_index, layout.below, plan, search, budget)
    best, trace = search.best, search.run.trace
    elbo = float(best.bounds[0])
    return Fit(
        best.parameters[0].copy(),
        best.q[0].copy(),
        elbo,
        elbo - relabelling_penalty(np.diff(problem.q_first).tolist()) - layout.price,
        bool(best.converged[0]),
        int(search.run.integers[ALL_EVALUATIONS]),
        int(search.integers[kernels.TRY]) * len(search.points.bounds),
        trace[np.isfinite(trace)],
        np.sort(search.spread[:n_finalists])[::-1],
        chosen in (FULL, FULL_OF_FEW),
    )


def relabelling_penalty(states: Iterable[int]) -> float:
    """Σ log(n_states!): the relabellings of latent states that describe the same model."""
    return sum(lgamma(n_states + 1) for n_states in states)


def expected_seconds(problem: Problem, options: VbemOptions) -> float:
    """What finding the best posterior is expected to take: the least number of runs, one round of moves each."""
    plan = compile_plan(choose_plan(problem, options), problem, options)
    n_finalists = int(plan.schedule[-1, 0])
    n_runs = min(plan.n_tries * n_finalists, ceil(plan.enough_hits / plan.most_hits))
    n_moves = n_runs * (plan.n_removals + plan.n_swaps + plan.n_splits + plan.n_shifts)
    n_evaluations = ceil(n_runs / n_finalists) * int(plan.schedule.prod(axis=1).sum()) + USUAL_LOOK * n_moves
    return max(LEAST_SECONDS, SECONDS_PER_STEP * n_evaluations * evaluation_cost(problem))


def slice_rows(problem: Problem) -> int:
    """How many rows are worked on between two checkpoints."""
    return max(1, SLICE_STEPS // row_cost(problem))
