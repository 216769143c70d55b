"""Scores of families under what binds: knowledge, and a PAG where Refine keeps to one. What is ruled out scores −∞."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.soft_scores import SoftLatent, SoftScores


class BoundScores(SoftScores):
    """Scores of families of which those that are ruled out are impossible."""

    def __init__(self, scorer: Scorer, known: BoundKnowledge) -> None:
        super().__init__(scorer)
        self._known = known

    def may_share(self, children: int) -> bool:
        return self._known.allows_latent(children)

    def allows_ancestors(self, parents: Sequence[int]) -> bool:
        return self._known.allows_ancestors(parents)

    def plain(self, child: int, parents: int) -> float:
        return super().plain(child, parents) if self._known.allows_family(child, parents) else -inf

    def family(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        groups = [one.children for one in latents]
        return super().family(child, parents, latents) if self._known.allows_family(child, parents, groups) else -inf
