"""Data frames of pandas in and out: what a notebook has, prepared as a file would be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.preparing.prepare import Prepared, prepare
from latconf_core.data.raw_table import ColumnBuilder, RawColumn, RawTable
from latconf_core.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

Orders = Mapping[str, Sequence[str]]
Cuts = Mapping[str, Sequence[Any]]  # by column a method and a number of intervals, or cut points
MISSING = {
    "keep": "keep",
    "drop": "drop rows",
    "state": "own state",
    "most-frequent": "most frequent",
}  # as on the command line


def read_frame(frame: pd.DataFrame, preparation: Preparation | None = None) -> Prepared:
    """The data of a frame, each column by its values as text; categories keep their order, NaN is a missing cell."""
    return prepare(raw_of_frame(frame), preparation)


def raw_of_frame(frame: pd.DataFrame) -> RawTable:
    """The cells of a frame as text, before any choice about them."""
    names = [str(name) for name in frame.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DataError(f"two columns of the frame are named {twice[0]!r}; rename one")
    columns = tuple(_column(frame.iloc[:, i]) for i in range(len(names)))
    return RawTable(tuple(names), columns)


def _column(series: pd.Series[Any]) -> RawColumn:
    import pandas as pd

    if isinstance(series.dtype, pd.CategoricalDtype):
        texts = _texts(series.cat.categories.to_numpy())
        codes = series.cat.codes.to_numpy().astype(np.int64)
        if (codes < 0).any():
            texts, codes = [*texts, ""], np.where(codes < 0, len(texts), codes)
        return RawColumn(codes, texts, is_declared=True)
    codes, values = pd.factorize(series, use_na_sentinel=True)
    texts = _texts(np.asarray(values))
    builder = ColumnBuilder()
    builder.add(np.where(codes < 0, len(texts), codes), [*texts, ""])
    return builder.build()


def _texts(values: np.ndarray[Any, Any]) -> list[str]:
    """Values as a person writes them: 1.0 is 1 where all numbers are whole."""
    if values.dtype.kind == "f" and all(float(value).is_integer() for value in values):
        return [str(int(value)) for value in values]
    return [str(value) for value in values]


def dataset_of_frame(
    frame: pd.DataFrame,
    *,
    missing: str | None = None,
    counts: str | None = None,
    ordered: Iterable[str] | Orders | None = None,
) -> Dataset:
    """The data of a frame; its ordered categories are ordered.

    missing : "drop" rows with missing cells, make them a "state", or fill in the "most-frequent" state
    ordered : see `load`
    """
    import pandas as pd

    given = {
        str(name): ()
        for name, kind in zip(frame.columns, frame.dtypes)
        if isinstance(kind, pd.CategoricalDtype) and kind.ordered
    }
    return read_frame(frame, prepare_by(missing, counts, {**given, **_orders(ordered)})).dataset


def prepare_by(
    missing: str | None,
    counts: str | None = None,
    ordered: Iterable[str] | Orders | None = None,
    discretise: Cuts | None = None,
) -> Preparation:
    """The choices about a table: the word for its missing cells, as on the command line, its counts, orders, cuts."""
    if missing is not None and missing not in MISSING:
        raise DataError(f"missing is {missing!r}; choose one of {', '.join(MISSING)}")
    policy: Any = MISSING[missing or "keep"]
    orders = tuple((name, tuple(states)) for name, states in _orders(ordered).items())
    rules = tuple((name, _rule(name, value)) for name, value in (discretise or {}).items())
    return Preparation(missing=policy, counts=counts, ordered=orders, discretise=rules)


def _rule(name: str, given: Sequence[Any]) -> Discretisation:
    """A method and a number of intervals, or cut points."""
    if not isinstance(given, str) and given and not isinstance(given[0], str):
        return Discretisation("cut points", cut_points=tuple(given))
    if isinstance(given, str) or len(given) != 2:
        raise DataError(
            f"the cutting of {name!r} is {given!r}; give a method and a number, such as ('equal width', 3), or points"
        )
    method, n_bins = given
    return Discretisation(method, n_bins)


def _orders(ordered: Iterable[str] | Orders | None) -> Orders:
    """By column its states, lowest first; no states for a column that is named alone."""
    if ordered is None:
        return {}
    if isinstance(ordered, Mapping):
        return ordered
    return dict.fromkeys([ordered] if isinstance(ordered, str) else ordered, ())


def frame_of_dataset(dataset: Dataset) -> pd.DataFrame:
    """A frame with a categorical column per variable, its states in their order."""
    import pandas as pd

    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(
                dataset.codes[:, i].astype(np.int64), categories=pd.Index(states), ordered=name in dataset.ordered
            )
            for i, (name, states) in enumerate(zip(dataset.names, dataset.states))
        }
    )


def make_frame(columns: Mapping[str, Sequence[Any] | FloatArray]) -> pd.DataFrame:
    """A frame of these columns."""
    import pandas as pd

    return pd.DataFrame(dict(columns))
