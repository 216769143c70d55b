"""How far the PAG binds Refine: not at all, by its adjacencies, or by its marks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.options.searching import Binding


def bind_to_pag(known: BoundKnowledge, pag: MixedGraph, binding: Binding) -> BoundKnowledge:
    """What is known, and of the rest what a PAG allows: edges and hidden causes on its adjacencies, or by its marks."""
    is_edge = _every_edge if binding == "adjacencies" else _may_point
    is_pair = _every_edge if binding == "adjacencies" else _may_share
    parents = tuple(parent & allowed for parent, allowed in zip(known.parents, _masks(pag, is_edge)))
    siblings = tuple(sibling & allowed for sibling, allowed in zip(known.siblings, _masks(pag, is_pair)))
    return replace(known, parents=parents, siblings=siblings)


def _masks(pag: MixedGraph, holds: Callable[[int, int], bool]) -> list[int]:
    """For every variable the others for which the marks at the other and at the variable say so, as bits."""
    n = len(pag.nodes)
    marks = pag.marks
    return [
        sum(1 << other for other in range(n) if marks[v, other] and holds(int(marks[v, other]), int(marks[other, v])))
        for v in range(n)
    ]


def _every_edge(_at_other: int, _at_own: int) -> bool:
    return True


def _may_point(at_other: int, at_own: int) -> bool:
    """Whether the other may be a cause: no arrowhead at it, and no tail at the variable."""
    return at_other != Mark.ARROW and at_own != Mark.TAIL


def _may_share(at_other: int, at_own: int) -> bool:
    """Whether both may be effects of something hidden: no tail at either."""
    return Mark.TAIL not in (at_other, at_own)
