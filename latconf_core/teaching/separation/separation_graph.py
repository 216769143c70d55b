"""A graph of which one asks who is separated from whom: a DAG with hidden variables, a MAG or a PAG."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from latconf_core.control import RunControl
from latconf_core.errors import GraphError
from latconf_core.graph.bits import BitGraph, topological_order
from latconf_core.graph.mixed import MixedGraph
from latconf_core.graph.separation import Verdict, explain_in_class, explain_m_separation
from latconf_core.mag.lowest_level import LowestLevel
from latconf_core.mag.validity import why_not_mag
from latconf_core.pag.validity import check_pag

MAX_PATHS = 60


class GraphKind(Enum):
    """What the edges of a graph claim."""

    DAG = "DAG"
    MAG = "MAG"
    PAG = "PAG"


@dataclass(frozen=True)
class SeparationGraph:
    """A graph as it is drawn, and what decides separation in it.

    hidden : nodes of a DAG that nobody measured: they lie on paths, but can be neither an end nor held fixed
    member : the graph that gives the verdict (of a PAG, one of its MAGs: all of them agree); None where there is none
    problem : why there is no verdict, as a sentence; empty where there is one
    """

    graph: MixedGraph
    kind: GraphKind
    hidden: frozenset[str] = frozenset()
    member: BitGraph | None = None
    problem: str = ""

    @classmethod
    def of_dag(cls, graph: MixedGraph, hidden: Collection[str] = ()) -> SeparationGraph:
        """A DAG over measured and hidden variables."""
        form = BitGraph.from_graph(graph)
        problem = ""
        if any(form.spouses):
            problem = "This is not a DAG: it has a <->. Draw the hidden common cause instead."
        elif topological_order(form.parents) is None:
            problem = "This is not a DAG: some arrows form a directed cycle. Reverse or delete one of them."
        return cls(graph, GraphKind.DAG, frozenset(hidden), None if problem else form, problem)

    @classmethod
    def of_mag(cls, graph: MixedGraph, *, control: RunControl | None = None) -> SeparationGraph:
        """A MAG; a graph that is none gets no verdict."""
        broken = why_not_mag(graph, control=control)
        if broken is not None:
            return cls(graph, GraphKind.MAG, problem=f"This graph is not a MAG: {broken.sentence}.")
        return cls(graph, GraphKind.MAG, member=BitGraph.from_graph(graph))

    @classmethod
    def of_pag(cls, graph: MixedGraph, *, control: RunControl | None = None) -> SeparationGraph:
        """A PAG; a graph that is none gets no verdict, since the graphs it could stand for need not agree."""
        check = check_pag(graph, control=control)
        if not check.valid:
            return cls(graph, GraphKind.PAG, problem=f"This graph is not a valid PAG: {check.reasons[0].sentence}.")
        return cls(graph, GraphKind.PAG, member=LowestLevel(graph, control=control).along_search())

    @property
    def observed(self) -> tuple[str, ...]:
        """The nodes that can be asked about."""
        return tuple(name for name in self.graph.nodes if name not in self.hidden)

    def decided_by(self) -> BitGraph:
        """The graph that gives the verdict."""
        if self.member is None:
            raise GraphError(self.problem)
        return self.member

    def explain(self, first: str, second: str, given: Collection[str] = (), *, max_paths: int = MAX_PATHS) -> Verdict:
        """Whether a set separates two nodes, with the paths that say so; on a PAG only those of definite status."""
        member = self.decided_by()
        for name in (first, second, *given):
            if name in self.hidden:
                raise GraphError(f"{name!r} is hidden, so it can be neither an end nor in the conditioning set")
        if self.kind == GraphKind.PAG:
            return explain_in_class(self.graph, member, (first, second), given, max_paths=max_paths)
        return explain_m_separation(member, first, second, given, max_paths=max_paths)
