"""What a latent gains where ordered variables may have cumulative logits in place of tables, with it and without it."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np

from latconf_core.graph.bits import bits
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.insertion import Insertion
from latconf_core.search.refining.ordered_fitting import OrderedFitting
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.search.refining.soft_scores import SoftLatent
from latconf_core.structure.best_dag import MAX_PARENTS, search_best_dag
from latconf_core.structure.family_table import FamilyTable


class OrderedRival:
    """The best DAG without latents whose families are of either form, looked for when it is first asked for."""

    def __init__(self, tables: Fitting) -> None:
        """`tables` fits models whose families are all tables."""
        self._is_ordered = tables.soft.dataset.is_ordered
        self._tables = tables
        self._guard = Lock()
        self._known: tuple[OrderedFitting, Scored] | None = None

    def concerns(self, latent: SoftLatent) -> bool:
        """Whether some child of a latent is ordered."""
        return any(self._is_ordered[child] for child in bits(latent.children))

    def gain(self, latent: SoftLatent, beside: Sequence[SoftLatent] = ()) -> float:
        """What a latent with these children gains, in nats; beside others where those pay here, too."""
        fitting, rival = self._find()
        insertion = Insertion(fitting)
        for other in beside:
            tried = insertion.held(rival, other)
            if tried is not None and tried.score > rival.score:
                rival = tried
        best = insertion.held(rival, latent)
        if best is None:
            return float("-inf")
        places = [k for k, one in enumerate(best.model.latents) if one.children == latent.children]
        without = fitting.remove(best, places[-1])
        return best.score - max(rival.score, without.score)

    def _find(self) -> tuple[OrderedFitting, Scored]:
        with self._guard:
            if self._known is None:
                fitting = OrderedFitting(self._tables)
                table = FamilyTable(fitting.n_variables, fitting.soft.plain, max_parents=MAX_PARENTS)
                rng = np.random.default_rng(fitting.scorer.options.seed)
                reached = search_best_dag(table, rng=rng, checkpoint=fitting.checkpoint)
                best = max(reached, key=lambda dag: dag.score)
                self._known = fitting, Scored(SoftModel(best.parents), best.score)
            return self._known
