"""What a widget is about: the term of the glossary that its title, tool tip or text names."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QTabBar,
    QToolTip,
    QWidget,
)

from latconf_core.teaching.glossary import GlossaryEntry, explain_label, find_mentions
from latconf_gui.look.plain_tips import plain_tip, show_as_text, text_of_tip

WHAT_IS_THIS = "F1: what is this?"


class TermTips(QObject):
    """Adds to the tool tips of a window what its titles mean, and that F1 tells more."""

    def watch(self, app: QObject) -> None:
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent) or not isinstance(watched, QWidget):
            return False
        if isinstance(watched, QComboBox) or isinstance(watched.parent(), QHeaderView):
            return False  # those show the whole of a text that is cut
        entry = next((label for title in titles(watched, event.pos()) if (label := explain_label(title))), None)
        if entry is None:
            return show_as_text(watched, event)
        tip = _plain_tip(watched)
        said = f"{tip}\n{WHAT_IS_THIS}" if tip else f"{entry.text}\n{WHAT_IS_THIS}"
        QToolTip.showText(event.globalPos(), plain_tip(said), watched)
        return True


def titles(widget: QWidget, point: QPoint) -> Iterator[str]:
    """The titles that a widget shows at a place: its own, and that of the label beside it."""
    if isinstance(widget, QTabBar):
        yield widget.tabText(widget.tabAt(point))
    elif isinstance(widget, QComboBox):
        yield widget.currentText()
    elif isinstance(widget, QGroupBox):
        yield widget.title()
    elif isinstance(widget, (QLabel, QAbstractButton)):
        yield widget.text()
    elif isinstance(header := widget.parent(), QHeaderView):
        section = header.logicalIndexAt(point)
        yield str(header.model().headerData(section, header.orientation(), Qt.ItemDataRole.DisplayRole) or "")
    for label in _labels_of(widget):
        yield label.text()


def _labels_of(widget: QWidget) -> Iterator[QLabel]:
    """The labels whose field a widget is."""
    above = widget.parentWidget()
    if above is not None:
        siblings = above.findChildren(QLabel, options=Qt.FindChildOption.FindDirectChildrenOnly)
        yield from (label for label in siblings if label.buddy() is widget)


def explain_widget(widget: QWidget | None, point: QPoint) -> GlossaryEntry | None:
    """What a widget, or else what it stands in, is about; None where nothing names a term."""
    while widget is not None and not widget.isWindow():
        for title in titles(widget, point):
            if (entry := explain_label(title)) is not None:
                return entry
        for text in (*titles(widget, point), _plain_tip(widget)):
            if (mention := next(find_mentions(text), None)) is not None:
                return mention.entry
        point, widget = widget.mapToParent(point), widget.parentWidget()
    return None


def _plain_tip(widget: QWidget) -> str:
    """The tool tip without markup."""
    return text_of_tip(widget.toolTip())
