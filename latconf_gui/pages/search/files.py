"""What the Search page writes: the chart of a search as a picture, and its DAGs as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from latconf_core.control import RunControl
from latconf_core.files import write_text_atomically
from latconf_core.search.outcome.history import History
from latconf_gui.application.settings import Settings
from latconf_gui.background.run_thread import RunThread
from latconf_gui.background.runs import Report, Runs
from latconf_gui.widgets.file_dialogs import PICTURES, FileDialogs, propose_name

TABLES = ("CSV (*.csv)",)


class SearchFiles(QObject):
    """Asks where to and writes beside the window, for a search may have visited a hundred thousand DAGs."""

    def __init__(self, runs: Runs, settings: Settings, *, report: Report, window: QWidget) -> None:
        super().__init__(window)
        self._runs = runs
        self._report = report
        self._dialogs = FileDialogs(settings, report, window=window)
        self.history: Callable[[], History | None] = lambda: None
        self.document: Callable[[], str] = lambda: ""  # the name of what is open

    def ask_chart(self) -> QFileDialog | None:
        """Where to write the chart."""
        return self._ask("Export the chart", PICTURES, "search", self.write_chart)

    def ask_table(self) -> QFileDialog | None:
        """Where to write the table."""
        return self._ask("Export the table", TABLES, "DAGs", self.write_table)

    def _ask(
        self, title: str, filters: tuple[str, ...], what: str, write: Callable[[Path], None]
    ) -> QFileDialog | None:
        if self.history() is None:
            self._report("There is no finished search to export; run one first, or wait until it finishes.", title)
            return None
        name = propose_name(self.document(), what)
        return self._dialogs.ask_save(title, filters, name=name, take=lambda path, _filter: write(path))

    def write_chart(self, path: Path) -> None:
        """The chart as the command line draws it: SVG, PDF or PNG by the name of the file."""

        def write(history: History) -> None:
            from latconf_gui.charts.figure import write_chart

            write_chart(history, path)

        self._write(path, write)

    def write_table(self, path: Path) -> None:
        """Every DAG that was visited, as the command line writes history.csv."""

        def write(history: History) -> None:
            from latconf_core.formats.history_csv import history_text

            write_text_atomically(path, history_text(history))

        self._write(path, write)

    def _write(self, path: Path, write: Callable[[History], None]) -> None:
        history = self.history()
        if history is None:
            return
        shown = history

        def start(_control: RunControl) -> Iterator[object]:
            write(shown)
            yield path

        thread = RunThread(start)
        thread.events.connect(lambda events: self._dialogs.say_written(path) if path in events else None)
        self._runs.start(thread, f"Exporting {path.name}")
