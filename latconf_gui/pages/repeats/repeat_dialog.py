"""The dialog of a command that repeats something: what it does, a form, Start and Cancel, how far it is."""

from __future__ import annotations

import os

from PySide6.QtCore import Signal
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
from latconf_gui.widgets.form_fields import Whole, add_row
from latconf_gui.widgets.text import SPACE, Heading, Quiet

MOST_WORKERS, MOST_DEFAULT_WORKERS = 64, 4
MOST_OF_SCREEN = 0.85


class RepeatDialog(QDialog):
    """`cancel_asked()`; it runs nothing itself. What a form asks and what came of it is added by each kind."""

    cancel_asked = Signal()

    def __init__(self, window_title: str, meaning: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(window_title)
        self.title, self.text = Heading(), Quiet()
        self.workers = Whole(1, MOST_WORKERS)
        self.workers.fill(max(1, min(os.cpu_count() or 1, MOST_DEFAULT_WORKERS)))
        self.start, self.cancel = QPushButton("&Start"), QPushButton("&Cancel")
        self.progress, self.state = QProgressBar(), QLabel()
        self.estimate, self.meaning = Quiet(), Quiet(meaning)
        self.estimate.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)

    def put_together(self, fields: list[tuple[str, QWidget, str]], below: list[QWidget], *, things: str) -> QVBoxLayout:
        """Lay out the form with these fields and that of the cores, and what stands below the bar.

        things : what is repeated, in the plural
        """
        form = QFormLayout()
        for label, field, tip in fields:
            add_row(form, label, field, tip=tip)
        tip = f"{things.capitalize()} at a time; what comes of them does not depend on it"
        add_row(form, "Cores", self.workers, tip=tip)
        self._fields = [field for _, field, _ in fields] + [self.workers]
        row = QHBoxLayout()
        for part, share in ((self.start, 0), (self.cancel, 0), (self.progress, 1), (self.state, 1)):
            row.addWidget(part, share)
        self.progress.setAccessibleName(f"Progress of the {things}")
        self.progress.setTextVisible(False)
        for button in (self.start, self.cancel):
            button.setAutoDefault(False)
        layout = QVBoxLayout(self)
        layout.setSpacing(SPACE // 2)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        layout.addLayout(form)
        layout.addWidget(self.estimate)
        layout.addLayout(row)
        layout.addSpacing(SPACE // 2)
        for widget in below:
            layout.addWidget(widget)
        layout.addWidget(self.meaning)
        layout.addWidget(self.buttons)
        self.buttons.rejected.connect(self.reject)
        self.cancel.clicked.connect(self.cancel_asked)
        self.show_running(False)
        return layout

    def show_running(self, is_running: bool) -> None:
        """Offer to cancel, or to start."""
        self.start.setEnabled(not is_running)
        self.cancel.setEnabled(is_running)
        for field in self._fields:
            field.setEnabled(not is_running)
        self.progress.setVisible(is_running)
        if not is_running:
            self.state.setText("")

    def show_progress(self, progress: Progress) -> None:
        """How far it is."""
        self.progress.setRange(0, max(progress.total or 0, 1))
        self.progress.setValue(progress.done)
        self.state.setText(progress.text)
