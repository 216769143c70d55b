"""The readers of what lies in folders: what a run's folder tells of its data, cells of a bench, models to ask."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from support.builders import mixed
from support.small_bench import TRUTH, small_plan
from support.small_runs import GRAPH, confounded, small_run
from support.small_stability import small_stability

from fuzz.reader import Reader
from latconf_core.bench.bench_plan import BenchPlan
from latconf_core.bench.bench_run import BenchFinished, CellFinished, CellStarted, run_bench
from latconf_core.bench.bench_table import BenchTable
from latconf_core.bench.cell import Cell, CellResult, LearnedGraph, shown_visits
from latconf_core.bench.cell_store import FOLDER, CellStore, file_name
from latconf_core.bench.lanes import ThisThread
from latconf_core.bench.writing.bench_files import write_bench
from latconf_core.control import RunControl, StopRequested
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import LatconfError
from latconf_core.formats.asked_models import read_asked_graph
from latconf_core.formats.examples import load_example
from latconf_core.formats.networks.network_json import network_text
from latconf_core.formats.run_folder import ABOUT, HISTORY, RESULT, run_texts
from latconf_core.formats.stability_folder import read_stability, stability_text, write_stability
from latconf_core.inference.adjustment import adjust_in_dag
from latconf_core.inference.adjustment_in_pag import adjust_in_pag
from latconf_core.inference.asking import InferenceEngine
from latconf_core.report.contents import DataSummary, RunAbout
from latconf_core.report.render import write_report
from latconf_core.report.sources import read_contents
from latconf_core.wording.stability_words import headline


def folder_readers() -> Iterator[Reader]:
    """about.json and result.json as `latconf report` reads them, stability, cells of a bench, asked models."""
    texts = dict(run_texts(small_run()))
    about = RunAbout(DataSummary.of(confounded(), source="x.csv", notes=("a", "b")), ("latconf", "run"), "FCI")
    kept = json.dumps(about.to_json())
    yield Reader("about", ".json", lambda path: _report(path, ABOUT, {ABOUT: kept, **texts}), (kept.encode(),))
    seeds = (texts[RESULT].encode(),)
    yield Reader("reported result", ".json", lambda path: _report(path, RESULT, {ABOUT: kept, **texts}), seeds)
    stable = tuple(stability_text(small_stability(searches=searches)).encode() for searches in (True, False))
    yield Reader("stability", ".json", _read_stability, stable)
    yield Reader("bench cell", ".json", _read_cell, tuple(_cell_seeds()))
    graph = json.dumps(GRAPH.to_json()).encode()
    yield Reader("asked model", ".json", _ask, (network_text(load_example("asia")).encode(), graph, *seeds))


def _report(path: Path, name: str, texts: dict[str, str]) -> object:
    """As `latconf report`: the folder with this file in the place of its own."""
    folder = path.with_suffix("")
    folder.mkdir(exist_ok=True)
    for index in (ABOUT, HISTORY, RESULT):
        (folder / index).write_text(texts[index], encoding="utf-8")
    (folder / name).write_bytes(path.read_bytes())
    contents = read_contents(folder)
    write_report(contents, folder / "report.html")
    return contents


def _read_stability(path: Path) -> object:
    """As it is shown and kept again."""
    stability = read_stability(path)
    return headline(stability), write_stability(stability, path.with_suffix("")), stability_text(stability)


@cache
def _plan() -> BenchPlan:
    return small_plan("hclc-v", learners=("fci",), n_rows=20)


def _own_cell() -> Cell:
    return next(cell for cell in _plan().cells if not cell.is_truth)


def _cell_seeds() -> Iterator[bytes]:
    cell = _own_cell()
    visits = shown_visits([(0, -14.0), (1, -12.5)])
    pag = LearnedGraph(mixed("A o-o B", "B o-> C", nodes=list("ABCD")), 0.5)
    cell_result = CellResult(
        "finished", dag=TRUTH, p_elbo=-12.5, elbo=-12.0, seconds=1.5, n_visited=3, visits=visits, pag=pag
    )
    for result in (cell_result, CellResult("time limit", notes=("cut short",), held_out=-2.0, held_out_error=0.1)):
        content = {"format": "latconf cell", "version": 1, "key": cell.key, "result": result.to_json()}
        yield json.dumps(content).encode()


def _read_cell(path: Path) -> object:
    """As `latconf bench` goes on: the cell is taken where it can be read, and stands in every file of the table."""
    folder, cell = path.with_suffix(""), _own_cell()
    store = CellStore(folder)
    (folder / FOLDER / file_name(cell)).write_bytes(path.read_bytes())
    if store.load(cell) is None:
        raise LatconfError("it counts for nothing")
    table, control = BenchTable(_plan()), RunControl()
    for event in run_bench(_plan(), ThisThread(control), store=store, control=control):
        if isinstance(event, CellStarted | BenchFinished):  # what is not kept is not run here
            break
        if isinstance(event, CellFinished):
            table.see(event)
    return write_bench(table, folder)


def _ask(path: Path) -> object:
    """As `latconf ask`: every variable, and what to adjust for between the first two."""
    given = read_asked_graph(path)
    nodes = given.variables if isinstance(given, BayesNet) else given.nodes
    if len(nodes) > 50:  # large ones are slow to answer, and say no more
        return given
    control = RunControl(time_limit=1.0)
    try:
        if isinstance(given, BayesNet):
            return InferenceEngine(given).ask({}, {})
        if isinstance(given, LatentDag):
            return adjust_in_dag(given, nodes[0], nodes[1], control=control) if len(nodes) > 1 else given
        return adjust_in_pag(given, nodes[0], nodes[1], control=control) if len(nodes) > 1 else given
    except StopRequested:
        return given
