"""The DAG of a network, with the latents that the file marks; its tables are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from latconf_core.formats.graphs.graph_document import GraphDocument, GraphFormat
from latconf_core.formats.networks.network_json import is_network_text
from latconf_core.formats.networks.registry import NETWORK_FORMATS, NetworkFormat
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph


def _parse_by(network_format: NetworkFormat) -> Callable[[str], GraphDocument]:
    def parse(text: str) -> GraphDocument:
        network = network_format.parse(text)
        edges = [Edge(parent, child, Mark.TAIL, Mark.ARROW) for parent, child in network.edges]
        latents = {name: len(network.states(name)) for name in network.variables if name in network.latents}
        return GraphDocument(MixedGraph.from_edges(network.variables, edges), latents)

    return parse


def written_names(graph: MixedGraph) -> Mapping[str, str]:
    """Nothing is written: a network needs probabilities."""
    return {}


def _is_bif(text: str) -> bool:
    return (
        re.match(r"\s*network\b[^{]*\{", text) is not None and re.search(r"^[^\S\n]*variable\b", text, re.M) is not None
    )


def _is_net(text: str) -> bool:
    return re.match(r"\s*(?:net|node)\b", text) is not None and "potential" in text


RECOGNISERS: Mapping[str, Callable[[str], bool]] = {
    "bif": _is_bif,
    "xmlbif": lambda text: "<BIF" in text[:4000],
    "xdsl": lambda text: "<smile" in text[:4000],
    "net": _is_net,
    "json": is_network_text,
}
FORMATS = tuple(
    GraphFormat(
        name="network-json" if network_format.name == "json" else network_format.name,  # JSON alone is that of graphs
        description=f"{network_format.description} network (its DAG)",
        extensions=network_format.extensions,
        parse=_parse_by(network_format),
        render=None,
        written_names=written_names,
        recognises=RECOGNISERS[network_format.name],
        holds_latents=True,
    )
    for network_format in NETWORK_FORMATS
)
