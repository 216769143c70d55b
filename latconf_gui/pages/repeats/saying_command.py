"""A command whose outcome is a few sentences on the run that is shown."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TypeVar

from PySide6.QtWidgets import QWidget

from latconf_core.search.outcome.result import SearchResult
from latconf_gui.application.latent_naming import shown_names
from latconf_gui.pages.page import PageContext
from latconf_gui.pages.repeats.repeating_command import RepeatingCommand
from latconf_gui.pages.repeats.said_outcome import SaidJob, SaidOutcomeDialog

Dialog = TypeVar("Dialog", bound=SaidOutcomeDialog)
Job = TypeVar("Job", bound=SaidJob)
Outcome = TypeVar("Outcome")


class SayingCommand(RepeatingCommand[Job, Dialog, Outcome]):
    """Offered where there is something to repeat for the run that is shown; it follows the names of latents, too."""

    def __init__(
        self,
        context: PageContext,
        window: QWidget,
        command: tuple[str, str, str],
        *,
        where: str,
        outcome: type[Outcome],
    ) -> None:
        """`command` is its id, title and tip."""
        super().__init__(context, window, where=where, outcome=outcome)
        self._id, title, tip = command
        context.actions.add(self._id, title, slot=self.ask, tip=tip)
        self.listen(self._document.latent_names_changed)

    @abstractmethod
    def say(self, result: SearchResult, names: Mapping[str, str]) -> list[str]:
        """What is known of a result, whose latents are called by `names`."""

    def follow(self, job: Job | str, obstacle: str) -> None:
        self._context.actions.allow(self._id, obstacle)
        if self.dialog is not None and not self.is_running:
            if not isinstance(job, str):
                self.dialog.show_job(job)
            self.dialog.start.setEnabled(not obstacle)
            run = self._document.shown_run
            best = None if run is None else run.result.best
            names = {} if best is None else shown_names(best, self._document.latent_names)
            self.dialog.show_outcome([] if run is None else self.say(run.result, names))
