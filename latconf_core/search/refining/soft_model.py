"""A DAG with latents whose posteriors are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from latconf_core.graph.bits import bits, closure
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.search.refining.soft_scores import SoftScores


@dataclass(frozen=True, eq=False)
class SoftModel:
    """The parents of every variable as bits, and the latents with their posteriors."""

    parents: tuple[int, ...]
    latents: tuple[SoftLatent, ...] = ()

    def latents_of(self, child: int) -> list[SoftLatent]:
        """The latent parents of a variable."""
        return [one for one in self.latents if one.children >> child & 1]

    @property
    def below_latents(self) -> int:
        """Every variable with a latent parent."""
        return union(one.children for one in self.latents)

    def bound(self, soft: SoftScores) -> float:
        """The lower bound at the posteriors, −log(states!) included."""
        own = sum(soft.own(one) for one in self.latents)
        return own + sum(soft.family(v, mask, self.latents_of(v)) for v, mask in enumerate(self.parents))

    def adjacent(self) -> list[int]:
        """The neighbours of every variable; children of one latent count as neighbours."""
        near = list(self.parents)
        for child, mask in enumerate(self.parents):
            for parent in bits(mask):
                near[parent] |= 1 << child
        for one in self.latents:
            for child in bits(one.children):
                near[child] |= one.children & ~(1 << child)
        return near

    def zone(self, around: int) -> int:
        """Some variables, their neighbours and the other parents of their children."""
        near = self.adjacent()
        found = around | union(near[v] for v in bits(around))
        return found | union(mask for v, mask in enumerate(self.parents) if found >> v & 1 and mask & around)

    def groups(self) -> list[list[int]]:
        """The places of latents that share children, directly or through others."""
        left = list(range(len(self.latents)))
        found = []
        while left:
            group = [left.pop(0)]
            below = self.latents[group[0]].children
            while joined := [k for k in left if self.latents[k].children & below]:
                below |= union(self.latents[k].children for k in joined)
                group += joined
                left = [k for k in left if k not in joined]
            found.append(sorted(group, key=lambda k: self.latents[k].place))
        return found

    def with_latent(self, place: int, latent: SoftLatent) -> SoftModel:
        """The model with another latent in the place of one."""
        return SoftModel(self.parents, (*self.latents[:place], latent, *self.latents[place + 1 :]))

    def without_latent(self, place: int) -> SoftModel:
        """The model with one latent less."""
        return SoftModel(self.parents, (*self.latents[:place], *self.latents[place + 1 :]))


@dataclass(frozen=True, eq=False)
class Scored:
    """A model and its p-ELBO at its posteriors."""

    model: SoftModel
    score: float


def union(masks: Iterable[int]) -> int:
    """Every bit of some masks."""
    found = 0
    for mask in masks:
        found |= mask
    return found


def is_acyclic(parents: Sequence[int], changed: Iterable[int]) -> bool:
    """Whether no variable of those whose parents changed is above itself."""
    return not any(closure(parents, parents[v]) >> v & 1 for v in changed)
