"""How much a fit tries: one record for every effort, each number with where it comes from.

A plan and a component give what the compiled search goes by: more is tried where local optima are many, less where
memory or time is short.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from latconf_core.options.scoring import VbemOptions

if TYPE_CHECKING:
    from latconf_core.score.kernels import best_posterior
    from latconf_core.score.kernels.vbem import Problem

# How many times the usual number of starts and finalists a component gets; sizes were found on the reference cases,
# 98 to 100 % of which then end within 0.1 nat of the best known.
STARTS_PER_RESTART = 1.5
EASY_SIZE = 46.0  # √(rows × cells × joint states / 2) up to which the least effort finds the best optimum
EASY_STATES = 4.0  # states of a child up to which the same holds
MOST_EFFORT = 6.0
LEAST_EFFORT = 0.5
LEAST_SHARED = 0.75  # where latents share children
LEAST_FACTORISED = 3.0  # factors updated in turn get stuck more easily
CLEAR_EFFORT = 1.5  # up to which optima are few: a first look takes as long as a full fit there
AFFORDABLE_STEPS = 6e4  # steps of one evaluation that leave no room for more effort
AFFORDABLE_TRIES = 4e4  # steps of one evaluation that leave no room for a second try
CELL_STEPS = 20  # what a cell costs in an evaluation, in steps: rows × families × joint states; timed
FACTOR_STEPS = 10  # what one line of a factorised posterior costs, in steps; timed
TREE_STEPS = 3  # … and of a tree; timed
SHIFT_STEPS = 10_000_000  # of one evaluation up to which rows are shifted, which no checkpoint parts: tens of ms
MOST_NUMBERS = 20_000_000  # in one array: 160 MB
LEAST_TOGETHER = 4  # points kept, whatever the effort or the room: chosen


class Stage(NamedTuple):
    """The best points that are kept, all starts where that is None, and the evaluations of each.

    least : kept, however small the effort
    """

    kept: int | None
    evaluations: int
    least: int = 1


class Moves(NamedTuple):
    """Moves out of an optimum in one round, at most: cells emptied, blocks exchanged, states split, rows shifted."""

    removals: int
    swaps: int
    splits: int
    shifts: int


class Agreement(NamedTuple):
    """When a search has seen enough.

    n_tries : how many times it begins, at most
    hits : runs that must come to the best optimum
    more_if_apart : how many more where some ended elsewhere
    most_hits : starts of one run that count
    n_explored : runs that look at moves from the best
    """

    n_tries: int
    hits: int
    more_if_apart: int = 0
    most_hits: int = 1
    n_explored: int = 1


@dataclass(frozen=True)
class FitPlan:
    """How much a fit tries.

    stages : starts and how their number is cut down
    moves : what is tried from each finalist
    agreement : when the search ends
    grows : whether the points kept and the moves grow with the effort that a component needs
    most_starts : however large that is
    settle : evaluations at most until a point is calm, before its moves are looked at
    look : evaluations of a move, at most
    rounds : of moves from one finalist
    finish : evaluations of the last run; None for the limit of the options
    tolerance, finish_tolerance : nats still to come at which a run, and the last run, ends; None for the option's
    finish_share : of the option's tolerance, for the last run
    """

    stages: tuple[Stage, ...]
    moves: Moves
    agreement: Agreement
    grows: bool = False
    most_starts: int | None = None
    settle: int = 0
    look: int = 16  # most moves are given up after four
    rounds: int = 40  # chosen; two or three are usual
    finish: int | None = None
    tolerance: float | None = None
    finish_tolerance: float | None = None
    finish_share: float = 1.0


SCREENING = Stage(None, 5)  # of every start that is not like another: "Escape local optima of the score"
NO_MOVES = Moves(0, 0, 0, 0)

# Full: cells emptied and blocks exchanged bring all but a few seeds within 0.1 nat of the best known; states split and
# rows shifted, with runs counted that agree instead of tries, halved the time (88 to 43 ms a component, 60 drawn ones)
# and left 0.2 % of fits more than a nat below the best known, before 1.3 %.
FULL = FitPlan(
    stages=(Stage(None, 1), SCREENING, Stage(6, 12, LEAST_TOGETHER), Stage(2, 20)),
    moves=Moves(32, 48, 24, 48),
    agreement=Agreement(20, 4, 4, 1, 3),  # where optima are many: four tries that agree
    grows=True,
    settle=60,
    finish_share=0.1,  # the winner's rise to come, an estimate, is kept well below the tolerance
)
# Where optima are few: eight tries at most, of 54 reference cases 100 % within 0.1 nat, the worst 0.01 below.
FULL_OF_FEW = FitPlan(
    stages=FULL.stages,
    moves=FULL.moves,
    agreement=Agreement(8, 2, 1, 2, 1),
    grows=True,
    settle=FULL.settle,
    finish_share=FULL.finish_share,
)
# Light: 90 % of 77 hard components within 8 nats of the full fit at 7 % of its time; without any move up to 380 below.
LIGHT = FitPlan(
    stages=(Stage(None, 1), SCREENING, Stage(8, 12), Stage(2, 20)),
    moves=Moves(32, 48, 0, 0),
    agreement=Agreement(1, 2),
    most_starts=64,
)
# A glance: light without moves, since most that it is had of are hopeless long before these matter.
GLANCE = FitPlan(stages=LIGHT.stages, moves=NO_MOVES, agreement=LIGHT.agreement, most_starts=LIGHT.most_starts)
# Refine's start of a latent on its own: rough, since the climb goes on from it; as tried out on 16 random networks.
WARM_START = FitPlan(
    stages=(Stage(None, 1), SCREENING, Stage(2, 12), Stage(1, 20)),
    moves=NO_MOVES,
    agreement=Agreement(1, 1),
    finish=60,
    tolerance=0.05,
    finish_tolerance=0.02,
)
# Refine's moves from where a fit ended: neither rows shifted nor points settled, with which Auto found 11 of 32 hidden
# causes on the check's tables, and models that were looked at scored 10 to 90 nats lower.
WARM_MOVES = FitPlan(
    stages=(Stage(None, 1),),
    moves=Moves(32, 48, 24, 0),
    agreement=Agreement(1, 1),
    grows=True,
    finish_share=FULL.finish_share,
)
EFFORTS = {"full": FULL, "light": LIGHT, "glance": GLANCE}


def choose_plan(problem: Problem, options: VbemOptions) -> FitPlan:
    """The plan of an effort; the full one also where optima are so few that its first try is mostly its last."""
    return FULL_OF_FEW if search_effort(problem) <= CLEAR_EFFORT else EFFORTS[options.effort]


def compile_plan(
    plan: FitPlan, problem: Problem, options: VbemOptions, *, n_starts: int | None = None
) -> best_posterior.Plan:
    """What the compiled search goes by.

    n_starts : as many as the options and the effort say unless given
    """
    from latconf_core.score.kernels.best_posterior import Plan

    effort = search_effort(problem)
    if n_starts is None:
        n_starts = min(round(STARTS_PER_RESTART * options.restarts * effort), _room(problem))
        n_starts = min(n_starts, plan.most_starts or n_starts)
    schedule: list[tuple[int, int]] = []
    scale, more = (effort, max(1.0, effort / 2)) if plan.grows else (1.0, 1.0)
    for stage in plan.stages:
        before = schedule[-1][0] if schedule else n_starts
        kept = before if stage.kept is None else min(max(round(stage.kept * scale), stage.least), before)
        schedule.append((kept, stage.evaluations))
    moves, agreement = plan.moves, plan.agreement
    tolerance = options.tolerance if plan.tolerance is None else plan.tolerance
    return Plan(
        schedule=np.array(schedule),
        n_removals=round(moves.removals * more),
        n_swaps=round(moves.swaps * more),
        n_splits=moves.splits,
        n_shifts=round(moves.shifts * more) if evaluation_cost(problem) <= SHIFT_STEPS else 0,
        settle=np.array([(1, plan.settle)]),
        look=np.array([(1, plan.look)]),
        n_rounds=plan.rounds,
        n_tries=min(agreement.n_tries, max(1, round(AFFORDABLE_TRIES / evaluation_cost(problem)))),
        enough_hits=agreement.hits if agreement.n_tries > 1 else min(agreement.hits, schedule[-1][0]),
        more_hits=agreement.more_if_apart,
        most_hits=agreement.most_hits,
        n_explored=agreement.n_explored,
        finish=np.array([(1, plan.finish or options.max_iterations)]),
        tolerance=tolerance,
        finish_tolerance=plan.finish_tolerance or tolerance * plan.finish_share,
    )


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
    affordable = AFFORDABLE_STEPS / evaluation_cost(problem)
    return max(LEAST_EFFORT, min(max(size, least), affordable, MOST_EFFORT))


def _n_joint(problem: Problem) -> int:
    """Joint states of the latents that meet: of all, or of the two at an arc of a tree."""
    ends = problem.q_first.tolist()
    states = [end - first for first, end in pairwise(ends)]
    return max(states) ** 2 if problem.tree.size else prod(states)


def evaluation_cost(problem: Problem) -> int:
    """What one evaluation costs, in steps."""
    return len(problem.weights) * row_cost(problem) + CELL_STEPS * len(problem.prior)


def row_cost(problem: Problem) -> int:
    """What one row of one evaluation costs."""
    if problem.tree.size:
        return TREE_STEPS * int(problem.factor_first[-1])
    return problem.states.size or FACTOR_STEPS * int(problem.factor_first[-1])


def _room(problem: Problem) -> int:
    """How many points of a component may be in memory together."""
    numbers = max(len(problem.prior), len(problem.weights) * int(problem.q_first[-1]))
    return max(LEAST_TOGETHER, MOST_NUMBERS // numbers)
