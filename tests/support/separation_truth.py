"""Brute-force truth about independences: every d-separation among the observed variables of a DAG with latents.

Nothing here uses the code under test: two sets are separated where the moral graph of their ancestors, without the
conditioning set, does not join them (Lauritzen et al. 1990).
"""

from __future__ import annotations

from itertools import combinations

from latconf_core.dag.latent_dag import LatentDag


def all_separations(dag: LatentDag) -> frozenset[tuple[str, str, frozenset[str]]]:
    """Every (x, y, set) of observed variables such that the set separates x from y; x before y in the alphabet."""
    parents = _parents(dag)
    found = set()
    for x, y in combinations(sorted(dag.nodes), 2):
        others = [name for name in dag.nodes if name not in (x, y)]
        for size in range(len(others) + 1):
            for given in combinations(others, size):
                if _is_separated(parents, x, y, frozenset(given)):
                    found.add((x, y, frozenset(given)))
    return frozenset(found)


def _parents(dag: LatentDag) -> dict[str, set[str]]:
    parents: dict[str, set[str]] = {name: set() for name in dag.nodes}
    for parent, child in dag.edges:
        parents[child].add(parent)
    for latent in dag.latents:
        parents[latent.name] = set()
    for latent in dag.latents:
        for child in latent.children:
            parents[child].add(latent.name)
    return parents


def _is_separated(parents: dict[str, set[str]], x: str, y: str, given: frozenset[str]) -> bool:
    inside, to_see = {x, y, *given}, [x, y, *given]
    while to_see:
        for parent in parents[to_see.pop()] - inside:
            inside.add(parent)
            to_see.append(parent)
    links: dict[str, set[str]] = {name: set() for name in inside}
    for child in inside:
        family = [child, *parents[child]]
        for a, b in combinations(family, 2):
            links[a].add(b)
            links[b].add(a)
    reached, to_see = {x}, [x]
    while to_see:
        for near in links[to_see.pop()] - reached - given:
            reached.add(near)
            to_see.append(near)
    return y not in reached
