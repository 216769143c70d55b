"""A PAG with the marks that knowledge puts where it is open."""

from __future__ import annotations

from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.bound import BoundKnowledge

Ends = tuple[Mark, Mark]


def put_known_marks(pag: MixedGraph, known: BoundKnowledge) -> MixedGraph:
    """The graph with every circle decided that knowledge decides; other marks stay, whatever it says of them."""
    for edge in list(pag.edges()):
        kinds = [
            (at_first, at_second)
            for at_first, at_second in possible_ends(known, pag.index[edge.first], pag.index[edge.second])
            if edge.at_first in (Mark.CIRCLE, at_first) and edge.at_second in (Mark.CIRCLE, at_second)
        ]
        if kinds:
            firsts, seconds = ({ends[k] for ends in kinds} for k in range(2))
            at_first = firsts.pop() if len(firsts) == 1 else edge.at_first
            at_second = seconds.pop() if len(seconds) == 1 else edge.at_second
            pag = pag.with_edge(Edge(edge.first, edge.second, at_first, at_second))
    return pag


def possible_ends(known: BoundKnowledge, a: int, b: int) -> list[Ends]:
    """The marks at a and at b of every edge of a DAG's MAG that knowledge allows between two variables."""
    forward, backward = (Mark.TAIL, Mark.ARROW), (Mark.ARROW, Mark.TAIL)
    if known.requires(a, b):
        return [forward]
    if known.requires(b, a):
        return [backward]
    kinds = [forward] * known.allows_edge(a, b) + [backward] * known.allows_edge(b, a)
    return [*kinds, (Mark.ARROW, Mark.ARROW)] if known.siblings[a] >> b & 1 else kinds
