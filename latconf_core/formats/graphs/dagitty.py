"""dagitty's graph text: `pag { A @-> B }`, circles written `@`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from latconf_core.formats.graphs.dot_grammar import ARROWS, Statement, parse_statements
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

TYPES = ("dag", "mag", "pdag", "pag", "digraph", "graph")
_END = {"@": Mark.CIRCLE, "<": Mark.ARROW, ">": Mark.ARROW, "-": Mark.TAIL}
ROLES = {"exposure": "exposure", "e": "exposure", "outcome": "outcome", "o": "outcome"}
ROLES |= {"adjusted": "adjusted", "adjustednode": "adjusted", "a": "adjusted", "selected": "selected", "s": "selected"}
_NUMBER = r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*"
_POSITION = re.compile(f"{_NUMBER},{_NUMBER}")
_BARE = re.compile(r"[0-9A-Za-z_.]+")
_KEYWORDS = {"graph", "node", "edge", "subgraph", "strict"}
_FORBIDDEN = re.compile(rf"[\\{CONTROL}]")

MARKS = {arrow: (_END[arrow[0]], _END[arrow[-1]]) for arrow in ARROWS}
TEXTS = {marks: arrow for arrow, marks in MARKS.items()}


def parse(text: str) -> GraphDocument:
    """The document of a dagitty text."""
    _, statements = parse_statements(text, TYPES)
    builder = GraphBuilder()
    roles: dict[str, list[str]] = {}
    for statement in statements:
        for name in (name for group in statement.groups for name in group):
            builder.ensure_node(name)
        if statement.arrows:
            _add_edges(statement, builder)
        elif statement.groups:
            _describe_nodes(statement, builder, roles)
    return builder.document(notes=tuple(_role_note(role, names) for role, names in roles.items()))


def _add_edges(statement: Statement, builder: GraphBuilder) -> None:
    for first, arrow, second in zip(statement.groups, statement.arrows, statement.groups[1:]):
        for a in first:
            for b in second:
                builder.add_edge(a, MARKS[arrow], b, line=statement.line)


def _describe_nodes(statement: Statement, builder: GraphBuilder, roles: dict[str, list[str]]) -> None:
    attributes = statement.attributes
    position = _position(attributes.get("pos", ""))
    for name in statement.groups[0]:
        if attributes.keys() & {"latent", "l", "unobserved", "u"}:
            states = attributes.get("states", "")
            builder.mark_latent(name, read_states(states))
        if position is not None:
            builder.place(name, position)
        if "latconf_name" in attributes:
            builder.call(name, decode_name(attributes["latconf_name"]), statement.line)
        for role in dict.fromkeys(ROLES[key] for key in attributes if key in ROLES):
            roles.setdefault(role, []).append(decode_name(attributes.get("latconf_name", name)))


def _position(text: str) -> tuple[float, float] | None:
    match = _POSITION.fullmatch(text)
    return None if match is None else (float(match[1]), float(match[2]))


def _role_note(role: str, names: list[str]) -> str:
    return f"dagitty marks {', '.join(names)} as {role}, which latconf does not use; this was ignored"


def render(document: GraphDocument, names: Mapping[str, str]) -> str:
    """The dagitty text of a document: every node, then every edge."""
    lines = [f"{_type(document.graph)} {{"]
    for name in document.graph.nodes:
        attributes = _node_attributes(document, name, names)
        lines.append(_quote(names.get(name, name)) + (f" [{attributes}]" if attributes else ""))
    for edge in map(tail_first, document.graph.renamed(names).edges()):
        lines.append(f"{_quote(edge.first)} {TEXTS[edge.at_first, edge.at_second]} {_quote(edge.second)}")
    return "\n".join([*lines, "}"]) + "\n"


def _type(graph: MixedGraph) -> str:
    arrows = {tail_first(edge).arrow for edge in graph.edges()}
    if any("o" in arrow for arrow in arrows):
        return "pag"
    if arrows <= {"-->"}:
        return "dag"
    return "pdag" if arrows <= {"-->", "---"} else "mag"


def _node_attributes(document: GraphDocument, name: str, names: Mapping[str, str]) -> str:
    parts = []
    if name in document.latents:
        parts += ["latent", f'states="{document.latents[name]}"']
    if name in document.positions:
        x, y = document.positions[name]
        parts.append(f'pos="{x!r},{y!r}"')
    if name in names:
        parts.append(f'latconf_name="{encode_name(name)}"')
    return ",".join(parts)


def _quote(name: str) -> str:
    if _BARE.fullmatch(name) and name.lower() not in _KEYWORDS:
        return name
    return '"' + name.replace('"', '\\"') + '"'


def written_names(graph: MixedGraph) -> Mapping[str, str]:
    """Names without backslashes and control characters."""
    return safe_names(graph.nodes, _FORBIDDEN)


def recognises(text: str) -> bool:
    """Whether the text opens a dag, mag, pdag or pag."""
    return re.match(r"\s*(strict\s+)?(dag|mag|pdag|pag)\b[^{;\n]*\{", text, re.IGNORECASE) is not None


FORMAT = GraphFormat(
    name="dagitty",
    description="dagitty text",
    extensions=(".dagitty", ".txt"),
    parse=parse,
    render=render,
    written_names=written_names,
    recognises=recognises,
    holds_latents=True,
)
