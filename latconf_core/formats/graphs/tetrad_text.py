"""Tetrad's graph text (also what causal-learn prints), and plain lists of edges such as `A o-> B`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from latconf_core.errors import FileFormatError
from latconf_core.formats.graphs.graph_document import GraphBuilder, GraphDocument, GraphFormat, read_states, tail_first
from latconf_core.formats.networks.safe_names import CONTROL, decode_name, encode_name, safe_names
from latconf_core.graph.marks import marks_of_arrow
from latconf_core.graph.mixed import MixedGraph

NODES, EDGES = "Graph Nodes:", "Graph Edges:"
EXPECTED_EDGE = "expected NODE MARKS NODE such as A o-> B"
_FORBIDDEN = re.compile(rf"[\s;,{CONTROL}]|^[(\[#]|[)\]]$")
_REPLACED = re.compile(rf"[\s;,#()\[\]{CONTROL}]+")  # of a name that has to change: a run of these makes one `_`
_NUMBER = re.compile(r"\d+\.")
_NUMBERED_EDGE = re.compile(r"\d+\.\s+\S+\s+(?:[<o-]-[>o-]|\.\.\.)\s+\S")
_NOTE = re.compile(r"# (name|states) (\S+) = (\S+)$")

Line = tuple[int, str]


def parse(text: str) -> GraphDocument:
    """The document of a Tetrad graph text, or of a plain list of edges."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    nodes_at = _position(lines, NODES)
    if nodes_at is None:
        return _parse_edge_list(lines)
    edges_at = _position(lines, EDGES)
    if edges_at is None or edges_at < nodes_at:
        raise FileFormatError(f"the line {EDGES!r} is missing after the nodes", line=len(lines))
    builder = GraphBuilder()
    _read_nodes(lines[nodes_at:edges_at], builder)
    others = _read_edges(lines[edges_at + 1 :], builder)
    return builder.document(kept=_read_notes(others, builder))


def _position(lines: list[Line], head: str) -> int | None:
    return next((i for i, (_, line) in enumerate(lines) if line.startswith(head)), None)


def _parse_edge_list(lines: list[Line]) -> GraphDocument:
    builder = GraphBuilder()
    for number, line in lines:
        if line and not line.startswith("#"):
            _read_edge(line, number, builder, declare=True)
    return builder.document(lists_nodes=False)


def _read_nodes(lines: list[Line], builder: GraphBuilder) -> None:
    for number, line in lines:
        names = line.removeprefix(NODES)
        for name in names.split(";" if ";" in names else ","):
            if name.strip():
                _read_node(name.strip(), number, builder)


def _read_node(name: str, number: int, builder: GraphBuilder) -> None:
    if name.startswith("[") and name.endswith("]"):
        raise FileFormatError(f"{name} is a selection variable, which latconf cannot treat; remove it", line=number)
    is_latent = name.startswith("(") and name.endswith(")")
    plain = name[1:-1] if is_latent else name
    builder.add_node(plain, number)
    if is_latent:
        builder.mark_latent(plain)


def _read_edges(lines: list[Line], builder: GraphBuilder) -> list[Line]:
    """Read the edges of a section; the lines that are none, up to the end of the file.

    A section ends at another heading, or at a blank line or a comment that no numbered edge follows.
    """
    others: list[Line] = []
    is_before, is_inside = True, True
    for position, (number, line) in enumerate(lines):
        if not line or line.startswith("#"):
            is_inside = is_before and not line
            is_before = is_inside
            others.append((number, line))
        elif _is_heading(line) or not (is_inside or _NUMBERED_EDGE.match(line)):
            return [*others, *lines[position:]]
        else:
            _read_edge(line, number, builder, declare=False)
            is_before, is_inside = False, True
    return others


def _is_heading(line: str) -> bool:
    return line.endswith(":") and not _NUMBER.match(line)


def _read_edge(line: str, number: int, builder: GraphBuilder, *, declare: bool) -> None:
    words = line.split()
    if len(words) > 3 and _NUMBER.fullmatch(words[0]):
        del words[0]
    if len(words) < 3:
        raise FileFormatError(f"found {line!r}; {EXPECTED_EDGE}", line=number)
    first, arrow, second = words[:3]
    if arrow == "...":  # Tetrad's bootstrap: no edge at all
        return
    try:
        marks = marks_of_arrow(arrow)
    except ValueError:
        raise FileFormatError(f"found {arrow!r} in {line!r}; {EXPECTED_EDGE}", line=number) from None
    first, second = (_plain(name, builder) for name in (first, second))
    if declare:
        builder.ensure_node(first)
        builder.ensure_node(second)
    builder.add_edge(first, marks, second, line=number)


def _plain(name: str, builder: GraphBuilder) -> str:
    """The name of a latent that is written in brackets in the edges too."""
    return name[1:-1] if name not in builder and name.startswith("(") and name.endswith(")") else name


def _read_notes(lines: list[Line], builder: GraphBuilder) -> tuple[str, ...]:
    kept = []
    for number, line in lines:
        note = _NOTE.match(line)
        if note is None:
            kept.append(line)
        elif note[1] == "name":
            builder.call(note[2], decode_name(note[3]), number)
        else:
            builder.mark_latent(note[2], _states(note[3], number))
    return tuple("\n".join(kept).strip("\n").split("\n")) if any(kept) else ()


def _states(text: str, number: int) -> int:
    if not text.isdecimal():
        raise FileFormatError(f"found {text!r}; expected a number of states", line=number)
    return read_states(text)


def render(document: GraphDocument, names: Mapping[str, str]) -> str:
    """The Tetrad text of a document; its renamed nodes and numbers of states stand in comments at the end."""
    graph = document.graph.renamed(names)
    latents = {names.get(name, name): states for name, states in document.latents.items()}
    lines = [NODES, ";".join(f"({name})" if name in latents else name for name in graph.nodes), "", EDGES]
    lines += [f"{number}. {tail_first(edge)}" for number, edge in enumerate(graph.edges(), 1)]
    lines += ["", *document.kept] if document.kept else []
    notes = [f"# name {names[name]} = {encode_name(name)}" for name in document.graph.nodes if name in names]
    notes += [f"# states {name} = {states}" for name, states in latents.items()]
    lines += ["", *notes] if notes else []
    return "\n".join(lines) + "\n"


def written_names(graph: MixedGraph) -> Mapping[str, str]:
    """Names without blanks, `;`, `,` and without brackets around them: `Alter (Jahre)` is written `Alter_Jahre`."""
    return safe_names(graph.nodes, _FORBIDDEN, replaced=_REPLACED)


def recognises(text: str) -> bool:
    """Whether this is Tetrad's text or a list of edges."""
    if NODES in text:
        return True
    first = next((line.split() for line in text.split("\n") if line.strip() and not line.startswith("#")), [])
    return any(re.fullmatch(r"[<o-]-[>o-]", word) for word in first[1:3])


FORMAT = GraphFormat(
    name="tetrad",
    description="Tetrad graph text",
    extensions=(".txt", ".tetrad"),
    parse=parse,
    render=render,
    written_names=written_names,
    recognises=recognises,
    holds_latents=True,
)
