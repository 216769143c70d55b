"""Parquet files as other programs write them."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from latconf_core.data.reading.load import read_table

pa = pytest.importorskip("pyarrow", reason="reading Parquet needs the extra arrow")
WORDS = ["x", "y", None, "x"]
CELLS = ["x", "y", "", "x"]


def read_column(path: Path) -> list[str]:
    """The first column, cell by cell."""
    table = read_table(path)
    return [table.cell(row, 0) for row in range(table.n_rows)]


def test_that_every_type_of_index_is_read(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    widths = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
    columns = {
        width: pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 0], getattr(pa, width)()), pa.array(["x", "y"]))
        for width in widths
    }
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet")
    assert [[table.cell(row, i) for row in range(4)] for i in range(len(widths))] == [CELLS] * len(widths)


def test_that_texts_categories_and_enums_of_polars_are_read(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    for name, kind in (("text", polars.String), ("cat", polars.Categorical), ("enum", polars.Enum(["y", "x"]))):
        polars.DataFrame({"a": polars.Series(WORDS, dtype=kind)}).write_parquet(tmp_path / f"{name}.parquet")
        assert read_column(tmp_path / f"{name}.parquet") == CELLS, name


def test_that_texts_and_enums_of_duckdb_are_read(tmp_path: Path) -> None:
    """Written by a process of its own: duckdb reports its leaks when a process ends."""
    if find_spec("duckdb") is None:
        pytest.skip("duckdb is not installed")
    program = [
        "import duckdb",
        "connection = duckdb.connect()",
        """connection.execute("CREATE TYPE letters AS ENUM ('y', 'x')")""",
        "for name, what in (('text', 'a'), ('enum', 'a::letters AS a')):",
        """    rows = "(VALUES ('x'), ('y'), (NULL), ('x')) AS t(a)\"""",
        """    connection.execute(f"COPY (SELECT {what} FROM {rows}) TO '{name}.parquet' (FORMAT parquet)")""",
    ]
    subprocess.run([sys.executable, "-c", "\n".join(program)], cwd=tmp_path, check=True, capture_output=True)
    for name in ("text", "enum"):
        assert read_column(tmp_path / f"{name}.parquet") == CELLS, name


def test_that_categories_of_pandas_are_read(tmp_path: Path) -> None:
    import pandas as pd

    for ordered in (False, True):
        column = pd.Categorical(WORDS, categories=["y", "x"], ordered=ordered)
        pd.DataFrame({"a": column}).to_parquet(tmp_path / "t.parquet")
        assert read_column(tmp_path / "t.parquet") == CELLS
