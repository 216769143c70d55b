"""Recovery files and drags that make no sense are passed over; the window starts all the same."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData

from latconf_core.control import RunControl
from latconf_core.formats.projects.project_file import Project, write_project
from latconf_gui.application.compared_graph import MIME, dragged_graph
from latconf_gui.application.recovering import _listed, _read_one
from latconf_gui.application.recovery_file import MAX_NOTE_BYTES


def recovery(folder: Path, note: object) -> Path:
    """A project as a recovery file with this note."""
    path = folder / ".a.latconf.recovery"
    write_project(Project("x"), path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("recovery.json", note if isinstance(note, str) else json.dumps(note))
    return path


def test_that_a_recovery_file_is_found(tmp_path: Path) -> None:
    path = recovery(tmp_path, {"project": None, "stamp": None})
    assert len(list(_read_one(path, None, None, RunControl()))) == 1


@pytest.mark.parametrize(
    "note",
    ["[" * 100_000, "x", [], 5, {}, {"project": 5, "stamp": None}, {"project": None, "stamp": 7}, {"project": None}],
)
def test_that_a_recovery_file_with_an_odd_note_is_passed_over(tmp_path: Path, note: object) -> None:
    assert list(_read_one(recovery(tmp_path, note), None, None, RunControl())) == []


def test_that_a_recovery_file_of_a_project_that_no_file_can_be_is_offered(tmp_path: Path) -> None:
    path = recovery(tmp_path, {"project": "/" + "x" * 5000, "stamp": None})
    assert len(list(_read_one(path, None, None, RunControl()))) == 1


def test_that_a_note_that_unpacks_to_too_much_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = json.dumps({"project": None, "stamp": None}) + " " * MAX_NOTE_BYTES
    path = recovery(tmp_path, note)
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("it was unpacked"))
    assert list(_read_one(path, None, None, RunControl())) == []


@pytest.mark.parametrize("n_bytes", [0, 10, 200, 400])
def test_that_a_recovery_file_that_was_cut_off_is_passed_over(tmp_path: Path, n_bytes: int) -> None:
    path = recovery(tmp_path, {"project": None, "stamp": None})
    path.write_bytes(path.read_bytes()[:n_bytes])
    assert list(_read_one(path, None, None, RunControl())) == []


@pytest.mark.parametrize("text", ["", "{", "5", "[5]", "null", "[" * 100_000])
def test_that_a_list_of_recovery_files_that_makes_no_sense_is_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / "list.json").write_text(text)
    assert _listed(tmp_path / "list.json") == []


@pytest.mark.parametrize("content", [b"", b"{}", b"[" * 100_000, b'{"name": "x", "graph": 5, "source": null}', b"\xff"])
def test_that_a_drag_that_carries_no_graph_is_none(content: bytes) -> None:
    mime = QMimeData()
    mime.setData(MIME, content)
    assert dragged_graph(mime) is None
