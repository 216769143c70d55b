"""Codes plain delimited text byte by byte (numba): no quotes, every row as wide as the header."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from latconf_core.compiled import numba

MAX_TEXTS = 1024  # different texts of a column; a column with more is left to the general reader
SLOT_BITS = 12
SLOTS = 1 << SLOT_BITS  # of the hash table of a column
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: multiplying by it mixes the high bits
_PRIME = np.uint64(0x100000001B3)
_SHIFT = np.uint64(64 - SLOT_BITS)
_WORD = 8  # texts up to this many bytes are told apart by one integer
_NEWLINE, _RETURN = 10, 13


@numba.njit(cache=True, nogil=True)
def code_rows(
    content: npt.NDArray[np.uint8],
    start: int,
    stop: int,
    delimiter: int,
    quote: int,
    codes: npt.NDArray[np.uint16],
    slots: npt.NDArray[np.int16],
    words: npt.NDArray[np.uint64],
    places: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int64],
    n_texts: npt.NDArray[np.int64],
) -> int:
    """The number of rows coded, or −1 where the text is not plain or a column has too many different texts.

    codes : (n_columns, n_rows) filled
    slots : (n_columns, SLOTS) the code in each slot of the hash tables, −1 where free
    words, places, lengths : (n_columns, MAX_TEXTS) bytes (or their hash), place and length of the text of each code
    n_texts : (n_columns,)
    """
    n_columns, n_rows = codes.shape
    position, row = start, 0
    while position < stop:
        if row >= n_rows:
            return -1
        for column in range(n_columns):
            first = position
            word = np.uint64(0)
            end = np.int64(_NEWLINE)  # the end of the content ends a row
            while position < stop:
                byte = np.int64(content[position])
                if byte == delimiter or byte == _NEWLINE or byte == _RETURN:  # noqa: SIM109 - compiled
                    end = byte
                    break
                if byte == quote:
                    return -1
                if position - first < _WORD:
                    word = (word << np.uint64(8)) | np.uint64(byte)
                else:
                    word = (word ^ np.uint64(byte)) * _PRIME
                position += 1
            length = position - first
            if end == _RETURN:
                position += 1
                if position < stop and content[position] != _NEWLINE:
                    return -1
            if (column == n_columns - 1) != (end != delimiter):
                return -1
            position += 1
            code = code_of(content, column, word, first, length, slots, words, places, lengths, n_texts)
            if code < 0:
                return -1
            codes[column, row] = code
        row += 1
    return row


@numba.njit(cache=True, nogil=True, inline="always")  # called, it would take four times as long
def code_of(
    content: npt.NDArray[np.uint8],
    column: int,
    word: np.uint64,
    first: int,
    length: int,
    slots: npt.NDArray[np.int16],
    words: npt.NDArray[np.uint64],
    places: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int64],
    n_texts: npt.NDArray[np.int64],
) -> int:
    """The code of a text, a new one where it was not seen before, −1 where there is no room for it."""
    slot = np.int64((word * _SPREAD) >> _SHIFT)
    code = np.int64(slots[column, slot])
    while code >= 0:
        is_alike = words[column, code] == word and lengths[column, code] == length
        if is_alike and (length <= _WORD or same_bytes(content, places[column, code], first, length)):
            return int(code)
        slot = (slot + 1) & (SLOTS - 1)
        code = np.int64(slots[column, slot])
    code = n_texts[column]
    if code == MAX_TEXTS:
        return -1
    slots[column, slot] = code
    words[column, code] = word
    places[column, code] = first
    lengths[column, code] = length
    n_texts[column] = code + 1
    return int(code)


@numba.njit(cache=True, nogil=True)
def same_bytes(content: npt.NDArray[np.uint8], number: int, other: int, length: int) -> bool:
    """Whether two stretches of the content are equal."""
    for i in range(length):  # noqa: SIM110 - compiled
        if content[number + i] != content[other + i]:
            return False
    return True
