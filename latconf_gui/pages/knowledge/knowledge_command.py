"""The command that opens the editor of knowledge, and the line on pages that says what binds."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from latconf_core.knowledge.bound import describe_missing
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.wording.knowledge_texts import knowledge_summary
from latconf_gui.application.document import Document
from latconf_gui.application.settings import Settings
from latconf_gui.background.runs import Report
from latconf_gui.pages.knowledge.knowledge_dialog import TITLE, KnowledgeDialog
from latconf_gui.widgets.actions import Actions, follow_action
from latconf_gui.widgets.text import SPACE, Quiet

EDIT = "knowledge.edit"
NO_VARIABLES = "There are no variables yet: open data or draw a PAG."
REPLACED = "Another document was opened meanwhile; the edited knowledge belongs to the previous one."


def variables_of(document: Document) -> tuple[str, ...]:
    """The variables that knowledge can be about."""
    if document.dataset is not None:
        return document.dataset.names
    return () if document.pag is None else document.pag.nodes


class KnowledgeCommand(QObject):
    """`Knowledge…` of the whole window: one editor at a time, whose knowledge becomes one step of the document."""

    def __init__(
        self, actions: Actions, document: Document, settings: Settings, *, report: Report, window: QWidget
    ) -> None:
        super().__init__(window)
        self._actions, self._document, self._settings = actions, document, settings
        self._report, self._window = report, window
        self.dialog: KnowledgeDialog | None = None
        self._file = document.file
        tip = "Edit background knowledge: which variables come later, required and forbidden causes, hidden causes"
        actions.add(EDIT, "&Knowledge…", slot=self.open, shortcut="Ctrl+K", tip=tip)
        for signal in (document.dataset_changed, document.pag_changed, document.file_changed):
            signal.connect(self._follow)
        document.presenting_changed.connect(self._follow)
        self._follow()

    def open(self) -> None:
        """Show the editor."""
        if self.dialog is not None:
            self.dialog.raise_()
            return
        self._file = self._document.file
        self.dialog = KnowledgeDialog(
            self._document.knowledge,
            variables_of(self._document),
            settings=self._settings,
            name=self._document.name,
            parent=self._window,
        )
        self.dialog.set_editable(not self._document.is_presenting)
        self.dialog.used.connect(self._use)
        self.dialog.finished.connect(self._on_finished)
        self.dialog.open()

    def _on_finished(self) -> None:
        self.dialog = None

    def _use(self, knowledge: Knowledge) -> None:
        if knowledge != self._document.knowledge:
            self._document.set_knowledge(knowledge, "Change the knowledge" if knowledge else "Clear the knowledge")

    def _follow(self) -> None:
        """Offer the editor where there are variables; an open one follows the data, and goes with its document."""
        variables = variables_of(self._document)
        self._actions.allow(EDIT, "" if variables else NO_VARIABLES)
        if self.dialog is None:
            return
        if self._document.file is not self._file:
            self.dialog.leave()
            self._report(REPLACED, TITLE)
            return
        self.dialog.show_variables(variables)
        self.dialog.set_editable(not self._document.is_presenting)


class KnowledgeLine(QWidget):
    """Says what binds; a click anywhere on it opens the editor."""

    asked = Signal()

    def __init__(self, document: Document, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.text = Quiet()
        self.text.setAccessibleName("Background knowledge")
        self.button = QPushButton("Edit…")
        self.button.setAccessibleName("Edit the knowledge")
        follow_action(self.button, actions[EDIT])
        self.asked.connect(actions[EDIT].trigger)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        row.addWidget(self.text, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        for signal in (document.knowledge_changed, document.dataset_changed, document.pag_changed):
            signal.connect(self.show_knowledge)
        self.show_knowledge()

    def show_knowledge(self) -> None:
        """Follow the document."""
        knowledge = self._document.knowledge
        missing = describe_missing(knowledge.missing_names(variables_of(self._document)))
        self.text.setText(" ".join([f"Knowledge: {knowledge_summary(knowledge) or 'none'}.", *missing]))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.asked.emit()
