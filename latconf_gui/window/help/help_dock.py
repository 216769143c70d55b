"""The Help beside the pages: search, glossary, documentation, keys; F1 opens it at what one points at."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QCursor, QKeyEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QLineEdit, QListWidget, QTabWidget, QVBoxLayout, QWidget

from latconf_core.teaching.documentation import INDEX
from latconf_core.teaching.glossary import GlossaryEntry
from latconf_gui.widgets.actions import Actions
from latconf_gui.widgets.terms.term_requests import TERM_REQUESTS
from latconf_gui.widgets.terms.term_tips import TermTips, explain_widget
from latconf_gui.widgets.text import SPACE
from latconf_gui.window.help.documentation_view import DocumentationView
from latconf_gui.window.help.glossary_view import GlossaryView
from latconf_gui.window.help.keys_view import KeysView

PAGE_TERMS = {"Data": "variable", "PAG": "PAG", "Search": "search", "Model": "probability table", "Compare": "overlay"}


class HelpDock(QDockWidget):
    """Search on top, then the glossary, the documentation or the keys."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__("Help", parent)
        self.setObjectName("help_dock")
        self.field = QLineEdit(placeholderText="Search the Help")
        self.field.setAccessibleName("Search the Help")
        self.field.setClearButtonEnabled(True)
        self.glossary = GlossaryView()
        self.documentation = DocumentationView()
        self.keys = KeysView(actions)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.glossary, "Glossary")
        self.tabs.addTab(self.documentation, "Documentation")
        self.tabs.addTab(self.keys, "Keys")
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        layout.addWidget(self.field)
        layout.addWidget(self.tabs, 1)
        self.setWidget(inside)
        self._connect()

    def _connect(self) -> None:
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.visibilityChanged.connect(self._on_visibility_changed)
        TERM_REQUESTS.asked.connect(self.show_term)
        app = QApplication.instance()
        assert app is not None, "a dock needs an application"
        self._tips = TermTips(self)
        self._tips.watch(app)

    def show_term(self, term: str) -> None:
        """Open the glossary at a term."""
        self.field.clear()
        self.tabs.setCurrentWidget(self.glossary)
        self.glossary.show_term(term)
        self._raise()

    def show_documentation(self, page: str = INDEX) -> None:
        """Open a page of the documentation."""
        self.field.clear()
        self.tabs.setCurrentWidget(self.documentation)
        self.documentation.show_page(page)
        self._raise()

    def show_keys(self) -> None:
        """Open the list of keys."""
        self.field.clear()
        self.tabs.setCurrentWidget(self.keys)
        self._raise()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_here(self, page: str) -> None:
        """Open at what the mouse points at, or the focus is on, or else at what the page is about."""
        entry = self._explain(self._pointed_at()) or self._explain(QApplication.focusWidget())
        self.show_term(PAGE_TERMS.get(page, self.glossary.term) if entry is None else entry.term)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _explain(self, widget: QWidget | None) -> GlossaryEntry | None:
        if widget is None or self.isAncestorOf(widget):
            return None
        return explain_widget(widget, widget.mapFromGlobal(QCursor.pos()))

    def _pointed_at(self) -> QWidget | None:
        widget = QApplication.widgetAt(QCursor.pos())
        return widget if widget is not None and widget.window() is self.window() else None

    def _raise(self) -> None:
        self.keys.filter(self.field.text())
        self.show()
        self.raise_()

    def _on_visibility_changed(self, is_seen: bool) -> None:
        if is_seen:
            self.keys.filter(self.field.text())

    def _filter(self, text: str) -> None:
        self.glossary.filter(text)
        self.documentation.filter(text)
        self.keys.filter(text)

    def _list(self) -> QListWidget | None:
        current = self.tabs.currentWidget()
        return current.list if isinstance(current, GlossaryView | DocumentationView) else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and Down in the field step through the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            entries = self._list()
            if step is not None and entries is not None:
                entries.setCurrentRow(min(max(entries.currentRow() + step, 0), entries.count() - 1))
                return True
        return super().eventFilter(watched, event)
