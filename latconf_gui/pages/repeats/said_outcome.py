"""A dialog whose outcome is a few sentences, and that grows where these need more lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from latconf_core.phrases import duration, first_upper, rough_duration
from latconf_gui.pages.repeats.repeat_dialog import MOST_OF_SCREEN, RepeatDialog
from latconf_gui.widgets.text import Quiet

NOTHING_YET = "Not run yet."
FIRST_LETTERS = 90  # the first width of the dialog


class SaidJob(Protocol):
    """What such a dialog shows of its job."""

    @property
    def title(self) -> str: ...

    @property
    def text(self) -> str: ...


class SaidOutcomeDialog(RepeatDialog):
    """What came of the repetitions in sentences; how long they will take below the form."""

    def __init__(self, window_title: str, meaning: str, parent: QWidget | None = None) -> None:
        super().__init__(window_title, meaning, parent)
        self.time, self.outcome = Quiet(), QLabel()

    def finish(self, fields: list[tuple[str, QWidget, str]], *, things: str, outcome_name: str) -> None:
        """Lay out the dialog with these fields above."""
        self.outcome.setWordWrap(True)
        self.outcome.setTextFormat(Qt.TextFormat.PlainText)
        self.outcome.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.outcome.setAccessibleName(outcome_name)
        layout = self.put_together(fields, [self.outcome], things=things)
        layout.insertWidget(3, self.time)
        layout.insertStretch(layout.indexOf(self.meaning), 1)
        self.resize(self.fontMetrics().averageCharWidth() * FIRST_LETTERS, self.sizeHint().height())
        self.show_outcome([])

    def show_job(self, job: Any) -> None:
        """What a start would repeat; each kind says more."""
        self.text.setText(job.text)

    def show_time(self, seconds: float, n_repeats: int) -> None:
        """About how long so many repetitions take, each as long as the run."""
        rounds = -(-n_repeats // self.workers.read())
        about = first_upper(rough_duration(seconds * rounds))
        self.time.setText(f"{about}; the run itself took {duration(seconds)}.")

    def show_outcome(self, lines: Sequence[str]) -> None:
        """What came of it, as far as it is known."""
        self.outcome.setText("\n".join(lines) or NOTHING_YET)
        layout = self.layout()
        assert layout is not None
        layout.activate()
        most = round(self.screen().availableSize().height() * MOST_OF_SCREEN)
        self.resize(self.width(), max(self.height(), min(layout.totalHeightForWidth(self.width()), most)))
