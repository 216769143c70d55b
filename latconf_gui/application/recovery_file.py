"""A recovery file: a project with a note of what it belongs to, written beside the project or in the user's folder."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from latconf_core.control import RunControl
from latconf_core.errors import FileFormatError
from latconf_core.files import has_file, write_atomically
from latconf_core.formats.projects.project_state import OpenedProject, ProjectState, open_project, save_state
from latconf_core.json_form import parse_json
from latconf_core.phrases import counted
from latconf_gui.application.document_file import FileStamp, Snapshot, read_stamp

SUFFIX = ".recovery"
MAX_NOTE_BYTES = 1 << 20
_NOTE = "recovery.json"


@dataclass(frozen=True, eq=False)
class Recovery:
    """Work that was not saved when its window ended.

    project : where it would have been saved, if it had a place yet
    stamp : what that project looked like then
    """

    path: Path
    state: ProjectState
    project: Path | None
    stamp: FileStamp | None
    written: datetime

    def describe(self) -> str:
        """What it holds, in a few words."""
        state, parts = self.state, []
        if state.dataset is not None:
            parts.append(f"{counted(state.dataset.n_rows, 'row')} of {counted(state.dataset.n_variables, 'variable')}")
        elif state.raw is not None:
            parts.append(counted(state.raw.n_rows, "row"))
        if state.pag is not None:
            n_edges = state.pag.n_edges
            parts.append(f"a PAG with {n_edges} {'edge' if n_edges == 1 else 'edges'}")
        if state.result is not None:
            parts.append("the result of a search")
        if state.learn:
            parts.append("work on the Lessons page")
        return ", ".join(parts)


def recovery_folder() -> Path:
    """Where work is kept before its first save; `LATCONF_RECOVERY_FOLDER` names another place."""
    named = os.environ.get("LATCONF_RECOVERY_FOLDER")
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(named) if named else Path(folder) / "recovery"


def path_beside(project: Path) -> Path:
    """The recovery file of a project: hidden, in the same folder."""
    return project.with_name(f".{project.name}{SUFFIX}")


def write_recovery(snapshot: Snapshot, path: Path, control: RunControl, *, log: str) -> None:
    """Write a recovery file as a whole: until it is on the disk, the one that was there stays."""
    file = snapshot.file
    stamp = None if file.stamp is None else [file.stamp.size, file.stamp.modified, file.stamp.digest]
    note = {"project": None if file.path is None else str(file.path), "stamp": stamp}
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(path) as temporary:
        for _ in save_state(snapshot.state, temporary, control, post=_ignore, log=log):
            control.checkpoint()
        with zipfile.ZipFile(temporary, "a") as archive:
            archive.writestr(_NOTE, json.dumps(note))
        with open(temporary, "rb+") as written:
            os.fsync(written.fileno())
        control.checkpoint()


def read_recovery(path: Path, control: RunControl) -> Recovery:
    """The work in a recovery file."""
    with zipfile.ZipFile(path) as archive:
        if archive.getinfo(_NOTE).file_size > MAX_NOTE_BYTES:
            raise FileFormatError("the recovery note is implausibly large", path)
        note = parse_json(archive.read(_NOTE))
    written = datetime.fromtimestamp(path.stat().st_mtime)
    state = next(event.state for event in _events(path, control) if isinstance(event, OpenedProject))
    project = None if note["project"] is None else Path(note["project"])
    return Recovery(path, state, project, None if note["stamp"] is None else FileStamp(*note["stamp"]), written)


def _events(path: Path, control: RunControl) -> Iterator[object]:
    return open_project(path, control, post=_ignore)


def _ignore(_event: object) -> None:
    """Nobody follows the progress of a recovery file."""


def is_newer(recovery: Recovery) -> bool:
    """Whether it holds what came after the last save of its project."""
    project = recovery.project
    if project is None or not _is_there(project):
        return True
    if recovery.stamp is not None and read_stamp(project).digest == recovery.stamp.digest:
        return True
    return recovery.path.stat().st_mtime_ns > project.stat().st_mtime_ns


def _is_there(project: Path) -> bool:
    try:
        return has_file(project)
    except OSError:  # a damaged note names what no file can be called
        return False
