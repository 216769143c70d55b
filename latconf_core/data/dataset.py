"""A table of discrete data without missing values."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import CodeArray, IntArray
from latconf_core.control import RunControl
from latconf_core.data.column_order import LEAST_STATES, ColumnOrder, keep_known, order_places
from latconf_core.data.distinct_rows import DistinctRows, distinct_rows
from latconf_core.errors import DataError
from latconf_core.pictures import make_table

if TYPE_CHECKING:
    import pandas as pd

MAX_STATES = 65_535


class Dataset:
    """Variables, their states, and codes: everything numeric runs on `distinct`, never on raw rows.

    names : variable names, in file order
    states : the declared states of each variable; a code is a position in this tuple
    codes : (n_rows, n_variables) small unsigned integers, column-major, read-only
    ordered : the variables whose states are ordered as they stand, and how that is known
    """

    __slots__ = ("__dict__", "codes", "names", "ordered", "states")

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    codes: CodeArray
    ordered: Mapping[str, ColumnOrder]

    def __init__(
        self,
        names: Sequence[str],
        states: Sequence[Sequence[str]],
        codes: npt.ArrayLike,
        *,
        ordered: Mapping[str, ColumnOrder] | None = None,
    ) -> None:
        self.names = tuple(names)
        self.states = tuple(tuple(own) for own in states)
        self.ordered = keep_known(ordered, self.names, self.states)
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
    def counted_rows(self) -> tuple[CodeArray, IntArray] | None:
        """Rows with how often each occurs, where the data are given by these."""
        return None

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
    def is_ordered(self) -> tuple[bool, ...]:
        """Whether the states of each variable have an order that scores may use; two states have none."""
        return tuple(name in self.ordered and n >= LEAST_STATES for name, n in zip(self.names, self.n_states))

    @cached_property
    def distinct(self) -> DistinctRows:
        """The different rows with their counts, in lexicographic order of codes; computed once."""
        return distinct_rows(self.codes, self.n_states)

    @property
    def knows_distinct(self) -> bool:
        """Whether `distinct` was computed before and costs nothing."""
        return "distinct" in self.__dict__

    def find_distinct(self, control: RunControl) -> None:
        """Compute `distinct` now, where it can be stopped."""
        if not self.knows_distinct:
            self.__dict__["distinct"] = distinct_rows(self.codes, self.n_states, control=control)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of names, states, rows, and of which variables are ordered."""
        return self._compute_digest(None)

    def find_digest(self, control: RunControl | None) -> None:
        """Compute `digest` now, where it can be stopped."""
        if "digest" not in self.__dict__:
            self.__dict__["digest"] = self._compute_digest(control)

    def _compute_digest(self, control: RunControl | None) -> str:
        content = hashlib.sha256(repr((self.names, self.states, self.codes.shape)).encode() + self._order_content)
        for column in self.codes.T:
            if control is not None:
                control.checkpoint()
            content.update(column.astype(np.uint16))
        return content.hexdigest()

    @property
    def _order_content(self) -> bytes:
        """What the fingerprint is made of where variables are ordered; nothing where none are, as it always was."""
        named = [name for name, own in zip(self.names, self.is_ordered) if own]
        return repr(named).encode() if named else b""

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
        return Dataset(names, [self.states[i] for i in columns], self.codes[:, columns], ordered=self.ordered)

    def with_ordered(self, orders: Mapping[str, Sequence[str]]) -> Dataset:
        """The data with variables declared as ordered.

        orders : for each the states, lowest first; an empty sequence for the states as they stand
        """
        states, codes, ordered = list(self.states), self.codes.copy(order="F"), dict(self.ordered)
        for name, order in orders.items():
            own = self.column(name)
            column = self.index[name]
            places = order_places(name, states[column], order)
            codes[:, column] = np.array(places)[own]
            states[column] = tuple(order) if order else states[column]
            ordered[name] = ColumnOrder()
        return Dataset(self.names, states, codes, ordered=ordered)

    @classmethod
    def from_pandas(
        cls,
        frame: pd.DataFrame,
        *,
        missing: str | None = None,
        ordered: Iterable[str] | Mapping[str, Sequence[str]] | None = None,
    ) -> Dataset:
        """The data of a frame: every column by its values as text, categories in their order.

        missing : "drop" rows with missing cells, make them a "state", or fill in the "most-frequent" state; None
            refuses a frame that has any
        ordered : columns whose states have an order: their names, or by name the states, lowest first
        """
        from latconf_core.data.reading.frames import dataset_of_frame

        return dataset_of_frame(frame, missing=missing, ordered=ordered)

    def to_pandas(self) -> pd.DataFrame:
        """A frame with a categorical column per variable."""
        from latconf_core.data.reading.frames import frame_of_dataset

        return frame_of_dataset(self)

    def _repr_html_(self) -> str:
        shown = [[name, len(own), ", ".join(own[:6]) + (", …" if len(own) > 6 else "")] for name, own in self._named()]
        title = f"{self.n_rows:,} rows, {self.n_variables:,} variables"
        return f"<p>{title}</p>" + make_table(["variable", "states", ""], shown)

    def _named(self) -> list[tuple[str, tuple[str, ...]]]:
        return list(zip(self.names, self.states))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        same = self.names == other.names and self.states == other.states and self.is_ordered == other.is_ordered
        return same and bool(np.array_equal(self.codes, other.codes))

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Dataset({self.n_rows} rows, {self.n_variables} variables)"

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Dataset, ordered=self.ordered), (self.names, self.states, self.codes)
