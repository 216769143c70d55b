"""A DAG with latents as bits: what a search handles by the hundred thousand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from latconf_core.graph.bits import BitGraph, bits

NO_PARENT = -1


class Hidden(NamedTuple):
    """A latent: its children as bits, its number of states, and the position of its parent.

    Positions from the number of observed nodes on are latents.
    """

    children: int
    n_states: int = 2
    parent: int = NO_PARENT


class BitDag(NamedTuple):
    """The observed parents of every node as bits, and the latents in the order of their children.

    Equal for equal DAGs: the names of latents are left out.
    """

    parents: tuple[int, ...]
    latents: tuple[Hidden, ...] = ()

    @classmethod
    def of_graph(cls, graph: BitGraph, child_sets: Sequence[int]) -> BitDag:
        """The directed edges of a graph with a binary latent over each set of children, in their order."""
        return cls(graph.parents, binary_latents(tuple(child_sets)))


@lru_cache(maxsize=4096)  # MAGs that differ in directed edges alone come by the thousand
def binary_latents(child_sets: tuple[int, ...]) -> tuple[Hidden, ...]:
    """A latent with two states over each set of children."""
    return tuple([Hidden(children) for children in child_sets])


def all_parents(dag: BitDag) -> list[int]:
    """The parents of every node, latents after the observed nodes, as bits."""
    n = len(dag.parents)
    parents = [
        *dag.parents,
        *(0 if other_latent.parent == NO_PARENT else 1 << other_latent.parent for other_latent in dag.latents),
    ]
    for index, latent in enumerate(dag.latents):
        for child in bits(latent.children):
            parents[child] |= 1 << n + index
    return parents


def children_of(latents: Iterable[Hidden]) -> int:
    """The children of all latents together."""
    mask = 0
    for latent in latents:
        mask |= latent.children
    return mask


def neighbours_of(dag: BitDag) -> list[int]:
    """Of every observed node its parents, its children and those that share a latent with it, as bits."""
    observed = (1 << len(dag.parents)) - 1
    joined = list(dag.parents)
    for child, above in enumerate(dag.parents):
        for parent in bits(above):
            joined[parent] |= 1 << child
    for hidden in dag.latents:
        for v in bits(hidden.children & observed):
            joined[v] |= hidden.children & observed & ~(1 << v)
    return joined
