"""The editor of knowledge: what is said, whether it contradicts itself, and nothing taken over before it is used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from latconf_core.errors import LatconfError
from latconf_core.knowledge.bound import describe_missing
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.wording.knowledge_texts import knowledge_summary
from latconf_gui.application.messages import explain
from latconf_gui.application.settings import Settings
from latconf_gui.pages.knowledge.draft import Draft
from latconf_gui.pages.knowledge.draft_history import DraftHistory
from latconf_gui.pages.knowledge.hidden_panel import HiddenPanel
from latconf_gui.pages.knowledge.knowledge_files import KnowledgeFiles
from latconf_gui.pages.knowledge.rules_panel import RulesPanel
from latconf_gui.pages.knowledge.tier_board import TierBoard
from latconf_gui.widgets.file_dialogs import propose_name
from latconf_gui.widgets.questions import Answer, Role, ask
from latconf_gui.widgets.text import SPACE, IconLabel, Quiet

TITLE = "Knowledge"
ABOUT = (
    "Background knowledge that every later step obeys. No variable affects one in an earlier tier. Drag "
    "variables between tiers, or move them with the left and right arrow keys."
)
NOTHING_SAID = "No background knowledge: every cause is possible."
FIRST_LETTERS, FIRST_LINES, MOST_OF_SCREEN = 130, 38, 0.9  # the first size of the dialog


class KnowledgeDialog(QDialog):
    """Edits a draft; `used(Knowledge)` when the person takes it over, which is possible while nothing contradicts.

    name : of the data, for the names of files
    """

    used = Signal(object)

    def __init__(
        self,
        knowledge: Knowledge,
        variables: Sequence[str],
        *,
        settings: Settings,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._name, self._variables = name, tuple(variables)
        self._history = DraftHistory(Draft.of(knowledge))
        self._first, self._is_editable = self.draft, True
        self.board, self.rules, self.hidden = TierBoard(), RulesPanel(), HiddenPanel()
        self.files = KnowledgeFiles(settings, self._report, window=self)
        self.question: QMessageBox | None = None
        self._build()
        self._connect()
        self._show()
        metrics = self.fontMetrics()
        wanted = QSize(metrics.averageCharWidth() * FIRST_LETTERS, metrics.height() * FIRST_LINES)
        self.resize(wanted.boundedTo(self.screen().availableSize() * MOST_OF_SCREEN))

    # Building -------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.tabs = QTabWidget()
        for title, panel in (("Tiers", self.board), ("Causes", self.rules), ("Hidden causes", self.hidden)):
            self.tabs.addTab(panel, title)
        self.tabs.setAccessibleName("Tiers, causes, hidden causes")
        self.summary, self.problem = Quiet(), QLabel()
        self.problem.setWordWrap(True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.setProperty("role", "problem")
        self.problem.setAccessibleName("Contradictions in the knowledge")
        self._problem_row = QWidget()
        row = QHBoxLayout(self._problem_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(IconLabel("problem"), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.problem, 1)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.use = self.buttons.addButton("&Use this knowledge", QDialogButtonBox.ButtonRole.AcceptRole)
        layout = QVBoxLayout(self)
        layout.setSpacing(SPACE // 2)
        layout.addWidget(Quiet(ABOUT))
        layout.addLayout(self._make_tool_row())
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self.summary)
        layout.addWidget(self._problem_row)
        layout.addWidget(self.buttons)
        for button in self.buttons.buttons():
            assert isinstance(button, QPushButton)
            button.setAutoDefault(False)

    def _make_tool_row(self) -> QHBoxLayout:
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter variables…")
        self.filter.setAccessibleName("Filter variables")
        self.filter.setClearButtonEnabled(True)
        row = QHBoxLayout()
        row.addWidget(self.filter, 1)
        key = QKeySequence.StandardKey
        self.undo = self._add_command(row, "Undo", self._on_undo, [QKeySequence(key.Undo)])
        self.redo = self._add_command(
            row, "Redo", self._on_redo, [QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")]
        )
        self.clear = self._add_command(row, "Clear", self._on_clear, [])
        self.importing = self._add_command(row, "Import…", self.files.ask_import, [QKeySequence("Ctrl+I")])
        self.exporting = self._add_command(row, "Export…", self.ask_export, [QKeySequence("Ctrl+E")])
        self.importing.setToolTip("Read a latconf, Tetrad or table file and replace this knowledge")
        self.exporting.setToolTip("Write the knowledge; a Tetrad file stores only tiers and edges")
        find = QAction(self)
        find.setShortcut(key.Find)
        find.triggered.connect(lambda: self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason))
        self.addAction(find)
        return row

    def _add_command(
        self, row: QHBoxLayout, text: str, slot: Callable[[], object], keys: list[QKeySequence]
    ) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: slot())
        row.addWidget(button)
        action = QAction(self)
        action.setShortcuts(keys)
        action.triggered.connect(button.click)
        self.addAction(action)
        return button

    def _connect(self) -> None:
        self.filter.textChanged.connect(self._on_filter)
        for panel in (self.board, self.rules, self.hidden):
            panel.changed.connect(self.change)
            panel.said.connect(self._say)
        self.files.read.connect(self._on_read)
        self.files.written.connect(lambda path: self.summary.setText(f"Written: {path}"))
        self.buttons.accepted.connect(self._on_use)
        self.buttons.rejected.connect(self.reject)

    # What is shown --------------------------------------------------------------------------------

    @property
    def draft(self) -> Draft:
        """What the person says now, contradictory or not."""
        return self._history.draft

    def show_variables(self, variables: Sequence[str]) -> None:
        """Follow data that were prepared anew."""
        self._variables = tuple(variables)
        self._show()

    def set_editable(self, is_editable: bool) -> None:
        """Whether the knowledge can only be looked at."""
        self._is_editable = is_editable
        for panel in (self.board, self.rules, self.hidden):
            panel.set_editable(is_editable)
        self._show()

    def _show(self) -> None:
        draft = self.draft
        strangers = tuple(dict.fromkeys(name for name in draft.names() if name not in set(self._variables)))
        names = (*self._variables, *strangers)
        self.board.show_draft(draft, names, strangers=strangers)
        self.rules.show_draft(draft, names)
        self.hidden.show_draft(draft, names)
        self._show_checks(strangers)
        for button, verb, what in (
            (self.undo, "Undo", self._history.undo_text),
            (self.redo, "Redo", self._history.redo_text),
        ):
            button.setEnabled(bool(what) and self._is_editable)
            button.setToolTip(f"{verb}: {what}" if what else verb)
        self.clear.setEnabled(draft != Draft() and self._is_editable)
        self.importing.setEnabled(self._is_editable)

    def _show_checks(self, strangers: Sequence[str]) -> None:
        """Say what is said so far, or what contradicts itself in it."""
        try:
            knowledge = self.draft.knowledge()
        except LatconfError as error:
            self.summary.setText("")
            self._say(f"Contradiction: {error}. Resolve it before you use this knowledge.")
            is_sound = False
        else:
            said = knowledge_summary(knowledge)
            parts = (f"Background knowledge: {said}." if said else NOTHING_SAID, *describe_missing(strangers))
            self.summary.setText(" ".join(part for part in parts if part))
            self._say("")
            is_sound = True
        self.summary.setVisible(is_sound)
        self.use.setEnabled(is_sound and self._is_editable)
        self.exporting.setEnabled(is_sound)

    def _say(self, sentence: str) -> None:
        self.problem.setText(sentence)
        self._problem_row.setVisible(bool(sentence))

    def _report(self, problem: BaseException | str, where: str) -> None:
        """A failure is said here, where the person looks."""
        message = explain(problem, where)
        self._say(f"{message.what} {message.remedy}".strip())

    def _on_filter(self, text: str) -> None:
        for panel in (self.board, self.rules, self.hidden):
            panel.set_filter(text)

    # Changes --------------------------------------------------------------------------------------

    def change(self, draft: Draft, what: str) -> None:
        """One step of the person."""
        if draft != self.draft and self._is_editable:
            self._history.push(draft, what)
            self._show()

    def _on_undo(self) -> None:
        self._history.undo()
        self._show()

    def _on_redo(self) -> None:
        self._history.redo()
        self._show()

    def _on_clear(self) -> None:
        self.change(Draft(), "Clear the knowledge")

    def _on_read(self, knowledge: Knowledge, path: Path) -> None:
        self.change(Draft.of(knowledge), f"Import {path.name}")

    def ask_export(self) -> None:
        """Let the person choose where to write what is said."""
        self.files.ask_export(self._sound_knowledge, name=propose_name(self._name, "knowledge"))

    def _sound_knowledge(self) -> Knowledge | None:
        try:
            return self.draft.knowledge()
        except LatconfError as error:
            self._report(error, TITLE)
            return None

    # The end --------------------------------------------------------------------------------------

    def _on_use(self) -> None:
        knowledge = self._sound_knowledge()
        if knowledge is not None and self.use.isEnabled():
            self.used.emit(knowledge)
            self.accept()

    def reject(self) -> None:
        """Ask before changes are lost."""
        if self.draft == self._first:
            self.leave()
            return
        self.question = ask(
            self,
            "Discard the changes?",
            "Your changes to the knowledge are not applied yet.",
            explanation="Discard them, or keep editing?",
            answers=(
                Answer("Keep editing", Role.RejectRole, lambda: None),
                Answer("Discard", Role.DestructiveRole, self.leave),
            ),
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return belongs to what has the focus; with Ctrl held it takes the knowledge over."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.use.click()
        elif isinstance(button := self.focusWidget(), QPushButton):
            button.click()

    def leave(self) -> None:
        """Close without taking anything over, and without asking."""
        super().reject()

    def done(self, result: int) -> None:
        self.files.stop()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """The window's own way to close asks too."""
        if self.isVisible() and self.draft != self._first:
            event.ignore()
            self.reject()
        else:
            super().closeEvent(event)
