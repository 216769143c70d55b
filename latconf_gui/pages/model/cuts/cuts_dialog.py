"""The dialog of "Does it survive other cut points?": how far it is, and what came back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from latconf_core.data.preparing.other_cuttings import RECUTS
from latconf_core.wording.cut_sentences import MEANING
from latconf_gui.pages.model.cuts.cuts_job import CutsJob
from latconf_gui.pages.repeats.said_outcome import SaidOutcomeDialog

TITLE = "Does it survive other cut points?"


class CutsDialog(SaidOutcomeDialog):
    """`start_asked(workers)`, `cancel_asked()`; it runs nothing itself."""

    start_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(TITLE, MEANING, parent)
        self._seconds: float | None = None
        self.finish([], things="cuttings", outcome_name="Results of other cut points")
        self.start.clicked.connect(lambda: self.start_asked.emit(self.workers.read()))
        self.workers.valueChanged.connect(self._show_time)

    def show_job(self, job: CutsJob) -> None:
        """What a start would cut and search."""
        self._seconds = job.result.total_seconds
        self.title.setText(f"Other cut points for {job.title}")
        super().show_job(job)
        self._show_time()

    def _show_time(self) -> None:
        if self._seconds is not None:
            self.show_time(self._seconds, len(RECUTS))
