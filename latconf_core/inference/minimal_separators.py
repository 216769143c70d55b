"""All smallest-by-inclusion sets of allowed nodes that separate two nodes of a DAG or a MAG."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from latconf_core.control import RunControl
from latconf_core.graph.bits import BitGraph, bits, closure, components, unite


def minimal_separators(
    graph: BitGraph, ends: tuple[int, int], allowed: int, *, control: RunControl | None = None
) -> Iterator[int]:
    """Every set of allowed nodes that m-separates the two ends and of which no part does, as bits.

    A minimal set holds only ancestors of the ends, and separates them in the graph exactly where it does in the
    augmented graph of those ancestors (van der Zander, Liśkiewicz and Textor 2019). Nodes that are not allowed are
    taken out there, their neighbours joined; what remains is to list the minimal separators of an undirected graph.
    """
    control = control or RunControl()
    above = closure(graph.parents, 1 << ends[0] | 1 << ends[1])
    links = augmented_links(graph, above)
    _take_out(links, above & ~allowed & ~(1 << ends[0] | 1 << ends[1]), control)
    yield from _undirected_separators(links, ends, control)


def can_separate(graph: BitGraph, ends: tuple[int, int], allowed: int) -> bool:
    """Whether any set of allowed nodes m-separates the two ends."""
    return next(minimal_separators(graph, ends, allowed), None) is not None


def augmented_links(graph: BitGraph, inside: int) -> list[int]:
    """The neighbours of each node among these in the augmented graph: joined where a path of colliders alone joins."""
    links = [0] * len(graph.nodes)
    for district in components(graph.spouses, inside):
        group = district | unite(graph.parents, district) & inside
        for node in bits(group):
            links[node] |= group & ~(1 << node)
    return links


def _take_out(links: list[int], nodes: int, control: RunControl) -> None:
    for node in bits(nodes):
        control.checkpoint()
        near, links[node] = links[node], 0
        for other in bits(near):
            links[other] = (links[other] | near) & ~(1 << node | 1 << other)


def _undirected_separators(links: list[int], ends: tuple[int, int], control: RunControl) -> Iterator[int]:
    """From the one nearest to the first end on, each by moving one of its nodes to the first end's side."""
    first, second = ends
    if links[first] >> second & 1:
        return
    nearest = _near_side(links, 1 << first, second)
    seen, queue = {nearest}, deque([nearest])
    while queue:
        control.checkpoint()
        separator = queue.popleft()
        yield separator
        side = _component(links, first, separator)
        for node in bits(separator & ~links[second]):
            following = _near_side(links, side | 1 << node, second)
            if following not in seen:
                seen.add(following)
                queue.append(following)


def _near_side(links: list[int], side: int, second: int) -> int:
    """What separates these nodes from the second end, as near to them as can be."""
    far = _component(links, second, unite(links, side) & ~side | side)
    return unite(links, far) & ~far


def _component(links: list[int], node: int, without: int) -> int:
    """All that the node reaches past the others."""
    component = todo = 1 << node
    while todo:
        todo = unite(links, todo) & ~component & ~without
        component |= todo
    return component
