"""What an activity works on: a DAG, of which MAG and PAG follow, or a PAG alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from latconf_core.control import RunControl
from latconf_core.graph.mixed import MixedGraph
from latconf_core.teaching.drawn_dag import DrawnDag, Places, places_on_circle
from latconf_core.teaching.separation.separation_graph import GraphKind, SeparationGraph


@dataclass(frozen=True)
class SourceGraph:
    """A graph with its name and the place of every node."""

    name: str
    content: DrawnDag | MixedGraph
    positions: Places

    @classmethod
    def of_dag(cls, name: str, dag: DrawnDag) -> SourceGraph:
        """A drawn DAG; nodes without a place stand on a circle."""
        placed = dag.placed()
        return cls(name, placed, placed.positions)

    @classmethod
    def of_pag(cls, name: str, graph: MixedGraph, positions: Places) -> SourceGraph:
        """A PAG; where a node has no place, all stand on a circle."""
        is_placed = all(node in positions for node in graph.nodes)
        places = {node: positions[node] for node in graph.nodes} if is_placed else places_on_circle(graph.nodes)
        return cls(name, graph, places)

    @property
    def kinds(self) -> tuple[GraphKind, ...]:
        """The kinds of graph that it can be shown as."""
        return tuple(GraphKind) if isinstance(self.content, DrawnDag) else (GraphKind.PAG,)

    @property
    def pag(self) -> MixedGraph:
        """Its PAG."""
        return self.content.pag if isinstance(self.content, DrawnDag) else self.content

    def asked(self, kind: GraphKind, *, control: RunControl | None = None) -> SeparationGraph:
        """Its DAG, MAG or PAG, ready for questions about separation."""
        if isinstance(self.content, DrawnDag):
            if kind == GraphKind.DAG:
                return SeparationGraph.of_dag(self.content.graph, self.content.hidden)
            if kind == GraphKind.MAG:
                return SeparationGraph.of_mag(self.content.mag, control=control)
        return SeparationGraph.of_pag(self.pag, control=control)

    def to_json(self) -> dict[str, Any]:
        """The name, and the DAG or the PAG with its places."""
        if isinstance(self.content, DrawnDag):
            return {"name": self.name, "dag": self.content.to_json()}
        places = {name: list(position) for name, position in self.positions.items()}
        return {"name": self.name, "pag": self.content.to_json(), "positions": places}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> SourceGraph:
        """What `to_json` gave."""
        if "dag" in content:
            return cls.of_dag(str(content["name"]), DrawnDag.from_json(content["dag"]))
        places = {str(name): (float(x), float(y)) for name, (x, y) in content["positions"].items()}
        return cls.of_pag(str(content["name"]), MixedGraph.from_json(content["pag"]), places)
