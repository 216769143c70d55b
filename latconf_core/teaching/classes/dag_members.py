"""The DAGs that have the conditional independences of a drawn one; its hidden variables are nodes like any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from latconf_core.control import RunControl
from latconf_core.graph.bits import BitGraph, bits
from latconf_core.graph.mpdag import Mpdag
from latconf_core.teaching.drawn_dag import Arrow, DrawnDag

MOST_MEMBERS = 500  # that are listed


def class_of(dag: DrawnDag) -> Mpdag:
    """What all members have, by the positions of the nodes."""
    return Mpdag.of_dag(BitGraph.from_graph(dag.graph).parents)


@dataclass(frozen=True, eq=False)
class DagMembers:
    """The DAGs that have the conditional independences of a drawn one.

    members : each at the places of the drawn one, in an order that does not depend on which of them was drawn
    is_cut : whether there are more
    """

    members: tuple[DrawnDag, ...]
    is_cut: bool = False

    @cached_property
    def counts(self) -> Mapping[Arrow, int]:
        """In how many members each arrow stands."""
        counts: dict[Arrow, int] = {}
        for member in self.members:
            for arrow in member.edges:
                counts[arrow] = counts.get(arrow, 0) + 1
        return counts

    def is_open(self, arrow: Arrow) -> bool:
        """Whether a member has the arrow the other way."""
        return self.counts.get((arrow[1], arrow[0]), 0) > 0

    def place_of(self, dag: DrawnDag) -> int | None:
        """Where a DAG stands among the members; None where it is none, or not listed."""
        edges = set(dag.edges)
        return next((index for index, member in enumerate(self.members) if set(member.edges) == edges), None)


def list_members(dag: DrawnDag, *, control: RunControl | None = None, limit: int = MOST_MEMBERS) -> DagMembers:
    """Every DAG with the conditional independences of this one, as far as the limit."""
    control = control or RunControl()
    names = dag.nodes
    listed: list[DrawnDag] = []
    for parents in _members(class_of(dag), control):
        if len(listed) == limit:
            return DagMembers(tuple(listed), is_cut=True)
        edges = [(names[above], names[node]) for node, parent in enumerate(parents) for above in bits(parent)]
        listed.append(DrawnDag(names, tuple(edges), dag.hidden, dag.positions))
    return DagMembers(tuple(listed))


def _members(graph: Mpdag, control: RunControl) -> Iterator[tuple[int, ...]]:
    """The parents in every DAG of a class, by choosing what the parents of one node after the other are."""
    control.checkpoint()
    node = next((node for node in range(graph.n) if graph.undirected[node]), None)
    if node is None:
        yield tuple(graph.parents)
        return
    for _, members in graph.parent_sets(node):
        yield from _members(members, control)
