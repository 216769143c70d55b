"""Mean ranks of methods over data sets, as the paper gives them: 1 is the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from latconf_core.bench.bench_columns import BenchRow

DIGITS = 2  # of nats: what differs by less is the noise of two fits, and counts as equal


@dataclass(frozen=True)
class MeanRanks:
    """Methods ranked by one number on each data set, and the mean of that.

    what : the number: "p_elbo" or "held_out"
    data : the data sets on which every method has that number; others cannot be ranked
    ranks : method → mean rank; of equal methods each has the mean of their places
    """

    what: str
    data: tuple[str, ...]
    ranks: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        return {"data_sets": len(self.data), "ranks": dict(self.ranks)}


def _p_elbo(row: BenchRow) -> float | None:
    return row.result.p_elbo


def _held_out(row: BenchRow) -> float | None:
    return None if row.result.held_out is None else row.result.held_out * row.n_rows


MEASURED: Mapping[str, Callable[[BenchRow], float | None]] = {"p_elbo": _p_elbo, "held_out": _held_out}


def rank_methods(rows: Sequence[BenchRow], what: str) -> MeanRanks:
    """The mean ranks by p-ELBO, among what has one, or by held-out likelihood, among all."""
    value = MEASURED[what]
    methods = list(dict.fromkeys(row.cell.method for row in rows if value(row) is not None))
    by_data: dict[str, dict[str, float]] = {}
    for row in rows:
        own = value(row)
        if own is not None:
            by_data.setdefault(row.cell.data, {})[row.cell.method] = own
    whole = {name: values for name, values in by_data.items() if len(values) == len(methods)}
    places = [rank(values) for values in whole.values()]
    ranks = {method: fmean(one[method] for one in places) for method in methods} if places else {}
    return MeanRanks(what, tuple(whole), dict(sorted(ranks.items(), key=lambda item: item[1])))


def rank(values: Mapping[str, float]) -> dict[str, float]:
    """The place of each by falling value; of equal ones the mean of their places."""
    rounded = {name: round(value, DIGITS) for name, value in values.items()}
    ordered = sorted(rounded.values(), reverse=True)
    first = {value: ordered.index(value) for value in ordered}
    return {name: first[value] + (ordered.count(value) + 1) / 2 for name, value in rounded.items()}


def rank_by_rows(rows: Sequence[BenchRow], what: str) -> dict[int, MeanRanks]:
    """The mean ranks apart for each size of table; empty where all have the same."""
    sizes = sorted({row.n_rows for row in rows})
    if len(sizes) < 2:
        return {}
    return {size: rank_methods([row for row in rows if row.n_rows == size], what) for size in sizes}


def ranks_json(rows: Sequence[BenchRow]) -> dict[str, Any]:
    """The mean ranks of `latconf bench --json`."""
    found: dict[str, Any] = {what: rank_methods(rows, what).to_json() for what in MEASURED}
    found["by_rows"] = {
        what: {str(size): one.to_json() for size, one in rank_by_rows(rows, what).items()} for what in MEASURED
    }
    return found
