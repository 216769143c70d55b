"""Finds the best variational posterior of one component: many cheap starts, moves out of local optima, one finish."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, lgamma, prod
from typing import TYPE_CHECKING

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.component_layout import Layout

if TYPE_CHECKING:
    from latconf_core.score.kernels.best_posterior import Plan
    from latconf_core.score.kernels.vbem import Problem


STARTS_PER_RESTART = 1.5
EASY_SIZE = 46.0  # √(rows × cells × joint states / 2) up to which the least effort finds the best optimum
EASY_STATES = 4.0  # states of a child up to which the same holds
MOST_EFFORT = 6.0
LEAST_EFFORT = 0.5
LEAST_SHARED = 0.75  # where latents share children
LEAST_FACTORISED = 3.0  # factors updated in turn get stuck more easily
CELL_STEPS = 20  # what a cell costs in an evaluation, in steps: rows × families × joint states
AFFORDABLE_STEPS = 6e4  # steps of one evaluation that leave no room for more effort
AFFORDABLE_TRIES = 4e4  # steps of one evaluation that leave no room for a second try
CLEAR_EFFORT = 1.5  # up to which optima are few
# Tries at most, runs that must come to the best optimum, how many more where some ended elsewhere, starts of one run
# that count, runs that look at moves from the best …
FEW_OPTIMA = (8, 2, 1, 2, 1)
MANY_OPTIMA = (20, 4, 4, 1, 3)  # … where optima are many
FACTOR_STEPS = 10  # what one line of a factorised posterior costs, in steps
TREE_STEPS = 3  # … and of a tree
SCREENING = 5  # evaluations of every start that is not like another
SECOND_ROUND = (6, 12)  # points kept (times the effort), evaluations of each
FINALISTS = (2, 20)
# Cells emptied, blocks exchanged, states split, rows shifted, at most, in one round; more with effort.
MOVES = (32, 48, 24, 48)
LIGHT_MOVES = (32, 48, 0, 0)
NO_MOVES = (0, 0, 0, 0)  # of a glance: most that it is had of are hopeless long before
SETTLE = 60  # evaluations at most until a point is calm, before its moves are looked at
LOOK = 16  # evaluations of a move, at most: most are given up long before
MOVE_ROUNDS = 40
# The light effort: a first look, whose bound is mostly within a few nats of the best.
LIGHT_STARTS = 64  # at most
LIGHT_SECOND_ROUND = 8
LIGHT_FINALISTS = 2
FINISH = 0.1  # of the tolerance: the winner's rise to come, an estimate, is kept well below it
N_TRACE = 1000
MOST_NUMBERS = 20_000_000  # in one array: 160 MB
LEAST_TOGETHER = 4  # points kept, whatever the effort or the room
SLICE_STEPS = 1_000_000  # row × family × latent state steps between two checkpoints: a few milliseconds
SHIFT_STEPS = 10 * SLICE_STEPS  # of one evaluation up to which rows are shifted, which no checkpoint parts
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
    plan = make_plan(problem, options)
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
        _is_full(problem, options),
    )


def relabelling_penalty(states: Iterable[int]) -> float:
    """Σ log(n_states!): the relabellings of latent states that describe the same model."""
    return sum(lgamma(n_states + 1) for n_states in states)


def make_plan(problem: Problem, options: VbemOptions) -> Plan:
    """How much is tried: more where local optima are many, less where memory is short."""
    from latconf_core.score.kernels.best_posterior import Plan

    effort = search_effort(problem)
    room = _room(problem)
    n_starts = min(round(STARTS_PER_RESTART * options.restarts * effort), room)
    if not _is_full(problem, options):
        return _light_plan(min(n_starts, LIGHT_STARTS), options)
    schedule = [(n_starts, 1), (n_starts, SCREENING)]
    schedule.append((min(max(round(SECOND_ROUND[0] * effort), LEAST_TOGETHER), n_starts), SECOND_ROUND[1]))
    schedule.append((min(max(round(FINALISTS[0] * effort), 1), schedule[-1][0]), FINALISTS[1]))
    more = max(1.0, effort / 2)
    n_tries, enough, more_if_apart, most, n_explored = FEW_OPTIMA if effort <= CLEAR_EFFORT else MANY_OPTIMA
    return Plan(
        np.array(schedule),
        round(MOVES[0] * more),
        round(MOVES[1] * more),
        MOVES[2],
        round(MOVES[3] * more) if _cost(problem) <= SHIFT_STEPS else 0,
        np.array([(1, SETTLE)]),
        np.array([(1, LOOK)]),
        MOVE_ROUNDS,
        min(n_tries, max(1, round(AFFORDABLE_TRIES / _cost(problem)))),
        enough,
        more_if_apart,
        most,
        n_explored,
        np.array([(1, options.max_iterations)]),
        options.tolerance,
        options.tolerance * FINISH,
    )


def _is_full(problem: Problem, options: VbemOptions) -> bool:
    """Whether the full effort is made: also where optima are so few that its first try is mostly its last."""
    return options.effort == "full" or search_effort(problem) <= CLEAR_EFFORT


def _light_plan(n_starts: int, options: VbemOptions) -> Plan:
    """A few starts, the moves of two finalists unless it is a glance, one try."""
    from latconf_core.score.kernels.best_posterior import Plan

    n_second = min(LIGHT_SECOND_ROUND, n_starts)
    n_finalists = min(LIGHT_FINALISTS, n_second)
    return Plan(
        np.array([(n_starts, 1), (n_starts, SCREENING), (n_second, SECOND_ROUND[1]), (n_finalists, FINALISTS[1])]),
        *(NO_MOVES if options.effort == "glance" else LIGHT_MOVES),
        np.array([(1, 0)]),
        np.array([(1, LOOK)]),
        MOVE_ROUNDS,
        1,
        n_finalists,
        0,
        1,
        1,
        np.array([(1, options.max_iterations)]),
        options.tolerance,
        options.tolerance,
    )


def expected_seconds(problem: Problem, options: VbemOptions) -> float:
    """What finding the best posterior is expected to take: the least number of runs, one round of moves each."""
    plan = make_plan(problem, options)
    n_finalists = int(plan.schedule[-1, 0])
    n_runs = min(plan.n_tries * n_finalists, ceil(plan.enough_hits / plan.most_hits))
    n_moves = n_runs * (plan.n_removals + plan.n_swaps + plan.n_splits + plan.n_shifts)
    n_evaluations = ceil(n_runs / n_finalists) * int(plan.schedule.prod(axis=1).sum()) + USUAL_LOOK * n_moves
    return max(LEAST_SECONDS, SECONDS_PER_STEP * n_evaluations * _cost(problem))


def search_effort(problem: Problem) -> float:
    """How many times the usual number of starts and finalists a component gets.

    Local optima multiply with rows, cells, joint states and the states of a child; what one evaluation costs sets the
    limit.
    """
    n_rows, ends = len(problem.weights), problem.q_first.tolist()
    n_joint = _n_joint(problem)
    size: float = (n_rows * len(problem.prior) * n_joint / 2) ** 0.5 / EASY_SIZE
    size *= max(1.0, max(problem.block_size.tolist()) / EASY_STATES)
    least = LEAST_EFFORT
    if len(ends) > 2:
        least = LEAST_SHARED if problem.states.size or problem.tree.size else LEAST_FACTORISED
    affordable = AFFORDABLE_STEPS / _cost(problem)
    return max(LEAST_EFFORT, min(max(size, least), affordable, MOST_EFFORT))


def _n_joint(problem: Problem) -> int:
    """Joint states of the latents that meet: of all, or of the two at an arc of a tree."""
    ends = problem.q_first.tolist()
    states = [end - first for first, end in pairwise(ends)]
    return max(states) ** 2 if problem.tree.size else prod(states)


def _cost(problem: Problem) -> int:
    """What one evaluation costs, in steps."""
    return len(problem.weights) * _steps(problem) + CELL_STEPS * len(problem.prior)


def _steps(problem: Problem) -> int:
    """What one row of one evaluation costs."""
    if problem.tree.size:
        return TREE_STEPS * int(problem.factor_first[-1])
    return problem.states.size or FACTOR_STEPS * int(problem.factor_first[-1])


def _room(problem: Problem) -> int:
    """How many points of a component may be in memory together."""
    numbers = max(len(problem.prior), len(problem.weights) * int(problem.q_first[-1]))
    return max(LEAST_TOGETHER, MOST_NUMBERS // numbers)


def slice_rows(problem: Problem) -> int:
    """How many rows are worked on between two checkpoints."""
    return max(1, SLICE_STEPS // _steps(problem))
