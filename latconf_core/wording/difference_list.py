"""The differences of two graphs as a list to walk through: each with its words and its nodes, grouped by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from latconf_core.comparison.differences import EdgeDifference
from latconf_core.comparison.measures import Value
from latconf_core.comparison.overlay import Overlay, OverlayLatent
from latconf_core.comparison.parts import BlockDifference
from latconf_core.comparison.tables import Table
from latconf_core.graph.marks import Mark
from latconf_core.wording.comparison_sentences import describe_edge_difference, describe_latent_difference

Pair = frozenset[str]


@dataclass(frozen=True)
class Difference:
    """One thing that differs: an edge with its marks, or a latent.

    kind : "only in A", "only in B", "other marks", "latent", or "block" for several together
    pairs : the edges of the overlay that belong to it
    nodes : what to look at
    effects : the variables whose part of the score it belongs to
    """

    kind: str
    text: str
    nodes: tuple[str, ...]
    pairs: tuple[Pair, ...]
    effects: frozenset[str]


@dataclass(frozen=True)
class DifferenceGroup:
    """Differences that belong together: a block of variables with what it is worth, or a kind of difference."""

    title: str
    differences: tuple[Difference, ...]
    a: float | None = None
    b: float | None = None

    @property
    def gain(self) -> float | None:
        """Nats that B is above A."""
        return None if self.a is None or self.b is None else self.b - self.a

    @property
    def whole(self) -> Difference:
        """All that differs in it as one, to look at."""
        every = self.differences
        return Difference(
            "block",
            self.title,
            nodes=tuple(dict.fromkeys(node for difference in every for node in difference.nodes)),
            pairs=tuple(dict.fromkeys(pair for difference in every for pair in difference.pairs)),
            effects=frozenset().union(*(difference.effects for difference in every)),
        )


def list_differences(overlay: Overlay) -> tuple[Difference, ...]:
    """Latents first, then edges in the order of the nodes."""
    latents = [_latent_difference(other_latent, overlay) for other_latent in overlay.other_latents]
    return (*latents, *(_edge_difference(edge_difference) for edge_difference in overlay.edge_differences))


def _latent_difference(latent: OverlayLatent, overlay: Overlay) -> Difference:
    sides = [side for side in (latent.pair.a, latent.pair.b) if side is not None]
    children = tuple(dict.fromkeys(child for side in sides for child in side.children))
    text = describe_latent_difference(latent.pair)
    pairs = tuple(
        frozenset(difference.nodes) for difference in overlay.differences if latent.name in difference.nodes
    ) or tuple(frozenset((latent.name, child)) for child in children if child in overlay.nodes)
    return Difference("latent", f"{latent.name}: {text}", (latent.name,), pairs, frozenset(children))


def _edge_difference(edge: EdgeDifference) -> Difference:
    effects = {
        node
        for side in (edge.a, edge.b)
        if side is not None
        for node, mark in ((side.first, side.at_first), (side.second, side.at_second))
        if mark == Mark.ARROW
    }
    text = describe_edge_difference(edge)
    return Difference(edge.kind, text, edge.nodes, (frozenset(edge.nodes),), frozenset(effects))


def group_by_blocks(
    differences: Sequence[Difference],
    blocks: Sequence[tuple[str, ...]],
    scores: Sequence[BlockDifference] | None = None,
) -> tuple[DifferenceGroup, ...]:
    """A group per block, with its nats where they are known and the largest difference first then.

    A difference that concerns two blocks, such as an arrow turned round, stands in both.
    """
    if scores is not None:
        return tuple(
            DifferenceGroup(_title(score.variables), _within(differences, score.variables), score.a, score.b)
            for score in scores
        )
    return tuple(DifferenceGroup(_title(block), _within(differences, block)) for block in blocks)


def group_by_kinds(differences: Sequence[Difference]) -> tuple[DifferenceGroup, ...]:
    """A group per kind of difference, for graphs that have no score."""
    kinds = dict.fromkeys(difference.kind for difference in differences)
    return tuple(
        DifferenceGroup(
            kind[:1].upper() + kind[1:], tuple(difference for difference in differences if difference.kind == kind)
        )
        for kind in kinds
    )


def tabulate_differences(groups: Sequence[DifferenceGroup]) -> Table:
    """A row per block with its nats, and under it one per difference without."""
    rows: list[tuple[Value, ...]] = []
    for group in groups:
        rows.append((group.title, None, group.a, group.b, group.gain))
        rows += [(group.title, difference.text, None, None, None) for difference in group.differences]
    return Table(("Block", "Difference", "A", "B", "B above A"), tuple(rows))


def _within(differences: Sequence[Difference], block: Sequence[str]) -> tuple[Difference, ...]:
    return tuple(difference for difference in differences if not difference.effects.isdisjoint(block))


def _title(block: Sequence[str]) -> str:
    return ", ".join(block)
