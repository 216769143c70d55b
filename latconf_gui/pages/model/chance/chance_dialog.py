"""The dialog of "How often would chance do this?": how many draws, how far it is, and what chance gains."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from latconf_core.stability.calibration import DEFAULT_DRAWS
from latconf_core.wording.chance_sentences import MEANING
from latconf_gui.pages.model.chance.chance_job import ChanceJob
from latconf_gui.pages.repeats.said_outcome import SaidOutcomeDialog
from latconf_gui.widgets.form_fields import Whole

TITLE = "How often would chance do this?"
MAX_DRAWS = 9_999


class ChanceDialog(SaidOutcomeDialog):
    """`start_asked(draws, workers)`, `cancel_asked()`; it runs nothing itself."""

    start_asked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(TITLE, MEANING, parent)
        self._job: ChanceJob | None = None
        self.draws = Whole(1, MAX_DRAWS)
        self.draws.fill(DEFAULT_DRAWS)
        tip = "19 draws can reach p ≤ 0.05, 99 draws p ≤ 0.01"
        self.finish([("Draws", self.draws, tip)], things="draws", outcome_name="Gains by chance")
        self.start.clicked.connect(lambda: self.start_asked.emit(self.draws.read(), self.workers.read()))
        for field in (self.draws, self.workers):
            field.valueChanged.connect(self._show_time)

    def show_job(self, job: ChanceJob) -> None:
        """What a start would draw and search."""
        self._job = job
        self.title.setText(f"Compare {job.title} with chance")
        super().show_job(job)
        self._show_time()

    def _show_time(self) -> None:
        if self._job is not None:
            self.show_time(self._job.seconds, self.draws.read())
