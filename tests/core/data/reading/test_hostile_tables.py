"""Files that made the program freeze or fail inside: blank lines, odd digits, pipes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from latconf_core.data.reading.detect import detect
from latconf_core.data.reading.load import load_dataset, read_table
from latconf_core.data.state_order import order_states
from latconf_core.errors import FileFormatError
from latconf_core.files import read_text


@pytest.mark.parametrize("blank", ["\n", "  \n", "\r\n", "\t \n"])
def test_that_blank_lines_before_the_header_are_skipped_however_many(tmp_path: Path, blank: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes((blank * 3000 + "A,B\nno,x\nyes,y\n").encode())
    assert load_dataset(path).dataset.names == ("A", "B")


def test_that_an_arff_file_is_known_under_many_comments(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n% made by hand\n   \n" * 500 + "@RELATION r\n@attribute A {x,y}\n@data\nx\ny\n")
    assert detect(path).format == "arff"


def test_that_blanks_among_the_values_of_an_attribute_cost_no_time(tmp_path: Path) -> None:
    path = tmp_path / "a.arff"
    path.write_text("@relation r\n@attribute A {" + " " * 20_000 + 'x, "}\n@data\nx\n')
    with pytest.raises(FileFormatError, match="line 2: the values of attribute 'A' have an unclosed quote"):
        read_table(path)


def test_that_values_of_an_attribute_keep_their_inner_blanks(tmp_path: Path) -> None:
    path = tmp_path / "a.arff"
    path.write_text("@relation r\n@attribute A { x  y ,'p q' , z}\n@data\nx  y\n'p q'\nz\n")
    assert read_table(path).columns[0].texts == ("x  y", "p q", "z")


@pytest.mark.parametrize("state", ["1²", "²", "٣", "x٣", "9" * 5000, "x" + "9" * 5000, "1" * 20_000 + "x"])
def test_that_any_digits_make_a_state(tmp_path: Path, state: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"A,B\n{state},x\nyes,y\n{state},y\n", encoding="utf-8")
    assert set(load_dataset(path).dataset.states[0]) == {state, "yes"}


def test_that_digits_inside_states_are_still_ordered_as_numbers() -> None:
    long = "b" + "1" * 5000
    assert order_states([long, "b10", "b9", "b09", "B2"]) == ["B2", "b09", "b9", "b10", long]


@pytest.mark.parametrize("read", [read_table, read_text])
def test_that_pipes_devices_and_folders_are_refused_before_they_are_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: object
) -> None:
    os.mkfifo(tmp_path / "pipe.csv")

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("it was opened")

    monkeypatch.setattr(Path, "open", fail)
    monkeypatch.setattr(Path, "read_bytes", fail)
    for path, words in (
        (tmp_path / "pipe.csv", "pipe or a device"),
        (Path("/dev/zero"), "pipe or a device"),
        (tmp_path, "folder"),
    ):
        with pytest.raises(FileFormatError, match=words):
            read(path)  # type: ignore[operator]
