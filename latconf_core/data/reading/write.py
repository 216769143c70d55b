"""Writes a Dataset as CSV, TSV, blank-separated text, ARFF, Excel or Parquet."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.table_formats.arff import ARFF_MISSING
from latconf_core.data.watch import OnProgress, Watch
from latconf_core.errors import FileFormatError

BLOCK_ROWS = 1 << 15
WRITABLE = (".csv", ".tsv", ".tab", ".txt", ".dat", ".arff", ".xlsx", ".parquet", ".pq")


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
    if suffix not in WRITABLE:
        raise FileFormatError(
            f"data is not written as {suffix or 'a file without extension'}; choose one of {', '.join(WRITABLE)}", path
        )
    with _replaced(path) as temporary:
        if suffix in (".parquet", ".pq"):
            from latconf_core.data.reading.table_formats.parquet import write_parquet

            write_parquet(dataset, temporary)
        elif suffix == ".xlsx":
            from latconf_core.data.reading.table_formats.excel import write_excel

            write_excel(dataset, temporary, [_texts(dataset, i) for i in range(dataset.n_variables)])
        else:
            _write_text(dataset, temporary, suffix, watch)


@contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """A temporary file beside the path that takes its place when all went well."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise FileFormatError(f"the file cannot be written ({error.strerror or error})", path) from None
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    except OSError as error:
        raise FileFormatError(f"the file cannot be written ({error.strerror or error})", path) from None
    finally:
        temporary.unlink(missing_ok=True)


def _write_text(dataset: Dataset, path: Path, suffix: str, watch: Watch) -> None:
    if suffix == ".arff":
        head, separator = _arff_head(dataset), ","
        quote: Callable[[str], str] = _arff_quoted
    else:
        separator = {".csv": ",", ".tsv": "\t", ".tab": "\t"}.get(suffix, " ")
        quote = _quoter(separator)
        head = separator.join(quote(name) for name in dataset.names) + "\n"
    cells = [np.array([quote(state) for state in states], dtype=object) for states in dataset.states]
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(head)
        for start in range(0, dataset.n_rows, BLOCK_ROWS):
            watch.step(start, dataset.n_rows, f"writing {path.name}")
            block = dataset.codes[start : start + BLOCK_ROWS]
            columns = [own[block[:, i]].tolist() for i, own in enumerate(cells)]
            file.write("\n".join(map(separator.join, zip(*columns))))
            file.write("\n")


def _quoter(separator: str) -> Callable[[str], str]:
    """Quotes a cell where a reader would else take it for something other than one text."""

    def quoted(text: str) -> str:
        awkward = not text or any(c in text for c in (separator, '"', "\n", "\r")) or text != text.strip()
        if separator == " ":
            awkward = awkward or len(text.split()) != 1
        return '"' + text.replace('"', '""') + '"' if awkward else text

    return quoted


def _arff_head(dataset: Dataset) -> str:
    lines = ["@relation data", ""]
    for name, states in zip(dataset.names, dataset.states):
        lines.append(f"@attribute {_arff_quoted(name)} {{{','.join(map(_arff_quoted, states))}}}")
    return "\n".join([*lines, "", "@data", ""])


def _arff_quoted(text: str) -> str:
    if any(c in text for c in "\r\n"):
        raise FileFormatError(f"{text!r} has a line break, which ARFF cannot hold; rename it or write CSV")
    plain = text and text != ARFF_MISSING and not any(c.isspace() or c in ",{}%'\"\\@" for c in text)
    return text if plain else "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _texts(dataset: Dataset, column: int) -> list[str]:
    states = np.array(dataset.states[column], dtype=object)
    cells: list[str] = states[dataset.codes[:, column]].tolist()
    return cells
