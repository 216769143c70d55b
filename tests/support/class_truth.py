"""The DAGs of a Markov class by brute force: every orientation of the skeleton with the same colliders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from latconf_core.dag.latent_dag import Latent, LatentDag

Edges = frozenset[tuple[str, str]]


def random_dag(rng: np.random.Generator, n_nodes: int, n_latents: int) -> LatentDag:
    """Measured variables in a random order with random edges, and latents over random groups of two and more."""
    nodes = [f"v{i}" for i in range(n_nodes)]
    order = rng.permutation(n_nodes).tolist()
    density = rng.uniform(0.2, 0.9)
    edges = [(nodes[a], nodes[b]) for i, a in enumerate(order) for b in order[i + 1 :] if rng.random() < density]
    latents = []
    for k in range(n_latents):
        size = int(rng.integers(2, n_nodes + 1))
        children = rng.choice(n_nodes, size=size, replace=False)
        latents.append(Latent(f"L{k + 1}", 2, tuple(nodes[c] for c in children)))
    return LatentDag(nodes, edges, latents)


def colliders(edges: Edges) -> frozenset[tuple[frozenset[str], str]]:
    """Unshielded a --> b <-- c as ({a, c}, b)."""
    joined = {frozenset(edge) for edge in edges}
    above: dict[str, list[str]] = {}
    for parent, child in edges:
        above.setdefault(child, []).append(parent)
    return frozenset(
        (frozenset(pair), child)
        for child, parents in above.items()
        for pair in combinations(parents, 2)
        if frozenset(pair) not in joined
    )


def has_cycle(edges: Edges) -> bool:
    left = set(edges)
    while left:
        heads = {child for _, child in left}
        kept = {(a, b) for a, b in left if a in heads}
        if len(kept) == len(left):
            return True
        left = kept
    return False


def members(dag: LatentDag, keeps: Callable[[tuple[str, str]], bool]) -> Iterator[Edges]:
    """Every DAG with the skeleton and the colliders of this one that has all of its arrows that `keeps` names."""
    arrows = list(dag.all_edges())
    wanted = colliders(frozenset(arrows))
    fixed = [edge for edge in arrows if keeps(edge)]
    turned = [edge for edge in arrows if not keeps(edge)]
    for choice in range(2 ** len(turned)):
        edges = frozenset([*fixed, *((b, a) if choice >> i & 1 else (a, b) for i, (a, b) in enumerate(turned))])
        if colliders(edges) == wanted and not has_cycle(edges):
            yield edges


def common_edges(dag: LatentDag, keeps: Callable[[tuple[str, str]], bool]) -> Edges:
    """The arrows that all these members have."""
    return frozenset.intersection(*members(dag, keeps))
