"""Mean ranks of methods over data sets, as the paper gives them: 1 is the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from latconf_core.bench.bench_row import BenchRow
from latconf_core.bench.cell import TRUTH
from latconf_core.bench.row_logs import RowMean, rank_with_ties

DIGITS = 2  # of nats: what differs by less is the noise of two fits, and counts as equal
Places = dict[str, float]


@dataclass(frozen=True)
class MeanRanks:
    """Methods ranked by one number on each data set, and the mean of that.

    what : the number: "p_elbo", "held_out" or "fresh"
    data : the data sets on which every method has that number; others cannot be ranked
    ranks : method → mean rank; of tied methods each has the mean of their places. The true DAG is ranked with them by
        held-out and fresh rows, where it is known for all of the data
    """

    what: str
    data: tuple[str, ...]
    ranks: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        return {"data_sets": len(self.data), "ranks": dict(self.ranks)}


def rank(values: Mapping[str, float]) -> Places:
    """The place of each by falling value; of equal ones the mean of their places."""
    rounded = {name: round(value, DIGITS) for name, value in values.items()}
    ordered = sorted(rounded.values(), reverse=True)
    first = {value: ordered.index(value) for value in ordered}
    return {name: first[value] + (ordered.count(value) + 1) / 2 for name, value in rounded.items()}


def _by_p_elbo(rows: Sequence[BenchRow]) -> Places:
    scores = {row.cell.method: row.result.p_elbo for row in rows if not row.cell.is_truth}
    return rank({method: score for method, score in scores.items() if score is not None})


def _by_held_out(rows: Sequence[BenchRow]) -> Places:
    return _by_rows({row.cell.method: row.result.held_out_mean for row in rows})


def _by_fresh(rows: Sequence[BenchRow]) -> Places:
    return _by_rows({row.cell.method: row.result.fresh_mean for row in rows})


def _by_rows(means: Mapping[str, RowMean | None]) -> Places:
    standings = rank_with_ties({method: mean for method, mean in means.items() if mean is not None})
    return {method: standing.mean_place for method, standing in standings.items()}


MEASURED: Mapping[str, Callable[[Sequence[BenchRow]], Places]] = {
    "fresh": _by_fresh,
    "held_out": _by_held_out,
    "p_elbo": _by_p_elbo,
}


def rank_methods(rows: Sequence[BenchRow], what: str) -> MeanRanks:
    """The mean ranks by one number, over the data sets on which every method has it."""
    measure = MEASURED[what]
    by_data: dict[str, list[BenchRow]] = {}
    for row in rows:
        by_data.setdefault(row.cell.data, []).append(row)
    known = {data: set(measure(value)) - {TRUTH} for data, value in by_data.items()}
    methods = set().union(*known.values())
    whole = [data for data, have in known.items() if have and have == methods]
    places = [measure(by_data[data]) for data in whole]
    if not all(TRUTH in by_method for by_method in places):  # unknown for some: a mean over others would not compare
        places = [measure([row for row in by_data[data] if not row.cell.is_truth]) for data in whole]
    ranks = {method: fmean(by_method[method] for by_method in places) for method in places[0]} if places else {}
    return MeanRanks(what, tuple(whole), dict(sorted(ranks.items(), key=lambda item: item[1])))


def rank_by_rows(rows: Sequence[BenchRow], what: str) -> dict[int, MeanRanks]:
    """The mean ranks apart for each size of table; empty where all have the same."""
    sizes = sorted({row.n_rows for row in rows})
    if len(sizes) < 2:
        return {}
    return {size: rank_methods([row for row in rows if row.n_rows == size], what) for size in sizes}


def ranks_json(rows: Sequence[BenchRow]) -> dict[str, Any]:
    """The mean ranks of `latconf bench --json`."""
    result: dict[str, Any] = {what: rank_methods(rows, what).to_json() for what in MEASURED}
    result["by_rows"] = {
        what: {str(size): value.to_json() for size, value in rank_by_rows(rows, what).items()} for what in MEASURED
    }
    return result
