"""Delegates that draw numbers as bars, in the colours of the palette."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

Index = QModelIndex | QPersistentModelIndex
SHARE_ROLE = Qt.ItemDataRole.UserRole + 2  # how long a bar is, and the longest of its column
SHARES_ROLE = Qt.ItemDataRole.UserRole + 1  # counts that are drawn as a row of small bars
LEAST_BAR_LINES = 2.0  # the least room for the longest bar beside its text, in heights of a line


def _paint_background(painter: QPainter, option: QStyleOptionViewItem) -> None:
    style = option.widget.style() if option.widget is not None else QApplication.style()
    style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)


def _bar_colour(option: QStyleOptionViewItem, *, is_quiet: bool) -> QColor:
    selected = bool(option.state & QStyle.StateFlag.State_Selected)
    if selected:
        return option.palette.color(QPalette.ColorRole.HighlightedText)
    if is_quiet:
        return option.palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText)
    return option.palette.color(QPalette.ColorRole.Accent)


class ShareDelegate(QStyledItemDelegate):
    """A bar with the count and the share written after it; in a narrow column the bar goes under them."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        length, largest = index.data(SHARE_ROLE)
        painter.save()
        _paint_background(painter, option)
        area = QRectF(option.rect).adjusted(6, 0, -6, 0)
        text = str(index.data())
        text_width = option.fontMetrics.horizontalAdvance(f"{largest:,} (100.0%)") + 8
        line = option.fontMetrics.height()
        room = area.width() - text_width
        if room >= LEAST_BAR_LINES * line:
            bar = QRectF(area.left(), area.center().y() - 0.3 * line, max(room * length, 1.5), 0.6 * line)
            bar_area = area.adjusted(room + 8, 0, 0, 0)
        else:
            bar = QRectF(area.left(), area.bottom() - 0.2 * line, max(area.width() * length, 1.5), 0.15 * line)
            bar_area = area
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_bar_colour(option, is_quiet=False))
        painter.drawRoundedRect(bar, 2, 2)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text
        painter.setPen(option.palette.color(role))
        painter.drawText(bar_area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(option.fontMetrics.horizontalAdvance("8,888,888 (100.0%)") + 90, hint.height())


class DistributionDelegate(QStyledItemDelegate):
    """A small bar chart of a variable; the model says how many bars it has and how high they are."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        painter.save()
        _paint_background(painter, option)
        counts = np.asarray(index.data(SHARES_ROLE))
        area = QRectF(option.rect).adjusted(6, 4, -6, -4)
        if counts.size and counts.max() > 0:
            is_quiet = index.data(Qt.ItemDataRole.ForegroundRole) is not None
            self._paint_columns(painter, area, counts / counts.max(), _bar_colour(option, is_quiet=is_quiet))
        painter.restore()

    def _paint_columns(self, painter: QPainter, area: QRectF, heights: np.ndarray, colour: QColor) -> None:
        width = min(area.width() / len(heights), area.height() * 0.9)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for index, share in enumerate(heights):
            height = max(area.height() * float(share), 1.0)
            left = area.left() + index * width
            painter.drawRect(QRectF(left, area.bottom() - height, max(width - 2, 1.0), height))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        side = round(option.fontMetrics.height() * 1.7)
        return QSize(side * 5, side)
