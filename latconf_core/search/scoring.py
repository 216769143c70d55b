"""Scores candidates by their parts, each scored once: between two MAGs of a level almost nothing changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.bits import bits
from latconf_core.score.component import Component, split
from latconf_core.score.posterior import Posterior
from latconf_core.score.scorer import Scorer
from latconf_core.search.candidate import Candidate, Hidden

Part = tuple[tuple[Hidden, ...], tuple[int, ...]]  # latents that share children, and the parents of those children


class Scores(Protocol):
    """What a search needs; called from several threads."""

    def known(self, candidate: Candidate, /) -> float | None:
        """The p-ELBO of a candidate where it takes no computing."""

    def p_elbo(self, candidate: Candidate, /) -> float:
        """The p-ELBO of a candidate; GraphError where it cannot be scored."""

    def posterior(self, dag: LatentDag, /) -> Posterior | None:
        """What the data say about every table of a DAG."""


class PartScores:
    """The sum of a candidate's families and latents that share children, kept for the next candidate that has them.

    Only for latents without parents.
    """

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._families: list[dict[int, float]] = [{} for _ in scorer.dataset.names]
        self._parts: dict[Part, float] = {}

    def known(self, candidate: Candidate) -> float | None:
        """The p-ELBO of a candidate whose parts are all known."""
        total = 0.0
        below = 0
        for part in parts_of(candidate):
            score = self._parts.get(part)
            if score is None:
                return None
            total += score
            for latent in part[0]:
                below |= latent.children
        for child, (mask, found) in enumerate(zip(candidate.parents, self._families)):
            if not below >> child & 1:
                score = found.get(mask)
                if score is None:
                    return None
                total += score
        return total

    def p_elbo(self, candidate: Candidate) -> float:
        """The p-ELBO of a candidate; the same as that of its DAG but for rounding in the last digits."""
        known = self.known(candidate)
        while known is None:
            self._score_parts(candidate)
            known = self.known(candidate)
        return known

    def posterior(self, dag: LatentDag) -> Posterior | None:
        """What the data say about every table and latent of a DAG."""
        return self._scorer.posterior(dag)

    def _score_parts(self, candidate: Candidate) -> None:
        parts = split(candidate.to_dag(self._scorer.dataset.names), self._scorer.dataset)
        for child, _ in parts.families:
            mask = candidate.parents[child]
            if mask not in self._families[child]:
                self._families[child][mask] = self.family_score(child, tuple(bits(mask)))
        # Both list groups of latents in the order of their first latent.
        for part, component in zip(parts_of(candidate), parts.components, strict=True):
            if part not in self._parts:
                self._parts[part] = self.component_score(component)

    def family_score(self, child: int, parents: tuple[int, ...]) -> float:
        """The score of a family without latents; asked for once."""
        return self._scorer.family_score(child, parents)

    def component_score(self, component: Component) -> float:
        """The score of latents that share children; asked for once."""
        return self._scorer.component_score(component)


def parts_of(candidate: Candidate) -> Iterator[Part]:
    """The groups of latents that share children, with the parents of those children."""
    left = list(candidate.latents)
    while left:
        group = [left.pop(0)]
        below = group[0].children
        while joined := [one for one in left if one.children & below]:
            for one in joined:
                below |= one.children
            group += joined
            left = [one for one in left if one not in joined]
        group.sort(key=candidate.latents.index)
        yield tuple(group), tuple(candidate.parents[child] for child in bits(below))
