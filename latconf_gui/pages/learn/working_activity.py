"""An activity that computes in the background, as long as it is seen."""

from __future__ import annotations

from PySide6.QtGui import QHideEvent, QShowEvent

from latconf_gui.background.latest_job import LatestJob
from latconf_gui.pages.learn.activity import Activity, ActivityContext


class WorkingActivity(Activity):
    """`want` says that there is something to do: at once where the activity is seen, else when it is shown.

    What nobody sees is not computed: it is given up when the activity is hidden, and `begin` is called again when it
    is seen again.
    """

    def __init__(self, context: ActivityContext) -> None:
        super().__init__(context)
        self._is_wanted = False
        self._job = LatestJob(self)
        self._job.failed.connect(lambda error: self.context.report(error, self.title))

    def begin(self) -> None:
        """Ask `_job` for what is wanted."""
        raise NotImplementedError

    def want(self) -> None:
        """Compute something else."""
        self._job.forget()
        self._is_wanted = True
        if self.isVisible():
            self._begin_once()

    def _begin_once(self) -> None:
        self._is_wanted = False
        self.begin()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_wanted:
            self._begin_once()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._job.is_busy and not self.isVisible():
            self._job.forget()
            self._is_wanted = True
