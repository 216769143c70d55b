"""Sets of variables that a hidden cause may be behind: neighbours that are joined among themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from latconf_core.graph.bits import bits
from latconf_core.search.refining.soft_model import SoftModel

MAX_CHILDREN = 7
MAX_TRIPLES = 120


def list_candidates(models: Iterable[SoftModel]) -> list[int]:
    """Adjacent pairs, triangles and semi-cliques (Elidan et al. 2000) of the skeletons, each once."""
    found: dict[int, None] = {}
    for model in models:
        near = model.adjacent()
        pairs = [1 << a | 1 << b for a in range(len(near)) for b in bits(_after(near[a], a))]
        triangles = [
            1 << a | 1 << b | 1 << c
            for a in range(len(near))
            for b in bits(_after(near[a], a))
            for c in bits(_after(near[a] & near[b], b))
        ]
        found |= dict.fromkeys((*pairs, *triangles))
        for triangle in triangles:
            found |= dict.fromkeys(_grow(triangle, near))
        found |= dict.fromkeys(_joined_latents(model))
    return list(found)


def list_triples(model: SoftModel) -> list[int]:
    """Connected triples that are no triangles; none where these are too many."""
    near = model.adjacent()
    found = {
        1 << a | 1 << b | 1 << c
        for b in range(len(near))
        for a, c in combinations(bits(near[b]), 2)
        if not near[a] >> c & 1
    }
    return sorted(found) if len(found) <= MAX_TRIPLES else []


def _after(mask: int, place: int) -> int:
    return mask & -(2 << place)


def _grow(members: int, near: Sequence[int]) -> Iterator[int]:
    """Larger sets by the neighbour with most links, while each is joined to at least half of the others."""
    while members.bit_count() < MAX_CHILDREN:
        links = {v: (near[v] & members).bit_count() for v in range(len(near)) if not members >> v & 1}
        best = max(links, key=lambda v: (links[v], -v), default=None)
        if best is None:
            return
        members |= 1 << best
        if any(2 * (near[v] & members).bit_count() < members.bit_count() - 1 for v in bits(members)):
            return
        yield members


def _joined_latents(model: SoftModel) -> Iterator[int]:
    """The children of two latents together, where they touch."""
    near = model.adjacent()
    for one, other in combinations(model.latents, 2):
        both = one.children | other.children
        touches = one.children & other.children or any(near[v] & other.children for v in bits(one.children))
        if touches and both.bit_count() <= MAX_CHILDREN + 1:
            yield both
