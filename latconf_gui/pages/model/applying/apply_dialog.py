"""The dialog of "Apply to a table…": how far it is, what the model says in sum, and a line per row."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from latconf_core.control import Progress
from latconf_core.inference.applying import Applied
from latconf_core.wording.applied_sentences import applied_sentences
from latconf_gui.look.icons import icon
from latconf_gui.pages.model.applying.applied_model import AppliedModel
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, Heading

TITLE = "Apply to a table"
STOPPED = "Stopped: the model was not applied. Choose the table again to apply it."
LETTERS, LINES = 95, 30  # the first size of the dialog


class ApplyDialog(QDialog):
    """`table_asked()`, `export_asked()`, `cancel_asked()`; it computes nothing itself."""

    table_asked = Signal()
    export_asked = Signal()
    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(TITLE)
        self.title, self.text = Heading(), TermLabel()
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Progress of applying the model")
        self.rows = AppliedModel(self)
        self.table = QTableView()
        self.table.setModel(self.rows)
        self.table.setAccessibleName("Log-likelihood and probabilities of the hidden causes, row by row")
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.table.horizontalHeader().setHighlightSections(False)
        self.choose = QPushButton(icon("open"), "Another table…")
        self.export = QPushButton(icon("save"), "Export CSV…")
        self.cancel = QPushButton("Cancel")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        for button in (self.choose, self.export, self.cancel):
            button.setAutoDefault(False)
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        self.choose.clicked.connect(self.table_asked)
        self.export.clicked.connect(self.export_asked)
        self.cancel.clicked.connect(self.cancel_asked)
        layout = QVBoxLayout(self)
        layout.setSpacing(SPACE)
        for widget in (self.title, self.progress, self.text):
            layout.addWidget(widget)
        layout.addWidget(self.table, 1)
        layout.addWidget(buttons)
        metrics = self.fontMetrics()
        room = self.screen().availableSize() * 0.9
        self.resize(
            min(metrics.averageCharWidth() * LETTERS, room.width()), min(metrics.height() * LINES, room.height())
        )

    def reject(self) -> None:
        """Closing it ends what runs."""
        self.cancel_asked.emit()
        super().reject()

    def show_running(self, name: str) -> None:
        """A table is being read and the model applied to it."""
        self.title.setText(name)
        self.text.setText("")
        self.rows.show(None)
        self.progress.setRange(0, 0)
        self._show(is_running=True)

    def show_progress(self, step: Progress) -> None:
        """How far it is."""
        self.progress.setRange(0, step.total or 0)
        self.progress.setValue(step.done)
        self.text.setText(f"{step.text[:1].upper()}{step.text[1:]} …")

    def show_applied(self, applied: Applied) -> None:
        """What the model says."""
        self.text.setText("\n".join(applied_sentences(applied)))
        self.rows.show(applied)
        self.table.resizeColumnsToContents()
        self._show(is_running=False)

    def show_stopped(self, text: str = STOPPED) -> None:
        """It ended without a result."""
        self.text.setText(text)
        self._show(is_running=False)

    def _show(self, *, is_running: bool) -> None:
        self.progress.setVisible(is_running)
        self.cancel.setEnabled(is_running)
        self.export.setEnabled(not is_running and self.rows.rowCount() > 0)
        self.choose.setEnabled(not is_running)
