"""Writes a Dataset in any table format that can be written."""

from __future__ import annotations

from pathlib import Path

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.table_formats.registry import table_formats, writable_suffixes
from latconf_core.data.watch import OnProgress, Watch
from latconf_core.errors import FileFormatError
from latconf_core.files import write_atomically


def write_dataset(
    dataset: Dataset,
    path: str | Path,
    *,
    control: RunControl | None = None,
    on_progress: OnProgress | None = None,
) -> None:
    """Write the data in the format of the path's extension; the file appears whole or not at all."""
    path, watch = Path(path), Watch(control, on_progress)
    suffix = path.suffix.lower()
    for table_format in table_formats():
        if table_format.write is not None and suffix in table_format.suffixes:
            with write_atomically(path) as temporary:
                table_format.write(dataset, temporary, suffix, watch)
            return
    known = ", ".join(writable_suffixes())
    raise FileFormatError(f"data is not written as {suffix or 'a file without extension'}; choose one of {known}", path)
