"""The Problems dock: what happened, where, what to do; details on demand."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from latconf_gui.application.messages import Message, diagnostics, explain
from latconf_gui.look.icons import icon
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text import SPACE, Heading, IconLabel, Quiet

MAX_ENTRIES = 100
LEAST_LINES = 11  # of the dock: room for its buttons and a problem
_log = logging.getLogger(__name__)


class ProblemsDock(QDockWidget):
    """Every problem of the document, newest first. It opens by itself when there is a new one."""

    reported = Signal(object)

    def __init__(self, log_tail: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__("Problems", parent)
        self.setObjectName("problems_dock")
        self._log_tail = log_tail
        self.messages: list[Message] = []
        self.n_reported = 0  # since the start
        self._list = QVBoxLayout()
        self._list.setContentsMargins(SPACE, 0, SPACE, SPACE)
        self._list.setSpacing(SPACE)
        self._list.addStretch(1)
        inside = QWidget()
        inside.setLayout(self._list)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(inside)
        scroll.setAccessibleName("Problems, newest first")
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._buttons())
        layout.addWidget(scroll)
        self.setWidget(whole)
        LeastLines(self, LEAST_LINES)

    def _buttons(self) -> QHBoxLayout:
        copy = QPushButton(icon("copy"), "Copy diagnostics")
        copy.setToolTip("Copy versions, problems and the latest log lines, for a bug report")
        copy.clicked.connect(self.copy_diagnostics)
        clear = QPushButton("Clear")
        clear.setToolTip("Remove all problems from this list")
        clear.clicked.connect(self.clear)
        row = QHBoxLayout()
        row.setContentsMargins(SPACE, SPACE // 2, SPACE, 0)
        row.addWidget(copy)
        row.addWidget(clear)
        row.addStretch(1)
        return row

    def report(self, problem: BaseException | str, where: str) -> None:
        """Log and show a problem; the dock opens."""
        message = explain(problem, where)
        _log.warning("%s (%s)", message.what, where, exc_info=problem if isinstance(problem, Exception) else None)
        self.n_reported += 1
        self.messages.insert(0, message)
        self._list.insertWidget(0, _Entry(message))
        if len(self.messages) > MAX_ENTRIES:
            self.messages.pop()
            self._remove(MAX_ENTRIES)
        self.show()
        self.raise_()
        self.reported.emit(message)

    def clear(self) -> None:
        self.forget_first(self.n_reported)

    def forget_first(self, n_reported: int) -> None:
        """Remove what was reported until then: it belongs to what is no longer open."""
        n_kept = min(self.n_reported - n_reported, len(self.messages))
        while len(self.messages) > n_kept:
            self.messages.pop()
            self._remove(len(self.messages))
        if not self.messages:
            self.hide()

    def copy_diagnostics(self) -> None:
        """Put everything a developer would ask for on the clipboard."""
        QGuiApplication.clipboard().setText(diagnostics(self.messages, self._log_tail()))

    def _remove(self, position: int) -> None:
        item = self._list.takeAt(position)
        widget = None if item is None else item.widget()
        if widget is not None:
            widget.deleteLater()


class _Entry(QFrame):
    """One problem, its details folded away."""

    def __init__(self, message: Message) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAccessibleName(f"{message.what} {message.remedy}")
        mark = IconLabel("problem" if message.severity == "error" else "note")
        text = QVBoxLayout()
        text.setSpacing(2)
        what = Heading(message.what, factor=1.0)
        what.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        text.addWidget(what)
        if message.remedy:
            remedy = QLabel(message.remedy)
            remedy.setWordWrap(True)
            remedy.setTextFormat(Qt.TextFormat.PlainText)
            text.addWidget(remedy)
        text.addWidget(Quiet(f"{message.where} · {message.time}"))
        if message.details:
            self._add_details(text, message.details)
        row = QHBoxLayout(self)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(text, 1)

    def _add_details(self, layout: QVBoxLayout, details: str) -> None:
        shown = QPlainTextEdit(details)
        shown.setReadOnly(True)
        shown.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        shown.setMinimumHeight(160)
        shown.setAccessibleName("Details for developers")
        shown.hide()
        fold = QToolButton()
        fold.setText("Details")
        fold.setCheckable(True)
        fold.setAutoRaise(True)
        fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        fold.setArrowType(Qt.ArrowType.RightArrow)
        fold.toggled.connect(shown.setVisible)
        fold.toggled.connect(lambda on: fold.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow))
        layout.addWidget(fold, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(shown)
