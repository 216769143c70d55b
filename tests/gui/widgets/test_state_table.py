"""The table of the states of a variable, which may be an identifier with a state per row of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFont
from pytestqt.qtbot import QtBot

from latconf_gui.widgets.state_table import make_state_table
from latconf_gui.widgets.states_model import StatesModel


class CountingModel(StatesModel):
    """Remembers which rows were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: set[int] = set()

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        self.rows.add(index.row())
        return super().data(index, role)


def test_that_of_very_many_states_only_those_that_are_seen_are_asked_for(qtbot: QtBot) -> None:
    model = CountingModel()
    table = make_state_table(model)
    qtbot.addWidget(table)
    table.resize(300, 500)
    table.show()
    model.show([f"P{i}" for i in range(20_000)], np.ones(20_000, dtype=np.int64))
    larger = QFont(table.font())
    larger.setPointSizeF(2 * larger.pointSizeF())
    before = table.rowHeight(0)
    table.setFont(larger)
    qtbot.waitUntil(lambda: table.rowHeight(0) > 1.5 * before)
    table.grab()
    assert 0 < len(model.rows) < 200
