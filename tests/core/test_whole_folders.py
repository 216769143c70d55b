"""Files of a folder that belong together: whatever ends a write, the old ones or the new ones are there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from latconf_core import whole_folders
from latconf_core.errors import FileFormatError
from latconf_core.whole_folders import MANIFEST, READY, check_folder, finish_replacing, replace_files, rescue_texts

OLD = ("model.txt", "result.txt", "picture.txt")
WRITER = """
import os, sys
from pathlib import Path
from latconf_core import whole_folders
moves = int(sys.argv[2])
move = Path.replace
def counted(self, target):
    global moves
    if moves == 0:
        os._exit(9)
    moves -= 1
    return move(self, target)
Path.replace = counted
old = ("model.txt", "result.txt", "picture.txt")
with whole_folders.replace_files(Path(sys.argv[1]), old=old, last="result.txt") as staged:
    for name in ("model.txt", "result.txt"):
        (staged / name).write_text("new")
"""


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in OLD:
        (tmp_path / name).write_text("old")
    (tmp_path / "notes.txt").write_text("mine")
    return tmp_path


NEW = {"model.txt": "new", "result.txt": "new", "notes.txt": "mine"}
BEFORE = {**dict.fromkeys(OLD, "old"), "notes.txt": "mine"}


def test_that_new_files_take_the_place_of_all_old_ones(folder: Path) -> None:
    with replace_files(folder, old=OLD, last="result.txt") as staged:
        for name in ("model.txt", "result.txt"):
            (staged / name).write_text("new")
        assert contents(folder) == BEFORE
    assert contents(folder) == NEW
    assert [path for path in folder.iterdir() if path.is_dir()] == []


def write_half(folder: Path, end: BaseException) -> None:
    """Begin to replace the files, and end before all are written."""
    with replace_files(folder, old=OLD, last="result.txt") as staged:
        (staged / "model.txt").write_text("new")
        raise end


def test_that_a_write_that_fails_leaves_the_old_files(folder: Path) -> None:
    with pytest.raises(FileFormatError, match="No space left on device"):
        write_half(folder, OSError(28, "No space left on device"))
    assert contents(folder) == BEFORE
    assert not (folder / READY).exists()


def test_that_a_write_that_fails_leaves_no_new_folder(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="No space left on device"):
        write_half(tmp_path / "new", OSError(28, "No space left on device"))
    assert list(tmp_path.iterdir()) == []


def test_that_ctrl_c_while_writing_leaves_the_old_files(folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write_half(folder, KeyboardInterrupt())
    assert contents(folder) == BEFORE
    assert len(list(folder.iterdir())) == len(BEFORE)


@pytest.mark.parametrize("moves", range(4))
def test_that_a_process_killed_at_any_move_leaves_the_old_or_the_new_files(folder: Path, moves: int) -> None:
    done = subprocess.run([sys.executable, "-c", WRITER, str(folder), str(moves)], check=False, env={**os.environ})
    assert done.returncode == (9 if moves < 3 else 0)
    finish_replacing(folder)
    assert contents(folder) == (BEFORE if moves == 0 else NEW)
    with replace_files(folder, old=OLD, last="result.txt") as staged:
        (staged / "result.txt").write_text("newest")
    assert contents(folder) == {"result.txt": "newest", "notes.txt": "mine"}
    assert [path for path in folder.iterdir() if path.is_dir()] == []  # nothing is left of the killed process


def test_that_what_another_process_has_ready_meanwhile_is_moved_first(folder: Path) -> None:
    with replace_files(folder, old=OLD, last="result.txt") as staged:
        for name in ("model.txt", "result.txt"):
            (staged / name).write_text("new")
        (folder / READY).mkdir()
        (folder / READY / "model.txt").write_text("of the other")
        (folder / READY / MANIFEST).write_text(json.dumps({"new": ["model.txt"], "gone": []}))
    assert contents(folder) == NEW
    assert not (folder / READY).exists()


def test_that_a_damaged_manifest_changes_nothing(folder: Path) -> None:
    (folder / READY).mkdir()
    (folder / READY / MANIFEST).write_text(json.dumps(["no manifest"]))
    finish_replacing(folder)
    assert contents(folder) == BEFORE


def test_that_a_folder_that_cannot_be_written_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileFormatError, match="the folder cannot be written"):
        check_folder(tmp_path / "file")
    with pytest.raises(FileFormatError, match="the folder cannot be written"):
        check_folder(tmp_path / "file" / "below")


def test_that_checking_a_folder_leaves_none_where_there_was_none(tmp_path: Path) -> None:
    check_folder(tmp_path / "new" / "folder")
    with pytest.raises(FileFormatError):
        check_folder(tmp_path / "other" / ("x" * 300))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "old").mkdir()
    check_folder(tmp_path / "old" / "new")
    assert [path.name for path in tmp_path.rglob("*")] == ["old"]


def test_that_texts_are_rescued_into_a_folder_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_folders.tempfile, "gettempdir", lambda: str(tmp_path))
    texts = rescue_texts({"result.json": "{}"})
    assert texts is not None
    assert contents(texts) == {"result.json": "{}"}
    shutil.rmtree(texts)


def test_that_rescuing_gives_up_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_folders.tempfile, "gettempdir", lambda: str(tmp_path / "none"))
    monkeypatch.setattr(whole_folders.Path, "home", lambda: tmp_path / "none")
    assert rescue_texts({"result.json": "{}"}) is None
