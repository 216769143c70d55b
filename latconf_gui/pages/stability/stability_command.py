"""The command "Stability…" of a page: its dialog, its run beside the window, and whether shares are drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import OptionError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.resampling import StabilityOptions
from latconf_core.stability.stability_result import Stability
from latconf_gui.application.document_file import Ticket
from latconf_gui.drawing.content.graph_drawing import NO_NOTES, NO_SHARES, Shares
from latconf_gui.pages.page import PageContext
from latconf_gui.pages.repeats.repeating_command import RepeatingCommand
from latconf_gui.pages.stability.drawn_shares import dag_shares, latent_notes, pag_shares
from latconf_gui.pages.stability.stability_dialog import StabilityDialog
from latconf_gui.pages.stability.stability_job import StabilityJob, job_events

WHERE = "Stability"
NOTHING_TO_SHOW = "Stability has not been measured yet: choose Stability… first."


class StabilityCommand(RepeatingCommand[StabilityJob, StabilityDialog, Stability]):
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
        super().__init__(context, window, where=WHERE, outcome=Stability)
        self._make_job, self._find_kept = make_job, find_kept
        self._drawn: Stability | None = None
        self._ids = f"{name}.stability", f"{name}.shares"
        tip = "Repeat this on samples of the rows and count how often each edge and hidden cause is recovered"
        context.actions.add(self._ids[0], "Stabilit&y…", slot=self.ask, tip=tip)
        tip = "Show each edge's share of samples by thickness and as a number"
        context.actions.add(self._ids[1], "S&how stability", slot=lambda _: self._follow(), tip=tip, checkable=True)
        self.listen()

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

    def follow(self, job: StabilityJob | str, obstacle: str) -> None:
        kept, actions = self.kept, self._context.actions
        actions.allow(self._ids[0], obstacle)
        actions.allow(self._ids[1], "" if kept is not None and kept.n_samples else NOTHING_TO_SHOW)
        if self.dialog is not None and not self.is_running:
            if isinstance(job, StabilityJob):
                self.dialog.show_job(job)
            self.dialog.start.setEnabled(not obstacle)
            self.dialog.show_stability(kept)
        if self.drawn is not self._drawn:
            self._drawn = self.drawn
            self.changed.emit()

    def find_job(self) -> StabilityJob | str:
        return self._make_job()

    def make_dialog(self) -> StabilityDialog:
        dialog = StabilityDialog(self._window)
        dialog.start_asked.connect(self.start)
        dialog.shown_asked.connect(lambda: self._context.actions[self._ids[1]].setChecked(True))
        return dialog

    def start(self, options: StabilityOptions) -> None:
        """Repeat what is shown, beside the window."""
        self.begin(
            lambda job, control: job_events(job, options, control),
            lambda job: f"Stability of {job.title}",
            options.samples,
        )

    def take(self, outcome: Stability, job: StabilityJob, ticket: Ticket) -> None:
        if not outcome.outcomes:
            self.report("It stopped before the first sample finished; nothing was kept.")
        elif self._document.is_valid(ticket):
            try:
                after = job.keep(self._document.state, outcome)
            except OptionError:  # what it belongs to was deleted or renamed meanwhile
                self.report(f"{job.title} was deleted, so its stability was dropped.")
            else:
                self._document.change(after, f"Measure the stability of {job.title}")
