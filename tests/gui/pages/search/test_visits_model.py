from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.search.outcome.history import History
from latconf_gui.pages.search import columns as records
from latconf_gui.pages.search.columns import COLUMNS, VisitColumn
from latconf_gui.pages.search.visits_model import VisitsModel

RNG = np.random.default_rng(3)
SCORES = np.round(RNG.normal(-500, 5, 3000), 1)  # with ties
LEVELS = RNG.integers(0, 4, 3000)


def history() -> History:
    visits = History("ABC")
    for score, level in zip(SCORES, LEVELS):
        latents = tuple(Hidden(0b011 << i % 2) for i in range(min(int(level), 2)))
        visits.add(BitDag((0, 0, 0), latents), float(score), level=int(level))
    return visits


HISTORY = history()


def test_that_columns_grown_in_pieces_agree_with_the_history() -> None:
    columns = History("ABC")
    for begin in range(0, 3000, 70):
        columns.extend(HISTORY[begin : begin + 70])
    assert np.array_equal(columns.p_elbo, [visit.p_elbo for visit in HISTORY])
    assert np.array_equal(columns.n_latents, [visit.n_latents for visit in HISTORY])
    assert columns.best is not None
    assert (columns.best, columns.best_without_latents) == (HISTORY.best, HISTORY.best_without_latents)
    running = np.maximum.accumulate(columns.p_elbo)
    assert columns.improvements == [0, *(1 + np.flatnonzero(np.diff(running) > 0)).tolist()]
    assert columns.dag(5) == HISTORY.dag(5)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.title)
@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
def test_that_the_table_sorts_while_it_grows_and_keeps_what_is_marked(column: VisitColumn, order: Qt.SortOrder) -> None:
    columns, model = History("ABC", HISTORY[:500]), VisitsModel()
    tester = QAbstractItemModelTester(model)
    model.follow(columns)
    model.sort(COLUMNS.index(column), order)
    marked = QPersistentModelIndex(model.index(model.row_of(77), 0))
    columns.extend(HISTORY[500:900])
    model.refresh()
    keys = {
        records.NUMBER: np.arange(900),
        records.SCORE: SCORES[:900],
        records.BELOW: -SCORES[:900],
        records.LEVEL: LEVELS[:900],
        records.EFFORT: np.zeros(900),
        records.LATENTS: np.minimum(LEVELS[:900], 2),
        records.EDGES: np.zeros(900),
    }[column]
    wanted = sorted(range(900), key=lambda i: keys[i] if order == Qt.SortOrder.AscendingOrder else -keys[i])
    assert [model.visit(row) for row in range(900)] == wanted
    assert model.visit(marked.row()) == 77
    assert all(model.row_of(model.visit(row)) == row for row in range(900))
    del tester
