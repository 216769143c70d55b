"""The DAG of a network in BIF, with the latents that the file marks; its tables are left out."""

from __future__ import annotations

import re
from collections.abc import Mapping

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.formats.graphs.graph_document import GraphDocument, GraphFormat
from latconf_core.formats.networks.bif import parse_bif
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph


def parse(text: str) -> GraphDocument:
    """The document of a network's DAG."""
    return document_of(parse_bif(text))


def document_of(network: BayesNet) -> GraphDocument:
    """The DAG of a network with its latents marked."""
    edges = [Edge(parent, child, Mark.TAIL, Mark.ARROW) for parent, child in network.edges]
    latents = {name: len(network.states(name)) for name in network.variables if name in network.latents}
    return GraphDocument(MixedGraph.from_edges(network.variables, edges), latents)


def written_names(graph: MixedGraph) -> Mapping[str, str]:
    """Nothing is written: a BIF file needs probabilities."""
    return {}


def recognises(text: str) -> bool:
    """Whether the text opens a network and declares a variable."""
    return re.match(r"\s*network\b[^{]*\{", text) is not None and re.search(r"^\s*variable\b", text, re.M) is not None


FORMAT = GraphFormat(
    name="bif",
    description="BIF network (its DAG)",
    extensions=(".bif",),
    parse=parse,
    render=None,
    written_names=written_names,
    recognises=recognises,
    holds_latents=True,
)
