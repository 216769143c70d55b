"""Files that made the program freeze or fail inside: blank lines, odd digits, pipes."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import numpy as np
import pytest

from latconf_core.data.dataset import Dataset
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.detect import detect
from latconf_core.data.reading.load import load_dataset, read_table
from latconf_core.data.reading.table_formats.column_names import MAX_COLUMNS
from latconf_core.data.reading.table_formats.separated_text import WIDE
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.state_order import MANY, order_states
from latconf_core.errors import DataError, FileFormatError, LatconfError
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


def test_that_a_table_of_a_million_columns_is_refused_before_anything_is_made_of_them(tmp_path: Path) -> None:
    for text in ("," * 999_999, "x," * 400_000 + "\n" + "1," * 100_000, "a " * 400_000 + "\n1 2"):
        (tmp_path / "a.csv").write_text(text)
        with pytest.raises(FileFormatError, match=r"0,00[01] columns are more than latconf reads \(4,000\)"):
            read_table(tmp_path / "a.csv")


@pytest.mark.parametrize("name", ["a.arff", "a.parquet", "a.txt"])
def test_that_other_formats_refuse_too_many_columns_too(tmp_path: Path, name: str) -> None:
    names = [f"c{i}" for i in range(MAX_COLUMNS + 1)]
    data = Dataset(names, [("0", "1")] * len(names), np.zeros((1, len(names)), dtype=np.uint8))
    write_dataset(data, tmp_path / name)
    with pytest.raises(FileFormatError, match="4,001 columns are more than latconf reads"):
        read_table(tmp_path / name)


def test_that_a_wide_table_is_read_as_a_narrow_one(tmp_path: Path) -> None:
    """Record by record where there are many columns; here with quotes, blanks and a delimiter at the end."""
    n = 2 * WIDE
    head, first, second = ",".join(f"c{i}" for i in range(n)), '"a, b", 1,' * (n // 2), "x,2 ," * (n // 2)
    (tmp_path / "wide.csv").write_text(f"{head},\n{first}\n{second}\n")
    wide = read_table(tmp_path / "wide.csv")
    assert [wide.cell(row, column) for row in (0, 1) for column in (0, 1, n - 1)] == ["a, b", "1", "1", "x", "2", "2"]
    (tmp_path / "wide.csv").write_text(f"{head}\n{first.removesuffix(',')}\n1,2,3\n")
    with pytest.raises(FileFormatError, match=r"line 3: 3 cells where 600 are expected"):
        read_table(tmp_path / "wide.csv")


@pytest.mark.parametrize("text", ['"\n}', '"', '"\n"', "\x1a", "a\n\x00", '"a\n,', "{\n"])
def test_that_a_few_odd_characters_are_read_or_refused_with_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with contextlib.suppress(LatconfError):
        read_table(tmp_path / "a.csv")


@pytest.mark.parametrize("damage", [b"\xff\xfe\xff", b"\xed\xa0\x80"])
def test_that_damaged_names_in_parquet_are_refused_with_a_sentence(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "a.parquet"
    write_dataset(Dataset(["qqq", "b"], [("0", "1")] * 2, np.zeros((4, 2), dtype=np.uint8)), path)
    path.write_bytes(path.read_bytes().replace(b"qqq", damage))
    with pytest.raises(FileFormatError, match=r"a\.parquet"):
        read_table(path)


def test_that_halves_of_characters_are_refused(tmp_path: Path) -> None:
    for text in ("a,+2AA-\n1,2\n", "a,b\n1,+2AA-\n2,3\n"):
        (tmp_path / "a.csv").write_text(text)
        with pytest.raises(LatconfError, match=r"an incomplete character|not utf-7 text"):
            read_table(tmp_path / "a.csv", ReadOptions(encoding="utf-7"))
    with pytest.raises(DataError, match="an incomplete character"):
        RawTable(("\ud800",), (RawColumn(np.zeros(1, dtype=np.uint8), ["x"]),))
    with pytest.raises(DataError, match="an incomplete character"):
        RawTable(("a",), (RawColumn(np.zeros(1, dtype=np.uint8), ["\udc00"]),))


def test_that_many_states_are_ordered_without_care_but_numbers_by_value() -> None:
    states = [f"x{i}" for i in range(MANY)] + ["10", "9", "-1"]
    assert order_states(states)[:3] == ["-1", "9", "10"]


def write_parquet(path: Path, columns: dict[str, object]) -> int:
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pytest.importorskip("pyarrow").table(columns), path)
    return path.stat().st_size


def test_that_a_long_text_in_parquet_is_held_once(tmp_path: Path) -> None:
    """Two hundred cells of it were a gigabyte, in a file of 235,000 bytes."""
    pa = pytest.importorskip("pyarrow")
    path = tmp_path / "a.parquet"
    assert write_parquet(path, {"a": ["x" * 5_000_000, "y"] * 100, "b": ["u", None] * 100}) < 1_000_000
    before = pa.total_allocated_bytes(), pa.default_memory_pool().max_memory()
    table = read_table(path)
    assert [len(column.texts) for column in table.columns] == [2, 2]
    assert pa.default_memory_pool().max_memory() < max(before) + 100_000_000


def test_that_a_parquet_file_of_more_rows_than_can_be_meant_is_refused_before_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    ones = np.ones(11_000_000, dtype=np.int8)
    assert write_parquet(path, {"a": ones, "b": ones}) < 1_000_000
    with pytest.raises(FileFormatError, match=r"a\.parquet.*rows in .* bytes are implausibly many"):
        read_table(path)


def test_that_a_column_of_parquet_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": ["x" * 1_000_000] * 60}), path, use_dictionary=False, compression="zstd")
    with pytest.raises(FileFormatError, match="column 'a' unpacks to"):
        read_table(path)


@pytest.mark.parametrize("is_coded", [False, True])
def test_that_missing_cells_of_parquet_are_empty_wherever_they_are(tmp_path: Path, is_coded: bool) -> None:
    pa = pytest.importorskip("pyarrow")
    texts = pa.array([None, "b", "a", None, "", "b"])
    write_parquet(
        tmp_path / "a.parquet", {"t": texts.dictionary_encode() if is_coded else texts, "n": [None, 1, 2] * 2}
    )
    text, number = read_table(tmp_path / "a.parquet").columns
    assert [text.texts[code] for code in text.codes] == ["", "b", "a", "", "", "b"]
    assert [number.texts[code] for code in number.codes] == ["", "1", "2"] * 2
