"""causal-learn's matrix `graph.graph`: an entry is the mark at its row; -1 tail, 0 none, 1 arrow, 2 circle.

Its text form is Tetrad's (`tetrad_text`). numpy.loadtxt reads what is written here: the names stand in a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from latconf_core.errors import FileFormatError, GraphError
from latconf_core.formats.graphs.graph_document import GraphDocument, GraphFormat
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MAX_NODES, MixedGraph
from latconf_core.json_form import parse_json

CODES: dict[int, int] = {Mark.TAIL: -1, Mark.NONE: 0, Mark.ARROW: 1, Mark.CIRCLE: 2}
_MARKS = {code: mark for mark, code in CODES.items()}
_ENTRY = re.compile(r"[-+]?\d+(\.0*)?(e\+00)?")
_NAMES = "# nodes: "


def parse(text: str) -> GraphDocument:
    """The document of a causal-learn matrix as numpy prints or saves it; nodes are X1, X2, … where not named."""
    names: list[str] | None = None
    rows: list[tuple[int, list[int]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(_NAMES):
            names = _read_names(line, number)
        cells = line.partition("#")[0].replace("[", " ").replace("]", " ").replace(",", " ").split()
        if len(rows) == MAX_NODES or len(cells) > MAX_NODES:
            raise FileFormatError(f"there are more than {MAX_NODES:,} nodes; latconf reads graphs up to that size")
        if cells:
            rows.append((number, [_code(cell, number) for cell in cells]))
    for number, row in rows:
        if len(row) != len(rows):
            raise FileFormatError(f"found {len(row)} entries; a square matrix needs {len(rows)}", line=number)
    codes = np.array([row for _, row in rows]).reshape(len(rows), len(rows))
    _check_both_ends(codes, [number for number, _ in rows])
    if names is None:
        names = [f"X{i}" for i in range(1, len(rows) + 1)]  # causal-learn's own default names
    if len(names) != len(rows):
        raise FileFormatError(f"{len(names)} names do not fit {len(rows)} rows", line=1)
    marks = [[_MARKS[int(code)] for code in column] for column in codes.T]
    return GraphDocument(MixedGraph(names, np.reshape(marks, codes.shape)))


def to_causal_learn(graph: MixedGraph) -> Any:
    """The same graph as a GeneralGraph of causal-learn."""
    try:
        from causallearn.graph.Edge import Edge as TheirEdge
        from causallearn.graph.Endpoint import Endpoint
        from causallearn.graph.GeneralGraph import GeneralGraph
        from causallearn.graph.GraphNode import GraphNode
    except ImportError:
        raise GraphError("this needs the package causal-learn; install it with: pip install causal-learn") from None
    ends = {Mark.TAIL: Endpoint.TAIL, Mark.ARROW: Endpoint.ARROW, Mark.CIRCLE: Endpoint.CIRCLE}
    nodes = {name: GraphNode(name) for name in graph.nodes}
    theirs = GeneralGraph(list(nodes.values()))
    for edge in graph.edges():
        marks = ends[edge.at_first], ends[edge.at_second]
        theirs.add_edge(TheirEdge(nodes[edge.first], nodes[edge.second], *marks))
    return theirs


def from_causal_learn(graph: Any) -> MixedGraph:
    """The graph of a GeneralGraph of causal-learn, such as its FCI returns first."""
    codes = np.asarray(graph.graph)
    if not np.isin(codes, list(_MARKS)).all():
        raise GraphError(
            "the causal-learn graph has marks other than arrow, circle and tail, which latconf does not support"
        )
    marks = [[_MARKS[int(code)] for code in column] for column in codes.T]
    return MixedGraph([node.get_name() for node in graph.get_nodes()], np.reshape(marks, codes.shape))


def _read_names(line: str, number: int) -> list[str]:
    try:
        names = parse_json(line.removeprefix(_NAMES))
    except FileFormatError:
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FileFormatError('expected names such as # nodes: ["A", "B"]', line=number)
    if len(set(names)) != len(names):
        raise FileFormatError("a name occurs twice; give each node its own", line=number)
    return names


def _code(cell: str, number: int) -> int:
    if not _ENTRY.fullmatch(cell) or float(cell) not in _MARKS:
        raise FileFormatError(f"found {cell!r}; expected -1, 0, 1 or 2", line=number)
    return int(float(cell))


def _check_both_ends(codes: np.ndarray[tuple[int, int], np.dtype[np.int_]], lines: list[int]) -> None:
    if np.any(np.diag(codes)):
        i = int(np.argmax(np.diag(codes) != 0))
        raise FileFormatError("a node has an edge to itself; the diagonal must be 0", line=lines[i])
    one_sided = np.argwhere((codes == 0) != (codes.T == 0))
    if len(one_sided):
        i, j = one_sided[0]
        raise FileFormatError(f"entry {i + 1}, {j + 1} has a mark at one end only", line=lines[max(i, j)])


def render(document: GraphDocument, names: Mapping[str, str]) -> str:
    """The causal-learn matrix of a document, its names in a comment."""
    graph = document.graph
    rows = [" ".join(f"{CODES[mark]:2d}" for mark in column) for column in graph.marks.T.tolist()]
    return "\n".join([_NAMES + json.dumps(list(graph.nodes)), *rows]) + "\n"


def written_names(graph: MixedGraph) -> Mapping[str, str]:
    """Every name can be held: the comment is JSON."""
    return {}


def recognises(text: str) -> bool:
    """Whether this is a matrix of numbers that pcalg's codes cannot be: with names in a comment, brackets or a -1."""
    bare = re.sub(r"#[^\n]*", "", text)
    is_numbers = re.fullmatch(r"[\s\[\],.+\-0-2e]*", bare) is not None
    return is_numbers and (text.startswith(_NAMES) or "[" in bare or "-1" in bare)


FORMAT = GraphFormat(
    name="causal-learn",
    description="causal-learn matrix",
    extensions=(".txt", ".causallearn"),
    parse=parse,
    render=render,
    written_names=written_names,
    recognises=recognises,
)
