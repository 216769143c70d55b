"""The members of a PAG: its MAGs by number of bidirected edges, each as one number, and the DAG of each.

A member has the marks of its PAG except at the circles. So a whole number says which member it is: bit k is set where
circle k of the PAG is an arrowhead. Thousands of members are kept as numbers, and drawn one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.bits import BitGraph
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.latents.minimum import minimum_latents, to_latent_dag
from latconf_core.mag.listing import MagListing
from latconf_core.phrases import list_names

MOST_LISTED = 20_000
FIRST_BATCH, LARGEST_BATCH = 32, 1024  # members: a few come at once, the rest in few pieces

End = tuple[str, str]  # a node, and the other node of an edge that has a circle at the first


@dataclass(frozen=True)
class MemberBatch:
    """Some members, in the order of the listing, and what has been counted up to them.

    n_bidirected : the number of <-> of all members of the batch
    members : their numbers
    arrows : for each circle of the PAG, in how many of the members so far it is an arrowhead
    n_listed : how many members there are so far
    is_last : nothing follows
    is_cut : nothing follows because the most that are listed have been; there are more members
    """

    n_bidirected: int
    members: tuple[int, ...]
    arrows: tuple[int, ...]
    n_listed: int
    is_last: bool = False
    is_cut: bool = False


class PagMembers:
    """The members of one valid PAG.

    ends : every circle as (node, other), in the order of the edges
    """

    def __init__(self, pag: MixedGraph) -> None:
        self.pag = pag
        both = chain.from_iterable(((edge.first, edge.second), (edge.second, edge.first)) for edge in pag.edges())
        self.ends: tuple[End, ...] = tuple(end for end in both if pag.mark_at(*end) == Mark.CIRCLE)
        self._positions = [(pag.index[node], pag.index[other]) for node, other in self.ends]

    def listed(self, *, most: int = MOST_LISTED, control: RunControl | None = None) -> Iterator[MemberBatch]:
        """All members up to `most`, those with the fewest bidirected edges first, in batches of one level each."""
        control = RunControl() if control is None else control
        listing = MagListing(self.pag, control=control, is_valid=True)
        arrows = [0] * len(self.ends)
        n_listed, level = 0, listing.n_invariant
        while True:
            n_before = n_listed
            batch: list[int] = []
            for mag in listing.level(level):
                control.checkpoint()  # a level may be listed at once
                if n_listed == most:
                    yield MemberBatch(level, tuple(batch), tuple(arrows), n_listed, is_last=True, is_cut=True)
                    return
                n_listed += 1
                batch.append(self._count(mag, arrows))
                if len(batch) == min(FIRST_BATCH + n_listed // 2, LARGEST_BATCH):
                    yield MemberBatch(level, tuple(batch), tuple(arrows), n_listed)
                    batch = []
            is_last = n_listed == n_before  # every member has a neighbour one level below
            yield MemberBatch(level, tuple(batch), tuple(arrows), n_listed, is_last=is_last)
            if is_last:
                return
            level += 1

    def _count(self, mag: BitGraph, arrows: list[int]) -> int:
        """The number of a member, after counting its arrowheads."""
        member = 0
        for k, (node, other) in enumerate(self._positions):
            if not mag.children[node] >> other & 1:
                member |= 1 << k
                arrows[k] += 1
        return member

    def mag(self, member: int) -> MixedGraph:
        """The MAG of a number."""
        marks = self.pag.marks.copy()
        for k, (node, other) in enumerate(self._positions):
            marks[other, node] = Mark.ARROW if member >> k & 1 else Mark.TAIL
        return MixedGraph(self.pag.nodes, marks)

    def dag(self, member: int, *, control: RunControl | None = None) -> LatentDag:
        """The DAG with the fewest latents that has the independences of a member."""
        mag = BitGraph.from_graph(self.mag(member))
        return to_latent_dag(mag, minimum_latents(mag, control=control).child_sets)

    def decided(self, member: int) -> tuple[Edge, ...]:
        """The edges that have a circle in the PAG, as the member has them."""
        return tuple(
            Edge(
                edge.first,
                edge.second,
                self._mark(at_first, edge.at_first, member),
                self._mark(at_second, edge.at_second, member),
            )
            for edge, at_first, at_second in self._undecided
        )

    @staticmethod
    def _mark(circle: int | None, mark: Mark, member: int) -> Mark:
        """The mark of a member at an end of the PAG; `circle` is its place among the circles, where it is one."""
        if circle is None:
            return mark
        return Mark.ARROW if member >> circle & 1 else Mark.TAIL

    @cached_property
    def _undecided(self) -> tuple[tuple[Edge, int | None, int | None], ...]:
        """The edges of the PAG that have a circle, with the places of the circles at both ends."""
        position_of = {end: k for k, end in enumerate(self.ends)}
        ends = (
            (edge, position_of.get((edge.first, edge.second)), position_of.get((edge.second, edge.first)))
            for edge in self.pag.edges()
        )
        return tuple(end for end in ends if end[1] is not None or end[2] is not None)

    def changes(self, before: int, after: int) -> tuple[tuple[Edge, Edge], ...]:
        """The edges in which two members differ, each as it was and as it is."""
        pairs = zip(self.decided(before), self.decided(after))
        return tuple((was, now) for was, now in pairs if was != now)


def changes_sentence(changes: Sequence[tuple[Edge, Edge]]) -> str:
    """What changed from one member to the next, in words."""
    if not changes:
        return "No differences."
    return f"{list_names(f'{was} became {now}' for was, now in changes)}."


def count_sentence(n_arrows: int, n_listed: int, *, is_cut: bool) -> str:
    """In how many members a circle is an arrowhead, and in how many a tail."""
    of = f"the first {n_listed:,}" if is_cut else f"{n_listed:,}"
    return f"arrowhead in {n_arrows:,} of {of}, tail in {n_listed - n_arrows:,}"
