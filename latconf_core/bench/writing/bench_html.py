"""The table of a bench as one HTML page that needs nothing else: light and dark, on screen and on paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from latconf_core.bench.bench_columns import COLUMNS, BenchColumn
from latconf_core.bench.bench_row import BenchRow
from latconf_core.bench.bench_table import BenchTable, tabulate_ranks
from latconf_core.bench.writing.bench_words import conditions, findings, gap_sentence, headline
from latconf_core.comparison.tables import show_value
from latconf_core.formats.html_page import render_page
from latconf_core.phrases import counted, nats
from latconf_core.wording.evidence_texts import latents_text

TITLE = "latconf bench"
BEST_OF = ("p_elbo", "held_out", "fresh")  # the columns whose best per data set is marked
STYLE = """
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1d2229; --faint: #5b6470; --line: #d5dae0;
  --band: #f3f5f8; --mark: #0b5cad; --bar: #b9d3ee; --grid: #d9dde2; }
@media (prefers-color-scheme: dark) { :root { --ground: #15181d; --ink: #e7eaee; --faint: #a3acb8; --line: #363d47;
  --band: #1e232a; --mark: #7cb8f5; --bar: #27496b; --grid: #333a44; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 2rem 4rem; max-width: 100rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
p, ul, dl { max-width: 62rem; } p.faint, td.faint { color: var(--faint); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .87rem; }
th, td { padding: .28rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { vertical-align: bottom; font-weight: 600; border-bottom: 2px solid var(--line); }
th:first-child, td:first-child, td.text, th.text { text-align: left; }
tr.data th { background: var(--band); text-align: left; padding-top: .5rem; border-bottom: 1px solid var(--line);
  white-space: normal; }
tr.data span { font-weight: 400; color: var(--faint); margin-left: .7rem; }
td.best { font-weight: 700; color: var(--mark); }
td.rank { background: linear-gradient(to right, var(--bar) var(--share), transparent var(--share)); min-width: 9rem; }
.long { display: none; } #all:checked ~ .scroll .long { display: table-cell; }
label { user-select: none; } dt { font-weight: 600; margin-top: .5rem; } dd { margin: 0 0 0 1.2rem; }
figure { margin: 1rem 0; } figure svg { width: 100%; height: auto; max-width: 84rem; color: var(--ink); }
figcaption { font-weight: 600; }
@media print { @page { size: A4 landscape; margin: 12mm; } body { padding: 0; font-size: 9.5pt; max-width: none; }
  table { font-size: 7.5pt; } th, td { padding: .12rem .3rem; } label, #all { display: none; }
  .long { display: none !important; } .scroll { overflow: visible; } figure, tr, dt { break-inside: avoid; }
  tr.data { break-after: avoid; } }
"""


def to_html(table: BenchTable, pictures: Sequence[tuple[str, str]] = ()) -> str:
    """The whole page; `pictures` are the names of data sets with their SVG texts."""
    parts = [*_opening(table), *_ranks(table), *_results(table), *_figures(pictures), *_rest(table)]
    return render_page(f"{TITLE}: {headline(table)}", parts, style=STYLE)


def _opening(table: BenchTable) -> Iterator[str]:
    yield f"<h1>{TITLE}</h1>"
    yield f'<p class="faint">{escape(headline(table))}</p>'
    for sentence in findings(table):
        yield f"<p>{escape(sentence)}</p>"


def _ranks(table: BenchTable) -> Iterator[str]:
    ranks = tabulate_ranks(table.rows())
    if not any(value is not None for line in ranks.rows for value in line[1:]):
        return
    n_methods = len(ranks.rows)
    yield "<h2>Mean ranks</h2>"
    yield (
        '<p class="faint">1 is best. Only data sets on which every method has a score; ties share their mean rank.</p>'
    )
    yield '<div class="scroll"><table><thead><tr>' + "".join(f"<th>{escape(title)}</th>" for title in ranks.titles)
    yield "</tr></thead><tbody>"
    for name, *values in ranks.rows:
        cells = []
        for value in values:
            share = 0.0 if not isinstance(value, float) else (n_methods + 1 - value) / n_methods
            style = f' style="--share: {share:.0%}"' if isinstance(value, float) else ""
            cells.append(f'<td class="rank"{style}>{show_value(value)}</td>')
        yield f'<tr><td class="text">{escape(str(name))}</td>{"".join(cells)}</tr>'
    yield "</tbody></table></div>"


def _results(table: BenchTable) -> Iterator[str]:
    rows = table.rows()
    yield "<h2>Results</h2>"
    yield '<input type="checkbox" id="all"> <label for="all">All columns</label>'
    yield '<div class="scroll"><table><thead><tr><th class="text">Method</th>'
    for column in COLUMNS:
        names = [*_names(column), *(["text"] if column.key == "stop_reason" else [])]
        kind = f' class="{" ".join(names)}"' if names else ""
        yield f'<th{kind} title="{escape(column.definition)}">{escape(column.title)}</th>'
    yield "</tr></thead><tbody>"
    for data in table.plan.data:
        data_rows = [row for row in rows if row.cell.data == data.name]
        if data_rows:
            yield _data_line(table, data.name)
            best = {key: _best(data_rows, key) for key in BEST_OF}
            yield from (_line(row, best) for row in data_rows)
    yield "</tbody></table></div>"


def _data_line(table: BenchTable, name: str) -> str:
    data, truth = table.plan.find(name), table.truth(name)
    said = [counted(data.dataset.n_rows, "row"), counted(data.dataset.n_variables, "variable")]
    if data.truth is not None and data.truth.dag is not None:
        said.append(f"hidden: {latents_text(data.truth.dag)}")
    if truth is not None and truth.p_elbo is not None:
        said.append(f"true DAG: p-ELBO {nats(truth.p_elbo)}")
    facts = "".join(f"<span>{escape(fact)}</span>" for fact in said)
    return f'<tr class="data"><th colspan="{len(COLUMNS) + 1}">{escape(name)}{facts}</th></tr>'


def _line(row: BenchRow, best: dict[str, float | None]) -> str:
    cells = []
    for column in COLUMNS:
        value = column.of(row)
        names = _names(column)
        if column.key in best and isinstance(value, float) and value == best[column.key]:
            names.append("best")
        if isinstance(value, str):
            names.append("text")
        kind = f' class="{" ".join(names)}"' if names else ""
        tip = f' title="{escape(gap_sentence(row))}"' if column.key == "gap" and row.gap is not None else ""
        cells.append(f"<td{kind}{tip}>{escape(column.show(row))}</td>")
    model = "" if row.result.dag is None else f' title="{escape(latents_text(row.result.dag))}"'
    return f'<tr><td class="text"{model}>{escape(row.cell.title)}</td>{"".join(cells)}</tr>'


def _best(rows: Iterable[BenchRow], key: str) -> float | None:
    column = next(column for column in COLUMNS if column.key == key)
    values = [value for row in rows if isinstance(value := column.of(row), float)]
    return max(values, default=None)


def _names(column: BenchColumn) -> list[str]:
    return [] if column.is_short else ["long"]


def _figures(pictures: Sequence[tuple[str, str]]) -> Iterator[str]:
    if pictures:
        yield "<h2>Visited DAGs</h2>"
        yield (
            '<p class="faint">Dots: visited DAGs (a sample if there are many). Line: the best so far. '
            "Dashed line: the true DAG.</p>"
        )
    for name, svg in pictures:
        picture = svg[svg.index("<svg") :]  # without the XML header, which HTML has no place for
        yield f"<figure><figcaption>{escape(name)}</figcaption>{picture}</figure>"


def _rest(table: BenchTable) -> Iterator[str]:
    yield "<h2>Settings</h2>"
    yield "<ul>" + "".join(f"<li>{escape(condition)}</li>" for condition in conditions(table.plan)) + "</ul>"
    if table.notes:
        yield "<h2>Notes</h2>"
        yield "<ul>" + "".join(f"<li>{escape(note)}</li>" for note in table.notes) + "</ul>"
    yield "<h2>Definitions of the columns</h2>"
    said = "".join(f"<dt>{escape(column.title)}</dt><dd>{escape(column.definition)}</dd>" for column in COLUMNS)
    yield f"<dl>{said}</dl>"
