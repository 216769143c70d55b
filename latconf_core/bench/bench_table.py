"""The table of a bench: finished cells in the order of the plan, filled while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from latconf_core.bench.bench_columns import COLUMNS, BenchRow, make_row, options_json
from latconf_core.bench.bench_plan import BenchPlan
from latconf_core.bench.bench_run import BenchEvent, CellFinished
from latconf_core.bench.cell import Cell, CellResult
from latconf_core.bench.mean_ranks import MEASURED, rank_methods, ranks_json
from latconf_core.comparison.tables import Table

SHORT = tuple(column for column in COLUMNS if column.is_short)
RANK_TITLES = {"p_elbo": "Mean rank by p-ELBO", "held_out": "Mean rank by held-out likelihood"}


class BenchTable:
    """Takes the events of a bench and has a row for every cell but those of true DAGs."""

    def __init__(self, plan: BenchPlan) -> None:
        self.plan = plan
        self._results: dict[Cell, CellResult] = {}
        self._rows: dict[Cell, BenchRow] = {}
        self._truths = {cell.data: cell for cell in plan.cells if cell.is_truth}
        order = {name: place for place, name in enumerate((*plan.options.searches, *plan.options.densities))}
        names = [one.name for one in plan.data]
        own = [cell for cell in plan.cells if not cell.is_truth]
        self.cells = tuple(sorted(own, key=lambda cell: (names.index(cell.data), order[cell.search])))

    def see(self, event: BenchEvent) -> None:
        """Take note of an event."""
        if isinstance(event, CellFinished):
            self._results[event.cell] = event.result
            if event.cell.is_truth:
                self._rows = {cell: row for cell, row in self._rows.items() if cell.data != event.cell.data}

    @property
    def is_whole(self) -> bool:
        """Whether every cell has its result."""
        return len(self._results) == len(self.plan.cells)

    def row(self, cell: Cell) -> BenchRow | None:
        """The row of a cell; None where it is not finished."""
        result = self._results.get(cell)
        if result is not None and cell not in self._rows:
            truth = self._truths.get(cell.data)
            own = None if truth is None else self._results.get(truth)
            self._rows[cell] = make_row(self.plan, cell, result, truth=own)
        return self._rows.get(cell)

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
        found = [note for one in self.plan.data for note in one.notes]
        for row in self.rows():
            found += [f"{row.cell.data}, {row.cell.title}: {note}" for note in row.result.notes]
        if not self.is_whole:
            n_left = len(self.plan.cells) - len(self._results)
            found.append(f"{n_left} of {len(self.plan.cells)} cells are not finished; run the same bench again")
        return found

    def to_json(self) -> dict[str, Any]:
        """What `latconf bench --json` prints and bench.json holds."""
        from importlib.metadata import version

        rows = self.rows()
        return {
            "format": "latconf bench",
            "version": 1,
            "program": version("latconf"),
            "cells": [row.to_json() for row in rows],
            "mean_ranks": ranks_json(rows),
            "truths": {name: _truth_json(self.truth(name)) for name in self._truths},
            "options": options_json(self.plan),
            "complete": self.is_whole,
            "notes": self.notes,
        }


def tabulate(rows: Sequence[BenchRow]) -> Table:
    """A row per cell: the data, the method and all its numbers in full."""
    titles = ("Data", "Method", *(column.title for column in COLUMNS))
    return Table(titles, tuple((row.cell.data, row.cell.title, *(one.of(row) for one in COLUMNS)) for row in rows))


def tabulate_short(rows: Sequence[BenchRow]) -> Table:
    """A row per cell: the data, the method and the numbers that fit a page, as a person reads them."""
    titles = ("Data", "Method", *(column.title for column in SHORT))
    return Table(titles, tuple((row.cell.data, row.cell.title, *(one.show(row) for one in SHORT)) for row in rows))


def tabulate_ranks(rows: Sequence[BenchRow]) -> Table:
    """A row per method, the best by p-ELBO first: its mean ranks, and the means of some numbers over all data."""
    ranks = {what: rank_methods(rows, what).ranks for what in MEASURED}
    titles = {row.cell.method: row.cell.title for row in rows}
    methods = list(dict.fromkeys([*ranks["p_elbo"], *ranks["held_out"], *titles]))
    lines = tuple((titles[method], *(ranks[what].get(method) for what in MEASURED)) for method in methods)
    return Table(("Method", *(RANK_TITLES[what] for what in MEASURED)), lines)


def _truth_json(result: CellResult | None) -> dict[str, Any] | None:
    if result is None:
        return None
    keys = {"p_elbo": result.p_elbo, "held_out": result.held_out, "converged": result.converged}
    return {**keys, "dag": None if result.dag is None else result.dag.to_json()}
