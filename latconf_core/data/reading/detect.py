"""Looks at a file and says how it should be read."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from latconf_core.data.read_options import ReadOptions
from latconf_core.data.reading.table_formats.records import split_records
from latconf_core.data.reading.table_formats.registry import table_format, table_formats
from latconf_core.data.reading.table_formats.separated_text import DELIMITED
from latconf_core.data.state_order import as_number
from latconf_core.errors import FileFormatError
from latconf_core.files import check_ordinary_file

SAMPLE_BYTES = 1 << 17
SAMPLE_RECORDS = 200
DELIMITERS = "\t;,|"
_BINARY_KINDS = (
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file; save it as .xlsx or CSV"),
    (b"\x1f\x8b", "compressed (gzip); unpack it first"),
    (b"7z\xbc\xaf", "compressed (7z); unpack it first"),
    (b"%PDF", "a PDF document; export the table as CSV"),
    (b"\x89PNG", "a picture; choose a table file"),
)
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_ALLOWED_CONTROLS = {7, 8, 9, 10, 11, 12, 13, 27, 0x1A}


def detect(path: str | Path, options: ReadOptions | None = None) -> ReadOptions:
    """How to read the file: what the options leave open is filled in from its content."""
    path, given = Path(path), options or ReadOptions()
    head = _head(path)
    kind = table_format(given.format or _format_of(path, head))
    if not kind.is_text:
        header = given.header if given.header is not None else True
        return replace(given, format=kind.name, header=header, decimal=given.decimal or ".", delimiter=None)
    encoding = given.encoding or _encoding_of(path, head)
    text = _sample_text(path, head, encoding)
    if given.format is None:
        kind = next(
            (
                candidate
                for candidate in table_formats()
                if candidate.recognises is not None and candidate.recognises(text)
            ),
            kind,
        )
    if not kind.is_separated:
        decimal = given.decimal or "."
        return replace(given, format=kind.name, header=True, encoding=encoding, decimal=decimal, delimiter=None)
    return _text_options(path, text, replace(given, encoding=encoding), kind_given=given.format is not None)


def read_head(path: Path, limit: int) -> str:
    """The first lines of a text file in whatever encoding, to tell what it is; lines end in a newline."""
    head = _head(path, limit)
    encoding = next((name for mark, name in _BOMS if head.startswith(mark)), "utf-8")
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head).removeprefix("\ufeff")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text[: text.rfind("\n") + 1] if len(head) == limit and "\n" in text else text


def _text_options(path: Path, text: str, given: ReadOptions, *, kind_given: bool) -> ReadOptions:
    quote = _quote_of(text) if given.quote is None else given.quote
    kind, delimiter = given.format, given.delimiter
    if kind == "blanks":
        delimiter = None
    elif delimiter is None:
        guess = _delimiter_of(text, quote, path.suffix.lower(), blanks_too=not kind_given)
        kind, delimiter = ("blanks", None) if guess == " " else ("delimited", guess)
    else:
        kind = "delimited"
    records = split_records(text, delimiter, quote, limit=SAMPLE_RECORDS)
    header = _has_header(records) if given.header is None else given.header
    decimal = given.decimal or _decimal_of(records, delimiter)
    return replace(given, format=kind, delimiter=delimiter, quote=quote, header=header, decimal=decimal)


def _head(path: Path, limit: int = SAMPLE_BYTES) -> bytes:
    try:
        check_ordinary_file(path)
        with path.open("rb") as file:
            return file.read(limit)
    except ValueError:
        raise FileFormatError("this file name is not allowed; choose another", ascii(str(path))) from None
    except FileNotFoundError:
        raise FileFormatError("the file does not exist; check the name and the folder", path) from None
    except PermissionError:
        raise FileFormatError("you may not read this file; ask its owner for permission", path) from None
    except OSError as error:
        raise FileFormatError(f"the file cannot be read ({error.strerror or error})", path) from None


def _format_of(path: Path, head: bytes) -> str:
    """The format that the first bytes show; the extension only where they do not."""
    if not head.strip():
        raise FileFormatError("the file is empty; it needs a row of names and rows of data", path)
    for candidate in table_formats():
        if candidate.magic and head.startswith(candidate.magic):
            return candidate.name
    for magic, what in _BINARY_KINDS:
        if head.startswith(magic):
            raise FileFormatError(f"this is {what}", path)
    by_suffix = (
        known_format
        for known_format in table_formats()
        if path.suffix.lower() in known_format.suffixes and not known_format.magic
    )
    return next(by_suffix, DELIMITED).name


def _encoding_of(path: Path, head: bytes) -> str:
    """utf-8 where the whole file is, a marked or evident UTF-16, else Windows' Latin."""
    for mark, name in _BOMS:
        if head.startswith(mark):
            return name
    if b"\0" in head:
        return _utf16_without_mark(path, head)
    if sum(byte < 32 and byte not in _ALLOWED_CONTROLS for byte in head[:4096]) > len(head[:4096]) // 50:
        raise FileFormatError("this is not a text file; choose CSV, TSV, ARFF, Excel or Parquet", path)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 22):
                if b"\0" in block:
                    raise _nul_error(path)
                if not block.isascii():
                    decoder.decode(block)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "cp1252" if _decodes(head, "cp1252") else "latin-1"
    return "utf-8"


