"""read → write → read gives the same table, in every format."""

from __future__ import annotations

import string
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.builders import random_dataset

from latconf_core.control import Progress, RunControl, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.load import load_dataset, read_table
from latconf_core.data.reading.table_formats.registry import writable_suffixes
from latconf_core.data.reading.write import write_dataset
from latconf_core.errors import FileFormatError

EVERYTHING = Preparation(missing_marks=(), max_states=10_000)
_ODD = string.ascii_letters + string.digits + " ,;|\t'\"\n%+@{}?*#=\\é日"
CELLS = st.text(_ODD, min_size=1, max_size=8).map(str.strip).filter(bool)
LINE_CELLS = CELLS.filter(lambda text: "\n" not in text)


@st.composite
def tables(draw: st.DrawFn, cells: st.SearchStrategy[str]) -> Dataset:
    """A table with awkward names and states, in the order in which reading gives them."""
    names = draw(st.lists(cells, min_size=1, max_size=4, unique=True))
    n_rows = draw(st.integers(1, 8))
    columns = [draw(st.lists(cells, min_size=n_rows, max_size=n_rows)) for _ in names]
    states = [list(dict.fromkeys(column)) for column in columns]
    codes = [[state.index(cell) for cell in column] for state, column in zip(states, columns)]
    return Dataset(names, states, np.array(codes).T)


def texts(data: Dataset) -> list[list[str]]:
    return [[data.states[i][code] for i, code in enumerate(row)] for row in data.codes.tolist()]


def read_back(path: Path, names: tuple[str, ...], options: ReadOptions) -> Dataset:
    choices = Preparation(missing_marks=(), include=frozenset(names))
    return load_dataset(path, options, preparation=choices).dataset


def check_round_trip(data: Dataset, suffix: str, options: ReadOptions) -> None:
    """Written and read, the cells are the same; written and read again, the whole Dataset is."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t{suffix}"
        write_dataset(data, path)
        once = read_back(path, data.names, options)
        assert once.names == data.names
        assert texts(once) == texts(data)
        first = path.read_bytes()
        write_dataset(once, path)
        assert read_back(path, data.names, options) == once
        if suffix not in (".xlsx", ".parquet", ".arff"):
            assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("suffix", "options"),
    [
        (".csv", ReadOptions(delimiter=",", quote='"', header=True)),
        (".tsv", ReadOptions(delimiter="\t", quote='"', header=True)),
    ],
)
@given(data=tables(CELLS))
@settings(max_examples=25, deadline=None)
def test_that_any_table_survives_delimited_text(suffix: str, options: ReadOptions, data: Dataset) -> None:
    check_round_trip(data, suffix, options)


@given(data=tables(LINE_CELLS))
@settings(max_examples=25, deadline=None)
def test_that_any_table_survives_blank_separated_text(data: Dataset) -> None:
    check_round_trip(data, ".txt", ReadOptions(format="blanks", quote='"', header=True))


@given(data=tables(LINE_CELLS))
@settings(max_examples=25, deadline=None)
def test_that_any_table_survives_arff(data: Dataset) -> None:
    check_round_trip(data, ".arff", ReadOptions())


@given(data=tables(CELLS))
@settings(max_examples=8, deadline=None)
def test_that_any_table_survives_parquet(data: Dataset) -> None:
    check_round_trip(data, ".parquet", ReadOptions())


@given(data=tables(CELLS))
@settings(max_examples=5, deadline=None)
def test_that_any_table_survives_excel(data: Dataset) -> None:
    check_round_trip(data, ".xlsx", ReadOptions())


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt", ".arff", ".xlsx", ".parquet"])
def test_that_detection_alone_reads_what_was_written(tmp_path: Path, suffix: str) -> None:
    data = random_dataset(np.random.default_rng(4), 200, [2, 3, 4, 6])
    write_dataset(data, tmp_path / f"t{suffix}")
    assert load_dataset(tmp_path / f"t{suffix}").dataset == data


@pytest.mark.parametrize("suffix", [".arff", ".parquet"])
def test_that_formats_with_declared_states_keep_their_order(tmp_path: Path, suffix: str) -> None:
    data = Dataset(["A", "B"], [["low", "mid", "high"], ["z", "a"]], [[2, 0], [0, 1], [0, 1]])
    write_dataset(data, tmp_path / f"t{suffix}")
    assert load_dataset(tmp_path / f"t{suffix}").dataset == data


def test_that_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_text("old")
    with pytest.raises(FileFormatError, match="line break"):
        write_dataset(Dataset(["A"], [["a\nb", "c"]], [[0], [1]]), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_that_a_format_that_is_not_written_is_named(tmp_path: Path) -> None:
    data = random_dataset(np.random.default_rng(0), 3, [2])
    with pytest.raises(FileFormatError, match=r"not written as \.sav; choose one of \.csv"):
        write_dataset(data, tmp_path / "t.sav")
    with pytest.raises(FileFormatError, match="does not exist; create it first"):
        write_dataset(data, tmp_path / "no" / "such" / "folder.csv")
    assert len(writable_suffixes()) == len(set(writable_suffixes()))


def test_that_reading_reports_progress_up_to_the_size_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_dataset(random_dataset(np.random.default_rng(0), 60_000, [2] * 6), path)
    heard: list[Progress] = []
    read_table(path, on_progress=heard.append)
    size = path.stat().st_size
    assert {one.total for one in heard} == {size}
    assert [one.done for one in heard] == sorted(one.done for one in heard)
    assert heard[-1].done == size
    assert heard[-1].text == "reading t.csv"


@pytest.mark.parametrize("suffix", [".csv", ".arff", ".parquet"])
def test_that_reading_stops_when_cancelled(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t{suffix}"
    write_dataset(random_dataset(np.random.default_rng(0), 30_000, [3] * 6), path)
    asked = iter([False, True])
    with pytest.raises(StopRequested):
        read_table(path, control=RunControl(lambda: next(asked, True)))


def test_that_a_cancelled_write_leaves_nothing_behind(tmp_path: Path) -> None:
    data = random_dataset(np.random.default_rng(0), 100_000, [2, 2])
    asked = iter([False, True])
    with pytest.raises(StopRequested):
        write_dataset(data, tmp_path / "t.csv", control=RunControl(lambda: next(asked, True)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "state", "says"),
    [
        ("a.txt", "x\ny", "blank-separated text cannot hold"),
        ("a.arff", "x\ny", "ARFF cannot hold"),
        ("a.xlsx", "x\r\ny", "Excel cannot hold"),
        ("a.xlsx", "x" * 40_000, "longer than an Excel cell"),
    ],
)
def test_that_a_text_that_a_format_would_change_is_refused(tmp_path: Path, name: str, state: str, says: str) -> None:
    pytest.importorskip("openpyxl", reason="Excel files need the extra excel")
    with pytest.raises(FileFormatError, match=says):
        write_dataset(Dataset(["A"], [(state, "z")], [[0], [1]]), tmp_path / name)
    assert not (tmp_path / name).exists()
