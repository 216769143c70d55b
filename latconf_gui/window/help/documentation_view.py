"""The documentation in the Help: a list of pages, and below it the page that is selected."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextCursor
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSplitter, QTextBrowser, QVBoxLayout, QWidget

from latconf_core.teaching.documentation import documentation, documentation_folder, heading_slug
from latconf_gui.widgets.scroll import LeastLines

_NAME = Qt.ItemDataRole.UserRole
LIST_LINES, PAGE_LINES = 4, 12  # the least heights, in lines of text
_PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)\n?")


class DocumentationView(QWidget):
    """`show_page` opens a page; `filter` lists the pages that have some words and marks the first of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = QListWidget()
        self.list.setAccessibleName("Pages of the documentation")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.browser = QTextBrowser()
        self.browser.setAccessibleName("Page of the documentation")
        self.browser.setOpenLinks(False)
        self.browser.setSearchPaths([str(documentation_folder())])
        self.browser.anchorClicked.connect(self._follow)
        self._words = ""
        self._build()
        self.list.currentItemChanged.connect(self._on_selected)
        self.filter("")

    def _build(self) -> None:
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        for part, n_lines in ((self.list, LIST_LINES), (self.browser, PAGE_LINES)):
            splitter.addWidget(part)
            LeastLines(part, n_lines)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([LIST_LINES, 4 * PAGE_LINES])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    @property
    def page(self) -> str:
        """The name of the page that is shown."""
        item = self.list.currentItem()
        return "" if item is None else str(item.data(_NAME))

    def filter(self, text: str) -> None:
        """List the pages that have these words, and show the first; all of them if there are no words."""
        before, self._words = self.page, text.strip()
        was_blocked = self.list.blockSignals(True)
        self.list.clear()
        for page in documentation().values():
            if page.has(text):
                item = QListWidgetItem(page.title)
                item.setData(_NAME, page.name)
                self.list.addItem(item)
        self.list.blockSignals(was_blocked)
        if before and not self._words:
            self.show_page(before)
        else:
            self.list.setCurrentRow(0)

    def show_page(self, name: str, heading: str = "") -> None:
        """Show one of the listed pages, at a heading."""
        for row in range(self.list.count()):
            if self.list.item(row).data(_NAME) == name:
                self.list.setCurrentRow(row)
                self._scroll_to(heading)

    def _on_selected(self, item: QListWidgetItem | None) -> None:
        if item is None:
            self.browser.clear()
            return
        self.browser.setMarkdown(_without_missing_pictures(documentation()[str(item.data(_NAME))].text))
        if self._words:
            self.browser.find(self._words.split()[0])

    def _scroll_to(self, heading: str) -> None:
        block = self.browser.document().begin()
        while heading and block.isValid():
            if block.blockFormat().headingLevel() and heading_slug(block.text()) == heading:
                self.browser.setTextCursor(QTextCursor(block))
                self.browser.ensureCursorVisible()
                return
            block = block.next()

    def _follow(self, url: QUrl) -> None:
        """A page or a heading of the documentation opens here, what is on the web in the browser of the system."""
        if url.scheme():
            QDesktopServices.openUrl(url)
            return
        name = url.path() or self.page
        if name in documentation():
            self.filter("")
            self.show_page(name, url.fragment())
            return
        path = documentation_folder() / name
        if path.exists():
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.resolve())))


def _without_missing_pictures(text: str) -> str:
    """An installed program has the pages without their pictures."""
    folder = documentation_folder()
    return _PICTURE.sub(lambda match: match[0] if (folder / match[1]).exists() else "", text)
