"""One run of a search inside a project file.

about.json                           its name, the name of its PAG, its data, the visits that were looked at, and the
                                     scores of those that were fitted fully since
result.json, history.csv, pag.txt    as in the folder of a run
best.json                            the best DAG
posterior.npz                        what the data say about its tables and latents
stability.json                       what came of repeating it on samples of the rows, where that was done
"""

from __future__ import annotations

import io
import json
import lzma
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from latconf_core.data.dataset import Dataset
from latconf_core.data.watch import Watch
from latconf_core.errors import FileFormatError, LatconfError
from latconf_core.formats.graphs import graph_json
from latconf_core.formats.graphs.graph_document import GraphDocument
from latconf_core.formats.history_csv import parse_history
from latconf_core.formats.projects.kept_items import DataMark, KeptRun, mark_of_result, unique_name
from latconf_core.formats.projects.posterior_file import parse_posterior, posterior_bytes
from latconf_core.formats.run_folder import HISTORY, RESULT, run_texts
from latconf_core.formats.stability_folder import STABILITY, parse_stability, stability_text
from latconf_core.json_form import UNREADABLE, Content, Notes, decode, decode_finite, encode, parse_json
from latconf_core.score.posterior import Posterior
from latconf_core.search.outcome.result import SearchResult, best_of_json
from latconf_core.search.outcome.result_migrations import migrate_result
from latconf_core.stability.stability_result import Stability

ABOUT, BEST, POSTERIOR = "about.json", "best.json", "posterior.npz"
DAMAGED = (  # what a damaged archive raises, besides content of a wrong shape
    *UNREADABLE,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    tokenize.TokenError,
    SyntaxError,
    EOFError,
    NotImplementedError,
    RuntimeError,
)

Part = TypeVar("Part")


def write_run(archive: zipfile.ZipFile, folder: str, run: KeptRun, watch: Watch) -> None:
    """Write a run into a folder of the archive."""
    watch.step(0, None, "saving the history")
    result = run.result
    data = encode(run.data)
    scores = [[index, score] for index, score in result.history.full_scores.items()]
    about = {"name": run.name, "pag": run.pag, "data": data, "opened": list(run.opened), "full_scores": scores}
    archive.writestr(f"{folder}/{ABOUT}", json.dumps(about, ensure_ascii=False, indent=1))
    for name, text in run_texts(result):
        archive.writestr(f"{folder}/{name}", text)
    if result.best is not None:
        archive.writestr(f"{folder}/{BEST}", graph_json.render(GraphDocument.of_dag(result.best), {}))
    if result.posterior is not None:
        archive.writestr(f"{folder}/{POSTERIOR}", posterior_bytes(result.posterior))
    if run.stability is not None:
        archive.writestr(f"{folder}/{STABILITY}", stability_text(run.stability))


def run_folders(archive: zipfile.ZipFile) -> list[str]:
    """The folders of the runs, in order."""
    names = [name.rsplit("/", 1) for name in archive.namelist() if name.startswith("runs/")]
    return sorted({folder for folder, *file in names if file == [RESULT]})


def read_runs(archive: zipfile.ZipFile, dataset: Dataset | None, notes: Notes) -> tuple[KeptRun, ...]:
    """Every run of the archive that can be read, in order; `notes` get a sentence for what was left out."""
    runs: dict[str, KeptRun] = {}
    for number, folder in enumerate(run_folders(archive), 1):
        read = read_part(f"run {number}", lambda part=folder: _read_kept(archive, part, dataset, notes), notes)  # type: ignore[misc]
        if read is not None:
            name = unique_name(read.name, runs)
            runs[name] = replace(read, name=name)
    return tuple(runs.values())


def _read_kept(archive: zipfile.ZipFile, folder: str, dataset: Dataset | None, notes: Notes) -> KeptRun:
    result = _read_run(archive, folder, dataset, notes)
    mark = mark_of_result(result, dataset)
    stability = read_kept_stability(archive, folder, "the stability of a run", notes)
    about = read_json(archive, f"{folder}/{ABOUT}")
    data: DataMark = decode(DataMark | None, about["data"]) or mark
    seen: tuple[int, ...] = decode(tuple[int, ...], about["opened"])
    opened = tuple(index for index in seen if 0 <= index < len(result.history))
    for index, score in decode(tuple[tuple[int, float], ...], about.get("full_scores", [])):
        if 0 <= index < len(result.history):
            result.history.add_full_score(index, decode_finite(score))
    return KeptRun(decode(str, about["name"]), result, decode(str, about["pag"]), data, opened, stability)


def read_kept_stability(archive: zipfile.ZipFile, folder: str, called: str, notes: Notes) -> Stability | None:
    """The stability that is kept in a folder; None where there is none, or it cannot be read, which is noted."""
    path = f"{folder}/{STABILITY}"
    if path not in archive.namelist():
        return None
    return read_part(called, lambda: parse_stability(text_of(archive, path), notes), notes)


def read_part(name: str, read: Callable[[], Part], notes: Notes) -> Part | None:
    """A part of a project; None, with a note, where it cannot be read."""
    try:
        return read()
    except (*DAMAGED, LatconfError) as error:
        notes.append(f"{name} could not be read and was ignored: {reason(error)}")
        return None


def reason(error: Exception) -> str:
    """What an error says, in a few words."""
    if isinstance(error, FileFormatError):
        return error.problem
    return str(error.args[0]) if error.args else type(error).__name__


def _read_run(archive: zipfile.ZipFile, folder: str, dataset: Dataset | None, notes: Notes) -> SearchResult:
    content = read_content(archive, folder)
    with archive.open(f"{folder}/{HISTORY}") as packed, io.TextIOWrapper(packed, "utf-8", newline="") as stream:
        history = parse_history(stream, content["nodes"])
    own_notes: Notes = []
    posterior = _read_posterior(archive, folder, content, dataset, own_notes)
    result = SearchResult.from_json(content, history=history, posterior=posterior, notes=own_notes)
    notes.extend(f"{result.algorithm}: {note}" for note in own_notes)
    return result


def read_content(archive: zipfile.ZipFile, folder: str) -> Content:
    """The result.json of a run, as this program would have written it."""
    return migrate_result(parse_json(text_of(archive, f"{folder}/{RESULT}")))


def _read_posterior(
    archive: zipfile.ZipFile, folder: str, content: Content, dataset: Dataset | None, notes: Notes
) -> Posterior | None:
    best, path = best_of_json(content), f"{folder}/{POSTERIOR}"
    if best is None or dataset is None or path not in archive.namelist():
        return None
    if content["dataset_digest"] != dataset.digest:  # of other data: the tables would not be theirs
        return None
    return read_part("the posterior of the best DAG", lambda: parse_posterior(archive.read(path), best, dataset), notes)


def read_json(archive: zipfile.ZipFile, path: str) -> Content:
    """An object of a file in the archive."""
    content = parse_json(text_of(archive, path))
    if not isinstance(content, dict):
        raise FileFormatError(f"{path} has no object")
    return content


def text_of(archive: zipfile.ZipFile, path: str) -> str:
    """The text of a file in the archive."""
    return archive.read(path).decode("utf-8")
