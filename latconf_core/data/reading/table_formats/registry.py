"""Every table format that is read or written; a new one is a module of its own and a line here."""

from __future__ import annotations

from latconf_core.data.reading.table_formats import arff, excel, parquet, separated_text
from latconf_core.data.reading.table_formats.table_format import TableFormat
from latconf_core.errors import OptionError

_FORMATS = (
    separated_text.DELIMITED,
    separated_text.BLANKS,
    arff.FORMAT,
    excel.FORMAT,
    parquet.FORMAT,
)


def table_formats() -> tuple[TableFormat, ...]:
    """Every table format, in the order in which a person is offered them."""
    return _FORMATS


def table_format(name: str) -> TableFormat:
    """The format of this name."""
    for one in _FORMATS:
        if one.name == name:
            return one
    raise OptionError(f"format is {name!r}; choose one of {', '.join(one.name for one in _FORMATS)}")


def table_suffixes() -> tuple[str, ...]:
    """Every extension of a table."""
    return tuple(suffix for one in _FORMATS for suffix in one.suffixes)


def writable_suffixes() -> tuple[str, ...]:
    """Every extension under which data can be written."""
    return tuple(suffix for one in _FORMATS if one.write is not None for suffix in one.suffixes)
