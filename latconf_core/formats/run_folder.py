"""The folder of one run: result.json, history.csv, the model with its tables, and pictures where a painter is given.

model.json is the DAG; model.bif and network.json are the whole network, the latter with Dirichlet parameters.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from latconf_core.errors import FileFormatError, LatconfError
from latconf_core.files import has_folder, is_there, read_text, write_text_atomically
from latconf_core.formats.graphs import tetrad_text
from latconf_core.formats.graphs.graph_document import GraphDocument
from latconf_core.formats.graphs.registry import write_dag
from latconf_core.formats.history_csv import history_text, read_history
from latconf_core.formats.networks.bif_text import write_bif
from latconf_core.formats.networks.network_json import write_network_json
from latconf_core.formats.painter import Painter
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import UNREADABLE, Notes, parse_json
from latconf_core.search.outcome.cut_outcomes import CutOutcome
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.outcome.result_migrations import migrate_result
from latconf_core.whole_folders import finish_replacing, replace_files

RESULT, HISTORY, PAG = "result.json", "history.csv", "pag.txt"
MODEL, NETWORK, CHART, PAG_PICTURE, DAG_PICTURE = "model.json", "model.bif", "chart.svg", "pag.svg", "dag.svg"
TABLES, ABOUT, REPORT = "network.json", "about.json", "report.html"
DETERMINED_PAG, DETERMINED_PICTURE = "determined_pag.txt", "determined_pag.svg"
OWN_FILES = (  # all that latconf itself writes
    *(RESULT, HISTORY, PAG, MODEL, NETWORK, TABLES),
    *(CHART, PAG_PICTURE, DAG_PICTURE, ABOUT, REPORT),
    *(DETERMINED_PAG, DETERMINED_PICTURE),
)


def run_texts(result: SearchResult) -> Iterator[tuple[str, str]]:
    """The files that say what a run found, each with its text: the same in a run's folder and in a project."""
    yield RESULT, json.dumps(result.to_json(), ensure_ascii=False, indent=1) + "\n"
    yield HISTORY, history_text(result.history)
    yield PAG, graph_text(result.pag)


def graph_text(graph: MixedGraph) -> str:
    """The graph as Tetrad's text; names that it cannot hold are kept in its comments."""
    return tetrad_text.render(GraphDocument(graph), tetrad_text.written_names(graph))


def write_run(
    result: SearchResult,
    folder: str | Path,
    *,
    painter: Painter | None = None,
    more: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """Write everything about a run into a folder, which is made; the names of the files.

    more : further texts by the names of their files, such as the report

    What an older run left goes when all of the new one is written: the one or the other is there, never some of each.
    Files of other names stay.
    """
    path = Path(folder)
    texts = {**dict(run_texts(result)), **(more or {})}
    writers = {**_model_writers(result), **_picture_writers(result, painter)}
    with replace_files(path, old=OWN_FILES, last=RESULT) as staged:
        for name, write in writers.items():
            write(staged / name)
        for name, text in texts.items():
            write_text_atomically(staged / name, text)
    return (*texts, *writers)


def keeps_better(result: SearchResult, folder: Path) -> bool:
    """Whether a folder has a run with a model, and a result that was stopped before it had one would replace it."""
    finish_replacing(folder)
    return result.posterior is None and is_there(folder / TABLES) and is_there(folder / RESULT)


Writers = dict[str, Callable[[Path], object]]


def _model_writers(result: SearchResult) -> Writers:
    writers: Writers = {}
    best, posterior, pag = result.best, result.posterior, result.determined_pag
    if best is not None:
        writers[MODEL] = lambda path: write_dag(best, path)
    if pag is not None:
        writers[DETERMINED_PAG] = lambda path: write_text_atomically(path, graph_text(pag))
    if posterior is not None:
        writers[NETWORK] = lambda path: write_bif(posterior.network(), path)
        writers[TABLES] = lambda path: write_network_json(posterior.network(), path)
    return writers


def _picture_writers(result: SearchResult, painter: Painter | None) -> Writers:
    if painter is None:
        return {}
    writers: Writers = {
        CHART: lambda path: write_text_atomically(path, painter.chart_svg(result.history)),
        PAG_PICTURE: lambda path: write_text_atomically(path, painter.graph_svg(result.pag)),
    }
    best, pag = result.best, result.determined_pag
    if best is not None:
        writers[DAG_PICTURE] = lambda path: write_text_atomically(path, painter.dag_svg(best, result.knowledge))
    if pag is not None:
        writers[DETERMINED_PICTURE] = lambda path: write_text_atomically(path, painter.graph_svg(pag))
    return writers


def write_null_gains(path: str | Path, gains: tuple[float, ...]) -> None:
    """Write what the same search gained on drawn tables into a run's result, its latents judged by that too."""
    _rewrite(path, read_run(path).with_null_gains(gains), ("null_gains", "evidence", "latents", "verdict"))


def write_other_cuts(path: str | Path, outcomes: tuple[CutOutcome, ...]) -> None:
    """Write what the same search found with other cut points into a run's result."""
    _rewrite(path, replace(read_run(path), other_cuts=outcomes), ("other_cuts",))


def _rewrite(folder: str | Path, result: SearchResult, keys: Sequence[str]) -> None:
    """Put some entries of a result into the file; the rest stays, which says more than a result that was read back."""
    path = Path(folder) / RESULT if has_folder(Path(folder)) else Path(folder)
    content, kept = result.to_json(), parse_json(read_text(path))
    changed = {key: content[key] for key in keys}
    write_text_atomically(path, json.dumps({**kept, **changed}, ensure_ascii=False, indent=1) + "\n")


def read_run(folder: str | Path, *, notes: Notes | None = None) -> SearchResult:
    """The result that `write_run` wrote, without its posterior; `folder` is the folder or its result.json.

    notes : gets a sentence for what is not known to this program and was left out
    """
    path = Path(folder) / RESULT if has_folder(Path(folder)) else Path(folder)
    finish_replacing(path.parent)
    text = read_text(path)
    try:
        content = migrate_result(parse_json(text))
        history = read_history(path.with_name(HISTORY), content["nodes"])
        return SearchResult.from_json(content, history=history, notes=notes)
    except FileFormatError as error:
        raise FileFormatError(error.problem, error.path or path, error.line) from None
    except (*UNREADABLE, LatconfError) as error:
        raise FileFormatError(f"this is not a search result written by latconf ({error})", path) from None
