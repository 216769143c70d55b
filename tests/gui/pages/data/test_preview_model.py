from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import plan_columns
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_gui.pages.data.preview_model import DatasetModel, RawModel


def table(n_rows: int) -> RawTable:
    rng = np.random.default_rng(0)
    columns = [RawColumn(rng.integers(3, size=n_rows), ["", "no", "yes"]) for _ in range(5)]
    return RawTable(tuple("abcde"), tuple(columns))


def raw_model(n_rows: int) -> RawModel:
    raw = table(n_rows)
    return RawModel(raw, plan_columns(raw, Preparation()))


def test_that_cells_show_the_text_of_the_file_and_missing_ones_say_so(qapp: object) -> None:
    raw, model = table(50), raw_model(50)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for row in range(50):
        for column in range(5):
            text = raw.cell(row, column)
            index = model.index(row, column)
            assert index.data() == (text or "(empty)")
            assert index.data(Qt.ItemDataRole.ToolTipRole) == (None if text else "Missing")


def test_that_the_data_model_shows_states(qapp: object) -> None:
    data = Dataset(["a", "b"], [["x", "y"], ["u", "v", "w"]], [[0, 2], [1, 0]])
    model = DatasetModel(data)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert [[model.index(r, c).data() for c in range(2)] for r in range(2)] == [["x", "w"], ["y", "u"]]
    assert model.headerData(1, Qt.Orientation.Horizontal) == "b"


def test_that_the_last_of_a_million_rows_is_drawn_by_asking_for_what_is_seen(qtbot: QtBot) -> None:
    asked: set[int] = set()

    class Watched(RawModel):
        def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
            asked.add(index.row())
            return super().data(index, role)

    raw = table(1_000_000)
    view = QTableView()
    qtbot.addWidget(view)
    model = Watched(raw, plan_columns(raw, Preparation()))
    view.setModel(model)
    view.resize(600, 400)
    view.show()
    for share in (0.2, 0.9, 0.5, 1.0):
        bar = view.verticalScrollBar()
        bar.setValue(round(bar.maximum() * share))
        view.grab()
    assert 0 < len(asked) < 1000  # a few screens of rows
    assert view.rowAt(view.viewport().height() - 5) == 999_999
