"""The table of a bench: ranks against a computation by hand, columns against the comparison, files as promised."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.small_bench import TRUTH, fill, small_plan

from latconf_core.bench.bench_columns import COLUMNS, row_json
from latconf_core.bench.bench_data import BenchData
from latconf_core.bench.bench_plan import make_plan
from latconf_core.bench.bench_row import BenchRow
from latconf_core.bench.bench_run import CellFinished, CellStarted
from latconf_core.bench.bench_table import BenchTable, tabulate
from latconf_core.bench.cell import Cell, CellResult
from latconf_core.bench.mean_ranks import rank, rank_by_rows, rank_methods
from latconf_core.bench.time_left import TimeLeft
from latconf_core.bench.writing.bench_files import SUFFIXES, bench_text, write_bench
from latconf_core.bench.writing.bench_words import findings, gap_sentence
from latconf_core.bench.writing.visit_panels import VisitFigure
from latconf_core.comparison.metrics import compare_dags, compare_subjects
from latconf_core.comparison.subject import Subject
from latconf_core.errors import OptionError


@pytest.fixture(scope="module")
def table() -> BenchTable:
    return fill(small_plan("hclc-v", "no-latents"))[0]


def row(data: str, method: str, p_elbo: float | None, *, n_rows: int = 100, held_out: float | None = None) -> BenchRow:
    search, _, _ = method.partition(" ")
    cell = replace(small_plan("no-latents").cells[0], data=data, search=search, dag=None)
    return BenchRow(cell, CellResult("finished", p_elbo=p_elbo, held_out=held_out), n_rows)


def test_that_equal_values_share_the_mean_of_their_places() -> None:
    assert rank({"a": -5.0, "b": -3.0, "c": -5.001, "d": -9.0}) == {"a": 2.5, "b": 1.0, "c": 2.5, "d": 4.0}


def test_that_mean_ranks_are_over_data_sets_that_every_method_has() -> None:
    rows = [row("x", "hc", -1.0), row("x", "cil", -2.0), row("y", "hc", -8.0), row("y", "cil", -7.0)]
    rows += [row("z", "hc", -1.0), row("z", "cil", None)]
    methods = rank_methods(rows, "p_elbo")
    assert methods.data == ("x", "y")
    assert methods.ranks == {"hc": 1.5, "cil": 1.5}


def test_that_density_methods_are_ranked_by_held_out_alone() -> None:
    rows = [row("x", "hc", -1.0, held_out=-3.0), row("x", "vae", None, held_out=-2.0)]
    assert rank_methods(rows, "p_elbo").ranks == {"hc": 1.0}
    assert rank_methods(rows, "held_out").ranks == {"vae": 1.0, "hc": 2.0}


def test_that_ranks_stand_apart_for_each_size_of_table() -> None:
    rows = [row("x", "hc", -1.0), row("x", "cil", -2.0)]
    assert rank_by_rows(rows, "p_elbo") == {}
    rows += [row("y", "hc", -8.0, n_rows=900), row("y", "cil", -7.0, n_rows=900)]
    found = rank_by_rows(rows, "p_elbo")
    assert {size: value.ranks for size, value in found.items()} == {
        100: {"hc": 1.0, "cil": 2.0},
        900: {"cil": 1.0, "hc": 2.0},
    }


def test_that_columns_hold_the_comparison_with_the_truth(table: BenchTable) -> None:
    for one in table.rows():
        assert one.result.dag is not None
        metrics = compare_subjects(Subject("model", one.result.dag), Subject("PAG", Subject("truth", TRUTH).pag))  # type: ignore[arg-type]
        latents = compare_dags(one.result.dag, TRUTH)
        told = row_json(one)
        assert told["shd"] == metrics.shd
        assert told["adjacency_f1"] == metrics.adjacency.f1
        assert told["arrowhead_precision"] == metrics.arrowhead.precision
        assert told["bsf_skeleton"] == metrics.bsf_skeleton
        assert told["exact"] == latents.n_latents_exact
        assert told["wrong"] == latents.n_latents_wrong
        assert told["exact"] + told["partial"] + told["missed"] == 1
        assert "nats" in gap_sentence(one)
        assert "odds" not in gap_sentence(one)


def test_that_the_json_has_what_the_contract_says(table: BenchTable) -> None:
    told = json.loads(bench_text(table, ".json"))
    wanted = {"data", "learn", "search", "p_elbo", "seconds", "true_p_elbo", "exact", "partial", "wrong", "held_out"}
    assert len(told["cells"]) == 8  # on each of two data sets the true DAG and three methods
    assert all(wanted | {"stop_reason", "converged", "visited"} <= cell.keys() for cell in told["cells"])
    assert [cell["learn"] for cell in told["cells"][:4]] == [None, "fci", "gfci", None]
    ranks = told["mean_ranks"]["p_elbo"]
    assert ranks["data_sets"] == 2
    assert sum(ranks["ranks"].values()) == pytest.approx(6.0)
    assert told["complete"] is True


def test_that_every_format_has_a_row_per_cell(table: BenchTable, tmp_path: Path) -> None:
    assert write_bench(table, tmp_path) == tuple(f"bench{suffix}" for suffix in SUFFIXES)
    lines = list(csv.reader(io.StringIO((tmp_path / "bench.csv").read_text())))
    assert lines[0] == list(tabulate(table.rows()).titles)
    assert len(lines) == 9
    assert float(lines[1][2]) == table.rows()[0].result.p_elbo
    assert (tmp_path / "bench.md").read_text().count("HCLC-V on FCI |") == 3  # two data sets and the ranks
    assert r"\begin{tabular}" in (tmp_path / "bench.tex").read_text()
    with pytest.raises(OptionError, match="html"):
        bench_text(table, ".pdf")


class Nesting(HTMLParser):
    """Follows the tags of a page; `problem` where one is closed that was not opened last."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.problem = ""
        self.texts: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "input", "path", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problem = self.problem or f"{tag} at {self.getpos()}"

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


