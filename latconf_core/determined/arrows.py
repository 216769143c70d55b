"""The kind of every arrow of a DAG with latents: what every DAG that fits as well has, and what the data leave open.

Three classes answer. Over measured variables and latents together: the DAGs of the Markov class whatever becomes of
the latents (`free`), and those in which every arrow out of a latent stays (`rooted`). Over the measured variables
alone: the PAG of the DAG's MAG.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import graph_of_dag, mag_of_dag
from latconf_core.graph.bits import BitGraph
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import Pag
from latconf_core.graph.mpdag import Mpdag
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.pag.validity import pag_of_mag


class ArrowKind(Enum):
    """What is known of an arrow; the last two are of arrows out of a latent."""

    DETERMINED = "determined"
    GIVEN_LATENTS = "given-latents"
    EITHER_WAY = "either-way"
    KNOWLEDGE = "knowledge"
    EFFECT = "effect"
    CAUSE_OR_EFFECT = "cause-or-effect"

    @property
    def is_open(self) -> bool:
        """Whether a DAG that fits as well has it the other way."""
        return self in (ArrowKind.EITHER_WAY, ArrowKind.CAUSE_OR_EFFECT)


class Reading(Enum):
    """What a latent may be instead of a common cause."""

    MEDIATOR = "mediator"


@dataclass(frozen=True)
class Arrow:
    """An arrow of a DAG with what is known of it.

    is_compelled_freely : every DAG of the Markov class has it, whatever becomes of the latents
    rests_on : the latents that have to be as found; where it is not compelled freely, those that must be no effects
    pag_edge : what the PAG of the DAG has between the two, read from parent to child; None at a latent
    """

    parent: str
    child: str
    kind: ArrowKind
    is_compelled_freely: bool
    rests_on: tuple[str, ...] = ()
    pag_edge: Edge | None = None

    def to_json(self) -> dict[str, Any]:
        """From, to and kind; what the PAG has between the two, null at a latent."""
        return {
            "from": self.parent,
            "to": self.child,
            "kind": self.kind.value,
            "pag": None if self.pag_edge is None else self.pag_edge.arrow,
            "compelled_freely": self.is_compelled_freely,
            "rests_on": list(self.rests_on),
        }


def known_class(graph: BitGraph, hidden: int, knowledge: Knowledge = NO_KNOWLEDGE) -> Mpdag:
    """The DAGs that fit as well as this one, in which every arrow out of a latent stays and knowledge is obeyed.

    hidden : the latents as bits
    """
    required = set(knowledge.required)
    fixed = [above & hidden for above in graph.parents]
    for parent, child in graph.directed():
        names = graph.nodes[parent], graph.nodes[child]
        if names in required or knowledge.forbids_edge(names[1], names[0]):
            fixed[child] |= 1 << parent
    return Mpdag.of_dag(graph.parents, fixed=fixed)


@dataclass(frozen=True, eq=False)
class DagClass:
    """A DAG with latents and the DAGs that fit as well.

    knowledge : of the user, which rules members out; the DAG itself counts as a member whatever it says
    """

    dag: LatentDag
    knowledge: Knowledge = NO_KNOWLEDGE

    @cached_property
    def _graph(self) -> BitGraph:
        return BitGraph.from_graph(graph_of_dag(self.dag))

    @cached_property
    def free(self) -> Mpdag:
        """The CPDAG with latents as nodes like any other: measured variables in their order, then latents."""
        return Mpdag.of_dag(self._graph.parents)

    @cached_property
    def rooted(self) -> Mpdag:
        """The same with every arrow out of a latent kept."""
        return Mpdag.of_dag(self._graph.parents, fixed=self._from_latents)

    @cached_property
    def known(self) -> Mpdag:
        """The same without the DAGs that the user's knowledge rules out."""
        return known_class(self._graph, self._hidden, self.knowledge) if self.knowledge else self.rooted

    @cached_property
    def pag(self) -> Pag:
        """What the data say of the measured variables without believing in the latents."""
        return pag_of_mag(mag_of_dag(self.dag))

    @cached_property
    def arrows(self) -> tuple[Arrow, ...]:
        """Every arrow with its kind, those of measured variables first."""
        return tuple(self._arrow(parent, child) for parent, child in self.dag.all_edges())

    @cached_property
    def kinds(self) -> Mapping[tuple[str, str], ArrowKind]:
        """(parent, child) → the kind of the arrow."""
        return {(arrow.parent, arrow.child): arrow.kind for arrow in self.arrows}

    def readings(self, latent: str) -> tuple[Reading, ...]:
        """What the latent may be instead of a common cause of all its children."""
        kinds = (arrow.kind for arrow in self.arrows if arrow.parent == latent)
        return (Reading.MEDIATOR,) if ArrowKind.CAUSE_OR_EFFECT in kinds else ()

    @cached_property
    def _index(self) -> Mapping[str, int]:
        return {name: i for i, name in enumerate(self._graph.nodes)}

    @cached_property
    def _hidden(self) -> int:
        return (1 << len(self._graph.nodes)) - (1 << len(self.dag.nodes))

    @cached_property
    def _from_latents(self) -> list[int]:
        return [above & self._hidden for above in self._graph.parents]

    def _arrow(self, parent: str, child: str) -> Arrow:
        index, bit = self._index[child], 1 << self._index[parent]
        is_free = bool(self.free.parents[index] & bit)
        if bit & self._hidden:
            return Arrow(parent, child, ArrowKind.EFFECT if is_free else ArrowKind.CAUSE_OR_EFFECT, is_free)
        if not self.rooted.parents[index] & bit:
            is_known = bool(self.known.parents[index] & bit)
            kind = ArrowKind.KNOWLEDGE if is_known else ArrowKind.EITHER_WAY
            return Arrow(parent, child, kind, is_free, (), self._pag_edge(parent, child))
        edge, latents = self._pag_edge(parent, child), self._latents_behind(index, bit)
        if edge is not None and edge.arrow == "-->":
            return Arrow(parent, child, ArrowKind.DETERMINED, is_free, (), edge)
        return Arrow(parent, child, ArrowKind.GIVEN_LATENTS, is_free, latents, edge)

    def _pag_edge(self, parent: str, child: str) -> Edge | None:
        """What the PAG has between two; None where one is a latent, as in a forest."""
        return self.pag.edge(parent, child) if child in self.pag.index else None

    def _latents_behind(self, index: int, bit: int) -> tuple[str, ...]:
        """The latents that an arrow compelled among the rooted members depends on."""
        names = tuple(latent.name for latent in self.dag.latents)
        if self.free.parents[index] & bit:
            return names
        for name in names:  # one whose arrows suffice, else all
            one_fixed = [above & 1 << self._index[name] for above in self._graph.parents]
            if Mpdag.of_dag(self._graph.parents, fixed=one_fixed).parents[index] & bit:
                return (name,)
        return names

    def rivals_for_cause(self, latent: str) -> tuple[tuple[str, str], ...]:
        """Pairs of open children that are not adjacent: at most one of a pair can be the latent's cause."""
        open_children = [
            self._index[arrow.child]
            for arrow in self.arrows
            if arrow.parent == latent and arrow.kind is ArrowKind.CAUSE_OR_EFFECT
        ]
        return tuple(
            (self._graph.nodes[a], self._graph.nodes[b])
            for i, a in enumerate(open_children)
            for b in open_children[i + 1 :]
            if not self.free.adjacent[a] >> b & 1
        )
