"""The dialog of "How often would chance do this?": how many draws, how far it is, and what chance gains."""

from __future__ import annotations

import os
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from latconf_core.control import Progress
from latconf_core.phrases import duration
from latconf_core.stability.calibration import DEFAULT_DRAWS
from latconf_core.wording.chance_sentences import MEANING
from latconf_gui.pages.model.chance.chance_job import ChanceJob
from latconf_gui.widgets.form_fields import Whole, add_row
from latconf_gui.widgets.text import SPACE, Heading, Quiet

TITLE = "How often would chance do this?"
NOTHING_YET = "Not run yet."
MAX_DRAWS, MAX_WORKERS, MAX_DEFAULT_WORKERS = 9_999, 64, 4
MOST_OF_SCREEN = 0.85
FIRST_LETTERS = 90  # the first width of the dialog


class ChanceDialog(QDialog):
    """`start_asked(draws, workers)`, `cancel_asked()`; it runs nothing itself."""

    start_asked = Signal(int, int)
    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(TITLE)
        self._job: ChanceJob | None = None
        self.title, self.text, self.time = Heading(), Quiet(), Quiet()
        self.draws, self.workers = Whole(1, MAX_DRAWS), Whole(1, MAX_WORKERS)
        self.draws.fill(DEFAULT_DRAWS)
        self.workers.fill(max(1, min(os.cpu_count() or 1, MAX_DEFAULT_WORKERS)))
        self.start, self.cancel = QPushButton("&Start"), QPushButton("&Cancel")
        self.progress, self.state = QProgressBar(), QLabel()
        self.outcome, self.meaning = QLabel(), Quiet(MEANING)
        self._build()
        self.show_running(False)
        self.resize(self.fontMetrics().averageCharWidth() * FIRST_LETTERS, self.sizeHint().height())
        self.show_outcome([])

    def _build(self) -> None:
        form = QFormLayout()
        add_row(form, "Draws", self.draws, tip="19 draws can reach p ≤ 0.05, 99 draws p ≤ 0.01")
        add_row(form, "Cores", self.workers, tip="Draws in parallel; the gains do not depend on it")
        row = QHBoxLayout()
        for widget, share in ((self.start, 0), (self.cancel, 0), (self.progress, 1), (self.state, 1)):
            row.addWidget(widget, share)
        self.progress.setAccessibleName("Progress of the draws")
        self.progress.setTextVisible(False)
        self.outcome.setWordWrap(True)
        self.outcome.setTextFormat(Qt.TextFormat.PlainText)
        self.outcome.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.outcome.setAccessibleName("Gains by chance")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        for button in (self.start, self.cancel):
            button.setAutoDefault(False)
        layout = QVBoxLayout(self)
        layout.setSpacing(SPACE // 2)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        layout.addLayout(form)
        layout.addWidget(self.time)
        layout.addLayout(row)
        layout.addSpacing(SPACE // 2)
        layout.addWidget(self.outcome)
        layout.addStretch(1)
        layout.addWidget(self.meaning)
        layout.addWidget(buttons)
        buttons.rejected.connect(self.reject)
        self.start.clicked.connect(lambda: self.start_asked.emit(self.draws.read(), self.workers.read()))
        self.cancel.clicked.connect(self.cancel_asked)
        for field in (self.draws, self.workers):
            field.valueChanged.connect(self._show_time)

    def show_job(self, job: ChanceJob) -> None:
        """What a start would draw and search."""
        self._job = job
        self.title.setText(f"Compare {job.title} with chance")
        self.text.setText(job.text)
        self._show_time()

    def _show_time(self) -> None:
        if self._job is not None:
            rounds = -(-self.draws.read() // self.workers.read())
            self.time.setText(
                f"About {duration(self._job.seconds * rounds)}; the run itself took {duration(self._job.seconds)}."
            )

    def show_running(self, is_running: bool) -> None:
        """Offer to cancel, or to start."""
        self.start.setEnabled(not is_running)
        self.cancel.setEnabled(is_running)
        for field in (self.draws, self.workers):
            field.setEnabled(not is_running)
        self.progress.setVisible(is_running)
        if not is_running:
            self.state.setText("")

    def show_progress(self, progress: Progress) -> None:
        """How far it is."""
        self.progress.setRange(0, max(progress.total or 0, 1))
        self.progress.setValue(progress.done)
        self.state.setText(progress.text)

    def show_outcome(self, lines: Sequence[str]) -> None:
        """Gains by chance, as far as it is known."""
        self.outcome.setText("\n".join(lines) or NOTHING_YET)
        self._fit_height()

    def _fit_height(self) -> None:
        """Grow where the text needs more lines than there were."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        most = round(self.screen().availableSize().height() * MOST_OF_SCREEN)
        self.resize(self.width(), max(self.height(), min(layout.totalHeightForWidth(self.width()), most)))
