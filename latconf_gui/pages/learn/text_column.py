"""The column of text beside a stage: a title, paragraphs and controls; it scrolls where there is too little height."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLayout, QWidget

from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, Heading, keep_arrows_whole


class Paragraph(TermLabel):
    """Wrapped text that can be selected, its terms linked; no line ends within an arrow."""

    def __init__(self, text: str = "", *, is_quiet: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._given = ""
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if is_quiet:
            self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.setText(text)

    def text(self) -> str:
        """The text as it was given."""
        return self._given

    def setText(self, text: str) -> None:
        super().setText(keep_arrows_whole(text))
        self._given = text
        if not text:
            self.hide()
        elif self.parentWidget() is not None:  # without one it would be a window
            self.show()


class TextColumn(ScrollColumn):
    """Add paragraphs, widgets and layouts in the order in which they are read; a stretch stays at the end."""

    def __init__(self, title: str, description: str = "", parent: QWidget | None = None) -> None:
        super().__init__(f"Text of {title or 'the lesson'}", parent)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.column.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        self.column.setSpacing(SPACE)
        self.column.addStretch(1)
        self.title = Heading(title)
        self.add_widget(self.title)
        if description:
            self.add_text(description, is_quiet=True)

    def minimumSizeHint(self) -> QSize:
        """As wide as what is inside needs, since it scrolls up and down alone."""
        inside = self.column.minimumSize().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(inside, super().minimumSizeHint().height())

    def add_text(self, text: str = "", *, is_quiet: bool = False) -> Paragraph:
        """One more paragraph; an empty one takes no room until it has a text."""
        paragraph = Paragraph(text, is_quiet=is_quiet)
        self.add_widget(paragraph)
        return paragraph

    def add_heading(self, text: str) -> Heading:
        """A heading within the column."""
        heading = Heading(text, factor=1.1)
        self.add_widget(heading)
        return heading

    def add_widget(self, widget: QWidget) -> None:
        """One more widget below the others."""
        self.column.insertWidget(self.column.count() - 1, widget)

    def add_layout(self, layout: QLayout) -> None:
        """One more layout below the others, such as a row of buttons."""
        self.column.insertLayout(self.column.count() - 1, layout)
