"""Wrapped text in which every term of the glossary can be clicked."""

from __future__ import annotations

from html import escape
from urllib.parse import quote, unquote

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget

from latconf_core.teaching.glossary import find_mentions
from latconf_gui.widgets.terms.term_requests import TERM_REQUESTS

SCHEME = "glossary:"
_LOOKS = (QEvent.Type.PaletteChange, QEvent.Type.StyleChange, QEvent.Type.EnabledChange)


def link_terms(text: str, colour: str) -> str:
    """The text as Qt's rich text, each term underlined where it first occurs."""
    parts, done = [], 0
    for mention in find_mentions(text):
        parts.append(_plain(text[done : mention.start]))
        said = _plain(text[mention.start : mention.end])
        parts.append(f'<a href="{SCHEME}{quote(mention.entry.term)}" style="color:{colour}">{said}</a>')
        done = mention.end
    return "".join([*parts, _plain(text[done:])])


def _plain(text: str) -> str:
    return escape(text).replace("\n", "<br>")


class TermLabel(QLabel):
    """Plain text, shown with links; `text` is the text as it was given."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = text
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.linkActivated.connect(lambda link: TERM_REQUESTS.asked.emit(unquote(link.removeprefix(SCHEME))))
        self.linkHovered.connect(self._on_hovered)
        self.show_links()

    def text(self) -> str:
        return self._whole

    def setText(self, text: str) -> None:
        self._whole = text
        self.show_links()

    def setTextInteractionFlags(self, flags: Qt.TextInteractionFlag) -> None:
        super().setTextInteractionFlags(flags | Qt.TextInteractionFlag.LinksAccessibleByMouse)

    def show_links(self) -> None:
        """Give the links the colour that the text has now."""
        colour = self.palette().color(self.foregroundRole()).name()
        linked = link_terms(self._whole, colour)
        if linked != super().text():
            super().setText(linked)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _LOOKS:  # a link keeps the colour that it was given
            self.show_links()

    def _on_hovered(self, link: str) -> None:
        self.setCursor(Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.ArrowCursor)
