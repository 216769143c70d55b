"""Reads large plain delimited text fast; what is not plain is left to the general reader."""

from __future__ import annotations

import codecs
import mmap
from pathlib import Path

import numpy as np
import numpy.typing as npt

from latconf_core.data.raw_table import ColumnBuilder
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.watch import Watch

MIN_BYTES = 1 << 22  # below, loading the compiled kernel takes longer than it saves
BLOCK_BYTES = 1 << 23
_ENCODINGS = {"utf-8", "utf-8-sig", "ascii", "cp1252", "iso8859-1"}  # a byte below 128 is that character
_NO_QUOTE = 256


def read_plain(
    path: Path, options: ReadOptions, n_columns: int, watch: Watch, *, header_line: int = 1
) -> list[ColumnBuilder] | None:
    """The columns of the rows below the header; None where the text needs the general reader.

    header_line : the line on which the header ends, where there is one; above it there may be blank lines
    """
    if not _may_be_plain(path, options, n_columns):
        return None
    with path.open("rb") as file:
        view = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)  # closes with the last array that stands on it
    start = len(codecs.BOM_UTF8) if view[:3] == codecs.BOM_UTF8 else 0
    if options.header:
        start = _end_of_line(view, header_line)
        if start == 0 or not _is_plain_head(view[:start], options):
            return None
    return _read_blocks(view, start, options, n_columns, watch=watch, text=f"reading {path.name}")


def _may_be_plain(path: Path, options: ReadOptions, n_columns: int) -> bool:
    encoding = codecs.lookup(options.encoding or "utf-8").name
    return (
        path.stat().st_size >= MIN_BYTES
        and options.format == "delimited"
        and n_columns > 1
        and encoding in _ENCODINGS
        and (options.delimiter or "").isascii()
        and (options.quote or "").isascii()
    )


def _end_of_line(view: mmap.mmap, number: int) -> int:
    """The place behind the line of this number, 0 where there are fewer lines."""
    end = 0
    for _ in range(number):
        end = view.find(b"\n", end) + 1
        if end == 0:
            return 0
    return end


def _is_plain_head(head: bytes, options: ReadOptions) -> bool:
    """Whether lines end with a newline alone or after a carriage return, and nothing is quoted."""
    return (options.quote or "\0").encode() not in head and b"\r" not in head.replace(b"\r\n", b"\n")


def _read_blocks(
    view: mmap.mmap,
    start: int,
    options: ReadOptions,
    n_columns: int,
    *,
    watch: Watch,
    text: str,
) -> list[ColumnBuilder] | None:
    from latconf_core.data.reading.table_formats.kernels import MAX_TEXTS, SLOTS, code_rows

    slots = np.full((n_columns, SLOTS), -1, dtype=np.int16)
    words = np.zeros((n_columns, MAX_TEXTS), dtype=np.uint64)
    places = np.zeros((n_columns, MAX_TEXTS), dtype=np.int64)
    lengths = np.zeros((n_columns, MAX_TEXTS), dtype=np.int64)
    n_texts = np.zeros(n_columns, dtype=np.int64)
    delimiter, quote = ord(options.delimiter or ","), ord(options.quote) if options.quote else _NO_QUOTE
    blocks: list[npt.NDArray[np.uint16]] = []
    content = np.frombuffer(view, dtype=np.uint8)
    size = len(content)
    while start < size:
        watch.step(start, size, text)
        stop = size if start + BLOCK_BYTES >= size else view.rfind(b"\n", start, start + BLOCK_BYTES) + 1
        if stop <= start:
            return None
        n_rows = int(np.count_nonzero(content[start:stop] == ord("\n"))) + (view[stop - 1] != ord("\n"))
        codes = np.empty((n_columns, n_rows), dtype=np.uint16)
        if code_rows(content, start, stop, delimiter, quote, codes, slots, words, places, lengths, n_texts) != n_rows:
            return None
        blocks.append(codes)
        start = stop
    watch.step(size, size, text)
    texts = [
        [_text(view, int(places[i, k]), int(lengths[i, k]), options) for k in range(n_texts[i])]
        for i in range(n_columns)
    ]
    return [_builder([codes[i] for codes in blocks], texts[i]) for i in range(n_columns)]


def _text(view: mmap.mmap, index: int, length: int, options: ReadOptions) -> str:
    text = view[index : index + length].decode(
        "utf-8" if options.encoding == "utf-8-sig" else options.encoding or "utf-8"
    )
    return text.strip() if options.trim else text


def _builder(pieces: list[npt.NDArray[np.uint16]], texts: list[str]) -> ColumnBuilder:
    builder = ColumnBuilder()
    for piece in pieces:
        builder.add(piece, texts)
    return builder
