"""The search over orders of the variables with the posteriors of latents held."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.local_climb import MAX_PARENTS
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.structure.best_dag import shake
from latconf_core.structure.family_table import FamilyTable, Parents, order_of
from latconf_core.structure.hill_climber import climb
from latconf_core.structure.order_search import OrderSearch


def reorder(fitting: Fitting, model: SoftModel, *, n_more: int = 0) -> Scored:
    """The DAG of the best order of the variables with the posteriors held, fitted.

    n_more : random orders, and as many shaken ones, that are improved too; a chain of edges that points the wrong way
        turns by that, and not by moving one variable at a time
    """
    table, search = _prepare(fitting, model)
    n_variables = len(model.parents)

    def reach(order: Sequence[int]) -> Parents:
        return climb(table, search.improve(order), checkpoint=fitting.checkpoint)

    best = reach(order_of(model.parents))
    rng = np.random.default_rng([n_variables, model.below_latents])
    for _ in range(n_more):
        best = max(best, reach(rng.permutation(n_variables).tolist()), key=table.total)
    for _ in range(n_more):
        best = max(best, reach(shake(order_of(best), rng)), key=table.total)
    return fitting.refit(SoftModel(best, model.latents))


def reorder_around(fitting: Fitting, model: SoftModel, children: int) -> Scored:
    """The same, only some variables and those near them are moved."""
    _, search = _prepare(fitting, model)
    found = search.improve(order_of(model.parents), movable=model.zone(children))
    return fitting.refit(SoftModel(found, model.latents))


def _prepare(fitting: Fitting, model: SoftModel) -> tuple[FamilyTable, OrderSearch]:
    latents = [model.latents_of(v) for v in range(len(model.parents))]

    def score(child: int, parents: int) -> float:
        fitting.checkpoint()
        if parents.bit_count() + len(latents[child]) > MAX_PARENTS:
            return -inf
        return fitting.soft.family(child, parents, latents[child])

    table = FamilyTable(len(model.parents), score, max_parents=MAX_PARENTS)
    known = {v: found for v, found in fitting.choices.items() if not latents[v]}
    return table, OrderSearch(table, checkpoint=fitting.checkpoint, known=known)
