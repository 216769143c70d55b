"""An edge that A and B have in opposite directions: two arrows, one to each side of the straight line."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from latconf_core.graph.marks import Edge, Mark
from latconf_gui.drawing.geometry.curves import Curve, bent
from latconf_gui.drawing.geometry.edge_ends import ARROW_LENGTH, Ends, Outline, find_ends
from latconf_gui.look.sides import Side

ASIDE = 13.0  # of the middle of either line from the straight one: two letters stand beside each other
MOST_BENT = 0.3  # of the distance, between nodes near to each other


@dataclass(frozen=True)
class TwinArrow:
    """The arrow of one side: its line from node to node in the order of the edge, and the node at its head."""

    side: Side
    head: str
    is_open: bool
    curve: Curve
    ends: Ends

    @property
    def tip(self) -> tuple[float, float]:
        """Where on the curve the tip and the base of the head are."""
        return (self.ends.second_tip, self.ends.second_base)


def head_of(edge: Edge) -> str | None:
    """The node that an arrow points to; None for an edge of another kind."""
    if (edge.at_first, edge.at_second) == (Mark.TAIL, Mark.ARROW):
        return edge.second
    return edge.first if (edge.at_first, edge.at_second) == (Mark.ARROW, Mark.TAIL) else None


def is_reversed(of_a: Edge | None, of_b: Edge) -> bool:
    """Whether A has an arrow in one direction where B has it in the other."""
    return of_a is not None and None not in (head_of(of_a), head_of(of_b)) and head_of(of_a) != head_of(of_b)


def twin_arrows(
    of_a: Edge, of_b: Edge, outlines: tuple[Outline, Outline], *, are_open: tuple[bool, bool]
) -> tuple[TwinArrow, ...]:
    """The arrows of A and of B; none where the nodes leave no room for them.

    outlines : of the first and the second node of B's edge
    are_open : whether the data leave the direction of A's and of B's open
    """
    by_name = {of_b.first: outlines[0], of_b.second: outlines[1]}
    twins = []
    for side, edge, is_open in ((Side.ONLY_A, of_a, are_open[0]), (Side.ONLY_B, of_b, are_open[1])):
        head = head_of(edge)
        assert head is not None, "an arrow"
        tail = edge.first if head == edge.second else edge.second
        way = by_name[tail], by_name[head]
        start, end = ((node.x, node.y) for node in way)
        curve = bent(start, end, min(ASIDE / max(dist(start, end), 1.0), MOST_BENT))  # each to its own left: apart
        ends = find_ends(curve, way, (0.0, ARROW_LENGTH))
        if ends is None:
            return ()
        twins.append(TwinArrow(side, head, is_open, curve, ends))
    return tuple(twins)
