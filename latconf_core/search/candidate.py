"""A DAG with latents as bits: what a search handles by the hundred thousand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from latconf_core.dag.latent_dag import Latent, LatentDag, latent_names
from latconf_core.graph.bits import BitGraph, bits
from latconf_core.score.component import NO_PARENT, Hidden, to_bits

__all__ = ["NO_PARENT", "Candidate", "Hidden"]


class Candidate(NamedTuple):
    """The observed parents of every node as bits, and the latents in the order of their children.

    Equal for equal candidates: the names of latents are left out.
    """

    parents: tuple[int, ...]
    latents: tuple[Hidden, ...] = ()

    @classmethod
    def of_graph(cls, graph: BitGraph, child_sets: Sequence[int]) -> Candidate:
        """The directed edges of a graph with a binary latent over each set of children, in their order."""
        return cls(graph.parents, binary_latents(tuple(child_sets)))

    @classmethod
    def of_dag(cls, dag: LatentDag) -> Candidate:
        """The candidate of a DAG."""
        return cls(*to_bits(dag, {name: i for i, name in enumerate(dag.nodes)}))

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


@lru_cache(maxsize=4096)  # MAGs that differ in directed edges alone come by the thousand
def binary_latents(child_sets: tuple[int, ...]) -> tuple[Hidden, ...]:
    """A latent with two states over each set of children."""
    return tuple([Hidden(children) for children in child_sets])
