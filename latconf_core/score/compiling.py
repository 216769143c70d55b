"""The steps that compile the kernels of the score, in parts for processes that go on side by side.

A step compiles for types alone: nothing is fitted. What one process has compiled the other loads from numba's cache, so
the order in each part matters: first what the other part needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from latconf_core.score.kernels.best_posterior import Plan, Search
    from latconf_core.score.kernels.layout import RowIndex, Structure
    from latconf_core.score.kernels.vbem import Problem

Step = Callable[[], None]
_INTEGERS = np.zeros(1, dtype=np.int64)
_TABLE = np.zeros((1, 1), dtype=np.int64)
_REALS = np.zeros(1)


def _search() -> list[Step]:
    """The runs of VBEM, then the whole search for a posterior."""
    from latconf_core.score.kernels import best_posterior, stepping

    problem, plan, search = _problem(), _plan(), _search_state()
    run, points, goal = search.run, search.points, -np.inf
    return [
        _compile(stepping.advance, problem, run, points, plan.schedule, plan.tolerance, goal, 1),
        _compile(best_posterior.go_on, problem, _row_index(), _TABLE, plan, search, 1),
    ]


def _surroundings() -> list[Step]:
    """Starts and moves of the search, then what lays a component out, counts and reads back."""
    from latconf_core.score.kernels import best_posterior, layout, moves, shifts, starts, vbem

    problem, plan, search = _problem(), _plan(), _search_state()
    sizes = (_TABLE, _TABLE, _INTEGERS, _TABLE, _INTEGERS)
    return [
        _compile(starts.make_start, problem, _row_index(), _TABLE, 1, search.random, search.q),
        _compile(moves.propose, problem, _REALS, 1, 1, 1, 1, search.random, search.moves),
        _compile(moves.make_move, problem, _TABLE, _REALS, search.q, _INTEGERS, search.random, _REALS),
        _compile(shifts.latent_posteriors, problem, _REALS, _REALS, search.q, search.run.workspace),
        _compile(best_posterior.copy_point, search.points, 1, search.best, 1),
        _compile(best_posterior.make_search, problem, plan, np.uint64(0), 1),
        _compile(layout.lay_out, _TABLE, _REALS, _structure(), *sizes),
        _compile(vbem.joint_responsibilities, problem, _REALS),
        _compile(vbem.tree_responsibilities, problem, _REALS),
        _compile(vbem.log_likelihood, problem, _REALS),
        _count,
    ]


PARTS: dict[str, Callable[[], list[Step]]] = {"search": _search, "surroundings": _surroundings}


def _compile(kernel: Any, *arguments: Any) -> Step:
    """A step that compiles a kernel for the types of some arguments."""
    from latconf_core.compiled import numba

    return lambda: kernel.compile(tuple(numba.typeof(argument) for argument in arguments))  # type: ignore[no-untyped-call]


def _count() -> None:
    """Score a family and lay a component out on data of each width of codes."""
    from latconf_core.score.scorer import warm_up

    warm_up(fits=False)


def _problem() -> Problem:
    from latconf_core.score.kernels.vbem import Problem

    return Problem(
        _REALS,
        _TABLE,
        1,
        _TABLE,
        _TABLE,
        _INTEGERS,
        _TABLE,
        _INTEGERS,
        _REALS,
        _INTEGERS,
        _REALS,
        _REALS,
        _INTEGERS,
        _INTEGERS,
        _INTEGERS,
        1,
        _REALS,
    )


def _row_index() -> RowIndex:
    from latconf_core.score.kernels.layout import RowIndex

    return RowIndex(_TABLE, _TABLE, _TABLE)


def _structure() -> Structure:
    from latconf_core.score.kernels.layout import Structure

    return Structure(_INTEGERS, _INTEGERS, _INTEGERS, _INTEGERS, _INTEGERS, _INTEGERS, _REALS)


def _plan() -> Plan:
    from latconf_core.score.kernels.best_posterior import Plan

    tables = dict.fromkeys(("schedule", "settle", "look", "finish"), _TABLE)
    tolerances = dict.fromkeys(("tolerance", "finish_tolerance"), 1.0)
    return Plan(**{**dict.fromkeys(Plan._fields, 1), **tables, **tolerances})  # type: ignore[arg-type]


def _search_state() -> Search:
    from latconf_core.score.kernels.best_posterior import Search
    from latconf_core.score.kernels.stepping import Batch, Run
    from latconf_core.score.kernels.vbem import Workspace

    table = np.zeros((1, 1))
    batch = Batch(table, np.zeros((1, 1, 1)), _REALS, np.zeros(1, dtype=np.bool_), _INTEGERS)
    workspace = Workspace(_REALS, _REALS, _REALS, table, _REALS, _REALS, _REALS)
    run = Run(table, table, _INTEGERS, _REALS, _REALS, workspace)
    return Search(_INTEGERS, np.zeros(1, dtype=np.uint64), batch, batch, batch, table, _TABLE, _REALS, run)
