"""The command "How often would chance do this?" of the Model page: its dialog, and its run beside the window."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from latconf_core.control import Progress, StopReason
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import OptionError
from latconf_core.formats.projects.state_changes import keep_null_gains
from latconf_core.phrases import counted
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.calibration import Calibration
from latconf_core.wording.chance_sentences import chance_lines
from latconf_gui.application.document import PRESENTING
from latconf_gui.application.document_file import Ticket
from latconf_gui.application.latent_naming import shown_names
from latconf_gui.background.run_thread import RunThread
from latconf_gui.pages.model.chance.chance_dialog import TITLE, ChanceDialog
from latconf_gui.pages.model.chance.chance_job import ChanceJob, chance_events, chance_job
from latconf_gui.pages.page import PageContext

ID = "model.chance"
NONE_DONE = "The comparison stopped before the first draw finished; nothing was kept."


class ChanceCommand(QObject):
    """Offers the command where the run that is shown has something to compare; at most one run at a time."""

    def __init__(self, context: PageContext, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._document, self._window = context, context.document, window
        self.dialog: ChanceDialog | None = None
        self._thread: RunThread | None = None
        tip = "Repeat the search on tables without hidden causes and compare its gains"
        context.actions.add(ID, "H&ow often would chance do this?", slot=self.ask, tip=tip)
        for signal in (
            self._document.collections_changed,
            self._document.dataset_changed,
            self._document.dag_opened,
            self._document.latent_names_changed,
            self._document.presenting_changed,
        ):
            signal.connect(self._follow)
        self._follow()

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    def is_untried(self, dag: LatentDag) -> bool:
        """Whether a DAG is the best of the run that is shown, which could be compared with chance and was not yet."""
        run = self._document.shown_run
        if run is None or run.result.best != dag or run.result.null_gains is not None:
            return False
        return isinstance(self._find_job(), ChanceJob)

    def _find_job(self) -> ChanceJob | str:
        return chance_job(self._document.state, self._document.shown_run)

    def _follow(self) -> None:
        """Offer what can be done now, and show what is known of it."""
        job = self._find_job()
        obstacle = PRESENTING if self._document.is_presenting else job if isinstance(job, str) else ""
        self._context.actions.allow(ID, obstacle)
        if self.dialog is not None and not self.is_running:
            if isinstance(job, ChanceJob):
                self.dialog.show_job(job)
            self.dialog.start.setEnabled(not obstacle)
            self.dialog.show_outcome(self._lines())

    def _lines(self) -> list[str]:
        run = self._document.shown_run
        if run is None:
            return []
        dag = run.result.best
        return chance_lines(run.result, {} if dag is None else shown_names(dag, self._document.latent_names))

    def ask(self) -> None:
        """Show the dialog, beside which everything else can be used."""
        job = self._find_job()
        if isinstance(job, str):
            self._context.report(job, TITLE)
            return
        if self.dialog is None:
            self.dialog = ChanceDialog(self._window)
            self.dialog.start_asked.connect(self.start)
            self.dialog.cancel_asked.connect(self.cancel)
        self._follow()
        self.dialog.show()
        self.dialog.raise_()

    def start(self, draws: int, workers: int) -> None:
        """Search tables with nothing hidden, beside the window."""
        job = self._find_job()
        if self.is_running:
            return
        if isinstance(job, str):
            self._context.report(job, TITLE)
            return
        ticket = self._document.ticket()
        thread = RunThread(lambda control: chance_events(job, draws, workers, control))
        thread.events.connect(lambda events: self._on_events(events, job, ticket))
        thread.ended.connect(lambda: self._on_ended(thread))
        self._thread = thread
        self._context.runs.start(thread, f"Comparison of {job.title} with chance")
        if self.dialog is not None:
            self.dialog.show_running(True)
            self.dialog.show_progress(Progress(0, draws, "preparing"))

    def cancel(self) -> None:
        """End it; the draws that are done are kept."""
        if self._thread is not None:
            self._thread.cancel()

    def _on_events(self, events: list[object], job: ChanceJob, ticket: Ticket) -> None:
        steps = [event for event in events if isinstance(event, Progress)]
        if steps and self.dialog is not None:
            self.dialog.show_progress(steps[-1])
        for event in events:
            if isinstance(event, Calibration):
                self._thread = None  # from here on another may begin, and the dialog shows this one
                self._take(event, job, ticket)

    def _take(self, calibration: Calibration, job: ChanceJob, ticket: Ticket) -> None:
        """Report what went wrong, and keep the rest in the document that it was computed for."""
        for failure in sorted(set(calibration.failures)):
            self._context.report(f"A draw was left out: {failure}.", TITLE)
        gains, known = calibration.null_gains, job.result.null_gains or ()
        if not gains:
            if not calibration.failures:
                self._context.report(NONE_DONE, TITLE)
        elif calibration.stop_reason is StopReason.CANCELLED and len(gains) <= len(known):
            kept = f"the earlier {counted(len(known), 'draw')} are kept"
            self._context.report(f"The comparison was cancelled; {kept}.", TITLE)
        elif self._document.is_valid(ticket):
            self._keep(gains, job.result, job.title)

    def _keep(self, gains: tuple[float, ...], result: SearchResult, title: str) -> None:
        try:
            after = keep_null_gains(self._document.state, result, gains)
        except OptionError:
            self._context.report(f"{title} was deleted, so its comparison with chance was dropped.", TITLE)
        else:
            self._document.change(after, f"Compare {title} with chance")

    def _on_ended(self, thread: RunThread) -> None:
        if self._thread is thread:
            self._thread = None
        if self.dialog is not None:
            self.dialog.show_running(self.is_running)
        self._follow()
