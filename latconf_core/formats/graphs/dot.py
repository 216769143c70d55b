"""Graphviz DOT: the marks of an edge are its arrowtail and arrowhead (odot, normal, none); latents are dashed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from latconf_core.errors import FileFormatError
from latconf_core.formats.graphs.dot_grammar import Statement, parse_statements
from latconf_core.formats.graphs.graph_document import (
    GraphBuilder,
    GraphDocument,
    GraphFormat,
    read_states,
    tail_first,
)
from latconf_core.formats.networks.safe_names import CONTROL, decode_name, encode_name, safe_names
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph

SHAPES = {Mark.CIRCLE: "odot", Mark.ARROW: "normal", Mark.TAIL: "none"}
_MARKS = {
    **{shape: mark for mark, shape in SHAPES.items()},
    **dict.fromkeys(("vee", "open", "empty", "onormal"), Mark.ARROW),
    "dot": Mark.CIRCLE,
    "": Mark.TAIL,
}
_SKIPPED = re.compile(r"\s+|//[^\n]*|/\*.*?\*/", re.DOTALL)
_OPENING = re.compile(r"(strict\s+)?(di)?graph\b[^{]*\{")
_FORBIDDEN = re.compile(rf"[\\{CONTROL}]")


def parse(text: str) -> GraphDocument:
    """The document of a DOT file."""
    _, statements = parse_statements(text, ("digraph", "graph"))
    builder = GraphBuilder()
    defaults: dict[str, dict[str, str]] = {"graph": {}, "node": {}, "edge": {}}
    nodes: dict[str, dict[str, str]] = {}
    for statement in statements:
        if statement.default_for is not None:
            defaults[statement.default_for].update(statement.attributes)
            continue
        for name in (name for group in statement.groups for name in group):
            builder.ensure_node(name)
            nodes.setdefault(name, dict(defaults["node"]))
        if statement.arrows:
            _add_edges(statement, defaults["edge"], builder)
        else:
            for name in statement.groups[0]:
                nodes[name].update(statement.attributes)
    _describe_nodes(nodes, builder)
    return builder.document()


def _add_edges(statement: Statement, defaults: Mapping[str, str], builder: GraphBuilder) -> None:
    attributes = {**defaults, **statement.attributes}
    for first, arrow, second in zip(statement.groups, statement.arrows, statement.groups[1:]):
        if arrow not in ("->", "--"):
            raise FileFormatError(f"found {arrow!r}; DOT joins nodes by -> or --", line=statement.line)
        marks = _marks(arrow, attributes, statement.line)
        for a in first:
            for b in second:
                builder.add_edge(a, marks, b, line=statement.line)


def _marks(arrow: str, attributes: Mapping[str, str], line: int) -> tuple[Mark, Mark]:
    """The marks at the tail and at the head as graphviz would draw them; an arrowtail is meant even without `dir`."""
    usual = "forward" if arrow == "->" else "none"
    direction = attributes.get("dir", "both" if "arrowtail" in attributes else usual)
    shown = {"forward": (False, True), "back": (True, False), "both": (True, True), "none": (False, False)}
    if direction not in shown:
        raise FileFormatError(f"found dir={direction}; expected one of {', '.join(shown)}", line=line)
    at_tail, at_head = (
        _mark(attributes.get(key, "normal"), line) if is_shown else Mark.TAIL
        for key, is_shown in zip(("arrowtail", "arrowhead"), shown[direction])
    )
    return at_tail, at_head


def _mark(shape: str, line: int) -> Mark:
    if shape not in _MARKS:
        raise FileFormatError(f"found the arrow shape {shape!r}; expected odot, normal or none", line=line)
    return _MARKS[shape]


def _describe_nodes(nodes: Mapping[str, Mapping[str, str]], builder: GraphBuilder) -> None:
    # causal-learn draws latents as squares; where every node is one, the shape says nothing
    squares = {name for name, value in nodes.items() if value.get("shape") == "square"}
    for name, node in nodes.items():
        if "dashed" in node.get("style", "") or (name in squares and len(squares) < len(nodes)):
            states = node.get("states", "")
            builder.mark_latent(name, read_states(states))
        if "latconf_name" in node:
            builder.call(name, decode_name(node["latconf_name"]))


def render(document: GraphDocument, names: Mapping[str, str]) -> str:
    """The DOT text of a document: every node, then every edge with both its marks."""
    lines = ["digraph {"]
    for name in document.graph.nodes:
        attributes = _node_attributes(document, name, names)
        lines.append(f"  {_quote(names.get(name, name))}{f' [{attributes}]' if attributes else ''};")
    for edge in map(tail_first, document.graph.renamed(names).edges()):
        shapes = f"dir=both, arrowtail={SHAPES[edge.at_first]}, arrowhead={SHAPES[edge.at_second]}"
        lines.append(f"  {_quote(edge.first)} -> {_quote(edge.second)} [{shapes}];")
    return "\n".join([*lines, "}"]) + "\n"


def _node_attributes(document: GraphDocument, name: str, names: Mapping[str, str]) -> str:
    parts = []
    if name in document.latents:
        parts += ["style=dashed", "shape=ellipse", f"states={document.latents[name]}"]
    if name in names:
        parts.append(f'latconf_name="{encode_name(name)}"')
    return ", ".join(parts)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '\\"') + '"'


def written_names(graph: MixedGraph) -> Mapping[str, str]:
    """Names without backslashes, which graphviz reads as escapes, and control characters."""
    return safe_names(graph.nodes, _FORBIDDEN)


def recognises(text: str) -> bool:
    """Whether the text opens a graph or digraph, after blanks and comments."""
    position = 0
    while skipped := _SKIPPED.match(text, position):  # one at a time: in one expression, comments freeze the program
        position = skipped.end()
    return _OPENING.match(text, position) is not None


FORMAT = GraphFormat(
    name="dot",
    description="Graphviz DOT",
    extensions=(".dot", ".gv"),
    parse=parse,
    render=render,
    written_names=written_names,
    recognises=recognises,
    holds_latents=True,
)
