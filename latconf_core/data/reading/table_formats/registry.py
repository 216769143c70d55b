"""Every table format that is read or written; a new one is a module of its own and a line here."""

from __future__ import annotations

from latconf_core.data.reading.table_formats import arff, excel, parquet, separated_text
from latconf_core.data.reading.table_formats.table_format import TableFormat
from latconf_core.errors import OptionError
from latconf_core.plugins import Catalogue

TABLE_FORMATS = Catalogue(
    "latconf.tables",
    (separated_text.DELIMITED, separated_text.BLANKS, arff.FORMAT, excel.FORMAT, parquet.FORMAT),
    kind=TableFormat,
    check=lambda record: _fault(record),
    adapt=lambda record: record.guarded(),
)


def table_formats() -> tuple[TableFormat, ...]:
    """Every table format, in the order in which a person is offered them."""
    return tuple(TABLE_FORMATS.values())


def table_format(name: str) -> TableFormat:
    """The format of this name."""
    if name not in TABLE_FORMATS:
        raise OptionError(f"format is {name!r}; choose one of {', '.join(TABLE_FORMATS)}")
    return TABLE_FORMATS[name]


def table_suffixes() -> tuple[str, ...]:
    """Every extension of a table."""
    return tuple(suffix for entry in table_formats() for suffix in entry.suffixes)


def writable_suffixes() -> tuple[str, ...]:
    """Every extension under which data can be written."""
    return tuple(suffix for entry in table_formats() if entry.write is not None for suffix in entry.suffixes)


def _fault(record: TableFormat) -> str:
    """What is wrong with the format of a plug-in; empty where nothing is."""
    suffixes = record.suffixes
    if not isinstance(suffixes, tuple) or not all(
        isinstance(suffix, str) and suffix.startswith(".") for suffix in suffixes
    ):
        return "its suffixes are no tuple of extensions with their point"
    if not isinstance(record.magic, bytes):
        return "its magic is not made of bytes"
    taken = sorted(set(suffixes) & set(table_suffixes()))
    if taken:
        return f"files that end in {taken[0]} are read already"
    functions = (record.read, record.write, record.recognises)
    is_sound = callable(record.read) and all(function is None or callable(function) for function in functions)
    return "" if is_sound else "its read, write or recognises cannot be called"
