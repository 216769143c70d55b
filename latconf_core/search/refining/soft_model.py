"""A DAG as bits whose latents have posteriors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from latconf_core.graph.bits import bits, closure
from latconf_core.model.bit_dag import BitDag
from latconf_core.model.component import Component, split_latents
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.search.refining.soft_scores import SoftScores


@dataclass(frozen=True, eq=False)
class SoftModel:
    """The parents of every variable as bits, and the latents with their posteriors, in any order.

    dag : the same without posteriors, its latents in their one order
    """

    parents: tuple[int, ...]
    latents: tuple[SoftLatent, ...] = ()

    @cached_property
    def places(self) -> list[int]:
        """The latents by their places here, in the order of the DAG."""
        return sorted(range(len(self.latents)), key=lambda k: self.latents[k].place)

    @cached_property
    def dag(self) -> BitDag:
        return BitDag(self.parents, tuple([self.latents[k].hidden for k in self.places]))

    def components(self) -> list[tuple[Component, list[int]]]:
        """The components of the DAG, each with the places of its latents here."""
        places = self.places
        return [(component, [places[k] for k in members]) for component, members in split_latents(*self.dag)]

    def latents_of(self, child: int) -> list[SoftLatent]:
        """The latent parents of a variable."""
        return [latent for latent in self.latents if latent.children >> child & 1]

    def bound(self, soft: SoftScores) -> float:
        """The lower bound at the posteriors, −log(states!) included."""
        own_terms = sum(soft.own(latent) for latent in self.latents)
        return own_terms + sum(soft.family(v, mask, self.latents_of(v)) for v, mask in enumerate(self.parents))

    def adjacent(self) -> list[int]:
        """The neighbours of every variable; children of one latent count as neighbours."""
        near = list(self.parents)
        for child, mask in enumerate(self.parents):
            for parent in bits(mask):
                near[parent] |= 1 << child
        for latent in self.latents:
            for child in bits(latent.children):
                near[child] |= latent.children & ~(1 << child)
        return near

    def zone(self, around: int) -> int:
        """Some variables, their neighbours and the other parents of their children."""
        near = self.adjacent()
        near_nodes = around | union(near[v] for v in bits(around))
        return near_nodes | union(mask for v, mask in enumerate(self.parents) if near_nodes >> v & 1 and mask & around)

    def with_latent(self, index: int, latent: SoftLatent) -> SoftModel:
        """The model with another latent in the place of one."""
        return SoftModel(self.parents, (*self.latents[:index], latent, *self.latents[index + 1 :]))

    def without_latent(self, index: int) -> SoftModel:
        """The model with one latent less."""
        return SoftModel(self.parents, (*self.latents[:index], *self.latents[index + 1 :]))


@dataclass(frozen=True, eq=False)
class Scored:
    """A model and its p-ELBO at its posteriors."""

    model: SoftModel
    score: float


def union(masks: Iterable[int]) -> int:
    """Every bit of some masks."""
    result = 0
    for mask in masks:
        result |= mask
    return result


def is_acyclic(parents: Sequence[int], changed: Iterable[int]) -> bool:
    """Whether no variable of those whose parents changed is above itself."""
    return not any(closure(parents, parents[v]) >> v & 1 for v in changed)
