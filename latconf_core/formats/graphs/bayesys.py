"""Bayesys edge lists: `ID,Variable 1,Dependency,Variable 2`; nodes without an edge are not in the file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping

from latconf_core.errors import FileFormatError
from latconf_core.formats.graphs.graph_document import GraphBuilder, GraphDocument, GraphFormat, tail_first
from latconf_core.formats.graphs.pcalg_matrix import csv_rows
from latconf_core.formats.networks.safe_names import CONTROL, safe_names
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph

HEADER = ("ID", "Variable 1", "Dependency", "Variable 2")
_FORBIDDEN = re.compile(f"^ |[{CONTROL}]")
_LEFT = {"<": Mark.ARROW, "o": Mark.CIRCLE, "": Mark.TAIL, "-": Mark.TAIL}
_RIGHT = {">": Mark.ARROW, "o": Mark.CIRCLE, "": Mark.TAIL, "-": Mark.TAIL}
_DEPENDENCY = re.compile(r"([<o-]?)-([>o-]?)")


def parse(text: str) -> GraphDocument:
    """The document of a Bayesys edge list."""
    rows = iter(csv_rows(io.StringIO(text, newline="")))
    line, header = next(rows, (1, []))
    if not _is_header(header):
        raise FileFormatError(f"found {','.join(header)!r}; expected {','.join(HEADER)}", line=line)
    builder = GraphBuilder()
    for line, cells in rows:
        if len(cells) != len(HEADER):
            raise FileFormatError(f"found {len(cells)} cells; expected {','.join(HEADER)}", line=line)
        _, first, dependency, second = cells
        builder.ensure_node(first)
        builder.ensure_node(second)
        builder.add_edge(first, _marks(dependency.strip(), line), second, line=line)
    return builder.document(lists_nodes=False)


def _is_header(cells: list[str]) -> bool:
    return [re.sub("[^a-z0-9]", "", cell.lower()) for cell in cells] == ["id", "variable1", "dependency", "variable2"]


def _marks(dependency: str, line: int) -> tuple[Mark, Mark]:
    match = _DEPENDENCY.fullmatch(dependency)
    if match is None:
        raise FileFormatError(f"found {dependency!r}; expected one of -> - <-> o-> o-o o-", line=line)
    return _LEFT[match[1]], _RIGHT[match[2]]


def render(document: GraphDocument, names: Mapping[str, str]) -> str:
    """The Bayesys edge list of a document, in alphabetical order since the file keeps no order of nodes."""
    edges = sorted(map(_canonical, document.graph.renamed(names).edges()), key=lambda edge: (edge.first, edge.second))
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows([i, edge.first, _dependency(edge), edge.second] for i, edge in enumerate(edges, 1))
    return out.getvalue()


def _canonical(edge: Edge) -> Edge:
    """The edge with its arrow or tail to the right, and by name where both ends are alike."""
    if edge.at_first == edge.at_second:
        return edge if edge.first < edge.second else edge.reversed()
    return edge.reversed() if edge.arrow == "--o" else tail_first(edge)


def _dependency(edge: Edge) -> str:
    return {"-->": "->", "---": "-", "o--": "o-"}.get(edge.arrow, edge.arrow)


def written_names(graph: MixedGraph) -> Mapping[str, str]:
    """Names without a blank at the start and without control characters."""
    return safe_names(graph.nodes, _FORBIDDEN)


def recognises(text: str) -> bool:
    """Whether the first line is the header of a Bayesys list."""
    return _is_header(next(csv.reader(text.lstrip("\n").split("\n", 1)[:1]), []))


FORMAT = GraphFormat(
    name="bayesys",
    description="Bayesys edge list",
    extensions=(".csv",),
    parse=parse,
    render=render,
    written_names=written_names,
    recognises=recognises,
)
