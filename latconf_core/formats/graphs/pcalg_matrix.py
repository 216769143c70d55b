"""pcalg's matrices: amat.pag as R and Tetrad write it, the same as CSV, and amat.cpdag (only where it is asked for).

In amat.pag an entry is the mark at its column: 0 none, 1 circle, 2 arrow, 3 tail, the codes of `Mark`.
In amat.cpdag a 1 is an arrow at its row; two of them are an undirected edge.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from latconf_core.errors import FileFormatError, GraphError
from latconf_core.formats.graphs.graph_document import DEFAULT_STATES, GraphDocument, GraphFormat
from latconf_core.formats.networks.safe_names import CONTROL, safe_names
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MAX_NODES, MarkMatrix, MixedGraph

AUTHORS_LATENT = re.compile(r"LV_\d+")  # the names of latents in the paper's published matrices
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_ESCAPED = re.compile(r"\\(.)")
_FORBIDDEN = re.compile(f"[{CONTROL}]")

Row = tuple[int, list[str]]


def parse(text: str) -> GraphDocument:
    """The document of an amat.pag: a line of names, then a line of codes for each, with or without its name."""
    return _document(*read_matrix(_split_at_blanks(text), allowed=range(4)))


def parse_csv(text: str) -> GraphDocument:
    """The document of an amat.pag in CSV; columns called LV_1, LV_2, … are latents."""
    names, codes, lines = read_matrix(_split_at_commas(text), allowed=range(4))
    latents = {name: DEFAULT_STATES for name in names if AUTHORS_LATENT.fullmatch(name)}
    return GraphDocument(_document(names, codes, lines).graph, latents)


def parse_cpdag(text: str) -> GraphDocument:
    """The document of an amat.cpdag: directed and undirected edges."""
    names, codes, _ = read_matrix(_split_at_blanks(text), allowed=range(2))
    marks = np.where(codes.T == 1, Mark.ARROW, np.where(codes == 1, Mark.TAIL, Mark.NONE))
    undirected = (codes == 1) & (codes.T == 1)
    return GraphDocument(MixedGraph(names, np.where(undirected, Mark.TAIL, marks)))


def _document(names: Sequence[str], codes: MarkMatrix, lines: Sequence[int]) -> GraphDocument:
    one_sided = np.argwhere((codes == 0) != (codes.T == 0))
    if len(one_sided):
        i, j = one_sided[0]
        raise FileFormatError(
            f"the pair {names[i]!r}, {names[j]!r} has a mark at one end only; if this is an amat.cpdag, "
            "read it as format pcalg-cpdag",
            line=lines[max(i, j)],
        )
    return GraphDocument(MixedGraph(names, codes))


def read_matrix(rows: Iterable[Row], *, allowed: Sequence[int]) -> tuple[list[str], MarkMatrix, list[int]]:
    """Names, codes and the line of each row, of a table with a line of names at its head."""
    table = list(rows)
    if not table:
        raise FileFormatError("the file is empty; expected a line of names and a matrix", line=1)
    (first_line, names), *body = table
    if len(body) != len(names):
        raise FileFormatError(f"{len(names)} names need {len(names)} rows, not {len(body)}", line=first_line)
    if len(names) > MAX_NODES:
        raise FileFormatError(f"there are more than {MAX_NODES:,} nodes; latconf reads graphs up to that size")
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise FileFormatError(f"the name {twice!r} occurs twice; give each column its own", line=first_line)
    codes = np.array([_row_codes(row, names, i, allowed) for i, row in enumerate(body)], dtype=np.uint8)
    return names, codes.reshape(len(names), len(names)), [line for line, _ in body]


def _row_codes(row: Row, names: Sequence[str], position: int, allowed: Sequence[int]) -> list[int]:
    line, cells = row
    texts = [str(code) for code in allowed]
    if cells[0] not in texts or len(cells) == len(names) + 1:
        if cells[0] != names[position]:
            raise FileFormatError(f"the row is called {cells[0]!r}; expected {names[position]!r}", line=line)
        cells = cells[1:]
    if len(cells) != len(names):
        raise FileFormatError(f"found {len(cells)} entries; expected {len(names)}", line=line)
    for column, cell in enumerate(cells):
        if cell not in texts:
            where = f"row {names[position]!r}, column {names[column]!r}"
            raise FileFormatError(f"found {cell!r} at {where}; expected one of {', '.join(texts)}", line=line)
    if cells[position] != "0":
        raise FileFormatError(f"{names[position]!r} has an edge to itself; its diagonal entry must be 0", line=line)
    return [int(cell) for cell in cells]


def _split_at_blanks(text: str) -> Iterable[Row]:
    for number, line in enumerate(text.split("\n"), 1):
        words = [_ESCAPED.sub(r"\1", word[1]) if word[2] is None else word[2] for word in _WORD.finditer(line)]
        if words:
            yield number, words


def _split_at_commas(text: str) -> Iterable[Row]:
    for number, cells in csv_rows(io.StringIO(text, newline="")):
        corner = number == 1 and len(cells) > 1 and cells[0] == ""  # the empty corner above row names
        yield number, cells[1:] if corner else cells


def csv_rows(lines: Iterable[str]) -> Iterable[Row]:
    """The rows of a CSV that are not blank, each with its first line; lines keep their ends."""
    reader = csv.reader(lines, skipinitialspace=True)
    line = 1
    try:
        for cells in reader:
            if any(cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise FileFormatError(f"this is not a CSV: {error}", line=line) from None


def render(document: GraphDocument, names: Mapping[str, str]) -> str:
    """The amat.pag of a document: quoted names, blanks between."""
    graph = document.graph.renamed(names)
    return _render_matrix(graph.nodes, graph.marks)


def render_csv(document: GraphDocument, names: Mapping[str, str]) -> str:
    """The amat.pag of a document as CSV without row names."""
    graph = document.graph.renamed(names)
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC).writerows([graph.nodes, *graph.marks.tolist()])
    return out.getvalue()


def render_cpdag(document: GraphDocument, names: Mapping[str, str]) -> str:
    """The amat.cpdag of a document; GraphError where an edge is neither directed nor undirected."""
    graph = document.graph.renamed(names)
    for edge in graph.edges():
        if edge.arrow not in ("-->", "<--", "---"):
            raise GraphError(f"an amat.cpdag cannot hold {edge}; write an amat.pag (format pcalg)")
    is_tail = graph.marks == Mark.TAIL
    codes = np.where((graph.marks.T == Mark.ARROW) | (is_tail & is_tail.T), 1, 0)
    return _render_matrix(graph.nodes, codes)


def _render_matrix(names: Sequence[str], codes: MarkMatrix) -> str:
    quoted = ['"' + re.sub(r'(["\\])', r"\\\1", name) + '"' for name in names]
    rows = [" ".join([name, *map(str, row)]) for name, row in zip(quoted, codes.tolist())]
    return "\n".join([" ".join(quoted), *rows]) + "\n"


def written_names(graph: MixedGraph) -> Mapping[str, str]:
    """Names without line breaks and other control characters."""
    return safe_names(graph.nodes, _FORBIDDEN)


def recognises(text: str) -> bool:
    """Whether the first line is one of quoted names with blanks between."""
    return re.match(r'\s*"(?:[^"\\]|\\.)*"(\s|$)', text) is not None


def recognises_csv(text: str) -> bool:
    """Whether the text is a square table of codes under a line of names; data of codes is longer than wide."""
    rows = list(csv.reader(text.split("\n", 2)[:2], skipinitialspace=True))
    n_rows = sum(1 for line in text.split("\n") if line.strip())
    if n_rows < 2 or len(rows) < 2 or len(rows[0]) not in (n_rows - 1, n_rows):
        return False
    return all(cell in ("0", "1", "2", "3") for cell in rows[1][1 - n_rows :])


def _never(text: str) -> bool:
    return False


FORMAT = GraphFormat(
    name="pcalg",
    description="pcalg matrix (amat.pag)",
    extensions=(".txt", ".amat"),
    parse=parse,
    render=render,
    written_names=written_names,
    recognises=recognises,
)
CSV_FORMAT = GraphFormat(
    name="pcalg-csv",
    description="pcalg matrix (amat.pag) as CSV",
    extensions=(".csv",),
    parse=parse_csv,
    render=render_csv,
    written_names=written_names,
    recognises=recognises_csv,
)
CPDAG_FORMAT = GraphFormat(
    name="pcalg-cpdag",
    description="pcalg matrix (amat.cpdag)",
    extensions=(),  # never guessed: it must be asked for by name
    parse=parse_cpdag,
    render=render_cpdag,
    written_names=written_names,
    recognises=_never,
)
