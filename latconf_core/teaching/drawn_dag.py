"""A DAG as a person draws it: any variable may be hidden, and every variable has its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from math import cos, pi, sin
from types import MappingProxyType
from typing import Any

from latconf_core.dag.hidden_variables import hide_in_dag
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.errors import GraphError
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import Mag, MixedGraph, Pag
from latconf_core.pag.validity import pag_of_mag

Places = Mapping[str, tuple[float, float]]  # the centre of each node, at the size of a screen
Arrow = tuple[str, str]  # from a cause to its effect

NEIGHBOUR_DISTANCE = 130.0  # of nodes on a circle that nobody has placed


@dataclass(frozen=True)
class DrawnDag:
    """Variables and arrows, acyclic; GraphError with the reason where they cannot be drawn.

    nodes : every variable, in the order in which it was drawn
    edges : (cause, effect), in the order of the nodes
    hidden : those that no study measures; they may have causes and effects of any kind
    positions : where the nodes stand; some may have no place yet
    """

    nodes: tuple[str, ...]
    edges: tuple[Arrow, ...] = ()
    hidden: frozenset[str] = frozenset()
    positions: Places = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def __post_init__(self) -> None:
        nodes = tuple(self.nodes)
        index = {name: index for index, name in enumerate(nodes)}
        edges = {(parent, child) for parent, child in self.edges}
        _check(nodes, edges, self.hidden)
        ordered = sorted(edges, key=lambda edge: (index[edge[0]], index[edge[1]]))
        places = {name: (float(x), float(y)) for name, (x, y) in self.positions.items() if name in index}
        object.__setattr__(self, "nodes", nodes)
        object.__setattr__(self, "edges", tuple(ordered))
        object.__setattr__(self, "hidden", frozenset(self.hidden))
        object.__setattr__(self, "positions", MappingProxyType(places))

    @property
    def observed(self) -> tuple[str, ...]:
        """The variables that a study measures."""
        return tuple(name for name in self.nodes if name not in self.hidden)

    @cached_property
    def graph(self) -> MixedGraph:
        """All of it, hidden variables included, as a graph with marks."""
        return MixedGraph.from_edges(self.nodes, [Edge(a, b, Mark.TAIL, Mark.ARROW) for a, b in self.edges])

    @cached_property
    def latent_dag(self) -> LatentDag:
        """The DAG with latents that has the same independences among the observed variables.

        Hidden variables become roots: their causes become causes of their effects. One with fewer than two effects
        is left out, since nothing tells of it.
        """
        return hide_in_dag(LatentDag(self.nodes, self.edges), self.hidden)

    @cached_property
    def mag(self) -> Mag:
        """The MAG over the observed variables."""
        return mag_of_dag(self.latent_dag)

    @cached_property
    def pag(self) -> Pag:
        """The PAG over the observed variables: what any data from this DAG can tell at best."""
        return pag_of_mag(self.mag)

    def placed(self) -> DrawnDag:
        """The same with a place for every node: those without stand on a circle."""
        if all(name in self.positions for name in self.nodes):
            return self
        circle = places_on_circle(self.nodes)
        return DrawnDag(self.nodes, self.edges, self.hidden, {**circle, **self.positions})

    def to_json(self) -> dict[str, Any]:
        """Nodes, edges, hidden nodes and positions, as lists and texts."""
        return {
            "nodes": list(self.nodes),
            "edges": [list(edge) for edge in self.edges],
            "hidden": [name for name in self.nodes if name in self.hidden],
            "positions": {name: list(position) for name, position in self.positions.items()},
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> DrawnDag:
        """The DAG that `to_json` gave; hidden nodes and positions may be missing."""
        return cls(
            tuple(map(str, content["nodes"])),
            tuple((str(parent), str(child)) for parent, child in content["edges"]),
            frozenset(map(str, content.get("hidden", ()))),
            {str(name): (x, y) for name, (x, y) in content.get("positions", {}).items()},
        )

    @classmethod
    def from_latent_dag(cls, dag: LatentDag, positions: Places | None = None) -> DrawnDag:
        """A DAG with latents as a drawing, its latents hidden."""
        hidden = [latent.name for latent in dag.latents]
        return cls((*dag.nodes, *hidden), tuple(dag.all_edges()), frozenset(hidden), positions or {})


def places_on_circle(names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Places on a circle, the first name on top, neighbours at the usual distance."""
    count = len(names)
    radius = 0.0 if count < 2 else NEIGHBOUR_DISTANCE / (2 * sin(pi / count))
    angles = [2 * pi * index / max(count, 1) - pi / 2 for index in range(count)]
    return {name: (radius * cos(angle), radius * sin(angle)) for name, angle in zip(names, angles)}


def _check(nodes: Sequence[str], edges: Iterable[Arrow], hidden: Iterable[str]) -> None:
    known = set(nodes)
    if len(known) != len(nodes):
        twice = min(name for name, count in Counter(nodes).items() if count > 1)
        raise GraphError(f"two variables are called {twice!r}; rename one")
    for name in hidden:
        if name not in known:
            raise GraphError(f"{name!r} is hidden but is not a variable")
    causes: dict[str, set[str]] = {name: set() for name in nodes}
    for parent, child in edges:
        for name in (parent, child):
            if name not in known:
                raise GraphError(f"the edge {parent} --> {child} names {name!r}, which is not a variable")
        if parent == child:
            raise GraphError(f"{parent} cannot be its own cause")
        causes[child].add(parent)
    try:
        TopologicalSorter(causes).prepare()
    except CycleError as error:
        cycle = " --> ".join(error.args[1])
        raise GraphError(f"{cycle} would be a directed cycle; nothing can be a cause of itself") from None
