"""The tables of a comparison as text: CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from latconf_core.comparison.compare import PairComparison
from latconf_core.comparison.matrix import Matrix
from latconf_core.comparison.measures import MEASURES, OWN_NUMBERS, Value
from latconf_core.comparison.numbers import Numbers
from latconf_core.phrases import number_text, show_controls

NOTHING = "–"
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_LATEX = {
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "→": r"$\rightarrow$",
    "½": r"$\frac{1}{2}$",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


@dataclass(frozen=True)
class Table:
    """Titles and rows of values; None for what is not known."""

    titles: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def digits_of(value: float) -> int:
    """How many digits after the point a person reads."""
    return 3 if abs(value) < 10 else 2


def choose_columns(table: Table, titles: Collection[str]) -> Table:
    """The first column, and those with these titles."""
    places = [0, *(index for index, title in enumerate(table.titles) if index and title in titles)]
    return Table(tuple(table.titles[i] for i in places), tuple(tuple(row[i] for i in places) for row in table.rows))


def show_value(value: Value) -> str:
    """A value as a person reads it: three digits after the point, a proper minus, a dash for nothing."""
    if value is None:
        return NOTHING
    if isinstance(value, float):
        return number_text(value, digits_of(value))
    return number_text(value) if isinstance(value, int) else value


def tabulate_numbers(numbers: Mapping[str, Numbers], pairs: Sequence[PairComparison]) -> Table:
    """A row per graph: its own numbers, then those against the reference, whose own row has none of them."""
    against = {pair.b: pair for pair in pairs}
    titles = (
        "Graph",
        *(own_number.title for own_number in OWN_NUMBERS),
        *(own_number.title for own_number in MEASURES),
    )
    rows = []
    for name, number in numbers.items():
        pair = against.get(name)
        measured = tuple(None if pair is None else own_number.of(pair) for own_number in MEASURES)
        rows.append((name, *(own_number.of(number) for own_number in OWN_NUMBERS), *measured))
    return Table(titles, tuple(rows))


def tabulate_matrix(matrix: Matrix) -> Table:
    """A row per pair of nodes and per latent, a column per graph."""
    rows: list[tuple[Value, ...]] = []
    for row in matrix.edges:
        rows.append((" – ".join(row.nodes), *(None if edge is None else str(edge) for edge in row.edges)))
    for latent in matrix.latents:
        states = (None if number is None else f"{number} states" for number in latent.states)
        rows.append((f"latent over {', '.join(latent.children)}", *states))
    return Table(("Pair", *matrix.names), tuple(rows))


def to_csv(table: Table) -> str:
    """Numbers in full, nothing for what is not known."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_spreadsheet_cell, table.titles))
    writer.writerows([map(_spreadsheet_cell, row) for row in table.rows])
    return text.getvalue()


def _spreadsheet_cell(value: Value) -> Value:
    """A cell that no spreadsheet takes for a formula: a text such as =1+1 gets the apostrophe that says so."""
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value


def to_markdown(table: Table) -> str:
    """A table of GitHub's kind."""
    lines = [table.titles, tuple("---" for _ in table.titles), *(tuple(map(show_value, row)) for row in table.rows)]
    return "".join(f"| {' | '.join(map(_markdown_cell, line))} |\n" for line in lines)


def _markdown_cell(text: str) -> str:
    """A cell in which no name ends the cell or the row, or becomes HTML."""
    plain = show_controls(text).replace("<", "&lt;").replace("|", r"\|")
    return " ".join(plain.splitlines())


def to_latex(table: Table) -> str:
    """A tabular with the rules of booktabs."""
    lines = [" & ".join(map(_escape, titles_or_cells)) + r" \\" for titles_or_cells in _text_rows(table)]
    columns = "l" + "r" * (len(table.titles) - 1)
    head, body = lines[0], lines[1:]
    parts = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        head,
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(parts) + "\n"


def _text_rows(table: Table) -> list[tuple[str, ...]]:
    return [table.titles, *(tuple(map(show_value, row)) for row in table.rows)]


def _escape(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)


TABLE_FORMATS = {"csv": to_csv, "md": to_markdown, "tex": to_latex}
