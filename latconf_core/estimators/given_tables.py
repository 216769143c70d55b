"""Frames and arrays as scikit-learn hands them over → data of states, the same columns at `fit` and later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.preparing.prepare import Prepared, plan_columns, prepare
from latconf_core.data.reading.frames import make_frame, prepare_by, raw_of_frame
from latconf_core.estimators.parameters import InputError

if TYPE_CHECKING:
    import pandas as pd


def as_frame(table: Any) -> tuple[pd.DataFrame, tuple[str, ...] | None]:
    """The table as a frame of pandas, and its names where it has some: an array's columns are x0, x1, …"""
    if hasattr(table, "toarray"):
        raise InputError("sparse data cannot be used; convert them by X.toarray()")
    if hasattr(table, "to_pandas"):
        table = table.to_pandas()  # of polars, pyarrow or latconf
    if hasattr(table, "iloc"):
        if table.ndim != 2:
            raise InputError("Expected a frame, got one column; give table[[name]]")
        names = [name for name in table.columns if isinstance(name, str)]
        if 0 < len(names) < len(table.columns):
            raise TypeError("some names of columns are text and others not; make all of them text")
        named = tuple(names) if names else None
        cells = table if names else table.set_axis([f"x{k}" for k in range(table.shape[1])], axis=1)
    else:
        named, cells = None, _frame_of_array(np.asarray(table))
    if not cells.shape[1]:
        raise InputError(f"0 feature(s) (shape={cells.shape}) while a minimum of 1 is required; give a column")
    if not cells.shape[0]:
        raise InputError(f"0 sample(s) (shape={cells.shape}) while a minimum of 1 is required; give a row")
    return cells, named


def _frame_of_array(array: Any) -> pd.DataFrame:
    if array.ndim != 2:
        raise InputError(
            f"Expected 2D array, got {'scalar' if not array.ndim else f'{array.ndim}D'} array instead. Reshape your "
            "data: X.reshape(-1, 1) for one column"
        )
    if np.iscomplexobj(array):
        raise InputError("Complex data not supported; give states or real numbers")
    if array.dtype.kind == "O" and any(isinstance(cell, (dict, list, set)) for cell in array.flat):
        raise TypeError("argument must be a string or a number; a cell holds a collection")
    return make_frame({f"x{k}": array[:, k] for k in range(array.shape[1])}) if array.shape[1] else _empty(len(array))


def _empty(n_rows: int) -> pd.DataFrame:
    return make_frame({"x0": np.zeros(n_rows)}).iloc[:, :0]


def check_same_columns(estimator: Any, frame: pd.DataFrame, names: Sequence[str] | None) -> None:
    """Refuse a table of other columns than were fitted; one without names is taken as in the same order."""
    if frame.shape[1] != estimator.n_features_in_:
        raise InputError(
            f"X has {frame.shape[1]} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input"
        )
    fitted = getattr(estimator, "feature_names_in_", None)
    if fitted is None or names is None or list(names) == list(fitted):
        return
    text = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(names) - set(fitted))
    missing = sorted(set(fitted) - set(names))
    text += "".join(["Feature names unseen at fit time:\n", *(f"- {name}\n" for name in unseen)] if unseen else [])
    text += "".join(
        ["Feature names seen at fit time, yet now missing:\n", *(f"- {name}\n" for name in missing)] if missing else []
    )
    same = "Feature names must be in the same order as they were in fit.\n"
    raise InputError(text if unseen or missing else text + same)


def prepare_table(frame: pd.DataFrame, *, missing: str | None, intervals: int | None) -> Prepared:
    """The data; with `intervals`, columns of numbers with more values than that are cut, equal in frequency.

    A column with one state says nothing and is left out; any other that cannot be used is refused.
    """
    if len(frame) == 1:
        raise InputError("1 sample is too few to learn from; give more rows")
    raw = raw_of_frame(frame)
    preparation: Preparation = prepare_by(missing)
    plans = plan_columns(raw, preparation)
    if intervals is not None:
        rule = Discretisation("equal frequency", intervals)
        cut = tuple((plan.name, rule) for plan in plans if _asks_for(plan, intervals))
        preparation = replace(preparation, discretise=cut)
        plans = plan_columns(raw, preparation)
    for plan in plans:
        if not plan.is_used and np.count_nonzero(plan.counts) > 1:
            raise InputError(f"column {plan.name!r}: {plan.reason}; drop it, or set intervals for numbers")
    return prepare(raw, preparation)


def _asks_for(plan: ColumnPlan, intervals: int) -> bool:
    return plan.is_numeric and not plan.is_declared and len(plan.states) > intervals
