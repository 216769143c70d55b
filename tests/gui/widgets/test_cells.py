from __future__ import annotations

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from latconf_gui.widgets.cells import CellDelegate

TEXTS = ("-1.5", "-1.5", "a text that is far too long for its column", "WWWWWWWWWWWWWWWWWWWWWWWWWWWW")


class OneRow(QAbstractTableModel):
    """The texts side by side."""

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(TEXTS)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> object:
        return None

    def cell(self, row: int, column: int) -> tuple[str, bool]:
        return TEXTS[column], False


def inked(picture: QImage, area: QRect) -> tuple[int, int]:
    """How far from the left and from the right of a cell its text begins and ends, in pixels."""
    cell = picture.copy(area).convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.array(cell.constBits()).reshape(cell.height(), cell.bytesPerLine())[:, : cell.width()]
    columns = np.flatnonzero((pixels != pixels[0, 0]).any(axis=0))
    return int(columns[0]), int(area.width() - 1 - columns[-1])


def test_that_numbers_stand_at_the_right_and_long_texts_end_inside_their_cell(qtbot: QtBot) -> None:
    table, model = QTableView(), OneRow()
    model.setParent(table)
    qtbot.addWidget(table)
    table.setModel(model)
    table.setShowGrid(False)
    table.setItemDelegate(CellDelegate(model, table, right=[1]))
    for column in range(len(TEXTS)):
        table.setColumnWidth(column, 120)
    table.resize(640, 120)
    table.show()
    picture = table.viewport().grab().toImage()
    left, right, long, capitals = (inked(picture, table.visualRect(model.index(0, column))) for column in range(4))
    assert left[0] < 15 < left[1]
    assert right[1] < 15 < right[0]
    assert abs(left[0] - right[1]) <= 4  # the same margin
    assert long[1] >= 1
    assert capitals[1] >= 1
