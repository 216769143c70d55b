"""The readers of tables, one for every extension of every format."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from support.small_runs import confounded

from fuzz.reader import Reader, written
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare_table import prepare_table
from latconf_core.data.reading.load import read_table
from latconf_core.data.reading.table_formats.registry import table_formats
from latconf_core.data.reading.write import write_dataset

_BY_HAND = {
    ".csv": (
        b"a;b;c\n1;x;\n2;y;NA\n2;y;3,5\n",
        '\ufeffn,m\r\n"é""",2\r\n'.encode(),
        b"\n\n\na,b\n1,2\n",
        b'"name, with comma","b"\n"line\nbreak",x\n1,"<b>"\n',
        b"1,2,3\n1,2,3\n3,2,1\n",
    ),
    ".tsv": (b"a\tb\n1\t2\n",),
    ".txt": (b"a b c\n1 2 3\n1 'x y' 3\n",),
    ".arff": (
        b"% c\n@relation r\n@attribute a {x, 'y z'}\n@attribute b numeric\n@data\nx,1\n'y z',3\n?,2\n",
        b'@RELATION "r s"\n@ATTRIBUTE \'a b\' {"q\\"r",s}\n@attribute d date yyyy\n@data\n"q\\"r",2001\n{0 s}\n',
    ),
}


def table_readers() -> Iterator[Reader]:
    """A reader for every extension."""
    for table_format in table_formats():
        for suffix in table_format.suffixes:
            yield Reader(f"table {table_format.name} {suffix}", suffix, _read_table, _table_seeds(suffix))


def _read_table(path: Path) -> object:
    """As far as the Data page goes: read, plan, prepare; the data are written again as a person might."""
    done = prepare_table(read_table(path), Preparation(missing="drop rows"), must_give_data=False)
    if done.prepared is not None and done.prepared.dataset.n_variables:
        write_dataset(done.prepared.dataset, path.with_name("input-again.csv"))
        write_dataset(done.prepared.dataset, path.with_name("input-again.arff"))
    return done


@cache
def _table_seeds(suffix: str) -> tuple[bytes, ...]:
    wild = Dataset(
        ["Größe (cm)", "a,b", "x"], [("1", "2"), ('"q"', "r;s"), ("0.5", "1,5")], np.array([[0, 1, 0], [1, 0, 1]])
    )
    seeds = tuple(written(lambda path, own=data: write_dataset(own, path), suffix) for data in (confounded(12), wild))
    more = {".xlsx": _workbooks, ".parquet": _parquets, ".pq": _parquets}
    return seeds + _BY_HAND.get(suffix, ()) + (more[suffix]() if suffix in more else ())


def _workbooks() -> tuple[bytes, ...]:
    """A workbook with dates, empty cells and a formula, and one with two sheets and an error."""
    import openpyxl

    first, second = openpyxl.Workbook(), openpyxl.Workbook()
    for row in (["day", "n", None, "x"], [datetime.date(2020, 1, 2), 1, None, True], [None, 2.5, "", "é"]):
        first.active.append(row)
    first.active["D4"] = "=B2+1"
    second.active.append(["a", "b"])
    second.active.append(["#DIV/0!", "<b>"])
    second.create_sheet("other").append([1, 2, 3])
    return tuple(written(book.save, ".xlsx") for book in (first, second))


def _parquets() -> tuple[bytes, ...]:
    """Files with every kind of column, and with columns that are no values of a table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    plain = pa.table(
        {
            "n": pa.array([1, None, 3]),
            "f": pa.array([0.5, float("nan"), float("inf")]),
            "b": pa.array([True, False, None]),
            "t": pa.array([datetime.datetime(2020, 1, 1)] * 3),
            "d": pa.array([b"x", b"\xff", None], pa.binary()),
            "c": pa.array(["u", "v", "u"]).dictionary_encode(),
            "none": pa.nulls(3),
        }
    )
    nested = pa.table({"l": pa.array([[1], [2, 3]]), "s": pa.array([{"a": 1}, {"a": None}]), "x": ["1", "2"]})
    empty = pa.table({"a": pa.array([], pa.string())})
    return tuple(written(lambda path, own=one: pq.write_table(own, path), ".parquet") for one in (plain, nested, empty))
