"""Everywhere a model is told: an arrow that the data leave open is never called a cause without saying so.

One edge is followed, Mek - Raf of Sachs, whose direction no independence tells.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from pathlib import Path

import numpy as np

import latconf_core as latconf
from latconf_core.cli.run import as_text
from latconf_core.comparison.compare import compare_all
from latconf_core.comparison.subject import Subject
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.determined.arrows import ArrowKind
from latconf_core.formats.run_folder import DETERMINED_PAG, REPORT, RESULT, read_run
from latconf_core.graph.bits import bits
from latconf_core.report.contents import ReportContents
from latconf_core.report.render import render_report
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.stability_result import Stability
from latconf_core.wording.arrow_words import KIND_LABELS
from latconf_core.wording.stability_words import explanations

PAIR = {"Mek", "Raf"}
OPEN = KIND_LABELS[ArrowKind.EITHER_WAY]


@cache
def sachs() -> tuple[Dataset, SearchResult]:
    network = latconf.load_example("sachs")
    data = latconf.sample(network, 800, rng=np.random.default_rng(1), hide=["PKC"]).dataset
    return data, latconf.find_latents(data, None, "no-latents", seed=1)


def the_arrow() -> tuple[str, str]:
    (arrow,) = [arrow for arrow in sachs()[1].arrows if {arrow.parent, arrow.child} == PAIR]
    assert arrow.kind is ArrowKind.EITHER_WAY
    return arrow.parent, arrow.child


def test_that_the_result_leaves_it_open() -> None:
    result = sachs()[1]
    assert result.determined_pag is not None
    assert result.determined_pag.edge(*the_arrow()).arrow == "o-o"
    assert result.weights.of_edge(*the_arrow()) < 0.5 < result.weights.of_pair(*the_arrow())


def test_that_the_text_of_run_leaves_it_open() -> None:
    parent, child = the_arrow()
    assert [line for line in as_text(sachs()[1]) if f"{parent} --> {child}" in line] == [
        f"  {parent} --> {child} ({OPEN})"
    ]


def test_that_the_folder_of_a_run_leaves_it_open_also_when_read_again(tmp_path: Path) -> None:
    data, result = sachs()
    latconf.save(result, tmp_path)
    latconf.write_report(result, tmp_path / REPORT, data=data)
    content = json.loads((tmp_path / RESULT).read_text())
    kinds = {one["kind"] for one in content["arrows"] if {one["from"], one["to"]} == PAIR}
    assert kinds == {"either-way"}
    assert [edge[1] for edge in content["determined_pag"] if {edge[0], edge[2]} == PAIR] == ["o-o"]
    assert (
        "Raf o-o Mek" in (tmp_path / DETERMINED_PAG).read_text()
        or "Mek o-o Raf" in (tmp_path / DETERMINED_PAG).read_text()
    )
    assert read_run(tmp_path).arrows == result.arrows
    del content["arrows"], content["determined_pag"]
    (tmp_path / RESULT).write_text(json.dumps(content))  # as an older program wrote it
    assert read_run(tmp_path).arrows == result.arrows


def test_that_the_report_leaves_it_open_wherever_it_draws_the_arrow() -> None:
    parent, child = the_arrow()
    text = unescape(render_report(ReportContents(sachs()[1], title="Sachs")))
    rows = [row for row in re.findall("<tr>.*?</tr>", text, re.DOTALL) if f"{parent} → {child}" in row]
    kinds = [row for row in rows if OPEN in row]
    assert len(kinds) == 1
    assert "do not determine the direction" in kinds[0]
    assert len(rows) == 2  # the other: how much of the visited weight joins the two, and how much compels the direction
    assert f"{parent} is a cause of {child}" not in text


def test_that_stability_says_that_a_stable_arrow_may_be_open() -> None:
    data, result = sachs()
    stability: Stability = latconf.measure_stability(data, None, "no-latents", result=result, samples=2, seed=1)
    (pair,) = [dag_pair for dag_pair in stability.dag_pairs if {dag_pair.a, dag_pair.b} == PAIR]
    assert pair.n_joined == sum(pair.counts.values()) > 0
    assert any("undetermined arrow can still be stable" in said for said in explanations(stability))


def test_that_comparing_with_the_reverse_as_pags_sees_no_difference() -> None:
    result = sachs()[1]
    assert result.best is not None
    assert result.dag_class is not None
    nodes = result.best.nodes
    parent, child = map(nodes.index, the_arrow())
    members = next(graph for above, graph in result.dag_class.rooted.parent_sets(parent) if above >> child & 1)
    turned = LatentDag(
        nodes, [(nodes[a], nodes[b]) for b, above in enumerate(members.extension()) for a in bits(above)]
    )
    assert (nodes[child], nodes[parent]) in turned.edges
    (pair,) = compare_all([Subject("a", result.best), Subject("b", turned)], view="PAG")
    assert pair.same_class
    assert pair.metrics.shd == 0


def test_that_a_notebook_leaves_it_open() -> None:
    parent, child = the_arrow()
    shown = unescape(sachs()[1]._repr_html_())
    assert f"{parent} --> {child}" in shown
    assert OPEN in shown


def test_that_tables_leave_it_open() -> None:
    frame = sachs()[1].arrows_to_pandas()
    (kind,) = frame[[{a, b} == PAIR for a, b in zip(frame["parent"], frame["child"])]]["kind"]
    assert kind == "either-way"
