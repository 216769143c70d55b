from __future__ import annotations

from pathlib import Path

import pytest

from latconf_core.errors import FileFormatError
from latconf_core.files import read_text, write_atomically, write_text_atomically


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
        (tmp_path / "none.txt", "none.txt: there is no such file"),
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
    with pytest.raises(FileFormatError, match="folder: the file cannot be written: "):
        write_text_atomically(tmp_path / "folder", "")
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]
