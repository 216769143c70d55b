"""What Refine asks of families: each score at expected counts is kept, and families may be ruled out.

The states of latents are given by their posterior, which is held fixed. The sum over a model's families, with the
entropy of the posteriors, is a lower bound of its evidence: moves that raise it raise what a fit would reach, at a
hundredth of the price of a fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.counts.families import counting_table
from latconf_core.data.dataset import Dataset
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.score.scorer import Scorer

MAX_SCORES = 300_000  # kept at a time


class SoftScores:
    """The family scores of one dataset, exact without latents, at expected counts with them; each computed once.

    known : what binds, by knowledge or a PAG: what it rules out scores −∞; None where nothing does
    """

    def __init__(self, scorer: Scorer, known: BoundKnowledge | None = None) -> None:
        self.dataset: Dataset = scorer.dataset
        self._scorer = scorer
        self._families = scorer.families
        self._bound = known if known is not None and known.binds else None
        self.codes, weights = counting_table(scorer.dataset)
        self.weights: FloatArray = (weights if len(weights) else np.ones(len(self.codes))).astype(np.float64)
        self.columns = np.ascontiguousarray(self.codes.T, dtype=np.int64)
        self._known: dict[tuple[object, ...], float] = {}

    def may_share(self, children: int) -> bool:
        """Whether some variables may have a hidden cause in common."""
        return self._bound is None or self._bound.allows_latent(children)

    def allows_ancestors(self, parents: Sequence[int]) -> bool:
        """Whether every variable may have an effect on those below it."""
        return self._bound is None or self._bound.allows_ancestors(parents)

    def plain(self, child: int, parents: int) -> float:
        """The exact score of a family without latents."""
        if self._bound is not None and not self._bound.allows_family(child, parents):
            return -inf
        return self._scorer.family_score(child, parents)

    def plain_row(self, child: int, parents: int) -> FloatArray | None:
        """The exact scores with each variable as one parent more, whatever is ruled out; None where not known so."""
        row = self._scorer.family_row
        return None if row is None else row(child, parents)

    def family(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        """The score of a family, latents among its parents at their posteriors; −∞ for a table too large."""
        if not latents:
            return self.plain(child, parents)
        if self._bound is not None and not self._allows(self._bound, child, parents, latents):
            return -inf
        key = (child, parents, *(latent.number for latent in latents))
        score = self._known.get(key)
        if score is None:
            if len(self._known) >= MAX_SCORES:
                self._known.clear()
            score = self._known[key] = self._families.expected_score(child, parents, latents)
        return score

    @staticmethod
    def _allows(bound: BoundKnowledge, child: int, parents: int, latents: Sequence[SoftLatent]) -> bool:
        return bound.allows_family(child, parents, [latent.children for latent in latents])

    def local(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        """The score of a family whose table may have local structure."""
        return self._families.compact_score(child, parents, latents)

    def own(self, latent: SoftLatent) -> float:
        """What a latent adds itself."""
        return self._families.latent_score(latent)
