"""Graphs as objects of DoWhy and pywhy-graphs, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import GraphError
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph

if TYPE_CHECKING:
    import networkx as nx


def to_dowhy(dag: LatentDag) -> nx.DiGraph:
    """The graph that DoWhy's CausalModel takes: hidden causes are nodes that no column observes.

    Each node says `observed`, "yes" or "no"; DoWhy itself goes by the columns of its data.
    """
    graph = dag.to_networkx()
    for node, is_latent in graph.nodes(data="latent"):
        graph.nodes[node]["observed"] = "no" if is_latent else "yes"
    return graph


def to_pywhy_graphs(graph: MixedGraph) -> Any:
    """A PAG of pywhy-graphs: a circle at a node is a circle edge into it, a tail is where nothing points."""
    try:
        from pywhy_graphs import PAG
    except ImportError:
        raise GraphError("this needs the package pywhy-graphs; install it with: pip install pywhy-graphs") from None
    theirs = PAG()
    theirs.add_nodes_from(graph.nodes)
    for edge in graph.edges():
        ends = ((edge.first, edge.second, edge.at_second), (edge.second, edge.first, edge.at_first))
        if edge.is_bidirected:
            theirs.add_edge(edge.first, edge.second, theirs.bidirected_edge_name)
        elif edge.at_first == edge.at_second == Mark.TAIL:
            theirs.add_edge(edge.first, edge.second, theirs.undirected_edge_name)
        else:
            for a, b, mark in ends:
                if mark != Mark.TAIL:
                    kind = theirs.directed_edge_name if mark == Mark.ARROW else theirs.circle_edge_name
                    theirs.add_edge(a, b, kind)
    return theirs


def from_pywhy_graphs(graph: Any) -> MixedGraph:
    """The graph of a PAG of pywhy-graphs; its nodes become text."""
    nodes = [str(node) for node in graph.nodes]
    if len(set(nodes)) != len(nodes):
        raise GraphError("two nodes of the graph of pywhy-graphs have the same name as text; rename one")
    index = {node: index for index, node in enumerate(graph.nodes)}
    marks = np.zeros((len(nodes),) * 2, dtype=np.uint8)

    def put(a: object, b: object, mark: Mark) -> None:
        if marks[index[a], index[b]]:
            raise GraphError(f"{a} and {b} are joined by several edges; a PAG has one mark at each end")
        marks[index[a], index[b]] = mark

    edges = graph.edges()
    for kind, mark in ((graph.directed_edge_name, Mark.ARROW), (graph.circle_edge_name, Mark.CIRCLE)):
        for a, b in edges[kind]:
            put(a, b, mark)
    for kind, mark in ((graph.bidirected_edge_name, Mark.ARROW), (graph.undirected_edge_name, Mark.TAIL)):
        for a, b in edges[kind]:
            put(a, b, mark)
            put(b, a, mark)
    marks[(marks == 0) & (marks.T != 0)] = Mark.TAIL
    return MixedGraph(nodes, marks)