class PlainPainter:
    """Stands for what draws: says what it was asked to draw."""

    def visits_svg(self, figure: VisitFigure) -> str:
        return f"<?xml version='1.0'?>\n<svg><text>{figure.data} {len(figure.panels)} panels</text></svg>"


def test_that_the_page_is_one_whole_file_for_light_and_dark_with_or_without_pictures(table: BenchTable) -> None:
    for painter in (None, PlainPainter()):
        page = Nesting()
        text = bench_text(table, ".html", painter=painter)
        page.feed(text)
        assert page.problem == ""
        assert page.open == []
        assert page.links == []  # it needs no other file
        assert "prefers-color-scheme: dark" in text
        assert "@media print" in text
        assert ("copies_1 2 panels" in page.texts) == (painter is not None)
        assert all(column.title in page.texts for column in COLUMNS)


def test_that_names_from_files_cannot_break_the_page() -> None:
    plan = small_plan("no-latents")
    name = '<script>alert("x")</script> & more'
    own = plan.data[0]
    spoiled = make_plan([BenchData(name, own.dataset, own.truth)], plan.options)
    text = bench_text(fill(spoiled)[0], ".html")
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


def test_that_the_words_name_the_best_and_what_was_found(table: BenchTable) -> None:
    said = " ".join(findings(table))
    assert "is best: mean rank" in said
    assert "of 2 exactly" in said


def test_that_the_time_left_follows_cells_of_the_same_search() -> None:
    plan = small_plan("hclc-v", "no-latents")
    now = [0.0]
    left = TimeLeft(plan, 2, clock=lambda: now[0])
    assert left.seconds() is None
    seconds = {"truth": 1.0, "no-latents": 10.0, "hclc-v": 4.0}

    def finish(cell: Cell) -> None:
        left.see(CellStarted(cell))
        now[0] += seconds[cell.search]
        left.see(CellFinished(cell, CellResult("finished")))

    first = [cell for cell in plan.cells if cell.data == "copies_1"]
    for cell in first:
        finish(cell)
    assert left.seconds() == pytest.approx((1 + 10 + 4 + 4) / 2)
    assert left.progress().text.startswith("4 of 8 cells, about 10 s left")
    for cell in plan.cells:
        if cell not in first:
            finish(cell)
    assert left.progress().done == 8
    assert left.progress().text == "8 of 8 cells"
