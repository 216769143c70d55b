"""A table as it was read: the text of every cell, before any choice of the user."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import IntArray
from latconf_core.data.read_options import ReadOptions
from latconf_core.data.state_order import as_number, decimal_of_texts, order_states
from latconf_core.errors import DataError

_HALF = re.compile("[\ud800-\udfff]")
CodeArray = npt.NDArray[np.unsignedinteger]


def smallest_dtype(n_codes: int) -> type[np.unsignedinteger]:
    """The smallest unsigned integer that holds the codes 0 … n_codes − 1."""
    if n_codes <= 1 << 8:
        return np.uint8
    return np.uint16 if n_codes <= 1 << 16 else np.uint32


def recode_cells(codes: npt.NDArray[np.integer], recode: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """`recode[codes]`, quicker where that changes nothing but the type."""
    if np.array_equal(recode, np.arange(len(recode))):
        return codes.astype(recode.dtype, copy=False)
    changed: npt.NDArray[np.integer] = recode[codes]
    return changed


class RawColumn:
    """The cells of one column: codes into their different texts; an empty cell has the text "".

    codes : (n_rows,) read-only
    texts : the different texts; sorted unless declared
    is_declared : whether the file itself names the states and their order (ARFF, categories of Parquet)
    """

    __slots__ = ("__dict__", "codes", "is_declared", "texts")

    codes: CodeArray
    texts: tuple[str, ...]
    is_declared: bool

    def __init__(self, codes: npt.ArrayLike, texts: Sequence[str], *, is_declared: bool = False) -> None:
        given = np.asarray(codes)
        if given.ndim != 1 or len(set(texts)) != len(texts):
            raise ValueError("a column needs one code a row and different texts")
        if given.size and not 0 <= int(given.min()) <= int(given.max()) < len(texts):
            raise ValueError("a code is outside the texts of its column")
        self.codes = given.astype(smallest_dtype(len(texts)))
        self.codes.setflags(write=False)
        self.texts = tuple(texts)
        self.is_declared = is_declared

    @classmethod
    def sorted(cls, codes: npt.NDArray[np.integer], texts: Sequence[str], *, decimal: str = ".") -> RawColumn:
        """The column with its texts in the order of states."""
        order = order_states(texts, decimal)
        position_of = {text: i for i, text in enumerate(order)}
        recode = np.array([position_of[text] for text in texts], dtype=smallest_dtype(len(texts)))
        return cls(recode_cells(codes, recode), order)

    @cached_property
    def counts(self) -> IntArray:
        """How often each text occurs."""
        return np.bincount(self.codes, minlength=len(self.texts)).astype(np.int64)

    def decimal(self, default: str = ".") -> str:
        """The decimal mark of this column: the table's own, unless only the other makes numbers of the texts."""
        if default not in self._decimals:
            self._decimals[default] = decimal_of_texts(self.texts, default)
        return self._decimals[default]

    def numbers(self, decimal: str = ".") -> npt.NDArray[np.float64]:
        """The number that each text stands for, NaN where it is none; read once."""
        decimal = self.decimal(decimal)
        if decimal not in self._numbers:
            values = [as_number(text, decimal) for text in self.texts]
            self._numbers[decimal] = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
        return self._numbers[decimal]

    @cached_property
    def _decimals(self) -> dict[str, str]:
        return {}

    @cached_property
    def _numbers(self) -> dict[str, npt.NDArray[np.float64]]:
        return {}


@dataclass(frozen=True, eq=False)
class RawTable:
    """Columns by name in file order, with where and how they were read.

    notes : what the reader did that the user should know, one sentence each
    """

    names: tuple[str, ...]
    columns: tuple[RawColumn, ...]
    options: ReadOptions = field(default_factory=ReadOptions)
    source: Path | None = None
    notes: tuple[str, ...] = ()
    index: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.names) != len(self.columns):
            raise ValueError(f"{len(self.names)} names do not fit {len(self.columns)} columns")
        if len({len(column.codes) for column in self.columns}) > 1:
            raise ValueError("the columns differ in their number of rows")
        if len(set(self.names)) != len(self.names):
            raise DataError("two columns have the same name; rename one")
        self._check_letters()
        object.__setattr__(self, "index", {name: i for i, name in enumerate(self.names)})

    def _check_letters(self) -> None:
        """Refuse halves of characters (lone surrogates), which no file can hold again."""
        for name, column in zip(self.names, self.columns):
            for text in (name, "".join(column.texts)):
                if not text.isascii() and _HALF.search(text):
                    raise DataError(f"column {name!r} contains an incomplete character; choose another encoding")

    @property
    def n_rows(self) -> int:
        return len(self.columns[0].codes) if self.columns else 0

    @property
    def n_columns(self) -> int:
        return len(self.columns)

    @property
    def decimal(self) -> str:
        return self.options.decimal or "."

    def column(self, name: str) -> RawColumn:
        """The column of that name."""
        if name not in self.index:
            raise DataError(f"there is no column {name!r} in the table")
        return self.columns[self.index[name]]

    def cell(self, row: int, column: int) -> str:
        """The text of one cell."""
        raw_column = self.columns[column]
        return raw_column.texts[int(raw_column.codes[row])]


class ColumnBuilder:
    """Puts a column together from pieces, each with its own codes and texts."""

    def __init__(self) -> None:
        self._code_of: dict[str, int] = {}
        self._pieces: list[npt.NDArray[np.integer]] = []

    def add(self, codes: npt.NDArray[np.integer], texts: Sequence[str]) -> None:
        """Append rows whose codes point into these texts (which may repeat)."""
        known = self._code_of
        recode = np.array([known.setdefault(text, len(known)) for text in texts], dtype=smallest_dtype(len(known)))
        self._pieces.append(recode_cells(codes, recode))

    def build(self, *, decimal: str = ".") -> RawColumn:
        """The whole column, texts in the order of states."""
        codes: npt.NDArray[np.integer] = np.concatenate(self._pieces) if self._pieces else np.zeros(0, dtype=np.uint8)
        self._pieces.clear()
        return RawColumn.sorted(codes, list(self._code_of), decimal=decimal)
