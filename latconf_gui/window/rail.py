"""The rail of pages on the left, in the order of the work."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QButtonGroup, QFrame, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from latconf_gui.look.icons import icon
from latconf_gui.widgets.text_size import FollowTextSize

ICON_TO_TEXT = 1.6


class Rail(QFrame):
    """One button a page; `chosen` with the page's position."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setAccessibleName("Pages")
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.idClicked.connect(self.chosen)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 3, 0, 3)
        self._layout.setSpacing(2)
        self._layout.addStretch(1)
        self._full_height = 0  # with pictures
        FollowTextSize(self, self._scale)

    def add(self, title: str, icon_name: str) -> QToolButton:
        """A button for the next page."""
        button = QToolButton()
        button.setText(title)
        button.setIcon(icon(icon_name))
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setAccessibleName(f"{title} page")
        self._group.addButton(button, len(self._group.buttons()))
        self._layout.insertWidget(self._layout.count() - 1, button)
        self._scale()
        return button

    def minimumSizeHint(self) -> QSize:
        """Room for the titles alone: in a low window the pictures go."""
        spacing = self._layout.spacing() * len(self._group.buttons())
        padding = 20 * len(self._group.buttons())
        titles = self.fontMetrics().height() * len(self._group.buttons())
        return QSize(super().minimumSizeHint().width(), titles + padding + spacing + 6)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_pictures()

    def _show_pictures(self) -> None:
        style = Qt.ToolButtonStyle
        wanted = style.ToolButtonTextUnderIcon if self.height() >= self._full_height else style.ToolButtonTextOnly
        for button in self._group.buttons():
            if isinstance(button, QToolButton) and button.toolButtonStyle() != wanted:
                button.setToolButtonStyle(wanted)

    def button(self, position: int) -> QToolButton:
        result = self._group.button(position)
        assert isinstance(result, QToolButton)
        return result

    def show_chosen(self, position: int) -> None:
        """Mark a page as the open one."""
        self._group.button(position).setChecked(True)

    def _scale(self) -> None:
        side = round(self.fontMetrics().height() * ICON_TO_TEXT)
        for button in self._group.buttons():
            button.setFont(QApplication.font())
            button.setIconSize(QSize(side, side))
            if isinstance(button, QToolButton):
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self._full_height = self._layout.minimumSize().height()
        self._show_pictures()
