"""Says the whole of a text that has too little room: the current choice of a combo box, the title of a column."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QComboBox, QHeaderView, QStyle, QStyleOptionComboBox, QToolTip, QWidget

from latconf_gui.look.plain_tips import plain_tip, show_as_text, text_of_tip


class CutTextTips(QObject):
    """Shows a tool tip with the whole text where it is cut; elsewhere the widget's own tip comes."""

    def watch(self, widget: QComboBox | QHeaderView) -> None:
        """Look after a widget; watching it twice does no harm."""
        shown = widget.viewport() if isinstance(widget, QHeaderView) else widget
        shown.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        widget = watched if isinstance(watched, QComboBox) else watched.parent()
        if isinstance(widget, QComboBox):
            text = cut_choice(widget)
        elif isinstance(widget, QHeaderView):
            text = cut_title(widget, widget.logicalIndexAt(event.pos()))
        else:
            return False
        if text:
            QToolTip.showText(event.globalPos(), plain_tip(text), widget)
            return True
        return isinstance(watched, QWidget) and show_as_text(watched, event)


def cut_choice(box: QComboBox) -> str:
    """The current text of a combo box with its tip, if it does not fit; else ""."""
    option = QStyleOptionComboBox()
    option.initFrom(box)
    field = box.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box
    )
    text = box.currentText()
    if box.isEditable() or box.fontMetrics().horizontalAdvance(text) <= field.width() - 2:
        return ""
    return "\n".join(part for part in (text, text_of_tip(box.toolTip())) if part)


def cut_title(header: QHeaderView, section: int) -> str:
    """The title of a column with its tip, if it does not fit; else ""."""
    is_column = section >= 0 and header.orientation() == Qt.Orientation.Horizontal
    if not is_column or header.sectionSizeHint(section) <= header.sectionSize(section):
        return ""
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    parts = [header.model().headerData(section, header.orientation(), role) for role in roles]
    return "\n".join(text_of_tip(str(part)) for part in parts if part)
