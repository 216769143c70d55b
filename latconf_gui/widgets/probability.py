"""Draws a probability with a bar behind it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

Index = QModelIndex | QPersistentModelIndex
BAR_ALPHA = 70


class ProbabilityDelegate(QStyledItemDelegate):
    """A bar as long as the value that the model gives under `role`, and the text of the cell over it.

    Cells without a value are drawn as heads: in the quieter colour, without a bar.
    """

    def __init__(self, role: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._role = role

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        style = option.widget.style() if option.widget is not None else QApplication.style()
        painter.save()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
        value = index.data(self._role)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if value is not None:
            self._paint_bar(painter, option, float(value))
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.Text
        if value is None and not selected:
            role = QPalette.ColorRole.PlaceholderText
        painter.setPen(option.palette.color(role))
        side = Qt.AlignmentFlag.AlignLeft if value is None else Qt.AlignmentFlag.AlignRight
        area = option.rect.adjusted(8, 0, -8, 0)
        text = option.fontMetrics.elidedText(str(index.data()), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | side, text)
        painter.restore()

    def _paint_bar(self, painter: QPainter, option: QStyleOptionViewItem, value: float) -> None:
        colour = option.palette.color(QPalette.ColorRole.Accent)
        if option.state & QStyle.StateFlag.State_Selected:
            colour = option.palette.color(QPalette.ColorRole.HighlightedText)
        colour.setAlpha(BAR_ALPHA)
        area = QRectF(option.rect).adjusted(2, 3, -2, -3)
        area.setWidth(max(area.width() * min(max(value, 0.0), 1.0), 1.0))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(area, 2, 2)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics = option.fontMetrics
        width = metrics.horizontalAdvance(str(index.data())) + 24
        return QSize(max(width, metrics.horizontalAdvance("0.0000") + 40), round(metrics.height() * 1.6))
