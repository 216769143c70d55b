"""Reads and writes Parquet; needs the extra `arrow`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.data.raw_table import ColumnBuilder, RawColumn, RawTable, recode_cells, smallest_dtype
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.table_formats.column_names import check_width
from latconf_core.data.reading.table_formats.table_format import TableFormat
from latconf_core.data.watch import Watch
from latconf_core.errors import FileFormatError
from latconf_core.files import MAX_DENSE_BYTES, MAX_DENSITY

MAX_DENSE_CELLS = 20_000_000  # in a file of any size; beyond it ...
MAX_CELL_DENSITY = 100  # ... cells per byte: a byte holds eight of two states
STATES_KEY = b"latconf.states"  # the order of states in files we wrote


def _pyarrow(path: Path) -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        problem = "Parquet files need the package pyarrow; install it with: pip install 'latconf[arrow]'"
        raise FileFormatError(problem, path) from None
    return pyarrow


def read_parquet(path: Path, options: ReadOptions, watch: Watch) -> RawTable:
    """The table of a Parquet file, every value as text; null is an empty cell."""
    pa = _pyarrow(path)
    try:
        texts = _text_columns(pa, path)
        with pa.parquet.ParquetFile(path, read_dictionary=texts) as file:
            names = file.schema_arrow.names
            builders = [ColumnBuilder() for _ in names]
            done, total = 0, file.metadata.num_rows
            for batch in file.iter_batches(batch_size=1 << 14):
                watch.step(done, total, f"reading {path.name}")
                for name, array, builder in zip(names, batch.columns, builders):
                    _add(pa, array, builder, name=name, path=path, trim=options.trim)
                done += batch.num_rows
            declared = _declared_states(file.schema_arrow.metadata, path)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FileFormatError(f"the Parquet file is damaged ({_first_line(error)})", path) from None
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise FileFormatError(f"two columns are named {twice[0]!r}; rename one", path)
    if not names:
        raise FileFormatError("the Parquet file has no columns", path)
    columns = [
        _in_order(builder.build(decimal=options.decimal or "."), declared.get(name))
        for name, builder in zip(names, builders)
    ]
    return RawTable(tuple(names), tuple(columns), options, path)


def _text_columns(pa: Any, path: Path) -> list[str]:
    """The columns of text, once the size of the file has been judged: a text of megabytes is then held once."""
    with pa.parquet.ParquetFile(path) as file:
        schema = file.schema_arrow
        check_width(len(schema.names), path)
        _check_size(file.metadata, path)
        return [
            field.name for field in schema if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
        ]


def _check_size(metadata: Any, path: Path) -> None:
    """Refuse what takes far more room than the file, before any of it is unpacked."""
    n_cells, n_bytes = metadata.num_rows * metadata.num_columns, path.stat().st_size
    if n_cells > MAX_DENSE_CELLS and n_cells > MAX_CELL_DENSITY * n_bytes:
        raise FileFormatError(f"{metadata.num_rows:,} rows in {n_bytes:,} bytes are implausibly many", path)
    for i in range(metadata.num_row_groups):
        for j in range(metadata.num_columns):
            part = metadata.row_group(i).column(j)
            size = part.total_uncompressed_size
            if size > MAX_DENSE_BYTES and size > MAX_DENSITY * part.total_compressed_size:
                problem = f"column {part.path_in_schema!r} unpacks to {size:,} bytes, which is implausibly large"
                raise FileFormatError(problem, path)


def _add(pa: Any, array: Any, builder: ColumnBuilder, *, name: str, path: Path, trim: bool) -> None:
    try:
        texts = array if pa.types.is_dictionary(array.type) else array.cast(pa.string()).dictionary_encode()
        cells = texts.indices.cast(pa.int64()).fill_null(-1).to_numpy()  # polars writes unsigned ones
        indices, used = np.unique(cells, return_inverse=True)[::-1]
        known = texts.dictionary.take(pa.array(used[used >= 0])).cast(pa.string()).fill_null("").to_pylist()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        problem = f"column {name!r} has the type {array.type}, which is not a table value; leave it out"
        raise FileFormatError(problem, path) from None
    known = [""] * int((used < 0).any()) + known  # a cell that is missing has the smallest index
    builder.add(indices, [t.strip() for t in known] if trim else known)


def _declared_states(metadata: dict[bytes, bytes] | None, path: Path) -> dict[str, list[str]]:
    if not metadata or STATES_KEY not in metadata:
        return {}
    try:
        declared = json.loads(metadata[STATES_KEY])
    except ValueError:
        raise FileFormatError("the states stored in the Parquet file cannot be read", path) from None
    return declared if isinstance(declared, dict) else {}


def _in_order(column: RawColumn, states: list[str] | None) -> RawColumn:
    """The column with its states as they were declared, where they were."""
    if states is None or not set(column.texts) <= set(states):
        return column
    position_of = {text: i for i, text in enumerate(states)}
    recode = np.array([position_of[text] for text in column.texts], dtype=smallest_dtype(len(states)))
    codes = recode_cells(column.codes, recode)
    return RawColumn(codes, states, is_declared=True)


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def write_parquet(dataset: Dataset, path: Path, suffix: str, watch: Watch) -> None:
    """Write every variable as dictionary-coded text, with its declared states in their order."""
    pa = _pyarrow(path)
    has_gaps = dataset.is_missing
    arrays = [
        pa.DictionaryArray.from_arrays(
            pa.array(dataset.codes[:, i].astype(np.int32), mask=dataset.codes[:, i] < 0 if has_gaps[i] else None),
            pa.array(states, pa.string()),
        )
        for i, states in enumerate(dataset.states)
    ]
    states = json.dumps({name: list(state) for name, state in zip(dataset.names, dataset.states)})
    table = pa.Table.from_arrays(arrays, names=list(dataset.names)).replace_schema_metadata({STATES_KEY: states})
    pa.parquet.write_table(table, path)


FORMAT = TableFormat(
    name="parquet",
    title="Parquet",
    suffixes=(".parquet", ".pq"),
    read=read_parquet,
    write=write_parquet,
    magic=b"PAR1",
    is_text=False,
    aborting_package="pyarrow",
)
