"""A DAG with latents as bits: what a search handles by the hundred thousand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from latconf_core.dag.latent_dag import Latent, LatentDag, latent_names
from latconf_core.graph.bits import BitGraph, bits

NO_PARENT = -1


class Hidden(NamedTuple):
    """A latent: its children as bits, its number of states, and the position of its parent.

    Positions from the number of observed nodes on are latents.
    """

    children: int
    n_states: int = 2
    parent: int = NO_PARENT


class Candidate(NamedTuple):
    """The observed parents of every node as bits, and the latents in the order of their children.

    Equal for equal candidates: the names of latents are left out.
    """

    parents: tuple[int, ...]
    latents: tuple[Hidden, ...] = ()

    @classmethod
    def of_graph(cls, graph: BitGraph, child_sets: Sequence[Sequence[str]]) -> Candidate:
        """The directed edges of a graph with a binary latent over each set of children."""
        position = graph.nodes.index
        sets = sorted(sorted(map(position, children)) for children in child_sets)
        return cls(tuple(graph.parents), tuple(Hidden(sum(1 << child for child in children)) for children in sets))

    @classmethod
    def of_dag(cls, dag: LatentDag) -> Candidate:
        """The candidate of a DAG."""
        edges, latents = dag.key
        parents = [0] * len(dag.nodes)
        for parent, child in edges:
            parents[child] |= 1 << parent
        hidden = [Hidden(sum(1 << child for child in own), n_states, parent) for n_states, own, parent in latents]
        return cls(tuple(parents), tuple(hidden))

    def to_dag(self, nodes: Sequence[str]) -> LatentDag:
        """The DAG on these nodes, its latents called L1, L2, … in their order."""
        names = [*nodes, *latent_names(len(self.latents), nodes)]
        edges = [(names[parent], names[child]) for child, mask in enumerate(self.parents) for parent in bits(mask)]
        latents = [
            Latent(
                names[len(nodes) + i],
                one.n_states,
                tuple(names[child] for child in bits(one.children)),
                None if one.parent == NO_PARENT else names[one.parent],
            )
            for i, one in enumerate(self.latents)
        ]
        return LatentDag(nodes, edges, latents)
