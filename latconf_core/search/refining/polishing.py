"""Makes the best of a model that was reached: its edges, its latents' children and states, and its order."""

from __future__ import annotations

from latconf_core.search.refining.fitting import REFIT_GAIN, Fitting
from latconf_core.search.refining.local_climb import MAX_PARENTS
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.structure.family_table import FamilyTable, order_of
from latconf_core.structure.hill_climber import climb
from latconf_core.structure.order_search import OrderSearch

MOST_PASSES = 2


def polish(fitting: Fitting, present: Scored) -> Scored:
    """Climb everything, choose states anew, search orders with the posteriors held, and fit fully."""
    everything = (1 << fitting.n_variables) - 1
    for _ in range(MOST_PASSES):
        before = present.score
        for place in range(len(present.model.latents)):
            present = fitting.climb(present, present.model.latents[place].children, focus=place, rounds=4)
            present = fitting.split_states(present, place, may_change=True)
            present = fitting.merge_states(present, place)
        present = max(present, reorder(fitting, present.model), key=lambda one: one.score)
        present = fitting.climb(present, everything, rounds=2)
        if present.score <= before + REFIT_GAIN:
            break
    return fitting.refit(present.model, is_full=True)


def reorder(fitting: Fitting, model: SoftModel) -> Scored:
    """The DAG of the best order of the variables with the posteriors held, fitted."""
    latents = [model.latents_of(v) for v in range(len(model.parents))]
    rooms = MAX_PARENTS - max(map(len, latents))

    def score(child: int, parents: int) -> float:
        fitting.checkpoint()
        return fitting.soft.family(child, parents, latents[child])

    table = FamilyTable(len(model.parents), score, max_parents=rooms)
    search = OrderSearch(table, checkpoint=fitting.checkpoint)
    found = climb(table, search.improve(order_of(model.parents)), checkpoint=fitting.checkpoint)
    return fitting.refit(SoftModel(found, model.latents))
