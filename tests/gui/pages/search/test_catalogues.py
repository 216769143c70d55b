"""What is added to a catalogue is found in the window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from support.toy_search import TOY

from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.outcome.history import History
from latconf_gui.pages.search import visits_model, visits_table
from latconf_gui.pages.search.columns import COLUMNS, VisitColumn
from latconf_gui.pages.search.form import SearchForm


def test_that_an_added_search_is_in_the_list_with_its_own_options(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SEARCHES, TOY.name, TOY)
    form = SearchForm()
    qtbot.addWidget(form)
    assert [form.search.itemText(index) for index in range(form.search.count())] == [
        method.title for method in SEARCHES.values()
    ]
    form.choose("toy")
    assert form.about.text() == "Scores the DAG without edges."
    assert not form.seed.isHidden()
    assert form.recorded["max_bidirected"].isHidden()
    form.choose("hclc-v")
    assert not form.recorded["max_bidirected"].isHidden()
    assert form.recorded["max_candidates"].isHidden()  # HCLC-V has no use for it


def test_that_an_added_column_is_shown_and_sorts(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    edges = VisitColumn(
        "Edges",
        "Directed edges",
        lambda visits, number: str(sum(mask.bit_count() for mask in visits.candidates[number].parents)),
        lambda visits: np.array(
            [sum(mask.bit_count() for mask in candidate.parents) for candidate in visits.candidates]
        ),
    )
    for module in (visits_model, visits_table):
        monkeypatch.setattr(module, "COLUMNS", [*COLUMNS, edges])
    history = History("ABC")
    for parents in ((0, 1, 3), (0, 0, 0), (0, 1, 0)):
        history.add(BitDag(parents, (Hidden(0b011),)), -1.0, level=0)
    table = visits_table.VisitTable()
    qtbot.addWidget(table)
    table.follow(History("ABC", list(history)))
    place = len(COLUMNS)
    assert table.visits.headerData(place, Qt.Orientation.Horizontal) == "Edges"
    table.sortByColumn(place, Qt.SortOrder.AscendingOrder)
    assert [table.visits.index(row, place).data() for row in range(3)] == ["0", "1", "3"]
