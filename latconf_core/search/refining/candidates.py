"""Sets of variables that a hidden cause may be behind: neighbours that are joined among themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from latconf_core.graph.bits import bits
from latconf_core.model.bit_dag import children_of
from latconf_core.search.refining.soft_model import SoftModel

MAX_CHILDREN = 7
MAX_TRIPLES = 120
MAX_FAR_PAIRS = 150
MAX_GROWN = 120  # sets of four and more of one skeleton
N_WAYS = 2  # in which a set grows
MAX_COMPLETE = 8  # variables of which every group is tried: 247


def list_candidates(models: Iterable[SoftModel]) -> list[int]:
    """Adjacent pairs, triangles and semi-cliques (Elidan et al. 2000) of the skeletons, each once."""
    sets: dict[int, None] = {}
    for model in models:
        near = model.adjacent()
        pairs = [1 << a | 1 << b for a in range(len(near)) for b in bits(_after(near[a], a))]
        triangles = [
            1 << a | 1 << b | 1 << c
            for a in range(len(near))
            for b in bits(_after(near[a], a))
            for c in bits(_after(near[a] & near[b], b))
        ]
        sets |= dict.fromkeys((*pairs, *triangles))
        grown = {group: None for triangle in triangles for group in _grow(triangle, near)}
        sets |= dict.fromkeys(sorted(grown, key=int.bit_count)[:MAX_GROWN])
        sets |= dict.fromkeys(_joined_latents(model))
    return list(sets)


def list_every_group(n_variables: int) -> list[int]:
    """Every set of two and more variables, the small ones first."""
    return sorted((mask for mask in range(1 << n_variables) if mask.bit_count() > 1), key=int.bit_count)


def list_triples(model: SoftModel) -> list[int]:
    """Connected triples that are no triangles; none where these are too many."""
    near = model.adjacent()
    triples = {
        1 << a | 1 << b | 1 << c
        for b in range(len(near))
        for a, c in combinations(bits(near[b]), 2)
        if not near[a] >> c & 1
    }
    return sorted(triples) if len(triples) <= MAX_TRIPLES else []


def list_far_pairs(model: SoftModel) -> list[int]:
    """Variables that are not adjacent but have a neighbour in common; none where these are too many."""
    near = model.adjacent()
    pairs = {
        1 << a | 1 << c for b in range(len(near)) for a, c in combinations(bits(near[b]), 2) if not near[a] >> c & 1
    }
    return sorted(pairs) if len(pairs) <= MAX_FAR_PAIRS else []


def _after(mask: int, index: int) -> int:
    return mask & -(2 << index)


def _grow(members: int, near: Sequence[int]) -> Iterator[int]:
    """Larger sets by the two neighbours with most links, while each is joined to at least half of the others."""
    if members.bit_count() >= MAX_CHILDREN:
        return
    links = {v: (near[v] & members).bit_count() for v in range(len(near)) if not members >> v & 1}
    for v in sorted(links, key=lambda v: (-links[v], v))[:N_WAYS]:
        grown = members | 1 << v
        if all(2 * (near[u] & grown).bit_count() >= grown.bit_count() - 1 for u in bits(grown)):
            yield grown
            yield from _grow(grown, near)


def _joined_latents(model: SoftModel) -> Iterator[int]:
    """The children of two latents together where they touch, and of all that share children."""
    near = model.adjacent()
    for latent, other in combinations(model.latents, 2):
        both = latent.children | other.children
        touches = latent.children & other.children or any(near[v] & other.children for v in bits(latent.children))
        if touches and both.bit_count() <= MAX_CHILDREN + 1:
            yield both
    for component, group in model.components():
        every = children_of(component.latents)
        if len(group) > 2 and every.bit_count() <= MAX_CHILDREN + 1:
            yield every
