"""What can be compared: a graph with marks or a DAG with latents, and as what two of them are laid side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.errors import GraphError, OptionError
from latconf_core.graph.bits import BitGraph
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.lowest_level import LowestLevel
from latconf_core.mag.validity import are_equivalent, is_mag
from latconf_core.pag.validity import check_pag, pag_of_mag

View = Literal["as given", "DAG", "MAG", "PAG"]


@dataclass(frozen=True)
class Subject:
    """One side of a comparison: its name, and what it is."""

    name: str
    content: MixedGraph | LatentDag

    @property
    def nodes(self) -> tuple[str, ...]:
        """The observed variables."""
        return self.content.nodes

    @property
    def is_dag_with_latents(self) -> bool:
        return isinstance(self.content, LatentDag)

    @cached_property
    def dag(self) -> LatentDag | None:
        """The DAG that it is, also where it was given as a graph with marks; None for anything else."""
        if isinstance(self.content, LatentDag):
            return self.content
        if not _is_directed(self.content):
            return None
        try:
            return LatentDag(self.content.nodes, [_cause_and_effect(edge) for edge in self.content.edges()])
        except GraphError:  # a directed cycle
            return None

    @property
    def has_circles(self) -> bool:
        return isinstance(self.content, MixedGraph) and bool((self.content.marks == Mark.CIRCLE).any())

    @cached_property
    def mag(self) -> MixedGraph | None:
        """The MAG that it is or implies; None for a PAG, which stands for several, and for what is no MAG."""
        if isinstance(self.content, LatentDag):
            return mag_of_dag(self.content)
        return self.content if not self.has_circles and is_mag(self.content) else None

    @cached_property
    def pag(self) -> MixedGraph | None:
        """The PAG that it is or belongs to; None where it is no valid DAG, MAG or PAG."""
        if self.mag is not None:
            return pag_of_mag(self.mag)
        graph = self.content
        return graph if isinstance(graph, MixedGraph) and check_pag(graph).valid else None

    @cached_property
    def member(self) -> MixedGraph | BitGraph | None:
        """A MAG of its Markov class; None where it is no valid DAG, MAG or PAG."""
        if self.mag is not None or self.pag is None:
            return self.mag
        return LowestLevel(self.pag).along_search()

    def shown_as(self, view: View) -> MixedGraph | None:
        """Its graph with marks in a view; None where it has none there."""
        if view == "MAG":
            return self.mag
        if view == "PAG":
            return self.pag
        if isinstance(self.content, MixedGraph):
            return self.content if view == "as given" or _is_directed(self.content) else None
        return _directed_part(self.content) if view == "DAG" else None


def are_in_same_class(a: Subject, b: Subject) -> bool | None:
    """Whether two have the same independences among the observed variables; None where one has no Markov class.

    With latents that does not mean the same fit: numbers of states, inequalities and Verma constraints may differ.
    """
    if a.member is None or b.member is None:
        return None
    return are_equivalent(a.member, b.member)


def choose_view(*subjects: Subject) -> View:
    """Graphs as given; where one is a DAG with latents by MAGs, or by PAGs where another has circles."""
    if not any(subject.is_dag_with_latents for subject in subjects):
        return "as given"
    return "PAG" if any(subject.has_circles for subject in subjects) else "MAG"


def lay_side_by_side(a: Subject, b: Subject, view: View | None = None) -> tuple[MixedGraph, MixedGraph, View]:
    """The two as graphs with marks on the same nodes in the same order, and the view that they are in."""
    check_same_variables(a, b)
    if view is not None and view not in get_args(View):
        raise OptionError(f"graphs cannot be compared as {view!r}; choose one of {', '.join(get_args(View))}")
    chosen = choose_view(a, b) if view is None else view
    first, second = (show_in(graph, chosen, is_default=view is None) for graph in (a, b))
    return first, second.reordered(first.nodes), chosen


def check_same_variables(a: Subject, b: Subject) -> None:
    """Refuse two that are not about the same variables."""
    odd = sorted(set(a.nodes) ^ set(b.nodes))
    if odd:
        raise GraphError(f"only graphs of the same variables can be compared; {', '.join(odd)} is in only one of them")


def show_in(subject: Subject, view: View, *, is_default: bool = True) -> MixedGraph:
    """The graph of a subject in a view; where nobody asked for the view, a graph with marks is taken as it is."""
    if is_default and isinstance(subject.content, MixedGraph):
        return subject.content
    graph = subject.shown_as(view)
    if graph is None:
        raise GraphError(f"{subject.name} cannot be compared as {view}; choose another way to compare")
    return graph


def _is_directed(graph: MixedGraph) -> bool:
    return all({edge.at_first, edge.at_second} == {Mark.TAIL, Mark.ARROW} for edge in graph.edges())


def _cause_and_effect(edge: Edge) -> tuple[str, str]:
    return (edge.first, edge.second) if edge.at_second == Mark.ARROW else (edge.second, edge.first)


def _directed_part(dag: LatentDag) -> MixedGraph:
    """The edges among the observed variables of a DAG, its latents left out."""
    return MixedGraph.from_edges(dag.nodes, [Edge(a, b, Mark.TAIL, Mark.ARROW) for a, b in dag.edges])
