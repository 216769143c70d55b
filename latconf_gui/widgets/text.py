"""Headings, quiet text and cards, sized and coloured by the program's font and palette."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QPalette, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from latconf_gui.look.icons import icon
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.terms.term_label import TermLabel

_ARROW = re.compile(r"[<o-]-[>o-]")
_WORD_JOINER = "\u2060"
_BREAK = re.compile(r"[\s\u200b]")  # where a line may end
HEADING_LETTERS = 12  # the least width of a heading with longer words
SPACE = 12  # between things that belong together; twice that between groups


def keep_arrows_whole(text: str) -> str:
    """The same text, in which no line ends within the arrow of an edge, such as <-> or o->."""
    return _ARROW.sub(lambda found: _WORD_JOINER.join(found[0]), text)


class Heading(QLabel):
    """A title, larger than the text by a factor that holds at every text size.

    It wraps between words; a word that has no room is cut with an ellipsis, and the tool tip says the whole.
    """

    def __init__(self, text: str = "", *, factor: float = 1.25, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._factor = factor
        self._whole = text
        self._has_room = False  # whether its width is known
        self._is_cut = False
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self._scale()

    def text(self) -> str:
        """The whole title."""
        return self._whole

    def setText(self, text: str) -> None:
        self._whole = text
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Long words do not make a panel wider."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), self.fontMetrics().averageCharWidth() * HEADING_LETTERS), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._has_room = True
        self._fit()

    def _fit(self) -> None:
        shown, width, metrics = self._whole, self.contentsRect().width(), self.fontMetrics()
        if self._has_room and any(metrics.horizontalAdvance(word) > width for word in _BREAK.split(shown)):
            words = shown.split(" ")
            shown = " ".join(metrics.elidedText(word, Qt.TextElideMode.ElideMiddle, width) for word in words)
        if shown != super().text():
            super().setText(shown)
        was_cut, self._is_cut = self._is_cut, shown != self._whole
        if was_cut or self._is_cut:
            self.setToolTip(plain_tip(self._whole) if self._is_cut else "")
            self.setAccessibleName(self._whole if self._is_cut else "")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:  # what the theme sends to widgets with a font of their own
            self._scale()

    def _scale(self) -> None:
        font = QFont(QApplication.font())
        font.setPointSizeF(font.pointSizeF() * self._factor)
        font.setWeight(QFont.Weight.DemiBold)
        self.setFont(font)
        self._fit()


class Quiet(TermLabel):
    """Text of second rank: wrapped, in the palette's quieter colour."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.show_links()


class Reserved(TermLabel):
    """Wrapped text with room for some lines kept free, so that what is above does not jump when the text changes."""

    def __init__(self, text: str = "", *, n_lines: int, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        LeastLines(self, n_lines)


class IconLabel(QLabel):
    """A picture as high as a line of text."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._draw()
        super().changeEvent(event)

    def _draw(self) -> None:
        side = round(self.fontMetrics().height() * 1.2)
        self.setPixmap(self._icon.pixmap(QSize(side, side)))


class Card(QFrame):
    """A framed group with a heading; add to `body`."""

    def __init__(self, title: str = "", *, role: str = "card", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", role)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(SPACE + 4, SPACE, SPACE + 4, SPACE)
        self.body.setSpacing(SPACE - 4)
        if title:
            self.body.addWidget(Heading(title, factor=1.1))
