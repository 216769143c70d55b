"""Visible edges: arrows behind which no hidden common cause can lie (Zhang 2008)."""

from __future__ import annotations

import numpy as np

from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.rules.mark_sets import Marks


def visible_edges(graph: MixedGraph) -> tuple[tuple[str, str], ...]:
    """Every visible a --> b of a PAG or a MAG, as (a, b)."""
    marks = Marks(graph.marks)
    arrows = np.argwhere((graph.marks == Mark.ARROW) & (graph.marks.T == Mark.TAIL)).tolist()
    return tuple((graph.nodes[a], graph.nodes[b]) for a, b in arrows if _is_visible(marks, a, b))


def _is_visible(marks: Marks, a: int, b: int) -> bool:
    """Whether some c that is not joined with b has an arrowhead into a, or a path of colliders into a.

    All inner nodes of such a path are causes of b.
    """
    near, parents = marks.adjacent[b] | 1 << b, marks.parents(b)
    todo, seen = 1 << a, 0
    while todo:
        node = (todo & -todo).bit_length() - 1
        into = marks.near[Mark.ARROW][node]
        if into & ~near:
            return True
        seen |= 1 << node
        both_ways = into & marks.far[Mark.ARROW][node]
        todo = (todo | both_ways & parents) & ~seen
    return False
