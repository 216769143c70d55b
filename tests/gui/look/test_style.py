"""What our style adds to Fusion: arrows of sorted columns, and texts that end in an ellipsis where they are cut."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QImage, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QPushButton,
    QStyle,
    QTableView,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from latconf_gui.application.settings import Settings
from latconf_gui.look.cut_text import cut_choice, cut_title
from latconf_gui.look.plain_tips import text_of_tip
from latconf_gui.look.theme import Theme

LONG = "a choice that is much too long for its box"


@pytest.fixture(autouse=True)
def theme(qapp: QApplication, own_settings: Settings) -> Iterator[None]:
    font = qapp.font()
    own_settings.colour_scheme = "light"
    theme = Theme(qapp, own_settings)
    yield
    theme.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.setFont(font)


def dark(widget: QWidget) -> np.ndarray:
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    return np.array(image.constBits()).reshape(image.height(), -1)[:, : image.width()] < 120


def sorted_table(qtbot: QtBot, title: str, width: int) -> QTableView:
    table, model = QTableView(), QStandardItemModel(3, 1)
    model.setParent(table)
    model.setHorizontalHeaderLabels([title])
    table.setModel(model)
    table.setSortingEnabled(True)
    table.setColumnWidth(0, width)
    qtbot.addWidget(table)
    table.resize(400, 200)
    table.show()
    return table


@pytest.mark.parametrize(
    ("order", "is_up"), [(Qt.SortOrder.AscendingOrder, True), (Qt.SortOrder.DescendingOrder, False)]
)
def test_that_the_arrow_of_a_sorted_column_points_the_way_it_is_sorted(
    qtbot: QtBot, order: Qt.SortOrder, is_up: bool
) -> None:
    table = sorted_table(qtbot, "", 120)
    table.sortByColumn(0, order)
    widths = dark(table.horizontalHeader().viewport())[:, 40:119].sum(axis=1)
    rows = widths[widths > 0]
    assert len(rows) >= 3
    assert (rows[0] < rows[-1]) == is_up


def tip_of(widget: QWidget, place: QPoint) -> str:
    """What a person reads who rests the mouse there."""
    QToolTip.hideText()
    event = QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)
    return text_of_tip(QToolTip.text())


def test_that_a_choice_without_room_ends_inside_its_box_and_is_said_in_a_tip(qtbot: QtBot) -> None:
    box = QComboBox()
    qtbot.addWidget(box)
    box.addItem(LONG)
    box.setToolTip("Which one")
    box.show()
    box.resize(140, 28)
    shown = dark(box)
    assert tip_of(box, QPoint(20, 10)) == f"{LONG}\nWhich one"
    beginnings = [f"{LONG[:length].rstrip()}…" for length in range(1, len(LONG))]
    assert any((shown == with_text(box, text)).all() for text in beginnings)
    with_text(box, LONG)
    box.resize(600, 28)
    assert cut_choice(box) == ""


def with_text(box: QComboBox, text: str) -> np.ndarray:
    box.setItemText(0, text)
    return dark(box)


def test_that_a_title_without_room_is_cut_with_an_ellipsis_and_said_in_a_tip(qtbot: QtBot) -> None:
    table = sorted_table(qtbot, "a title that is long", 70)
    header = table.horizontalHeader()
    assert header.textElideMode() == Qt.TextElideMode.ElideRight
    assert tip_of(header.viewport(), QPoint(20, 8)) == "a title that is long"
    table.model().setHeaderData(0, Qt.Orientation.Horizontal, "Meaning", Qt.ItemDataRole.ToolTipRole)
    assert cut_title(header, 0) == "a title that is long\nMeaning"
    table.setColumnWidth(0, 350)
    assert cut_title(header, 0) == ""


def test_that_buttons_of_dialogs_have_words_alone(qtbot: QtBot) -> None:
    box, cancel = QDialogButtonBox(), QPushButton("Cancel")
    qtbot.addWidget(box)
    cancel.setIcon(cancel.style().standardIcon(QStyle.StandardPixmap.SP_DialogCancelButton))  # as some desktops do
    box.addButton(cancel, QDialogButtonBox.ButtonRole.RejectRole)
    box.show()
    assert cancel.icon().isNull()
