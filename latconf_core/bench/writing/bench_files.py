"""The table of a bench in files: HTML, CSV, Markdown, LaTeX and JSON."""

from __future__ import annotations

import json
from pathlib import Path

from latconf_core.bench.bench_table import BenchTable, tabulate, tabulate_ranks, tabulate_short
from latconf_core.bench.writing.bench_html import to_html
from latconf_core.bench.writing.bench_words import conditions, findings, headline
from latconf_core.bench.writing.visit_panels import FigurePainter, make_figures
from latconf_core.comparison.tables import to_csv, to_latex, to_markdown
from latconf_core.errors import OptionError
from latconf_core.files import write_text_atomically

SUFFIXES = (".html", ".csv", ".md", ".tex", ".json")
STEM = "bench"


def bench_text(table: BenchTable, suffix: str, *, painter: FigurePainter | None = None) -> str:
    """The whole table in one format; `painter` draws the pictures of the HTML page."""
    if suffix == ".html":
        pictures = (
            [] if painter is None else [(figure.data, painter.visits_svg(figure)) for figure in make_figures(table)]
        )
        return to_html(table, pictures)
    if suffix == ".csv":
        return to_csv(tabulate(table.rows()))
    if suffix == ".md":
        return to_bench_markdown(table)
    if suffix == ".tex":
        return to_latex(tabulate_ranks(table.rows())) + "\n" + to_latex(tabulate_short(table.rows()))
    if suffix == ".json":
        return json.dumps(table.to_json(), ensure_ascii=False, indent=1) + "\n"
    raise OptionError(f"a bench cannot be written as {suffix!r}; choose one of {', '.join(SUFFIXES)}")


def write_bench(table: BenchTable, folder: Path, *, painter: FigurePainter | None = None) -> tuple[str, ...]:
    """Write every format into a folder; the names of the files."""
    names = []
    for suffix in SUFFIXES:
        name = STEM + suffix
        write_text_atomically(folder / name, bench_text(table, suffix, painter=painter))
        names.append(name)
    return tuple(names)


def to_bench_markdown(table: BenchTable) -> str:
    """What was found, mean ranks, results and how it was run, to be pasted into a document."""
    rows = table.rows()
    parts = [f"{headline(table)}.", *findings(table), to_markdown(tabulate_ranks(rows))]
    parts += [to_markdown(tabulate_short(rows)), "\n".join(f"- {condition}" for condition in conditions(table.plan))]
    if table.notes:
        parts.append("\n".join(f"- {note}" for note in table.notes))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"