def _utf16_without_mark(path: Path, head: bytes) -> str:
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.3 * len(head) / 2 and even == 0:
        return "utf-16-le"
    if even > 0.3 * len(head) / 2 and odd == 0:
        return "utf-16-be"
    raise _nul_error(path)


def _nul_error(path: Path) -> FileFormatError:
    with path.open("rb") as file:
        line = next((number for number, text in enumerate(file, start=1) if b"\0" in text), None)
    return FileFormatError("a NUL byte; the file is damaged or not a text file", path, line)


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _sample_text(path: Path, head: bytes, encoding: str) -> str:
    """The beginning of the file as text, up to the last whole line; an undecodable byte is left to the reader."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head)
    if not text.strip("\ufeff \t\r\n\x1a"):
        raise FileFormatError("the file is empty; it needs a row of names and rows of data", path)
    if len(head) == SAMPLE_BYTES:
        cut = max(text.rfind("\n"), text.rfind("\r"))
        text = text[: cut + 1] if cut > 0 else text
    return text


def _quote_of(text: str) -> str:
    """The double quote, unless only single quotes enclose cells."""
    if '"' in text:
        return '"'
    enclosed = re.search(r"(^|[\t;,| ])'[^'\r\n]*'($|[\t;,| \r\n])", text, re.MULTILINE)
    return "'" if enclosed else '"'


def _delimiter_of(text: str, quote: str, suffix: str, *, blanks_too: bool) -> str:
    """The delimiter that cuts the records most evenly; " " stands for runs of blanks."""
    order = {".tsv": "\t;,|", ".tab": "\t;,|", ".csv": ",;\t|"}.get(suffix, DELIMITERS)
    candidates = [*order, " "] if blanks_too else list(order)
    scores = []
    for rank, delimiter in enumerate(candidates):
        if delimiter != " " and delimiter not in text:
            continue
        share, width = _evenness(split_records(text, None if delimiter == " " else delimiter, quote, limit=100))
        if width > 1:
            scores.append((round(share, 3), delimiter != " ", -rank, delimiter))
    return max(scores)[-1] if scores else ","


def _evenness(records: Sequence[Sequence[str]]) -> tuple[float, int]:
    """The share of records as wide as the first, and that width (a trailing empty cell does not count)."""
    widths = Counter(_width(record) for record in records)
    first = _width(records[0]) if records else 0
    return widths[first] / max(len(records), 1), first


def _width(record: Sequence[str]) -> int:
    return len(record) - (1 if len(record) > 1 and not record[-1].strip() else 0)


def _has_header(records: Sequence[Sequence[str]]) -> bool:
    """False where the first row looks like data: all numbers above numbers, or only values seen again below."""
    if not records:
        return True
    first, below = records[0], records[1:]
    if all(as_number(cell) is not None or as_number(cell, ",") is not None for cell in first):
        return any(_column_is_text(below, i) for i in range(len(first)))
    recurring = all(any(i < len(row) and row[i] == cell for row in below) for i, cell in enumerate(first))
    return not (below and recurring)


def _column_is_text(rows: Sequence[Sequence[str]], i: int) -> bool:
    cells = [row[i] for row in rows if i < len(row) and row[i]]
    return bool(cells) and not any(as_number(cell) is not None or as_number(cell, ",") is not None for cell in cells)


def _decimal_of(records: Sequence[Sequence[str]], delimiter: str | None) -> str:
    if delimiter == ",":
        return "."
    cells = [cell.strip() for record in records[1:] for cell in record]
    comma = any("," in cell and as_number(cell, ",") is not None for cell in cells)
    point = any("." in cell and as_number(cell) is not None for cell in cells)
    return "," if comma and not point else "."
