"""FGES: greedy equivalence search over CPDAGs by BDeu (Chickering 2002; Ramsey et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator

from latconf_core.arrays import FloatArray
from latconf_core.control import Progress, RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.families.family_rows import FamilyRows
from latconf_core.graph.cpdag import Cpdag
from latconf_core.options.learning import PagOptions
from latconf_core.options.scoring import VbemOptions
from latconf_core.pag.events import ScoreStep
from latconf_core.structure.equivalence_search import TIE_DIGITS, EquivalenceSearch

__all__ = ["TIE_DIGITS", "Bdeu", "Fges"]

MOST_ALONE = 8  # scores with one parent more that are counted alone; then those of all variables are counted together


class Bdeu:
    """Local scores: BDeu with an equivalent sample size and a prior on the number of parents, each computed once."""

    def __init__(self, dataset: Dataset, options: PagOptions) -> None:
        self._slots = (dataset.n_rows if options.structure_prior_over == "rows" else dataset.n_variables) - 1
        share = options.structure_prior / self._slots if self._slots > 0 else 0.0
        share = share if share < 1 else 0.5  # more parents expected than possible: no preference
        self._log_in, self._log_out = (math.log(share), math.log1p(-share)) if share > 0 else (0.0, 0.0)
        self._families = DiscreteFamilies(dataset, VbemOptions(prior="bdeu", ess=options.sample_prior))
        self._rows = FamilyRows(self._families, dataset.n_variables, dataset.n_rows)
        self._found: dict[tuple[int, int], float] = {}
        self._n_asked: dict[tuple[int, int], int] = {}

    @property
    def counts_together(self) -> bool:
        """Whether scores with one parent more are counted together."""
        return self._families.counts_together

    def local(self, child: int, parents: int) -> float:
        """The score of a variable given a set of parents (bit mask)."""
        result = self._found.get((child, parents))
        if result is None:
            structure = self._structure(parents.bit_count())
            result = self._found[child, parents] = self._families.log_score(child, parents) + structure
        return result

    def local_with(self, child: int, parents: int, other: int, checkpoint: Callable[[], None]) -> float:
        """The score of a variable given a set of parents and one more."""
        n_asked = self._n_asked[child, parents] = self._n_asked.get((child, parents), 0) + 1
        if n_asked <= MOST_ALONE or not self.counts_together:
            return self.local(child, parents | 1 << other)
        row = self._rows.row(child, parents, checkpoint)
        return float(row[other]) + self._structure(parents.bit_count() + 1)

    def row(self, child: int, parents: int, checkpoint: Callable[[], None]) -> FloatArray:
        """The scores of a variable given a set of parents and each other one, no number for these."""
        return self._rows.row(child, parents, checkpoint) + self._structure(parents.bit_count() + 1)

    def _structure(self, n_parents: int) -> float:
        return n_parents * self._log_in + (self._slots - n_parents) * self._log_out

    def total(self, parents: list[int]) -> float:
        """The score of a DAG."""
        return sum(self.local(child, above) for child, above in enumerate(parents))


class Fges:
    """A greedy search; `graph` is the CPDAG reached, `is_cut` says that the budget of moves ended the search."""

    def __init__(
        self, score: Bdeu, names: tuple[str, ...], *, control: RunControl, max_moves: int | None = None
    ) -> None:
        self._search = EquivalenceSearch(score, len(names), checkpoint=control.checkpoint, max_moves=max_moves)
        self._names = names

    @property
    def graph(self) -> Cpdag:
        return self._search.graph

    @property
    def is_cut(self) -> bool:
        return self._search.is_cut

    def run(self, *, faithfulness: bool) -> Generator[ScoreStep | Progress, None, Cpdag]:
        """Forward, then backward; with faithfulness first among pairs with a marginal gain only, then among all."""
        for step in self._search.run(faithfulness=faithfulness):
            if isinstance(step, int):
                yield Progress(step, len(self._names), "scoring pairs")
            else:
                x, y, *others = (self._names[v] for v in (step.x, step.y, *step.others))
                yield ScoreStep(step.kind, x, y, tuple(others), step.gain)
        return self.graph
