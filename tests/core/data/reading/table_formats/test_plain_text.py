"""The fast reader of plain text gives what the general reader gives, or leaves the file to it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from latconf_core.control import RunControl, StopRequested
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.detect import detect
from latconf_core.data.reading.load import read_table
from latconf_core.data.reading.table_formats import plain_text
from latconf_core.data.reading.table_formats.plain_text import read_plain
from latconf_core.data.watch import Watch
from latconf_core.errors import FileFormatError

OPTIONS = ReadOptions(format="delimited", delimiter=",", quote='"', header=True, encoding="utf-8", decimal=".")


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is large enough for the fast reader, and has several blocks."""
    monkeypatch.setattr(plain_text, "MIN_BYTES", 1)
    monkeypatch.setattr(plain_text, "BLOCK_BYTES", 160)  # more than the longest row of CELLs


def read(path: Path, options: ReadOptions = OPTIONS) -> list[list[str]]:
    raw = read_table(path, options)
    return [[raw.cell(row, i) for i in range(raw.n_columns)] for row in range(raw.n_rows)]


CELL = st.text("ab1 .é日-", max_size=14)


@given(rows=st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=30), end=st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_that_both_readers_agree_on_plain_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: list[tuple[str, str, str]], end: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(end.join(["A,B,C", *map(",".join, rows), ""]).encode())
    fast = read_plain(path, OPTIONS, 3, Watch())
    assert fast is not None
    columns = [builder.build() for builder in fast]
    assert [[c.texts[c.codes[i]] for c in columns] for i in range(len(rows))] == [[t.strip() for t in r] for r in rows]
    with monkeypatch.context() as general:
        general.setattr(plain_text, "MIN_BYTES", 1 << 40)
        raw = read_table(path, OPTIONS)
    for column, other in zip(columns, raw.columns):
        assert column.texts == other.texts
        assert np.array_equal(column.codes, other.codes)


@pytest.mark.parametrize(
    "body",
    [
        'no,"x"\n',
        "no,x\n\nyes,y\n",
        "no,x\ryes,y\r",
        "no,x,\nyes,y,\n",
        "".join(f"v{i},x\n" for i in range(1100)),
        "no," + "x" * 200 + "\n",
    ],
    ids=["quotes", "blank line", "CR only", "trailing delimiter", "too many texts", "a row longer than a block"],
)
def test_that_text_that_is_not_plain_is_left_to_the_general_reader(tmp_path: Path, body: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"A,B\n" + body.encode())
    assert read_plain(path, OPTIONS, 2, Watch()) is None
    cells = [line.rstrip(",").replace('"', "").split(",") for line in body.replace("\r", "\n").split("\n") if line]
    assert read(path) == cells


@pytest.mark.parametrize(("body", "line"), [("1,2\n3\n", 3), ("1,2\n1,2,3\n", 3), ("1,2\n" * 40 + "1\n", 42)])
def test_that_ragged_rows_are_still_refused_with_their_line(tmp_path: Path, body: str, line: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text("A,B\n" + body)
    with pytest.raises(FileFormatError) as caught:
        read_table(path, OPTIONS)
    assert caught.value.line == line


def test_that_long_texts_with_equal_beginnings_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("A,B\nstrongly agree,x\nstrongly disagree,y\nstrongly agree,y\nstrongly agreed,x\n")
    assert [row[0] for row in read(path)] == [
        "strongly agree",
        "strongly disagree",
        "strongly agree",
        "strongly agreed",
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\xef\xbb\xbfA,B\nno,x\nyes,y", [["no", "x"], ["yes", "y"]]),
        (b"1,0\n0,1\n1,1\n", [["1", "0"], ["0", "1"], ["1", "1"]]),
        (b"\xef\xbb\xbf1,0\n0,1\n1,1\n", [["1", "0"], ["0", "1"], ["1", "1"]]),
        ("A,B\nné,x\nno,y\n".encode("latin-1"), [["né", "x"], ["no", "y"]]),
    ],
    ids=["BOM", "no header", "BOM, no header", "latin-1"],
)
def test_that_marks_headers_and_encodings_are_heeded(tmp_path: Path, content: bytes, expected: list[list[str]]) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    options = detect(path)
    assert read_plain(path, options, 2, Watch()) is not None
    assert read(path, options) == expected


@pytest.mark.parametrize(
    "head",
    ["\n", "\n\n  \n", "\r\n\r\n", "\ufeff\n", "\ufeff"],
    ids=["one", "several", "CRLF", "BOM and blank line", "BOM"],
)
def test_that_blank_lines_before_the_header_are_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes((head + "A,B\nno,x\nyes,y\n" + "no,y\n" * 40).encode())
    raw = read_table(path)
    assert raw.names == ("A", "B")
    assert raw.n_rows == 42
    assert raw.columns[0].texts == ("no", "yes")
    with monkeypatch.context() as fast_alone:
        fast_alone.setattr("latconf_core.data.reading.table_formats.separated_text._read_rows", None)
        assert read_table(path).n_rows == 42


def test_that_the_fast_reader_can_be_stopped(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("A,B\n" + "no,x\n" * 200)
    asked = iter([False, False, True])
    with pytest.raises(StopRequested):
        read_plain(path, OPTIONS, 2, Watch(RunControl(lambda: next(asked, True))))
