"""The table of a bench: finished cells in the order of the plan, filled while it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from latconf_core.bench.bench_columns import COLUMNS, BenchColumn, row_json
from latconf_core.bench.bench_plan import BenchPlan
from latconf_core.bench.bench_row import BenchRow, compare_with_truth
from latconf_core.bench.bench_run import BenchEvent, CellFinished
from latconf_core.bench.cell import TRUTH, Cell, CellResult
from latconf_core.bench.mean_ranks import MEASURED, rank_methods, ranks_json
from latconf_core.bench.row_logs import RowMean, Standing, rank_with_ties
from latconf_core.comparison.metrics import Comparison
from latconf_core.comparison.tables import Table
from latconf_core.json_form import encode_fields

SHORT = tuple(column for column in COLUMNS if column.is_short)
RANK_TITLES = {
    "fresh": "Mean rank by fresh rows",
    "held_out": "Mean rank by held-out likelihood",
    "p_elbo": "Mean rank by p-ELBO",
}


class BenchTable:
    """Takes the events of a bench and has a row for every cell; in the paper's table none for true DAGs."""

    def __init__(self, plan: BenchPlan) -> None:
        self.plan = plan
        self._results: dict[Cell, CellResult] = {}
        self._rows: dict[Cell, BenchRow] = {}
        self._against: dict[Cell, Comparison | None] = {}
        self._truths = {cell.data: cell for cell in plan.cells if cell.is_truth}
        searches = (TRUTH, *plan.options.searches, *plan.options.densities)
        order = {name: index for index, name in enumerate(searches)}
        names = [data.name for data in plan.data]
        shown = [cell for cell in plan.cells if plan.options.splits_first or not cell.is_truth]
        self.cells = tuple(sorted(shown, key=lambda cell: (names.index(cell.data), order[cell.search])))

    def see(self, event: BenchEvent) -> None:
        """Take note of an event."""
        if isinstance(event, CellFinished):
            self._results[event.cell] = event.result
            self._against.pop(event.cell, None)
            self._rows = {cell: row for cell, row in self._rows.items() if cell.data != event.cell.data}

    @property
    def is_whole(self) -> bool:
        """Whether every cell has its result."""
        return len(self._results) == len(self.plan.cells)

    def row(self, cell: Cell) -> BenchRow | None:
        """The row of a cell; None where it is not finished."""
        if cell in self._results and cell not in self._rows:
            self._rows |= {row.cell: row for row in self._make_rows(cell.data)}
        return self._rows.get(cell)

    def _make_rows(self, name: str) -> Iterator[BenchRow]:
        """The rows of all finished cells on some data, which depend on each other."""
        results = {cell: self._results[cell] for cell in self.cells if cell.data == name and cell in self._results}
        data, truth = self.plan.find(name), self.truth(name)
        held_out = self._stand({cell.method: result.held_out_mean for cell, result in results.items()})
        fresh = self._stand({cell.method: result.fresh_mean for cell, result in results.items()})
        for cell, result in results.items():
            if cell not in self._against:
                view = self.plan.options.compared_as
                self._against[cell] = compare_with_truth(data, cell, result, view=view)
            yield BenchRow(
                cell,
                result,
                data.dataset.n_rows,
                None if truth is None else truth.p_elbo,
                self._against[cell],
                held_out.get(cell.method),
                fresh.get(cell.method),
            )

    @staticmethod
    def _stand(means: Mapping[str, RowMean | None]) -> dict[str, Standing]:
        return rank_with_ties({method: mean for method, mean in means.items() if mean is not None})

    def truth(self, data: str) -> CellResult | None:
        """What the true DAG of some data is worth; None where that is not known."""
        cell = self._truths.get(data)
        return None if cell is None else self._results.get(cell)

    def rows(self) -> list[BenchRow]:
        """The rows of all finished cells, in the order of the table."""
        return [row for cell in self.cells if (row := self.row(cell)) is not None]

    @property
    def notes(self) -> list[str]:
        """What a reader should know of data sets and of single cells."""
        result = [note for entry in self.plan.data for note in entry.notes]
        for row in self.rows():
            result += [f"{row.cell.data}, {row.cell.title}: {note}" for note in row.result.notes]
        if not self.is_whole:
            n_left = len(self.plan.cells) - len(self._results)
            result.append(f"{n_left} of {len(self.plan.cells)} cells are not finished; run the same benchmark again")
        return result

    def to_json(self) -> dict[str, Any]:
        """What `latconf bench --json` prints and bench.json holds."""
        from importlib.metadata import version

        rows = self.rows()
        return {
            "format": "latconf bench",
            "version": 2,
            "program": version("latconf"),
            "cells": [row_json(row) for row in rows],
            "mean_ranks": ranks_json(rows),
            "truths": {name: _truth_json(self.truth(name)) for name in self._truths},
            "options": {**encode_fields(self.plan.options), "data": [data.name for data in self.plan.data]},
            "complete": self.is_whole,
            "notes": self.notes,
        }


def tabulate(rows: Sequence[BenchRow]) -> Table:
    """A row per cell: the data, the method and all its numbers in full."""
    titles = ("Data", "Method", *(column.title for column in COLUMNS))
    return Table(
        titles, tuple((row.cell.data, row.cell.title, *(column.of(row) for column in COLUMNS)) for row in rows)
    )


def tabulate_short(rows: Sequence[BenchRow]) -> Table:
    """A row per cell: the data, the method and the numbers that fit a page, as a person reads them."""
    shown = short_columns(rows)
    titles = ("Data", "Method", *(column.title for column in shown))
    return Table(
        titles, tuple((row.cell.data, row.cell.title, *(column.show(row) for column in shown)) for row in rows)
    )


def short_columns(rows: Sequence[BenchRow]) -> tuple[BenchColumn, ...]:
    """The columns that fit a page, without those that no row has a number for."""
    return tuple(column for column in SHORT if any(column.of(row) is not None for row in rows))


def tabulate_ranks(rows: Sequence[BenchRow]) -> Table:
    """A row per method with its mean ranks, the best by fresh rows first, else by what there is."""
    ranks = {what: mean_ranks for what in MEASURED if (mean_ranks := rank_methods(rows, what).ranks)}
    titles = {row.cell.method: row.cell.title for row in rows}
    ranked = [method for rank in ranks.values() for method in rank]
    methods = list(dict.fromkeys([*ranked, *(row.cell.method for row in rows if not row.cell.is_truth)]))
    lines = tuple((titles[method], *(rank.get(method) for rank in ranks.values())) for method in methods)
    return Table(("Method", *(RANK_TITLES[what] for what in ranks)), lines)


def _truth_json(result: CellResult | None) -> dict[str, Any] | None:
    if result is None:
        return None
    numbers = {"p_elbo": result.p_elbo, "held_out": result.held_out, "fresh": result.fresh}
    return {**numbers, "converged": result.converged, "dag": None if result.dag is None else result.dag.to_json()}
