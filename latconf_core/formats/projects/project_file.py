"""The project file (.latconf): a zip of the table, the choices made about it, the PAGs, and the runs.

    project.json    versions, where the table comes from, choices, knowledge, positions, names given to latents and
                    their states, which PAG and run are current
    data.csv        the table as it was read, every column, before any choice
    truth.bif       the network that the data were drawn from, where it is known
    pags/01/        one folder per PAG, see pag_files
    runs/01/        one folder per run, see run_files
    compared.json   which graphs are compared, where any are
    learn.json      the state of the Lessons page, where anything was
    log.txt         the end of the log

Nothing is unpickled. A newer format is refused, an older one is migrated while it is read. A part that cannot be read
is left out and named, as long as the header and the table can.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import Latent
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import Prepared, prepare
from latconf_core.data.raw_table import RawTable
from latconf_core.data.watch import OnProgress, Watch
from latconf_core.errors import DataError, FileFormatError, LatconfError
from latconf_core.files import check_archive, check_ordinary_file, write_atomically
from latconf_core.formats.knowledge_file import table_text as knowledge_text
from latconf_core.formats.networks.bif import parse_bif
from latconf_core.formats.networks.bif_text import bif_text
from latconf_core.formats.projects.compared_graphs import NAME as COMPARED
from latconf_core.formats.projects.compared_graphs import ComparedItem, compared_text, parse_compared
from latconf_core.formats.projects.kept_items import KeptPag, KeptRun, Named, find_item
from latconf_core.formats.projects.migrations import FORMAT_VERSION, migrate_header
from latconf_core.formats.projects.pag_files import pag_folders, read_pags, write_pag
from latconf_core.formats.projects.project_header import Header
from latconf_core.formats.projects.run_files import (
    ABOUT,
    DAMAGED,
    Part,
    read_content,
    read_json,
    read_part,
    read_runs,
    reason,
    run_folders,
    write_run,
)
from latconf_core.formats.projects.table_file import NAME as TABLE
from latconf_core.formats.projects.table_file import count_cells, read_raw_table, read_through, write_raw_table
from latconf_core.json_form import Content, Notes, parse_json
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge

SUFFIX = ".latconf"
FORMAT_NAME = "latconf project"
MAX_MEMBER_BYTES = 1 << 32  # unpacked: a million rows of 40 columns need a tenth of it
MAX_PROJECT_BYTES = 1 << 33
MAX_BYTES = {  # unpacked, by kind: what is read in one piece; the table and the histories are read as streams
    "log.txt": 1 << 24,
    "*.json": 1 << 26,
    "*.txt": 1 << 24,
    "*.bif": 1 << 26,
    "*.npz": 1 << 28,
}
LEARN = "learn.json"


@dataclass(frozen=True, eq=False)
class Project:
    """All that a session is worth keeping.

    prepared : what the preparation makes of the table; None where a choice is still to be made
    source : where the table comes from, as JSON
    model_positions : of the nodes of DAGs, given by hand on the Model page
    learn : the state of the Lessons page, as JSON
    settings : anything else that the program wants to find again, as JSON
    notes : a sentence for everything that was left out while it was read
    """

    name: str = ""
    source: Mapping[str, Any] = field(default_factory=dict)
    raw: RawTable | None = None
    preparation: Preparation = field(default_factory=Preparation)
    prepared: Prepared | None = None
    truth: BayesNet | None = None
    knowledge: Knowledge = NO_KNOWLEDGE
    pags: tuple[KeptPag, ...] = ()
    current_pag: str = ""
    runs: tuple[KeptRun, ...] = ()
    current_run: str = ""
    compared: tuple[ComparedItem, ...] = ()
    latent_names: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    state_names: Mapping[Latent, tuple[str, ...]] = field(default_factory=dict)
    positions: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    model_positions: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    learn: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    log: str = ""
    notes: tuple[str, ...] = ()

    @property
    def dataset(self) -> Dataset | None:
        return None if self.prepared is None else self.prepared.dataset


def write_project(
    project: Project,
    path: str | Path,
    *,
    control: RunControl | None = None,
    on_progress: OnProgress | None = None,
) -> None:
    """Write the project as a whole: until all of it is on the disk and read back, the file that was there stays."""
    watch = Watch(control, on_progress)
    with write_atomically(path) as temporary:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("project.json", json.dumps(_content(project), ensure_ascii=False, indent=1))
            if project.raw is not None:
                write_raw_table(archive, project.raw, watch)
            if project.truth is not None:
                archive.writestr("truth.bif", bif_text(project.truth))
            for number, pag in enumerate(project.pags, start=1):
                write_pag(archive, f"pags/{number:02}", pag)
            for number, run in enumerate(project.runs, start=1):
                write_run(archive, f"runs/{number:02}", run, watch)
            if project.compared:
                archive.writestr(COMPARED, compared_text(project.compared, project.pags, project.runs))
            if project.learn:
                archive.writestr(LEARN, json.dumps(dict(project.learn), ensure_ascii=False))
            archive.writestr("log.txt", project.log)
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        _check_written(temporary, project, Path(path), watch)


def _check_written(temporary: Path, project: Project, path: Path, watch: Watch) -> None:
    """Read back what was written, before it takes the place of an older file: every sum, every header, every row."""
    try:
        with zipfile.ZipFile(temporary) as archive:
            migrate_header(_header(archive))
            for name in archive.namelist():
                if name != TABLE:
                    read_through(archive, name, watch)
            if project.raw is not None:
                _check_table(count_cells(archive, watch), project.raw)
            _check_collections(archive, project)
    except (*DAMAGED, LatconfError) as error:
        problem = (
            f"the saved file cannot be read back ({reason(error)}); nothing was replaced: save to another location"
        )
        raise FileFormatError(problem, path) from None


def _check_table(counted: tuple[int, int], raw: RawTable) -> None:
    if counted != (raw.n_rows, raw.n_columns):
        n_rows, n_columns = counted
        raise FileFormatError(f"it has {n_rows} of {raw.n_rows} rows and {n_columns} of {raw.n_columns} columns")


def _check_collections(archive: zipfile.ZipFile, project: Project) -> None:
    pags, runs = pag_folders(archive), run_folders(archive)
    for folder in (*pags, *runs):
        read_json(archive, f"{folder}/{ABOUT}")
    for folder in runs:
        read_content(archive, folder)
    for folders, kept, called in ((pags, project.pags, "PAGs"), (runs, project.runs, "runs")):
        if len(folders) != len(kept):
            raise FileFormatError(f"it has {len(folders)} of {len(kept)} {called}")


def _content(project: Project) -> dict[str, Any]:
    raw, dataset = project.raw, project.dataset
    return {
        "format": FORMAT_NAME,
        "version": FORMAT_VERSION,
        "program": version("latconf"),
        "name": project.name,
        "source": dict(project.source),
        "read_options": None if raw is None else raw.options.to_json(),
        "columns": None if raw is None else [_column_content(raw, i) for i in range(raw.n_columns)],
        "notes": [] if raw is None else list(raw.notes),
        "preparation": project.preparation.to_json(),
        "dataset_digest": None if dataset is None else dataset.digest,
        "knowledge": _knowledge_content(project.knowledge),
        "current_pag": project.current_pag,
        "current_run": project.current_run,
        "positions": {name: list(position) for name, position in project.positions.items()},
        "model_positions": {name: list(model_position) for name, model_position in project.model_positions.items()},
        "latent_names": [{"children": list(value), "name": name} for value, name in project.latent_names.items()],
        "state_names": [_names_content(latent, names) for latent, names in project.state_names.items()],
        "settings": dict(project.settings),
    }


def _column_content(raw: RawTable, column: int) -> dict[str, Any]:
    raw_column = raw.columns[column]
    declared = {"states": list(raw_column.texts)} if raw_column.is_declared else {}
    return {"name": raw.names[column], **declared}


def _knowledge_content(knowledge: Knowledge) -> str | dict[str, Any]:
    """The table that older programs read too, or JSON where it cannot hold what is said."""
    return knowledge_text(knowledge) if knowledge.has_only_edges else knowledge.to_json()


def _names_content(latent: Latent, names: tuple[str, ...]) -> dict[str, Any]:
    return {"latent": latent.name, "parent": latent.parent, "children": list(latent.children), "states": list(names)}


def read_project(
    path: str | Path, *, control: RunControl | None = None, on_progress: OnProgress | None = None
) -> Project:
    """The project of a file; FileFormatError where its header or table is damaged, or newer than this program."""
    source = Path(path)
    notes: Notes = []
    with _explain_damage(source), _open_archive(source) as archive:
        check_archive(archive, max_member=MAX_MEMBER_BYTES, max_total=MAX_PROJECT_BYTES, limits=MAX_BYTES)
        content = migrate_header(_header(archive))
        header = Header(content)
        raw = None
        if content["columns"] is not None:
            raw = read_raw_table(archive, content, notes=notes, control=control, on_progress=on_progress)
        preparation = Preparation.from_json(content["preparation"], notes)
        prepared = _prepare_as_saved(raw, preparation, content["dataset_digest"])
        dataset = None if prepared is None else prepared.dataset
        pags, runs = read_pags(archive, notes), read_runs(archive, dataset, notes)
        read_compared = partial(parse_compared, pags=pags, runs=runs, notes=notes)
        return Project(
            name=header.name,
            source=header.source,
            raw=raw,
            preparation=preparation,
            prepared=prepared,
            truth=_part(archive, "truth.bif", parse_bif, "the network that the data were drawn from", notes),
            knowledge=header.knowledge,
            pags=pags,
            current_pag=_current(header.current_pag, pags),
            runs=runs,
            current_run=_current(header.current_run, runs),
            compared=_part(archive, COMPARED, read_compared, "the list of compared graphs", notes) or (),
            latent_names=header.latent_names,
            state_names=header.state_names,
            positions=header.positions,
            model_positions=header.model_positions,
            learn=_part(archive, LEARN, _learning, "the state of the Lessons page", notes) or {},
            settings=header.settings,
            log=_part(archive, "log.txt", str, "the log", notes) or "",
            notes=tuple(notes),
        )


def _open_archive(path: Path) -> zipfile.ZipFile:
    check_ordinary_file(path)  # a pipe would never end
    return zipfile.ZipFile(path)


@contextmanager
def _explain_damage(path: Path) -> Iterator[None]:
    """Turns whatever a damaged file makes go wrong into one sentence."""
    try:
        yield
    except FileNotFoundError:
        raise FileFormatError("the file does not exist", path) from None
    except FileFormatError as error:
        raise FileFormatError(error.problem, path) from None
    except zipfile.BadZipFile:
        raise FileFormatError("this is not a latconf project, or it is damaged; open an older copy", path) from None
    except (*DAMAGED, LatconfError) as error:
        raise FileFormatError(f"the project is damaged ({reason(error)}); open an older copy", path) from None
    except OSError as error:
        raise FileFormatError(f"the file cannot be read: {error.strerror or error}", path) from None


def _header(archive: zipfile.ZipFile) -> Content:
    content = parse_json(archive.read("project.json"))
    if not isinstance(content, dict) or content.get("format") != FORMAT_NAME:
        raise FileFormatError("this zip file is not a latconf project; choose a file saved by latconf")
    return content


def _prepare_as_saved(raw: RawTable | None, preparation: Preparation, digest: str | None) -> Prepared | None:
    """The data, checked against the fingerprint that they had when they were saved."""
    if raw is None or digest is None:
        return None
    prepared = prepare(raw, preparation)
    if prepared.dataset.digest != digest:
        raise DataError("its data differ from those that were saved")
    return prepared


def _current(name: str | None, items: Sequence[Named]) -> str:
    """The name of the current item; the last one for None, and "" where it could not be read."""
    if name is None:
        return items[-1].name if items else ""
    return "" if find_item(items, name) is None else name


def _part(archive: zipfile.ZipFile, name: str, parse: Callable[[str], Part], called: str, notes: Notes) -> Part | None:
    """A file of the archive; None where it is not there, or cannot be read, which is then noted."""
    if name not in archive.namelist():
        return None
    return read_part(called, lambda: parse(archive.read(name).decode("utf-8")), notes)


def _learning(text: str) -> Content:
    content = parse_json(text)
    if not isinstance(content, dict):
        raise ValueError("it is not a JSON object")
    return content
