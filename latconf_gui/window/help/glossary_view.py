"""The glossary: a list of terms, and below it the one that is chosen with its picture."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSplitter, QVBoxLayout, QWidget

from latconf_core.teaching.glossary import GlossaryEntry, find_entries, glossary
from latconf_gui.widgets.scroll import LeastLines, ScrollColumn
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, Heading
from latconf_gui.window.help.term_picture import TermPicture

_TERM = Qt.ItemDataRole.UserRole
LIST_LINES, ENTRY_LINES = 4, 8  # the least heights, in lines of text


class GlossaryView(QWidget):
    """`show_term` opens an entry; `filter` leaves those in the list that have some words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = QListWidget()
        self.list.setAccessibleName("Terms")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.title = Heading(factor=1.2)
        self.picture = TermPicture()
        self.text = TermLabel()
        self._build()
        self.list.currentItemChanged.connect(self._on_chosen)
        self.filter("")

    def _build(self) -> None:
        entry = ScrollColumn("Entry of the glossary")
        entry.column.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        entry.column.setSpacing(SPACE)
        for widget in (self.title, self.text, self.picture):
            entry.column.addWidget(widget)
        entry.column.addStretch(1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        for part, share, n_lines in ((self.list, 2, LIST_LINES), (entry, 3, ENTRY_LINES)):
            splitter.addWidget(part)
            splitter.setStretchFactor(splitter.indexOf(part), share)
            LeastLines(part, n_lines)
        splitter.setSizes([2 * LIST_LINES, 3 * ENTRY_LINES])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    @property
    def term(self) -> str:
        """The term that is shown."""
        item = self.list.currentItem()
        return "" if item is None else str(item.data(_TERM))

    def filter(self, text: str) -> None:
        """List the entries that have these words, and show the first; all of them where there are no words."""
        before = self.term
        was_blocked = self.list.blockSignals(True)
        self.list.clear()
        for entry in find_entries(text):
            item = QListWidgetItem(entry.name)
            item.setData(_TERM, entry.term)
            self.list.addItem(item)
        self.list.blockSignals(was_blocked)
        if before and not text.strip():
            self.show_term(before)
        else:
            self.list.setCurrentRow(0)

    def show_term(self, term: str) -> None:
        """Show one of the entries in the list."""
        for row in range(self.list.count()):
            item = self.list.item(row)
            if item.data(_TERM) == term:
                self.list.setCurrentItem(item)
                self.list.scrollToItem(item)

    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._show_entry(glossary()[str(item.data(_TERM))])

    def _show_entry(self, entry: GlossaryEntry) -> None:
        self.title.setText(entry.name)
        self.picture.show_entry(entry)
        self.text.setText(entry.text)
