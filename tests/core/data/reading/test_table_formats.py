"""A table format is a record: what knows the registry knows the format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.cli.main import main
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.raw_table import RawTable
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.load import load_dataset, read_table
from latconf_core.data.reading.table_formats import registry
from latconf_core.data.reading.table_formats.row_writer import write_rows
from latconf_core.data.reading.table_formats.rows import RowsBuilder
from latconf_core.data.reading.table_formats.table_format import TableFormat
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.watch import Watch
from latconf_core.errors import OptionError


def read_toy(path: Path, options: ReadOptions, watch: Watch) -> RawTable:
    names, *rows = [line.split("/") for line in path.read_text(options.encoding).splitlines()]
    builder = RowsBuilder(len(names))
    for row in rows:
        builder.add(row)
    return RawTable(tuple(names), tuple(builder.build()), options, path)


def write_toy(dataset: Dataset, path: Path, suffix: str, watch: Watch) -> None:
    write_rows(dataset, path, head="/".join(dataset.names) + "\n", separator="/", quote=str, watch=watch)


TOY = TableFormat("toy", "Toy text", (".toy",), read_toy, write_toy)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.TABLE_FORMATS, TOY.name, TOY)


@pytest.mark.usefixtures("toy")
def test_that_a_new_format_is_written_detected_and_read(tmp_path: Path) -> None:
    data = random_dataset(np.random.default_rng(0), 40, [2, 3])
    write_dataset(data, tmp_path / "t.TOY")
    raw = read_table(tmp_path / "t.TOY")
    assert raw.options.format == "toy"
    assert prepare(raw).dataset == data
    assert ".toy" in registry.table_suffixes()


@pytest.mark.usefixtures("toy")
def test_that_the_command_line_converts_to_and_from_a_new_format(tmp_path: Path) -> None:
    data = random_dataset(np.random.default_rng(1), 40, [2, 3])
    write_dataset(data, tmp_path / "a.csv")
    assert main(["convert", str(tmp_path / "a.csv"), str(tmp_path / "b.toy")]) == 0
    assert main(["convert", str(tmp_path / "b.toy"), str(tmp_path / "c.arff")]) == 0
    assert load_dataset(tmp_path / "c.arff").dataset == data


def test_that_an_unknown_format_is_named_with_those_there_are() -> None:
    with pytest.raises(OptionError, match="format is 'toy'; choose one of delimited, blanks, arff, excel, parquet"):
        ReadOptions(format="toy")


def test_that_names_and_suffixes_of_formats_differ() -> None:
    names, suffixes = [table_format.name for table_format in registry.table_formats()], registry.table_suffixes()
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)
