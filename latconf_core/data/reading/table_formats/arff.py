"""ARFF: nominal attributes keep their declared states, all others are taken as they are written."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.data.raw_table import RawColumn, RawTable, recode_cells, smallest_dtype
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.table_formats.column_names import check_width
from latconf_core.data.reading.table_formats.row_writer import write_rows
from latconf_core.data.reading.table_formats.rows import RowsBuilder
from latconf_core.data.reading.table_formats.table_format import TableFormat
from latconf_core.data.watch import Watch, WatchedFile
from latconf_core.errors import FileFormatError
from latconf_core.phrases import counted

ARFF_MISSING = "?"
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(.*)", re.IGNORECASE)
_STATE = re.compile(rf"({_QUOTED})\s*(?:,|$)|([^,'\"]*)(?:,|$)")
_BLANKS = re.compile(r"\s*")
_PLAIN_TYPES = ("numeric", "real", "integer", "string", "date")


@dataclass(frozen=True)
class Attribute:
    """A declared column; states is None where it is not nominal."""

    name: str
    states: tuple[str, ...] | None


def read_arff(path: Path, options: ReadOptions, watch: Watch) -> RawTable:
    """The table of an ARFF file."""
    with io.TextIOWrapper(io.BufferedReader(WatchedFile(path, watch)), encoding=options.encoding) as text:
        lines = enumerate(text, start=1)
        attributes = _read_attributes(lines, path)
        check_width(len(attributes), path)
        builder = RowsBuilder(len(attributes))
        allowed = [None if attribute.states is None else {*attribute.states, ARFF_MISSING} for attribute in attributes]
        for number, cells in _data_rows(lines, path):
            if len(cells) != len(attributes):
                declared = counted(len(attributes), "attribute is", "attributes are")
                problem = f"{counted(len(cells), 'value')} where {declared} declared"
                raise FileFormatError(problem, path, number)
            for cell, states, attribute in zip(cells, allowed, attributes):
                if states is not None and cell not in states:
                    problem = f"{cell!r} is not a declared value of attribute {attribute.name!r}"
                    raise FileFormatError(problem, path, number)
            builder.add(cells)
    columns = [
        _declared(column, attribute)
        for column, attribute in zip(builder.build(decimal=options.decimal or "."), attributes)
    ]
    return RawTable(tuple(attribute.name for attribute in attributes), tuple(columns), options, path)


def _declared(column: RawColumn, attribute: Attribute) -> RawColumn:
    """The column with the texts in declared order, unseen states included."""
    if attribute.states is None:
        return column
    known = set(attribute.states)
    extra = [text for text in column.texts if text not in known]
    texts = [*attribute.states, *extra]
    position_of = {text: i for i, text in enumerate(texts)}
    recode = np.array([position_of[text] for text in column.texts], dtype=smallest_dtype(len(texts)))
    codes = recode_cells(column.codes, recode)
    return RawColumn(codes, texts, is_declared=True)


def _read_attributes(lines: Iterator[tuple[int, str]], path: Path) -> list[Attribute]:
    attributes: dict[str, Attribute] = {}
    for number, line in lines:
        stripped = line.strip()
        lower = stripped.lower()
        if not stripped or stripped.startswith("%") or lower.startswith("@relation"):
            continue
        if lower.startswith("@data"):
            if not attributes:
                raise FileFormatError("@data comes before any @attribute; declare the columns first", path, number)
            return list(attributes.values())
        attribute = _parse_attribute(stripped, path, number)
        if attribute.name in attributes:
            raise FileFormatError(f"two attributes are named {attribute.name!r}; rename one", path, number)
        attributes[attribute.name] = attribute
    raise FileFormatError("there is no @data line; the file is truncated or not ARFF", path)


def _parse_attribute(line: str, path: Path, number: int) -> Attribute:
    match = _ATTRIBUTE.fullmatch(line)
    if match is None:
        problem = f"expected @attribute NAME TYPE, found {_shortened(line)!r}"
        raise FileFormatError(problem, path, number)
    name, kind = _unquoted(match[1]), match[2].strip()
    if kind.startswith("{"):
        return Attribute(name, _parse_states(kind, name, path, number))
    if not kind or kind.split()[0].lower() not in _PLAIN_TYPES:
        problem = f"attribute {name!r} has the type {_shortened(kind)!r}; nominal, numeric, string and date are read"
        raise FileFormatError(problem, path, number)
    return Attribute(name, None)


def _parse_states(kind: str, name: str, path: Path, number: int) -> tuple[str, ...]:
    if "}" not in kind:
        raise FileFormatError(f"the values of attribute {name!r} have no closing brace", path, number)
    inside = kind[1 : kind.rindex("}")].strip()
    states, position = [], 0
    while position < len(inside):
        match = _STATE.match(inside, position)
        if match is None:
            raise FileFormatError(f"the values of attribute {name!r} have an unclosed quote", path, number)
        states.append(_unquoted(match[1]) if match[1] else match[2].rstrip())
        position = _BLANKS.match(inside, match.end()).end()  # type: ignore[union-attr] # it matches nothing, too
    if len(set(states)) != len(states):
        raise FileFormatError(f"attribute {name!r} declares a value twice", path, number)
    if not states:
        raise FileFormatError(f"attribute {name!r} declares no values", path, number)
    return tuple(states)


def _data_rows(lines: Iterator[tuple[int, str]], path: Path) -> Iterator[tuple[int, list[str]]]:
    for number, line in lines:
        stripped = line.strip()
        if not stripped or stripped.startswith("%"):
            continue
        if stripped.startswith("{"):
            raise FileFormatError("sparse ARFF rows are not read; save the file as ordinary ARFF or CSV", path, number)
        yield number, _split_row(stripped, path, number)


def _split_row(line: str, path: Path, number: int) -> list[str]:
    """The values of one row; a value may be quoted by either kind of quote."""
    if "'" not in line and '"' not in line:
        return [cell.strip() for cell in line.split(",")]
    quote = min((q for q in "'\"" if q in line), key=line.index)
    reader = csv.reader([line], quotechar=quote, escapechar="\\", doublequote=False, skipinitialspace=True, strict=True)
    try:
        return [cell.strip() for cell in next(reader)]
    except csv.Error:
        raise FileFormatError("a quote is not closed", path, number) from None


def _unquoted(text: str) -> str:
    if len(text) >= 2 and text[0] in "'\"" and text[-1] == text[0]:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


def is_arff(text: str) -> bool:
    """Whether the first line that is neither blank nor a comment names a relation."""
    for line in io.StringIO(text.removeprefix("\ufeff")):
        stripped = line.strip()
        if stripped and not stripped.startswith("%"):
            return re.match(r"@relation\b", stripped, re.IGNORECASE) is not None
    return False


def write_arff(dataset: Dataset, path: Path, suffix: str, watch: Watch) -> None:
    """Write the states of every variable, seen or not, and the rows."""
    lines = ["@relation data", ""]
    for name, states in zip(dataset.names, dataset.states):
        lines.append(f"@attribute {_quoted(name)} {{{','.join(map(_quoted, states))}}}")
    head = "\n".join([*lines, "", "@data", ""])
    write_rows(dataset, path, head=head, separator=",", quote=_quoted, missing="?", watch=watch)


def _quoted(text: str) -> str:
    if any(c in text for c in "\r\n"):
        raise FileFormatError(f"{text!r} has a line break, which ARFF cannot hold; rename it or write CSV")
    plain = text and text != ARFF_MISSING and not any(c.isspace() or c in ",{}%'\"\\@" for c in text)
    return text if plain else "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


FORMAT = TableFormat(
    name="arff", title="ARFF", suffixes=(".arff",), read=read_arff, write=write_arff, recognises=is_arff
)
