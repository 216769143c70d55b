"""CIL's forests: every node has at most one parent; latents are numbered behind the observed nodes as they come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from latconf_core.model.bit_dag import NO_PARENT, BitDag, Hidden
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
        parents = (
            *(above if node in (first, second) else parent for node, parent in enumerate(self.parents)),
            NO_PARENT,
        )
        return Forest(self.n_observed, parents, (*self.states, FEWEST_STATES))

    def with_arc(self, parent: int, child: int) -> Forest:
        """An arc between two roots."""
        parents = tuple(parent if node == child else upper for node, upper in enumerate(self.parents))
        return replace(self, parents=parents)

    def with_states(self, node: int, n_states: int) -> Forest:
        """Another number of states of a latent."""
        index = node - self.n_observed
        return replace(self, states=(*self.states[:index], n_states, *self.states[index + 1 :]))

    def n_states(self, node: int) -> int:
        """The number of states of a latent."""
        return self.states[node - self.n_observed]

    @cached_property
    def candidate(self) -> BitDag:
        """The forest as all searches see it."""
        n_observed, order = self.n_observed, self._order
        position = {node: n_observed + index for index, node in enumerate(order)} | {NO_PARENT: NO_PARENT}
        position |= {node: node for node in range(n_observed)}
        latents = [
            Hidden(
                sum(1 << position[child] for child in self._children[node]),
                self.n_states(node),
                position[self.parents[node]],
            )
            for node in order
        ]
        above = self.parents[:n_observed]
        return BitDag(tuple([1 << parent if 0 <= parent < n_observed else 0 for parent in above]), tuple(latents))

    def place(self, node: int) -> int:
        """Where a latent stands among those of the candidate."""
        return self._order.index(node)

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        below: dict[int, list[int]] = {node: [] for node in range(len(self.parents))}
        for node, parent in enumerate(self.parents):
            if parent != NO_PARENT:
                below[parent].append(node)
        return below

    @cached_property
    def _order(self) -> list[int]:
        """The latents by their observed children, then by what stands below, as in every DAG (`dag/latent_dag`)."""

        def shape(node: int) -> tuple[object, ...]:
            below = self._children[node]
            observed = [child for child in below if not self.is_latent(child)]
            return observed, sorted(shape(child) for child in below if self.is_latent(child)), self.n_states(node)

        return sorted(range(self.n_observed, len(self.parents)), key=shape)
