"""A library that ends its process does not end ours."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading import apart
from latconf_core.data.reading.load import read_table
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.watch import Watch
from latconf_core.errors import FileFormatError

pytest.importorskip("pyarrow", reason="reading Parquet needs the extra arrow")
PARQUET = ReadOptions(format="parquet")
ABORT = "import os; os.abort()"
HALF_A_WORD = "print('{\"progress\": [1', end='', flush=True)"
SILENT = "import time; time.sleep(600)"


def write_sample(path: Path) -> Path:
    write_dataset(Dataset(["a", "b"], [("1", "2"), ("q", "r")], np.array([[0, 1], [1, 0]] * 30)), path)
    return path


def test_that_the_child_gives_the_same_table_as_the_reader_itself(tmp_path: Path) -> None:
    from latconf_core.data.reading.table_formats.parquet import read_parquet

    path = write_sample(tmp_path / "t.parquet")
    here, there = read_parquet(path, PARQUET, Watch()), read_table(path)
    assert (here.names, here.n_rows, there.source) == (there.names, there.n_rows, path)
    for mine, other in zip(here.columns, there.columns):
        assert (mine.texts, mine.is_declared) == (other.texts, other.is_declared)
        assert np.array_equal(mine.codes, other.codes)


@pytest.mark.parametrize(
    ("program", "says"),
    [(ABORT, "gave up (signal 6)"), (HALF_A_WORD, "gave up (exit code 0)"), (SILENT, "no progress for 1 seconds")],
)
def test_that_a_child_that_dies_or_hangs_becomes_a_sentence(
    program: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_sample(tmp_path / "t.parquet")
    monkeypatch.setattr(apart, "module_command", lambda module: [sys.executable, "-c", program])
    with pytest.raises(FileFormatError) as error:
        apart.read_apart(path, PARQUET, Watch(), max_silence=1)
    assert says in str(error.value)
    assert "t.parquet" in str(error.value)


def test_that_a_reading_without_progress_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_sample(tmp_path / "t.parquet")
    monkeypatch.setattr(apart, "module_command", lambda module: [sys.executable, "-c", SILENT])
    asked: list[bool] = []
    control = RunControl(lambda: asked.append(True) or len(asked) > 3)
    with pytest.raises(StopRequested) as stop:
        apart.read_apart(path, PARQUET, Watch(control))
    assert stop.value.reason is StopReason.CANCELLED


@pytest.mark.skipif(sys.platform == "win32", reason="the system bounds no memory")
def test_that_memory_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_sample(tmp_path / "t.parquet")
    program = "from latconf_core.data.reading import apart; apart._read = lambda *_: bytearray(8 << 30); apart.main()"
    monkeypatch.setattr(apart, "module_command", lambda module: [sys.executable, "-c", program])
    with pytest.raises(FileFormatError, match="far more memory"):
        apart.read_apart(path, PARQUET, Watch())


@pytest.mark.slow
def test_that_flipped_bits_of_the_schema_end_in_a_sentence(tmp_path: Path) -> None:
    """Some of these end pyarrow's process (seen with pyarrow 25)."""
    whole = write_sample(tmp_path / "whole.parquet").read_bytes()
    rng = np.random.default_rng(1)
    for _ in range(12):
        damaged = bytearray(whole)
        damaged[int(rng.integers(len(damaged) // 8, len(damaged) // 3))] ^= 1 << int(rng.integers(8))
        path = tmp_path / "damaged.parquet"
        path.write_bytes(damaged)
        with suppress(FileFormatError):  # or it is read: not every bit matters
            read_table(path)
