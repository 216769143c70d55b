"""The search over orders of the variables with the posteriors of latents held."""

from __future__ import annotations

from math import inf

from latconf_core.arrays import FloatArray
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.local_climb import MAX_PARENTS
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.structure.family_table import FamilyTable, order_of, order_under
from latconf_core.structure.hill_climber import climb
from latconf_core.structure.order_search import OrderSearch


def reorder(fitting: Fitting, model: SoftModel) -> Scored:
    """The DAG of the best order of the variables with the posteriors held, fitted."""
    table, search = _prepare(fitting, model)
    best_dag = climb(table, search.improve(_order(fitting, model)), checkpoint=fitting.checkpoint)
    return fitting.refit(SoftModel(best_dag, model.latents))


def reorder_around(fitting: Fitting, model: SoftModel, children: int) -> Scored:
    """The same, only some variables and those near them are moved."""
    _, search = _prepare(fitting, model)
    best_dag = search.improve(_order(fitting, model), movable=model.zone(children))
    return fitting.refit(SoftModel(best_dag, model.latents))


def _order(fitting: Fitting, model: SoftModel) -> list[int]:
    return order_under(order_of(model.parents), fitting.known.required)


def _prepare(fitting: Fitting, model: SoftModel) -> tuple[FamilyTable, OrderSearch]:
    latents = [model.latents_of(v) for v in range(len(model.parents))]
    n_required = max((mask.bit_count() for mask in fitting.known.required), default=0)

    def score(child: int, parents: int) -> float:
        fitting.checkpoint()
        if parents.bit_count() + len(latents[child]) > max(MAX_PARENTS, n_required):
            return -inf
        return fitting.soft.family(child, parents, latents[child])

    def row(child: int, parents: int) -> FloatArray | None:
        return None if latents[child] else fitting.soft.plain_row(child, parents)

    table = FamilyTable(len(model.parents), score, max_parents=MAX_PARENTS, known=fitting.known, row=row)
    known = {v: tree for v, tree in fitting.choices.items() if not latents[v]}
    return table, OrderSearch(table, checkpoint=fitting.checkpoint, known=known)
