"""Random knowledge, and what it means, said once more by paths and sets of names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations, product

import numpy as np

from latconf_core.errors import GraphError
from latconf_core.knowledge.knowledge import Knowledge

Edges = frozenset[tuple[int, int]]


def draw_knowledge(rng: np.random.Generator, names: Sequence[str], *, kinds: Sequence[str] = ()) -> Knowledge:
    """Knowledge that does not contradict itself; each kind of statement is there about half of the time.

    kinds : the only kinds of statements; all of them where none is named
    """
    while True:
        try:
            return Knowledge(**{kind: value for kind, value in _draw(rng, names).items() if not kinds or kind in kinds})
        except GraphError:
            continue


def _draw(rng: np.random.Generator, names: Sequence[str]) -> dict[str, object]:
    """The arguments of Knowledge, which may contradict each other."""
    drawn: dict[str, object] = {}
    if rng.random() < 0.6:
        own = [name for name in names if rng.random() < 0.8]
        tier = {name: int(rng.integers(3)) for name in own}
        drawn["tiers"] = tuple(tuple(name for name in own if tier[name] == k) for k in range(3))
        drawn["closed_tiers"] = frozenset(k for k in range(3) if rng.random() < 0.25)
    for kind, share in (("forbidden", 0.5), ("required", 0.5), ("forbidden_indirect", 0.4)):
        if rng.random() < share:
            drawn[kind] = tuple(_pair(rng, names) for _ in range(int(rng.integers(1, 3))))
    if rng.random() < 0.3:
        drawn["exogenous"] = (str(rng.choice(names)),)
    if rng.random() < 0.3:
        drawn["no_hidden_cause"] = (tuple(rng.choice(names, size=int(rng.integers(2, 4)), replace=False).tolist()),)
    if rng.random() < 0.2:
        drawn["hidden_causes_only_among"] = tuple(name for name in names if rng.random() < 0.7)
    return drawn


def _pair(rng: np.random.Generator, names: Sequence[str]) -> tuple[str, str]:
    a, b = rng.choice(names, size=2, replace=False).tolist()
    return a, b


def all_dags(n: int) -> list[tuple[int, ...]]:
    """Every DAG on n nodes, as the parents of each node as bits."""
    pairs = list(combinations(range(n), 2))
    dags = []
    for kinds in product((0, 1, 2), repeat=len(pairs)):
        parents = [0] * n
        for (a, b), kind in zip(pairs, kinds):
            if kind == 1:
                parents[b] |= 1 << a
            elif kind == 2:
                parents[a] |= 1 << b
        if _is_acyclic(parents):
            dags.append(tuple(parents))
    return dags


def _is_acyclic(parents: Sequence[int]) -> bool:
    left = set(range(len(parents)))
    while left:
        first = [v for v in left if not any(parents[v] >> a & 1 for a in left)]
        if not first:
            return False
        left -= set(first)
    return True


def descendants(names: Sequence[str], edges: set[tuple[str, str]]) -> dict[str, set[str]]:
    """By every name those that a directed path leads to."""
    reached = {name: {b for a, b in edges if a == name} for name in names}
    for _ in names:
        for name in names:
            for other in list(reached[name]):
                reached[name] |= reached[other]
    return reached


def contradictions(
    knowledge: Knowledge, names: Sequence[str], edges: set[tuple[str, str]], latents: Sequence[Sequence[str]]
) -> list[str]:
    """What a DAG says against knowledge, by the definitions alone; latents are given by their observed children."""
    known = set(names)
    below = descendants(names, edges)
    said = [f"forbidden {a} --> {b}" for a, b in knowledge.forbidden if (a, b) in edges]
    said += [f"required {a} --> {b}" for a, b in knowledge.required if {a, b} <= known and (a, b) not in edges]
    said += [f"{a} is above {b}" for a, b in knowledge.forbidden_indirect if a in known and b in below[a]]
    for late, tier in enumerate(knowledge.tiers):
        for early, earlier in enumerate(knowledge.tiers[: late + 1]):
            if early < late or late in knowledge.closed_tiers:
                said += [f"tiers: {a} is above {b}" for a in tier if a in known for b in earlier if b in below[a]]
    for name in knowledge.exogenous:
        said += [f"{a} --> exogenous {name}" for a, b in edges if b == name]
        said += [f"a latent acts on exogenous {name}" for latent in latents if name in latent]
    for group in knowledge.no_hidden_cause:
        said += [
            f"{a} and {b} share a latent"
            for latent in latents
            for a, b in combinations(latent, 2)
            if {a, b} <= set(group)
        ]
    among = knowledge.hidden_causes_only_among
    if among is not None:
        said += [f"a latent acts on {name}" for latent in latents for name in latent if name not in among]
    return said


def edges_of(names: Sequence[str], parents: Sequence[int]) -> set[tuple[str, str]]:
    """The edges of a DAG by names."""
    return {(names[a], names[b]) for b, mask in enumerate(parents) for a in range(len(names)) if mask >> a & 1}


def all_pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """Every ordered pair of different names."""
    return list(permutations(names, 2))
