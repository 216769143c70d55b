"""Adjustment sets of a PAG: those that are right in every MAG of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from latconf_core.control import RunControl
from latconf_core.errors import GraphError
from latconf_core.graph.bits import BitGraph, bits, closure
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.graph.separation import connected_nodes
from latconf_core.inference.adjustment import (
    Adjustment,
    CausalGraph,
    causal_nodes,
    named_sets,
    set_bits,
    without_causal_edges,
)
from latconf_core.mag.lowest_level import LowestLevel
from latconf_core.pag.validity import check_pag
from latconf_core.pag.visibility import visible_edges


def adjust_in_pag(pag: MixedGraph, cause: str, effect: str, *, control: RunControl | None = None) -> Adjustment:
    """The minimal adjustment sets of a valid PAG, or the edges that make it not amenable."""
    asked = _AskedPag.of(pag, cause, effect)
    is_cause = bool(asked.causal)
    if asked.not_amenable:
        return Adjustment("PAG", cause, effect, is_cause, not_amenable=asked.not_amenable)
    sets, truncated = named_sets(asked.back_door, asked.ends, asked.allowed, control=control)
    forbidden = asked.back_door.names(asked.forbidden & ~(1 << asked.ends[0] | 1 << asked.ends[1]))
    return Adjustment("PAG", cause, effect, is_cause, sets, truncated, forbidden)


def is_adjustment_set_in_pag(pag: MixedGraph, cause: str, effect: str, names: Collection[str]) -> bool:
    """Whether holding exactly these variables fixed is right in every MAG of the PAG."""
    asked = _AskedPag.of(pag, cause, effect)
    chosen = set_bits(asked.back_door, names)
    if asked.not_amenable or chosen & ~asked.allowed:
        return False
    return not connected_nodes(asked.back_door, asked.ends[0], chosen) >> asked.ends[1] & 1


@dataclass(frozen=True)
class _AskedPag:
    """A PAG with cause and effect: what may be causal, and one MAG, since blocking is the same in all of them."""

    pag: MixedGraph
    ends: tuple[int, int]

    @classmethod
    def of(cls, pag: MixedGraph, cause: str, effect: str) -> _AskedPag:
        empty = BitGraph(pag.nodes, *([0] * len(pag.nodes) for _ in range(3)))
        ends = CausalGraph(empty, (1 << len(pag.nodes)) - 1).ends(cause, effect)
        if not check_pag(pag).valid:
            raise GraphError("the graph is not a valid PAG, so it has no adjustment sets; repair it first")
        return cls(pag, ends)

    @cached_property
    def possible_children(self) -> list[int]:
        """What each node may cause directly: no arrowhead at it, no tail at the other."""
        marks = self.pag.marks
        may = (marks > 0) & (marks.T != Mark.ARROW) & (marks != Mark.TAIL)
        return [sum(1 << j for j, is_one in enumerate(row) if is_one) for row in may.tolist()]

    @cached_property
    def causal(self) -> int:
        return causal_nodes(self.possible_children, self.ends)

    @cached_property
    def forbidden(self) -> int:
        return closure(self.possible_children, self.causal)

    @property
    def allowed(self) -> int:
        everything = (1 << len(self.pag.nodes)) - 1
        return everything & ~self.forbidden & ~(1 << self.ends[0] | 1 << self.ends[1])

    @cached_property
    def not_amenable(self) -> tuple[Edge, ...]:
        """The first edges of possibly causal paths that are not visible arrows."""
        cause = self.pag.nodes[self.ends[0]]
        visible = set(visible_edges(self.pag))
        starts = (self.pag.nodes[node] for node in bits(self.possible_children[self.ends[0]] & self.causal))
        return tuple(self.pag.edge(cause, start) for start in starts if (cause, start) not in visible)

    @cached_property
    def back_door(self) -> BitGraph:
        """A MAG of the PAG without the first edges of its causal paths."""
        member = LowestLevel(self.pag).along_search()
        return without_causal_edges(member, self.ends[0], causal_nodes(member.children, self.ends))
