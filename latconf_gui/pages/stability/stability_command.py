"""The command "Stability…" of a page: its dialog, its run beside the window, and whether shares are drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from latconf_core.control import Progress
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import OptionError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.resampling import StabilityOptions
from latconf_core.stability.stability_result import Stability
from latconf_gui.application.document import PRESENTING
from latconf_gui.application.document_file import Ticket
from latconf_gui.background.run_thread import RunThread
from latconf_gui.drawing.content.graph_drawing import NO_NOTES, NO_SHARES, Shares
from latconf_gui.pages.page import PageContext
from latconf_gui.pages.stability.drawn_shares import dag_shares, latent_notes, pag_shares
from latconf_gui.pages.stability.stability_dialog import StabilityDialog
from latconf_gui.pages.stability.stability_job import StabilityJob, first_progress, job_events

WHERE = "Stability"
NOTHING_TO_SHOW = "Stability has not been measured yet: choose Stability… first."


class StabilityCommand(QObject):
    """`changed()` when the drawing has to show other shares, or none; at most one run at a time.

    name : of the page, which its commands begin with
    make_job : what is repeated now, or why nothing can be
    find_kept : what came of it, where that is known
    """

    changed = Signal()

    def __init__(
        self,
        context: PageContext,
        name: str,
        *,
        make_job: Callable[[], StabilityJob | str],
        find_kept: Callable[[], Stability | None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._context, self._document, self._window = context, context.document, window
        self._make_job, self._find_kept = make_job, find_kept
        self.dialog: StabilityDialog | None = None
        self._thread: RunThread | None = None
        self._drawn: Stability | None = None
        self._ids = f"{name}.stability", f"{name}.shares"
        tip = "Repeat this on samples of the rows and count how often each edge and hidden cause is recovered"
        context.actions.add(self._ids[0], "Stabilit&y…", slot=self.ask, tip=tip)
        tip = "Show each edge's share of samples by thickness and as a number"
        context.actions.add(self._ids[1], "S&how stability", slot=lambda _: self._follow(), tip=tip, checkable=True)
        for signal in (
            self._document.collections_changed,
            self._document.dataset_changed,
            self._document.dag_opened,
            self._document.presenting_changed,
        ):
            signal.connect(self._follow)
        self._follow()

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    @property
    def kept(self) -> Stability | None:
        """What is known of what is shown."""
        return self._find_kept()

    @property
    def drawn(self) -> Stability | None:
        """The same where its shares are drawn."""
        kept = self.kept
        return kept if self._context.actions[self._ids[1]].isChecked() and kept is not None and kept.n_samples else None

    def pag_shares(self, graph: MixedGraph) -> Shares:
        """What the drawing of a PAG shows of samples; nothing where that is not wanted."""
        return NO_SHARES if self.drawn is None else pag_shares(self.drawn, graph)

    def dag_shares(self, dag: LatentDag, names: Mapping[str, str]) -> tuple[Shares, Mapping[str, str]]:
        """The same for a DAG whose latents are called by `names`, with what stands below those."""
        if self.drawn is None:
            return NO_SHARES, NO_NOTES
        notes = {names.get(name, name): note for name, note in latent_notes(self.drawn, dag).items()}
        return dag_shares(self.drawn, dag, names), notes

    def _follow(self) -> None:
        """Offer what can be done now; draw anew where other shares are to be drawn."""
        job, kept, actions = self._make_job(), self.kept, self._context.actions
        presenting = PRESENTING if self._document.is_presenting else ""
        actions.allow(self._ids[0], presenting or (job if isinstance(job, str) else ""))
        actions.allow(self._ids[1], "" if kept is not None and kept.n_samples else NOTHING_TO_SHOW)
        if self.dialog is not None and not self.is_running:
            if isinstance(job, StabilityJob):
                self.dialog.show_job(job)
            self.dialog.start.setEnabled(isinstance(job, StabilityJob) and not presenting)
            self.dialog.show_stability(kept)
        if self.drawn is not self._drawn:
            self._drawn = self.drawn
            self.changed.emit()

    def ask(self) -> None:
        """Show the dialog, beside which everything else can be used."""
        job = self._make_job()
        if isinstance(job, str):
            self._context.report(job, WHERE)
            return
        if self.dialog is None:
            self.dialog = StabilityDialog(self._window)
            self.dialog.start_asked.connect(self.start)
            self.dialog.cancel_asked.connect(self.cancel)
            self.dialog.shown_asked.connect(lambda: self._context.actions[self._ids[1]].setChecked(True))
        self._follow()
        self.dialog.show()
        self.dialog.raise_()

    def start(self, options: StabilityOptions) -> None:
        """Repeat what is shown, beside the window."""
        job = self._make_job()
        if self.is_running:
            return
        if isinstance(job, str):
            self._context.report(job, WHERE)
            return
        ticket = self._document.ticket()
        thread = RunThread(lambda control: job_events(job, options, control))
        thread.events.connect(lambda events: self._on_events(events, job, ticket))
        thread.ended.connect(lambda: self._on_ended(thread))
        self._thread = thread
        self._context.runs.start(thread, f"Stability of {job.title}")
        self._show_running(first_progress(options))

    def cancel(self) -> None:
        """End it; the samples that are done are kept."""
        if self._thread is not None:
            self._thread.cancel()

    def _on_events(self, events: list[object], job: StabilityJob, ticket: Ticket) -> None:
        steps = [event for event in events if isinstance(event, Progress)]
        if steps and self.dialog is not None:
            self.dialog.show_progress(steps[-1])
        for event in events:
            if isinstance(event, Stability):
                self._thread = None  # from here on another may begin, and the dialog shows this one
                self._keep(event, job, ticket)

    def _keep(self, stability: Stability, job: StabilityJob, ticket: Ticket) -> None:
        """Put what came of it into the document that it was measured for, as one step."""
        if not stability.outcomes:
            self._context.report("It stopped before the first sample finished; nothing was kept.", WHERE)
        elif self._document.is_valid(ticket):
            try:
                after = job.keep(self._document.state, stability)
            except OptionError:  # what it belongs to was deleted or renamed meanwhile
                self._context.report(f"{job.title} was deleted, so its stability was dropped.", WHERE)
            else:
                self._document.change(after, f"Measure the stability of {job.title}")

    def _on_ended(self, thread: RunThread) -> None:
        if self._thread is thread:
            self._thread = None
        if self.dialog is not None:
            self.dialog.show_running(self.is_running)
        self._follow()

    def _show_running(self, progress: Progress) -> None:
        if self.dialog is not None:
            self.dialog.show_running(True)
            self.dialog.show_progress(progress)
