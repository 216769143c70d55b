"""The command "Apply to a table…" of the Model page: which table, its run beside the window, and its export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from latconf_core.control import Progress, RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.reading.table_formats.registry import table_suffixes
from latconf_core.data.watch import OnProgress
from latconf_core.formats.applied_rows import write_applied_rows
from latconf_core.inference.applying import Applied, apply_network
from latconf_gui.background.run_thread import RunThread
from latconf_gui.pages.model.applying.apply_dialog import TITLE, ApplyDialog
from latconf_gui.pages.page import PageContext
from latconf_gui.widgets.file_dialogs import FileDialogs, propose_name

ID = "model.apply"
NO_MODEL = "There is no fitted model to apply yet; run a search, or wait until it is fitted."
FAILED = "The model could not be applied; the Problems panel says why."
CSV = ("CSV (*.csv)",)


@dataclass(frozen=True, eq=False)
class AppliedTable:
    """What came of applying a model to the table of a file."""

    path: Path
    applied: Applied


class ApplyCommand(QObject):
    """At most one table at a time; `model` gives the network that is shown, None while there is none."""

    def __init__(self, context: PageContext, model: Callable[[], BayesNet | None], window: QWidget) -> None:
        super().__init__(window)
        self._context, self._model, self._window = context, model, window
        self._dialogs = FileDialogs(context.settings, context.report, window=window)
        self.dialog: ApplyDialog | None = None
        self.result: AppliedTable | None = None
        self._thread: RunThread | None = None
        tip = "For each row of a table: its log-likelihood, and the probability of each state of each hidden cause"
        context.actions.add(ID, "A&pply to a table…", slot=self.ask, tip=tip)

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    def ask(self) -> QFileDialog | None:
        """Which table."""
        if self._model() is None:
            self._context.report(NO_MODEL, TITLE)
            return None
        tables = f"Tables ({' '.join(f'*{suffix}' for suffix in table_suffixes())})"
        title = "Apply the model to a table"
        return self._dialogs.ask_open(title, (tables, "All files (*)"), take=lambda path, _: self.start(path))

    def start(self, path: Path) -> None:
        """Read the table and apply the model to it, beside the window."""
        network = self._model()
        if network is None or self.is_running:
            return
        preparation = self._context.document.preparation
        thread = RunThread(lambda control: apply_to_file(network, path, preparation, control, post=thread.post))
        thread.events.connect(self._on_events)
        thread.failed.connect(lambda _error: self._shown_dialog().show_stopped(FAILED))
        thread.ended.connect(lambda: self._on_ended(thread))
        self._thread, self.result = thread, None
        dialog = self._shown_dialog()
        dialog.show_running(f"{path.name}: what the model says")
        dialog.show()
        dialog.raise_()
        self._context.runs.start(thread, f"Applying the model to {path.name}")

    def cancel(self) -> None:
        """End it; nothing is kept."""
        if self._thread is not None:
            self._thread.cancel()

    def export(self) -> QFileDialog | None:
        """Where to write the rows."""
        if self.result is None:
            return None
        name = propose_name(self.result.path.name, "applied")
        return self._dialogs.ask_save("Export the rows", CSV, name=name, take=lambda path, _: self.write(path))

    def write(self, path: Path) -> None:
        """Write a line per row, beside the window: there may be a million."""
        if self.result is None:
            return
        applied = self.result.applied

        def start(control: RunControl) -> Iterator[object]:
            write_applied_rows(applied, path, control=control, on_progress=thread.post)
            yield path

        thread = RunThread(start)
        thread.events.connect(lambda events: self._dialogs.say_written(path) if path in events else None)
        self._context.runs.start(thread, f"Exporting {path.name}")

    def _shown_dialog(self) -> ApplyDialog:
        if self.dialog is None:
            self.dialog = ApplyDialog(self._window)
            self.dialog.table_asked.connect(self.ask)
            self.dialog.export_asked.connect(self.export)
            self.dialog.cancel_asked.connect(self.cancel)
        return self.dialog

    def _on_events(self, events: list[object]) -> None:
        dialog = self._shown_dialog()
        steps = [event for event in events if isinstance(event, Progress)]
        if steps:
            dialog.show_progress(steps[-1])
        for event in events:
            if isinstance(event, AppliedTable):
                self.result = event
                dialog.show_applied(event.applied)

    def _on_ended(self, thread: RunThread) -> None:
        self._thread = None
        if self.result is None and thread.is_cancelled:
            self._shown_dialog().show_stopped()


def apply_to_file(
    network: BayesNet, path: Path, preparation: Preparation, control: RunControl, *, post: OnProgress
) -> Iterator[object]:
    """Read a table and apply a model to it; an AppliedTable is the only event.

    preparation : what was chosen about the data of the model; a column of counts that the table lacks counts no rows
    """
    from latconf_core.data.reading.load import read_table

    raw = read_table(path, control=control, on_progress=post)
    if not preparation.missing_marks:  # of an example, which has no missing cells: an empty cell is one all the same
        preparation = replace(preparation, missing_marks=("",))
    if preparation.counts not in raw.index:
        preparation = preparation.with_counts(None)
    yield AppliedTable(path, apply_network(network, raw, preparation=preparation, control=control, on_progress=post))
