"""Fits with less trouble than a full one: from a posterior that is known, or from a few starts without moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.component_layout import Layout
from latconf_core.score.fit import N_TRACE, Fit, relabelling_penalty, slice_rows
from latconf_core.score.fit_plans import WARM_MOVES, WARM_START, compile_plan

if TYPE_CHECKING:
    from latconf_core.score.kernels.stepping import Batch

SETTLED = 0.02  # nats still to come at which a fit from a posterior is left, as of a start (WARM_START)


def fit_lightly(layout: Layout, options: VbemOptions, *, n_starts: int, seed: int, control: RunControl) -> Fit:
    """The best of a few starts, without moves out of local optima and without a second try."""
    from latconf_core.score.kernels import best_posterior as kernels

    problem = layout.problem
    plan = compile_plan(WARM_START, problem, options, n_starts=n_starts)
    search = kernels.make_search(problem, plan, np.uint64(seed), N_TRACE)
    n_finalists = 0
    while n_finalists == 0:
        control.checkpoint()
        n_finalists = kernels.go_on(problem, layout.row_index, layout.below, plan, search, slice_rows(problem))
    return _read(layout, search.best, n_starts)


def fit_from(layout: Layout, q: FloatArray, *, most: int, control: RunControl) -> Fit:
    """VBEM from a posterior.

    q : (n_distinct_rows, n_states) of the layout's rows, the states of its latents side by side, in the layout's order
    most : evaluations at most
    """
    from latconf_core.score.kernels.vbem import spread

    parameters = np.empty_like(layout.problem.prior)
    spread(layout.problem, q, parameters)
    return fit_from_parameters(layout, parameters, q, most=most, control=control)


def fit_from_parameters(
    layout: Layout, parameters: FloatArray, q: FloatArray, *, most: int, control: RunControl
) -> Fit:
    """VBEM from the parameters of the Dirichlets, and from the factors of a posterior that is not joint."""
    from latconf_core.score.kernels import best_posterior as kernels
    from latconf_core.score.kernels.stepping import advance

    problem = layout.problem
    batch = kernels.make_batch(problem, 1)
    batch.parameters[0] = parameters
    if batch.q.shape[2]:
        batch.q[0] = q
    run = kernels.make_run(problem, N_TRACE)
    budget, schedule = 0, np.array([(1, most)])
    while budget <= 0:
        control.checkpoint()
        budget = advance(problem, run, batch, schedule, SETTLED, -np.inf, slice_rows(problem))
    return _read(layout, batch, 1)


def fit_by_moves(layout: Layout, start: Fit, options: VbemOptions, *, seed: int, control: RunControl) -> Fit:
    """The optimum that moves lead to from where a fit ended, each kept that gains; no fresh starts."""
    from latconf_core.score.kernels import best_posterior as kernels

    problem = layout.problem
    plan = compile_plan(WARM_MOVES, problem, options, n_starts=1)
    search = kernels.make_search(problem, plan, np.uint64(seed), N_TRACE)
    search.points.parameters[0] = start.parameters
    search.points.q[0] = start.q
    search.points.bounds[0] = start.elbo
    search.integers[kernels.TASK], search.integers[kernels.N_FINALISTS] = kernels.PROPOSING, 1
    n_finalists = 0
    while n_finalists == 0:
        control.checkpoint()
        n_finalists = kernels.go_on(problem, layout.row_index, layout.below, plan, search, slice_rows(problem))
    return _read(layout, search.best, 1)


def _read(layout: Layout, batch: Batch, n_starts: int) -> Fit:
    elbo = float(batch.bounds[0])
    return Fit(
        batch.parameters[0].copy(),
        batch.q[0].copy(),
        elbo,
        elbo - relabelling_penalty(np.diff(layout.problem.q_first).tolist()) - layout.price,
        bool(batch.converged[0]),
        0,
        n_starts,
        np.zeros(0),
        np.zeros(0),
    )
