"""Our own JSON: a DAG with latents (edges are pairs), or a graph with marks (edges are `["A", "o->", "B"]`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from latconf_core.errors import FileFormatError, GraphError
from latconf_core.formats.graphs.graph_document import GraphBuilder, GraphDocument, GraphFormat, tail_first
from latconf_core.graph.marks import Edge, Mark, arrow_text, marks_of_arrow
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import parse_json

DIRECTED = (Mark.TAIL, Mark.ARROW)
EXPECTED_EDGE = 'expected ["A", "B"] or ["A", "o->", "B"]'
EXPECTED_LATENT = 'expected {"name": "L1", "states": 2, "children": ["A", "B"]}'


def parse(text: str) -> GraphDocument:
    """The document of a JSON object with `edges`, and perhaps `nodes` and `latents`."""
    content = _load(text)
    builder = GraphBuilder()
    nodes, edges, latents = (_list(content, key) for key in ("nodes", "edges", "latents"))
    for name in nodes:
        builder.add_node(_name(name))
    for edge in edges:
        _add_edge(*_edge(edge), builder=builder, declare="nodes" not in content)
    _add_latents(latents, builder, declare="nodes" not in content)
    return builder.document(lists_nodes="nodes" in content)


def _load(text: str) -> dict[str, Any]:
    content = parse_json(text)
    if not isinstance(content, dict) or "edges" not in content:
        raise FileFormatError('expected an object with "edges"', line=1)
    return content


def _list(content: Mapping[str, Any], key: str) -> list[Any]:
    result = content.get(key, [])
    if not isinstance(result, list):
        raise FileFormatError(f"{key!r} is {result!r}; expected a list")
    return result


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise FileFormatError(f"found {json.dumps(name)}; expected a name in quotes")
    return name


def _edge(edge: object) -> tuple[str, tuple[Mark, Mark], str]:
    if not isinstance(edge, list) or len(edge) not in (2, 3):
        raise FileFormatError(f"found the edge {json.dumps(edge)}; {EXPECTED_EDGE}")
    try:
        marks = DIRECTED if len(edge) == 2 else marks_of_arrow(_name(edge[1]))
    except ValueError:
        raise FileFormatError(f"found the edge {json.dumps(edge)}; {EXPECTED_EDGE}") from None
    return _name(edge[0]), marks, _name(edge[-1])


def _add_latents(latents: list[Any], builder: GraphBuilder, *, declare: bool) -> None:
    for latent in latents:
        if not isinstance(latent, dict) or not isinstance(latent.get("children"), list):
            raise FileFormatError(f"found the latent {json.dumps(latent)}; {EXPECTED_LATENT}")
        name, states = _name(latent.get("name")), latent.get("states", 2)
        if not isinstance(states, int) or isinstance(states, bool) or states < 2:
            raise GraphError(f"latent {name!r} has {json.dumps(states)} states; it needs at least two")
        if len(latent["children"]) < 2:
            raise GraphError(f"latent {name!r} has fewer than two children; give it two or remove it")
        builder.add_node(name)
        builder.mark_latent(name, states)
    pairs = [(latent["name"], _name(child)) for latent in latents for child in latent["children"]]
    above = [(_name(latent["parent"]), latent["name"]) for latent in latents if latent.get("parent") is not None]
    # a latent may name its parent and the parent name it as a child: one edge
    for parent, child in [*pairs, *(pair for pair in above if pair not in pairs)]:
        _add_edge(parent, DIRECTED, child, builder=builder, declare=declare)


def _add_edge(first: str, marks: tuple[Mark, Mark], second: str, *, builder: GraphBuilder, declare: bool) -> None:
    for name in (first, second):
        if declare:
            builder.ensure_node(name)
        elif name not in builder:
            raise GraphError(f"the edge {first} {arrow_text(*marks)} {second} names {name!r}, which is not a node")
    builder.add_edge(first, marks, second)


def render(document: GraphDocument, names: Mapping[str, str]) -> str:
    """The JSON of a document: as a DAG where it is one, else with marks."""
    edges = [tail_first(edge) for edge in document.graph.edges()]
    if all(edge.arrow == "-->" for edge in edges) and (document.latents or not _has_cycle(edges)):
        return _dump(_dag_content(document))
    return _dump({"nodes": list(document.graph.nodes), "edges": [_triple(edge) for edge in edges]})


def _has_cycle(edges: list[Edge]) -> bool:
    """Whether directed edges go round in a circle; a graph drawn by hand may."""
    order = TopologicalSorter[str]()
    for edge in edges:
        order.add(edge.second, edge.first)
    try:
        order.prepare()
    except CycleError:
        return True
    return False


def _triple(edge: Edge) -> list[str]:
    return [edge.first, edge.arrow, edge.second]


def _dag_content(document: GraphDocument) -> dict[str, list[Any]]:
    """The DAG with what a person need not read left out: no parent of a root, no latents where there are none."""
    content = document.to_dag().to_json()
    for latent in content["latents"]:
        if latent["parent"] is None:
            del latent["parent"]
    return content if content["latents"] else {key: content[key] for key in ("nodes", "edges")}


def _dump(content: Mapping[str, list[Any]]) -> str:
    """JSON with one edge or latent a line."""
    parts = []
    for key, values in content.items():
        if key == "nodes":
            inside = json.dumps(values, ensure_ascii=False)
        else:
            inside = "[" + ",".join("\n  " + json.dumps(value, ensure_ascii=False) for value in values) + "]"
        parts.append(f'"{key}": {inside}')
    return "{" + ",\n ".join(parts) + "}\n"


def written_names(graph: MixedGraph) -> Mapping[str, str]:
    """Every name can be held."""
    return {}


def recognises(text: str) -> bool:
    """Whether the text is an object with edges."""
    return text.lstrip().startswith("{") and '"edges"' in text


FORMAT = GraphFormat(
    name="json",
    description="latconf JSON",
    extensions=(".json",),
    parse=parse,
    render=render,
    written_names=written_names,
    recognises=recognises,
    holds_latents=True,
)
