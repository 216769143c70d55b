from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from latconf_core import files
from latconf_core.errors import FileFormatError
from latconf_core.files import (
    check_writable,
    name_in_progress,
    read_text,
    write_atomically,
    write_text_atomically,
)


def test_that_a_byte_order_mark_and_carriage_returns_are_left_out(tmp_path: Path) -> None:
    place = tmp_path / "a.txt"
    place.write_bytes("\ufeffä\r\nb\rc\n".encode())
    assert read_text(place) == "ä\nb\nc\n"


def test_that_written_text_is_read_back_and_replaces_what_was_there(tmp_path: Path) -> None:
    place = tmp_path / "a b.txt"
    place.write_text("old and longer than the new text")
    write_text_atomically(place, "ü\n")
    assert place.read_bytes() == "ü\n".encode()
    assert [one.name for one in tmp_path.iterdir()] == ["a b.txt"]


def test_that_a_write_that_fails_keeps_the_old_file_and_leaves_nothing_behind(tmp_path: Path) -> None:
    place = tmp_path / "a.txt"
    place.write_text("old")

    def fail_half_way() -> None:
        with write_atomically(place) as temporary:
            temporary.write_text("half")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert place.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


def test_that_a_missing_file_a_folder_and_other_encodings_get_a_sentence(tmp_path: Path) -> None:
    latin = tmp_path / "latin.txt"
    latin.write_bytes(b"one\ntwo \xe9\n")
    for place, sentence in [
        (tmp_path / "none.txt", "none.txt: the file does not exist"),
        (tmp_path, f"{tmp_path.name}: this is a folder, not a file"),
        (latin, "latin.txt, line 2: this is not text in UTF-8; save it in that encoding first"),
    ]:
        with pytest.raises(FileFormatError) as found:
            read_text(place)
        assert str(found.value) == sentence


def test_that_writing_into_a_missing_folder_or_onto_a_folder_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"a\.txt: the folder '.*no' does not exist; create it first"):
        write_text_atomically(tmp_path / "no" / "a.txt", "")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileFormatError, match="folder: this is a folder; choose a file name"):
        write_text_atomically(tmp_path / "folder", "")
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_that_a_file_keeps_who_may_read_it_while_and_after_it_is_written(tmp_path: Path, mode: int) -> None:
    place = tmp_path / "a.txt"
    place.write_text("old")
    place.chmod(mode)
    with write_atomically(place) as temporary:
        assert stat.S_IMODE(temporary.stat().st_mode) == mode
        temporary.write_text("new")
    assert stat.S_IMODE(place.stat().st_mode) == mode
    assert place.read_text() == "new"


def test_that_a_link_stays_and_the_file_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    there = tmp_path / "elsewhere" / "a.txt"
    for content in ("first", "second"):  # a link to nothing yet, then to a file
        place = tmp_path / "link.txt"
        if not place.is_symlink():
            place.symlink_to(there)
        write_text_atomically(place, content)
        assert place.is_symlink()
        assert there.read_text() == content


def test_that_a_protected_file_and_a_pipe_are_refused_and_stay(tmp_path: Path) -> None:
    protected, pipe = tmp_path / "a.txt", tmp_path / "pipe"
    protected.write_text("old")
    protected.chmod(0o444)
    os.mkfifo(pipe)
    with pytest.raises(FileFormatError, match="the file is write-protected; choose another name"):
        write_text_atomically(protected, "new")
    with pytest.raises(FileFormatError, match="this is a pipe or a device; choose a file name"):
        write_text_atomically(pipe, "new")
    assert protected.read_text() == "old"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.txt", "pipe"]


def test_that_the_longest_name_a_folder_allows_can_be_written(tmp_path: Path) -> None:
    place = tmp_path / ("n" * 251 + ".txt")
    write_text_atomically(place, "x")
    assert place.read_text() == "x"


def test_that_an_error_while_cleaning_up_does_not_hide_the_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "unlink", refuse)
    monkeypatch.setattr(files.os, "replace", refuse)
    with pytest.raises(FileFormatError, match=r"a\.txt: the file cannot be written: Read-only file system"):
        write_text_atomically(tmp_path / "a.txt", "x")


def test_that_parts_of_a_process_that_is_gone_go_at_the_next_write(tmp_path: Path) -> None:
    gone = subprocess.run(
        [sys.executable, "-c", LEAVE_A_PART, str(tmp_path)], check=True, capture_output=True, text=True
    )
    left = gone.stdout.strip()
    living, foreign = name_in_progress(), ".other.tmp"
    elsewhere = f".latconf-zzzzzz{left[len('.latconf-123456') :]}"
    for name in (living, foreign, elsewhere):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))  # whatever clocks say
    assert (tmp_path / left).exists()
    write_text_atomically(tmp_path / "a.txt", "x")
    assert {one.name for one in tmp_path.iterdir()} == {living, foreign, elsewhere, "a.txt"}


LEAVE_A_PART = """
import sys
from pathlib import Path
from latconf_core.files import name_in_progress
name = name_in_progress()
(Path(sys.argv[1]) / name).touch()
print(name)
"""


def test_that_a_place_is_checked_without_touching_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    check_writable(tmp_path / "a.txt")
    check_writable(tmp_path / "b.txt")
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]
    with pytest.raises(FileFormatError, match="create it first"):
        check_writable(tmp_path / "none" / "a.txt")
    with pytest.raises(FileFormatError, match="this is a folder"):
        check_writable(tmp_path)
