"""A table of discrete data: rows, how often each occurs, and cells that are missing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from latconf_core.arrays import BoolArray, CodeArray, IntArray, WeightArray
from latconf_core.control import RunControl
from latconf_core.data.column_order import LEAST_STATES, ColumnOrder, keep_known, order_places
from latconf_core.data.distinct_rows import DistinctRows, distinct_rows
from latconf_core.data.facts import NO_FACTS, TableFacts
from latconf_core.errors import DataError
from latconf_core.pictures import make_table

if TYPE_CHECKING:
    import pandas as pd

MAX_STATES = 65_535
MISSING = -1  # the code of a missing cell
MOST_SIGNED = 1 << 15  # states that 16 bits can number beside MISSING


class Dataset:
    """Variables, their states, and codes: everything numeric runs on `distinct`, never on raw rows.

    Data with weights are the same as their rows written out as often as they occur; those are made only when `codes`
    is asked for. Fractions of rows cannot be written out: `codes` are then the rows as given.

    names : variable names, in file order
    states : the declared states of each variable; a code is a position in this tuple
    codes : (n_rows, n_variables) small integers, column-major, read-only; MISSING only where `is_complete` is false
    weights : (n_given,) how often each given row occurs, whole numbers or fractions; None where each is one row
    facts : how the table came about; no part of what makes data equal
    ordered : the variables whose states are ordered as they stand, and how that is known
    """

    __slots__ = ("__dict__", "codes", "facts", "names", "ordered", "rows", "states", "weights")

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    codes: CodeArray
    ordered: Mapping[str, ColumnOrder]
    rows: CodeArray
    weights: WeightArray | None
    facts: TableFacts

    def __init__(
        self,
        names: Sequence[str],
        states: Sequence[Sequence[str]],
        codes: npt.ArrayLike,
        weights: npt.ArrayLike | None = None,
        facts: TableFacts = NO_FACTS,
        *,
        ordered: Mapping[str, ColumnOrder] | None = None,
    ) -> None:
        """The data of some rows.

        codes : (n_given, n_variables); −1 where a cell is missing
        weights : (n_given,) how often each occurs; rows that never do are left out
        ordered : by variable, how it is known that its states are ordered as they stand
        """
        self.names = tuple(names)
        self.states = tuple(tuple(state) for state in states)
        self.ordered = keep_known(ordered, self.names, self.states)
        largest = max((len(state) for state in self.states), default=0)
        if largest > MAX_STATES:
            raise DataError(f"a variable has {largest} states; at most {MAX_STATES} are possible: discretise it first")
        given = np.asarray(codes)
        if given.ndim != 2 or given.shape[1] != len(self.names) or len(self.states) != len(self.names):
            raise ValueError(f"{len(self.names)} variables do not fit codes of shape {given.shape}")
        if len(set(self.names)) != len(self.names):
            raise DataError("two variables have the same name; rename one")
        if "" in self.names:
            raise DataError("a variable has no name, which no file of a graph can hold; name it first")
        self._check_codes(given)
        counted = None if weights is None else _check_weights(given, np.asarray(weights))
        if counted is not None and not (counted > 0).all():
            given, counted = given[counted > 0], counted[counted > 0]
        self.rows = self._store(given, largest)
        self.weights = counted
        self.facts = facts.of(self.names)
        if counted is None:
            self.codes = self.rows
        else:
            counted.setflags(write=False)

    def _store(self, given: npt.NDArray[Any], largest: int) -> CodeArray:
        """The rows in the smallest integers, where nobody else may write to them."""
        dtype = np.dtype(np.uint8 if largest <= 256 else np.uint16)
        if given.size and given.min() < 0:
            dtype = np.dtype(np.int16 if largest <= MOST_SIGNED else np.int32)
        rows: CodeArray = np.asfortranarray(given, dtype=dtype)
        if rows is given and (given.flags.writeable or given.base is not None):  # somebody else may write to it
            rows = rows.copy(order="F")
        rows.setflags(write=False)
        return rows

    def _check_codes(self, codes: npt.NDArray[np.integer]) -> None:
        if not np.issubdtype(codes.dtype, np.integer):
            raise ValueError("codes must be integers")
        for column, (name, own_states) in enumerate(zip(self.names, self.states)):
            if len(set(own_states)) != len(own_states):
                raise DataError(f"variable {name!r} has two states of the same name; rename one")
            if len(codes) and (codes[:, column].min() < MISSING or codes[:, column].max() >= len(own_states)):
                raise ValueError(f"a code of {name!r} is outside its {len(own_states)} states")

    def __getattr__(self, name: str) -> Any:
        if name != "codes":
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        if self.weights is None or not self.has_whole_rows:
            self.codes = self.rows
        else:
            self.codes = np.asfortranarray(np.repeat(self.rows, self.weights.astype(np.int64), axis=0))
            self.codes.setflags(write=False)
        return self.codes

    @property
    def counted_rows(self) -> tuple[CodeArray, WeightArray] | None:
        """Rows with how often each occurs, where the data are given by these."""
        return None if self.weights is None else (self.rows, self.weights)

    @property
    def observed_counts(self) -> tuple[IntArray, ...] | None:
        """Where cells are or were missing, how often each state of every variable was observed; None elsewhere."""
        return None if self.is_complete else tuple([self.counts(name) for name in self.names])

    @property
    def has_whole_rows(self) -> bool:
        """Whether the data can be written out: no fractions of rows."""
        return self.weights is None or bool(np.issubdtype(self.weights.dtype, np.integer))

    @cached_property
    def is_missing(self) -> BoolArray:
        """(n_variables,) which variables have missing cells."""
        if self.rows.dtype.kind == "u" or not self.rows.size:
            return np.zeros(self.n_variables, dtype=np.bool_)
        return np.asarray((self.rows < 0).any(axis=0))

    @property
    def is_complete(self) -> bool:
        """Whether no cell is missing."""
        return not self.is_missing.any()

    def check_complete(self) -> None:
        """Refuse missing cells: what counts rows would count them as something else."""
        if not self.is_complete:
            raise ValueError("cells are missing; complete the rows first, or count those that are complete")

    @property
    def n_rows(self) -> int:
        if self.weights is None:
            return int(self.rows.shape[0])
        return round(float(self.weights.sum()))

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
        return tuple(len(state) for state in self.states)

    @cached_property
    def is_ordered(self) -> tuple[bool, ...]:
        """Whether the states of each variable have an order that scores may use; two states have none."""
        return tuple(name in self.ordered and n >= LEAST_STATES for name, n in zip(self.names, self.n_states))

    @cached_property
    def distinct(self) -> DistinctRows:
        """The different rows with their counts, in lexicographic order of codes; computed once."""
        return self._find_distinct(RunControl())

    def _find_distinct(self, control: RunControl) -> DistinctRows:
        """Of the rows written out, found among those given."""
        lowest = 0 if self.is_complete else MISSING
        result = distinct_rows(self.rows, self.n_states, lowest=lowest, control=control)
        if self.weights is None:
            return result
        counts: WeightArray = np.bincount(result.of_row, weights=self.weights, minlength=len(result.counts))
        of_row = result.of_row
        if self.has_whole_rows:
            counts, of_row = np.rint(counts).astype(np.int64), np.repeat(of_row, self.weights.astype(np.int64))
        for array in (counts, of_row):
            array.setflags(write=False)
        return DistinctRows(result.codes, counts, of_row)

    @property
    def knows_distinct(self) -> bool:
        """Whether `distinct` was computed before and costs nothing."""
        return "distinct" in self.__dict__

    def find_distinct(self, control: RunControl) -> None:
        """Compute `distinct` now, where it can be stopped."""
        if not self.knows_distinct:
            self.__dict__["distinct"] = self._find_distinct(control)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of names, states, rows, and of which variables are ordered."""
        return self._compute_digest(None)

    def find_digest(self, control: RunControl | None) -> None:
        """Compute `digest` now, where it can be stopped."""
        if "digest" not in self.__dict__:
            self.__dict__["digest"] = self._compute_digest(control)

    def _compute_digest(self, control: RunControl | None) -> str:
        """Equal data have equal fingerprints, written out or given by counts."""
        n_rows = self.n_rows if self.has_whole_rows else len(self.rows)
        shape = n_rows, self.n_variables
        content = hashlib.sha256(repr((self.names, self.states, shape)).encode() + self._order_content)
        dtype = np.uint16 if self.is_complete else np.int32
        for column in self.rows.T:
            if control is not None:
                control.checkpoint()
            if self.weights is not None and self.has_whole_rows:
                column = np.repeat(column, self.weights.astype(np.int64))
            content.update(column.astype(dtype).tobytes())
        if not self.has_whole_rows:
            content.update(np.asarray(self.weights, dtype=np.float64).tobytes())
        return content.hexdigest()

    @property
    def _order_content(self) -> bytes:
        """What the fingerprint is made of where variables are ordered; nothing where none are, as it always was."""
        named = [name for name, is_ordered in zip(self.names, self.is_ordered) if is_ordered]
        return repr(named).encode() if named else b""

    def column(self, name: str) -> CodeArray:
        """The codes of one variable, (n_rows,)."""
        if name not in self.index:
            raise DataError(f"there is no variable {name!r} in the data")
        return self.codes[:, self.index[name]]

    def counts(self, name: str) -> IntArray:
        """How often each state of a variable occurs; missing cells are left out."""
        if name not in self.index:
            raise DataError(f"there is no variable {name!r} in the data")
        column = self.rows[:, self.index[name]].astype(np.int64)
        seen = column >= 0
        weights = None if self.weights is None else self.weights[seen]
        bincount = np.bincount(column[seen], weights=weights, minlength=self.n_states[self.index[name]])
        return np.rint(bincount).astype(np.int64)

    def count_missing(self, name: str) -> int:
        """How many cells of a variable are missing."""
        return self.n_rows - int(self.counts(name).sum())

    def select(self, names: Sequence[str]) -> Dataset:
        """The data with these variables only, in this order."""
        for name in names:
            if name not in self.index:
                raise DataError(f"there is no variable {name!r} in the data")
        columns = [self.index[name] for name in names]
        states = [self.states[i] for i in columns]
        return Dataset(names, states, self.rows[:, columns], self.weights, self.facts, ordered=self.ordered)

    def with_facts(self, facts: TableFacts) -> Dataset:
        """The same data with other facts about them."""
        return Dataset(self.names, self.states, self.rows, self.weights, facts, ordered=self.ordered)

    def take_rows(self, chosen: npt.NDArray[np.bool_] | IntArray) -> Dataset:
        """The data of some of the given rows, with their weights."""
        weights = None if self.weights is None else self.weights[chosen]
        return self.with_rows(self.rows[chosen], weights)

    def with_rows(self, codes: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Dataset:
        """Other rows of the same variables and states, ordered as these are."""
        return Dataset(self.names, self.states, codes, weights, self.facts, ordered=self.ordered)

    def with_ordered(self, orders: Mapping[str, Sequence[str]]) -> Dataset:
        """The data with variables declared as ordered.

        orders : for each the states, lowest first; an empty sequence for the states as they stand
        """
        states, codes, ordered = list(self.states), self.rows.copy(order="F"), dict(self.ordered)
        for name, order in orders.items():
            self.column(name)
            column = self.index[name]
            places = order_places(name, states[column], order)
            codes[:, column] = np.array([*places, MISSING])[codes[:, column]]
            states[column] = tuple(order) if order else states[column]
            ordered[name] = ColumnOrder()
        return Dataset(self.names, states, codes, self.weights, self.facts, ordered=ordered)

    @classmethod
    def from_pandas(
        cls,
        frame: pd.DataFrame,
        *,
        missing: str | None = None,
        counts: str | None = None,
        ordered: Iterable[str] | Mapping[str, Sequence[str]] | None = None,
    ) -> Dataset:
        """The data of a frame: every column by its values as text, categories in their order.

        missing : "keep" missing cells, "drop" their rows, make them a "state", or fill in the "most-frequent" state;
            None keeps them
        counts : the column that says how often each row occurs
        ordered : columns whose states have an order: their names, or by name the states, lowest first
        """
        from latconf_core.data.reading.frames import dataset_of_frame

        return dataset_of_frame(frame, missing=missing, counts=counts, ordered=ordered)

    def to_pandas(self) -> pd.DataFrame:
        """A frame with a categorical column per variable."""
        from latconf_core.data.reading.frames import frame_of_dataset

        return frame_of_dataset(self)

    def _repr_html_(self) -> str:
        shown = [
            [name, len(states), ", ".join(states[:6]) + (", …" if len(states) > 6 else "")]
            for name, states in self._named()
        ]
        title = f"{self.n_rows:,} rows, {self.n_variables:,} variables"
        return f"<p>{title}</p>" + make_table(["variable", "states", ""], shown)

    def _named(self) -> list[tuple[str, tuple[str, ...]]]:
        return list(zip(self.names, self.states))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        same = self.names == other.names and self.states == other.states and self.is_ordered == other.is_ordered
        if not same or self.has_whole_rows != other.has_whole_rows:
            return False
        if not self.has_whole_rows and not np.array_equal(self.weights, other.weights):  # type: ignore[arg-type]
            return False
        return bool(np.array_equal(self.codes, other.codes))

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Dataset({self.n_rows} rows, {self.n_variables} variables)"

    def __reduce__(self) -> tuple[object, ...]:
        given = self.names, self.states, self.rows, self.weights, self.facts
        return partial(Dataset, ordered=self.ordered), given


def _check_weights(rows: npt.NDArray[Any], weights: npt.NDArray[Any]) -> WeightArray:
    """Whole numbers as 64 bits, fractions as double precision."""
    if weights.shape != rows.shape[:1]:
        raise ValueError(f"{len(rows)} rows need as many weights")
    if weights.size and not (np.isfinite(weights).all() and weights.min() >= 0):
        raise ValueError("weights of rows are numbers from 0 up")
    return weights.astype(np.int64 if np.issubdtype(weights.dtype, np.integer) else np.float64)
