"""The readers of graphs, one for every format; what was read is written again in some format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from support.builders import mixed

from fuzz.reader import Reader
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.errors import LatconfError
from latconf_core.formats.examples import load_example
from latconf_core.formats.graphs.graph_document import GraphDocument
from latconf_core.formats.graphs.registry import graph_formats, read_document
from latconf_core.formats.networks.registry import NETWORK_FORMATS

_FOREIGN = {
    "dot": (
        b'digraph "g" { rankdir=LR; a -> b [dir=both, arrowtail=odot]; subgraph s { c; d } # x\n}',
        b"strict graph { node [shape=square]; A -- { B C } -- D:n [arrowhead=none]; edge [dir=back]; /* x */ A -> E }",
    ),
    "dagitty": (b'dag { A [exposure,pos="0,1"] B [latent] A -> B -> C ; C <-> A }', b"pag { A @-@ B @-> C <-> D }"),
    "tetrad": (
        b"Graph Nodes:\nA;B,(L)\n\nGraph Edges:\n1. A o-> B\n2. L --> A\n\nGraph Attributes:\nScore: 1\n"
        b"# name A = x%20y\n# states L = 3\n",
        b"A o-> B\nB --> C\n# comment\n",
    ),
    "causal-learn": (b"[[0 -1]\n [1 0]]\n", b"0.000e+00 1.0\n-1 0\n"),
    "json": (b'{"nodes": ["A", "B"], "edges": [["A", "o->", "B"]]}',),
}


def graph_readers() -> Iterator[Reader]:
    """A reader for every format."""
    for graph_format in graph_formats():
        seeds = (*_FOREIGN.get(graph_format.name, ()), *_own_seeds(graph_format.name)) or (
            b'"","A","B"\n"A",0,2\n"B",3,0\n',
        )
        suffix = next(iter(graph_format.extensions), ".txt")
        yield Reader(
            f"graph {graph_format.name}", suffix, lambda path, name=graph_format.name: _read_graph(path, name), seeds
        )


def _own_seeds(name: str) -> Iterator[bytes]:
    yield from _networks(name)
    graph = mixed("A o-> B", "B --> C", "C <-> D", "D o-o A", nodes=["A", "B", "C", "D", "E"])
    plain = mixed("A --> B", "B --> C", nodes=list("ABC"))
    dag = LatentDag("ABC", [("A", "B")], [Latent("L1", 2, ("B", "C"))])
    odd = mixed("A o-> B", nodes=["A", "B"]).renamed({"A": '<b>x</b> & "y"', "B": "ü (1)\n"})
    for document in (GraphDocument(graph), GraphDocument(plain), GraphDocument.of_dag(dag), GraphDocument(odd)):
        try:
            yield _render(document, name).encode()
        except LatconfError:
            continue


def _render(document: GraphDocument, name: str) -> str:
    graph_format = next(one for one in graph_formats() if one.name == name)
    if graph_format.render is None or (document.latents and not graph_format.holds_latents):
        raise LatconfError("this format does not hold it")
    return graph_format.render(document, graph_format.written_names(document.graph))


def _read_graph(path: Path, name: str) -> object:
    """As far as the window goes: read, take the DAG where there are latents, and write it in some format."""
    document = read_document(path, format=name)
    if document.latents:
        document = GraphDocument.of_dag(document.to_dag())
    if len(document.graph.nodes) > 100:  # large ones are slow to write in all formats, and say no more
        return document
    formats = [graph_format for graph_format in graph_formats() if graph_format.can_write]
    chosen = formats[crc32(path.read_bytes()) % len(formats)]
    again = chosen.parse(_render(document, chosen.name))
    allowed = (document.graph, document.graph.renamed(chosen.written_names(document.graph)))  # some keep no odd name
    if again.lists_nodes and not any(set(again.graph.edges()) == set(own.edges()) for own in allowed):
        raise AssertionError(f"{chosen.name} gave another graph back")
    return again


def _networks(name: str) -> Iterator[bytes]:
    """A small network in a format of which the DAG alone is read."""
    network = load_example("asia")
    for network_format in NETWORK_FORMATS:
        if name == ("network-json" if network_format.name == "json" else network_format.name):
            yield network_format.render(network, network_format.written_names(network)).encode()
