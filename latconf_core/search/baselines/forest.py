"""CIL's forests: every node has at most one parent; latents are numbered behind the observed nodes as they come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.model.bit_dag import NO_PARENT, BitDag
from latconf_core.score.naming import to_bits
from latconf_core.search.baselines.glsl_moves import FEWEST_STATES


@dataclass(frozen=True)
class Forest:
    """A directed forest over observed and latent nodes.

    parents : the parent of every node, NO_PARENT for a root
    states : the number of states of each latent
    """

    n_observed: int
    parents: tuple[int, ...]
    states: tuple[int, ...] = ()

    @classmethod
    def without_edges(cls, n_observed: int) -> Forest:
        return cls(n_observed, (NO_PARENT,) * n_observed)

    @property
    def roots(self) -> list[int]:
        """The nodes without a parent, latents last, in the order in which they came."""
        return [node for node, parent in enumerate(self.parents) if parent == NO_PARENT]

    def is_latent(self, node: int) -> bool:
        return node >= self.n_observed

    def with_latent(self, first: int, second: int) -> Forest:
        """A new latent above two roots; it is the last node."""
        above = len(self.parents)
        parents = (*(above if node in (first, second) else own for node, own in enumerate(self.parents)), NO_PARENT)
        return Forest(self.n_observed, parents, (*self.states, FEWEST_STATES))

    def with_arc(self, parent: int, child: int) -> Forest:
        """An arc between two roots."""
        parents = tuple(parent if node == child else own for node, own in enumerate(self.parents))
        return replace(self, parents=parents)

    def with_states(self, node: int, n_states: int) -> Forest:
        """Another number of states of a latent."""
        place = node - self.n_observed
        return replace(self, states=(*self.states[:place], n_states, *self.states[place + 1 :]))

    def n_states(self, node: int) -> int:
        """The number of states of a latent."""
        return self.states[node - self.n_observed]

    @cached_property
    def candidate(self) -> BitDag:
        """The forest as all searches see it."""
        return to_bits(self._dag)

    def place(self, node: int) -> int:
        """Where a latent stands among those of the candidate."""
        return [one.name for one in self._dag.latents].index(str(node))

    @cached_property
    def _dag(self) -> LatentDag:
        names = [str(node) for node in range(len(self.parents))]
        below: dict[int, list[str]] = {}
        for node, parent in enumerate(self.parents):
            below.setdefault(parent, []).append(names[node])
        edges = [
            (names[parent], names[node])
            for node, parent in enumerate(self.parents[: self.n_observed])
            if 0 <= parent < self.n_observed
        ]
        latents = [
            Latent(names[node], n_states, tuple(below[node]), None if parent == NO_PARENT else names[parent])
            for node, (n_states, parent) in enumerate(
                zip(self.states, self.parents[self.n_observed :]), self.n_observed
            )
        ]
        return LatentDag(names[: self.n_observed], edges, latents)
