"""A table of discrete data without missing values."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from latconf_core.errors import DataError

CodeArray = npt.NDArray[np.integer]
IntArray = npt.NDArray[np.int64]
MAX_STATES = 65_535
_KEY_LIMIT = 2**62


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Each different row once.

    codes : (n_distinct, n_variables), column-major
    counts : (n_distinct,) how often each occurs
    of_row : (n_rows,) which distinct row each row of the data is
    """

    codes: CodeArray
    counts: IntArray
    of_row: npt.NDArray[np.intp]


class Dataset:
    """Variables, their states, and codes: everything numeric runs on `distinct`, never on raw rows.

    names : variable names, in file order
    states : the declared states of each variable; a code is a position in this tuple
    codes : (n_rows, n_variables) small unsigned integers, column-major, read-only
    """

    __slots__ = ("__dict__", "codes", "names", "states")

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    codes: CodeArray

    def __init__(self, names: Sequence[str], states: Sequence[Sequence[str]], codes: npt.ArrayLike) -> None:
        self.names = tuple(names)
        self.states = tuple(tuple(own) for own in states)
        largest = max((len(own) for own in self.states), default=0)
        if largest > MAX_STATES:
            raise DataError(f"a variable has {largest} states; at most {MAX_STATES} are possible: discretise it first")
        given = np.asarray(codes)
        if given.ndim != 2 or given.shape[1] != len(self.names) or len(self.states) != len(self.names):
            raise ValueError(f"{len(self.names)} variables do not fit codes of shape {given.shape}")
        if len(set(self.names)) != len(self.names):
            raise DataError("two variables have the same name; rename one")
        self._check_codes(given)
        self.codes = np.asfortranarray(given, dtype=np.uint8 if largest <= 256 else np.uint16)
        if self.codes is given and (given.flags.writeable or given.base is not None):  # somebody else may write to it
            self.codes = self.codes.copy(order="F")
        self.codes.setflags(write=False)

    def _check_codes(self, codes: npt.NDArray[np.integer]) -> None:
        if not np.issubdtype(codes.dtype, np.integer):
            raise ValueError("codes must be integers")
        for column, (name, own) in enumerate(zip(self.names, self.states)):
            if len(set(own)) != len(own):
                raise DataError(f"variable {name!r} has two states of the same name; rename one")
            if len(codes) and (codes[:, column].min() < 0 or codes[:, column].max() >= len(own)):
                raise ValueError(f"a code of {name!r} is outside its {len(own)} states")

    @property
    def n_rows(self) -> int:
        return int(self.codes.shape[0])

    @property
    def n_variables(self) -> int:
        return len(self.names)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The column of each name."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def n_states(self) -> tuple[int, ...]:
        """The number of declared states of each variable."""
        return tuple(len(own) for own in self.states)

    @cached_property
    def distinct(self) -> DistinctRows:
        """The different rows with their counts, in lexicographic order of codes; computed once."""
        key = np.zeros(self.n_rows, dtype=np.int64)
        size = 1
        for column, own in enumerate(self.n_states):
            if size > _KEY_LIMIT // max(own, 1):
                _, fresh, key = _ranked(key)
                size = int(np.count_nonzero(fresh))
            key *= own
            key += self.codes[:, column]
            size *= own
        order, fresh, of_row = _ranked(key)
        starts = np.flatnonzero(fresh)
        first = order[starts]
        codes = np.empty((len(first), self.n_variables), dtype=self.codes.dtype, order="F")
        for column in range(self.n_variables):
            np.take(self.codes[:, column], first, out=codes[:, column])
        counts = np.diff(starts, append=self.n_rows).astype(np.int64)
        for array in (codes, counts, of_row):
            array.setflags(write=False)
        return DistinctRows(codes, counts, of_row)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of names, states and rows."""
        content = hashlib.sha256(repr((self.names, self.states, self.codes.shape)).encode())
        for column in self.codes.T:
            content.update(column.astype(np.uint16))
        return content.hexdigest()

    def column(self, name: str) -> CodeArray:
        """The codes of one variable, (n_rows,)."""
        if name not in self.index:
            raise DataError(f"there is no variable {name!r} in the data")
        return self.codes[:, self.index[name]]

    def counts(self, name: str) -> IntArray:
        """How often each state of a variable occurs."""
        return np.bincount(self.column(name), minlength=len(self.states[self.index[name]])).astype(np.int64)

    def select(self, names: Sequence[str]) -> Dataset:
        """The data with these variables only, in this order."""
        for name in names:
            if name not in self.index:
                raise DataError(f"there is no variable {name!r} in the data")
        columns = [self.index[name] for name in names]
        return Dataset(names, [self.states[i] for i in columns], self.codes[:, columns])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        same = self.names == other.names and self.states == other.states
        return same and bool(np.array_equal(self.codes, other.codes))

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Dataset({self.n_rows} rows, {self.n_variables} variables)"

    def __reduce__(self) -> tuple[type[Dataset], tuple[object, ...]]:
        return Dataset, (self.names, self.states, self.codes)


def _ranked(key: IntArray) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_], IntArray]:
    """The order that sorts the keys, where a new key begins in it, and the rank of each among those that differ."""
    order = np.argsort(key)
    ascending = key[order]
    fresh = np.ones(len(key), dtype=np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=fresh[1:])
    rank = np.empty(len(key), dtype=np.int64)
    rank[order] = np.cumsum(fresh) - 1
    return order, fresh, rank
