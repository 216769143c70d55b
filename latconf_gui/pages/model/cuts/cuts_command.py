"""The command "Does it survive other cut points?" of the Model page: its dialog, and its run beside the window."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from latconf_core.errors import OptionError
from latconf_core.formats.projects.state_changes import keep_other_cuts
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.other_cuts import OtherCuts
from latconf_core.wording.cut_sentences import cut_lines
from latconf_gui.application.document_file import Ticket
from latconf_gui.pages.model.cuts.cuts_dialog import TITLE, CutsDialog
from latconf_gui.pages.model.cuts.cuts_job import CutsJob, cuts_events, cuts_job
from latconf_gui.pages.page import PageContext
from latconf_gui.pages.repeats.saying_command import SayingCommand

TIP = "Repeat the search with other cut points for columns of numbers"
COMMAND = "model.cuts", "Does it sur&vive other cut points?", TIP
NONE_DONE = "The search with other cut points stopped before the first table finished; nothing was kept."


class CutsCommand(SayingCommand[CutsJob, CutsDialog, OtherCuts]):
    """Offers the command where a column of the run that is shown was cut from numbers; at most one run at a time."""

    def __init__(self, context: PageContext, window: QWidget) -> None:
        super().__init__(context, window, COMMAND, where=TITLE, outcome=OtherCuts)

    def say(self, result: SearchResult, names: Mapping[str, str]) -> list[str]:
        return cut_lines(result, names)

    def find_job(self) -> CutsJob | str:
        return cuts_job(self._document.state, self._document.shown_run)

    def make_dialog(self) -> CutsDialog:
        dialog = CutsDialog(self._window)
        dialog.start_asked.connect(self.start)
        return dialog

    def start(self, workers: int) -> None:
        """Search the table cut elsewhere, beside the window."""
        self.begin(
            lambda job, control: cuts_events(job, workers, control),
            lambda job: f"{job.title} with other cut points",
            1,
        )

    def take(self, outcome: OtherCuts, job: CutsJob, ticket: Ticket) -> None:
        if outcome.obstacle:
            self.report(f"{outcome.obstacle[:1].upper()}{outcome.obstacle[1:]}.")
        elif not outcome.outcomes:
            self.report(NONE_DONE)
        elif self._document.is_valid(ticket):
            try:
                after = keep_other_cuts(self._document.state, job.result, outcome.outcomes)
            except OptionError:
                self.report(f"{job.title} was deleted, so the results of other cut points were dropped.")
            else:
                self._document.change(after, f"Try other cut points for {job.title}")
