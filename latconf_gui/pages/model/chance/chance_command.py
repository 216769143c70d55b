"""The command "How often would chance do this?" of the Model page: its dialog, and its run beside the window."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from latconf_core.control import StopReason
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import OptionError
from latconf_core.formats.projects.state_changes import keep_null_gains
from latconf_core.phrases import counted
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.calibration import Calibration
from latconf_core.wording.chance_sentences import chance_lines
from latconf_gui.application.document_file import Ticket
from latconf_gui.pages.model.chance.chance_dialog import TITLE, ChanceDialog
from latconf_gui.pages.model.chance.chance_job import ChanceJob, chance_events, chance_job
from latconf_gui.pages.page import PageContext
from latconf_gui.pages.repeats.saying_command import SayingCommand

TIP = "Repeat the search on tables without hidden causes and compare its gains"
COMMAND = "model.chance", "H&ow often would chance do this?", TIP
NONE_DONE = "The comparison stopped before the first draw finished; nothing was kept."


class ChanceCommand(SayingCommand[ChanceJob, ChanceDialog, Calibration]):
    """Offers the command where the run that is shown has something to compare; at most one run at a time."""

    def __init__(self, context: PageContext, window: QWidget) -> None:
        super().__init__(context, window, COMMAND, where=TITLE, outcome=Calibration)

    def is_untried(self, dag: LatentDag) -> bool:
        """Whether a DAG is the best of the run that is shown, which could be compared with chance and was not yet."""
        run = self._document.shown_run
        if run is None or run.result.best != dag or run.result.null_gains is not None:
            return False
        return isinstance(self.find_job(), ChanceJob)

    def find_job(self) -> ChanceJob | str:
        return chance_job(self._document.state, self._document.shown_run)

    def make_dialog(self) -> ChanceDialog:
        dialog = ChanceDialog(self._window)
        dialog.start_asked.connect(self.start)
        return dialog

    def say(self, result: SearchResult, names: Mapping[str, str]) -> list[str]:
        return chance_lines(result, names)

    def start(self, draws: int, workers: int) -> None:
        """Search tables with nothing hidden, beside the window."""
        self.begin(
            lambda job, control: chance_events(job, draws, workers, control),
            lambda job: f"Comparison of {job.title} with chance",
            draws,
        )

    def take(self, outcome: Calibration, job: ChanceJob, ticket: Ticket) -> None:
        for failure in sorted(set(outcome.failures)):
            self.report(f"A draw was left out: {failure}.")
        gains, known = outcome.null_gains, job.result.null_gains or ()
        if not gains:
            if not outcome.failures:
                self.report(NONE_DONE)
        elif outcome.stop_reason is StopReason.CANCELLED and len(gains) <= len(known):
            kept = f"the earlier {counted(len(known), 'draw')} are kept"
            self.report(f"The comparison was cancelled; {kept}.")
        elif self._document.is_valid(ticket):
            self._keep(gains, job.result, job.title)

    def _keep(self, gains: tuple[float, ...], result: SearchResult, title: str) -> None:
        try:
            after = keep_null_gains(self._document.state, result, gains)
        except OptionError:
            self.report(f"{title} was deleted, so its comparison with chance was dropped.")
        else:
            self._document.change(after, f"Compare {title} with chance")
