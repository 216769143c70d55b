"""The Bench beside the comparison of graphs: the form, Run and Stop, the table that fills, mean ranks and export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from latconf_core.bench.bench_table import BenchTable
from latconf_core.bench.writing.bench_files import bench_text
from latconf_core.bench.writing.bench_words import findings, rank_sentences
from latconf_core.bench.writing.visit_panels import VisitFigure
from latconf_core.control import Progress, RunControl, StopReason
from latconf_core.data.reading.table_formats.registry import table_suffixes
from latconf_core.errors import LatconfError
from latconf_core.files import write_text_atomically
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.pages.compare.bench.bench_form import BenchForm
from latconf_gui.pages.compare.bench.bench_model import BenchModel
from latconf_gui.pages.compare.bench.bench_running import BenchRunning
from latconf_gui.pages.compare.bench.bench_sources import OpenData
from latconf_gui.pages.knowledge.knowledge_command import KnowledgeLine
from latconf_gui.widgets.actions import follow_action
from latconf_gui.widgets.file_dialogs import FOLDER, FileDialogs, propose_name
from latconf_gui.widgets.scroll import LeastLines, ScrollColumn
from latconf_gui.widgets.text import SPACE, Quiet
from latconf_gui.widgets.text_size import FollowTextSize

if TYPE_CHECKING:
    from latconf_gui.pages.page import PageContext

FORMATS = {
    "HTML with charts (*.html)": ".html",
    "CSV (*.csv)": ".csv",
    "Markdown (*.md)": ".md",
    "LaTeX (*.tex)": ".tex",
    "JSON (*.json)": ".json",
}
INTRODUCTION = (
    "Run several searches on several data sets and compare them in one table: scores, times, accuracy "
    "against a known truth, and how well each model predicts held-out rows. Choose data sets and searches on "
    "the left, then Run. Finished cells are kept: Run continues after Stop."
)
NO_DATA = "Add a data set first."
NOTHING_RUN = "Run a benchmark first."
IS_RUNNING = "A benchmark is running; stop it first (finished cells are kept)."
NOT_RUNNING = "No benchmark is running."
WHERE = "Bench"
LEAST_TABLE_LINES = 8
MOST_WORDS_LINES = 6.2


class BenchActivity(QWidget):
    """Wires the form, the run and the table; everything that takes long runs beside the window."""

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setObjectName("bench")
        self.setAccessibleName("Bench")
        self.table: BenchTable | None = None
        self.form = BenchForm(self._open_data)
        self.knowledge = KnowledgeLine(context.document, context.actions)
        self.knowledge.setToolTip("Used if the open data are among the data sets, for every set with these variables")
        self.form.column.addWidget(self.knowledge)
        self.running = BenchRunning(context.runs, self)
        self.model = BenchModel(self)
        self.view, self.state, self.words = QTableView(), Quiet(INTRODUCTION), Quiet()
        self.progress, self.all_columns = QProgressBar(), QCheckBox("All columns")
        self._dialogs = FileDialogs(context.settings, context.report, window=self)
        self._exporting = LatestJob(self)
        self._export_path = Path()
        self._add_actions()
        self._place()
        self._connect()
        self._follow_document()

    # How it stands --------------------------------------------------------------------------------

    def _add_actions(self) -> None:
        add = self._context.actions.add
        add(
            "compare.bench_run",
            "R&un the benchmark",
            slot=self.run,
            shortcut="Ctrl+Return",
            icon_name="play",
            within=self,
        )
        add("compare.bench_stop", "S&top the benchmark", slot=self.running.stop, icon_name="stop")
        tip = "Write the table as HTML with charts, CSV, Markdown, LaTeX or JSON"
        add("compare.bench_export", "E&xport the benchmark…", slot=self.ask_file, tip=tip)

    def _place(self) -> None:
        self.view.setModel(self.model)
        self.view.setAccessibleName("Benchmark table")
        self.view.setAlternatingRowColors(True)
        self.view.setTabKeyNavigation(False)
        self.view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.view.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.view.verticalHeader().hide()
        self._words_area = ScrollColumn(
            "Summary of the benchmark"
        )  # much is said of many methods, and the table needs the room
        self._words_area.column.setContentsMargins(0, 0, 0, 0)
        self._words_area.column.addWidget(self.words)
        LeastLines(self.view, LEAST_TABLE_LINES)
        FollowTextSize(self.view, self._fit_lines)
        self._fit_lines()
        self.progress.setMaximumHeight(8)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress of the benchmark")
        self.progress.hide()
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setAccessibleName("Benchmark results")
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        column.addLayout(self._make_bar())
        column.addWidget(self.state)
        column.addWidget(self.progress)
        column.addWidget(self.view, 1)
        column.addWidget(self._words_area)
        splitter = QSplitter()
        splitter.addWidget(self.form)
        splitter.addWidget(body)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def _make_bar(self) -> QHBoxLayout:
        row = QHBoxLayout()
        for id, text in (("bench_run", "Run"), ("bench_stop", "Stop"), ("bench_export", "Export…")):
            action = self._context.actions[f"compare.{id}"]
            button = QPushButton(action.icon(), text)
            follow_action(button, action)
            row.addWidget(button)
        row.addSpacing(SPACE)
        row.addWidget(self.all_columns)
        row.addStretch(1)
        self.all_columns.setToolTip("Show all columns, or only those that fit the screen")
        return row

    def showEvent(self, event: QShowEvent) -> None:
        """Headers have their style, and so their width, only where they are seen."""
        super().showEvent(event)
        if not self.model.rowCount():
            self.view.resizeColumnsToContents()

    def _fit_lines(self) -> None:
        line = self.view.fontMetrics().height()
        self.view.verticalHeader().setDefaultSectionSize(round(line * 1.6))
        self._words_area.setMaximumHeight(round(line * MOST_WORDS_LINES))
        self.form.fit_width()
        self.view.resizeColumnsToContents()

    def _connect(self) -> None:
        self.form.changed.connect(self._show_enabled)
        self.form.file_asked.connect(self.ask_tables)
        self.all_columns.toggled.connect(self._on_columns)
        running = self.running
        running.began.connect(self._on_began)
        running.filled.connect(self._on_filled)
        running.running_changed.connect(self.model.note_running)
        running.progressed.connect(self._on_progress)
        running.ended.connect(self._on_ended)
        self._exporting.answered.connect(self._on_text)
        self._exporting.failed.connect(lambda error: self._context.report(error, WHERE))
        self._context.document.dataset_changed.connect(self._follow_document)

    def _follow_document(self) -> None:
        self.form.offer_open()
        self._show_enabled()

    def _show_enabled(self) -> None:
        allow, is_running = self._context.actions.allow, self.running.is_running
        allow("compare.bench_run", IS_RUNNING if is_running else "" if self.form.sources else NO_DATA)
        allow("compare.bench_stop", "" if is_running else NOT_RUNNING)
        has_rows = self.table is not None and bool(self.model.table)
        allow("compare.bench_export", "" if has_rows else NOTHING_RUN)

    # Running --------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        return self.running.is_running or self._exporting.is_busy

    def _open_data(self) -> OpenData | None:
        document = self._context.document
        if document.dataset is None:
            return None
        return OpenData(document.name, document.dataset, document.truth)

    def _knowledge(self) -> Knowledge:
        """What is said of the open data, where these are among the data sets."""
        is_open = any(isinstance(source, OpenData) for source in self.form.sources)
        return self._context.document.knowledge if is_open else NO_KNOWLEDGE

    def run(self) -> None:
        """Run what the form says; what makes no sense is reported."""
        if not self.form.sources:
            self._context.report(NO_DATA, WHERE)
            return
        try:
            options = replace(self.form.read(), knowledge=self._knowledge())
        except LatconfError as error:
            self._context.report(error, WHERE)
            return
        scheduler = self._context.settings.scheduler
        self.running.start(self.form.sources, options, workers=self.form.workers.read(), scheduler=scheduler)
        self._show_enabled()

    def _on_began(self, table: BenchTable) -> None:
        self.table = table
        self.model.show_table(table)
        self.words.setText("")
        self.view.resizeColumnsToContents()
        self._show_enabled()

    def _on_filled(self, rows: object) -> None:
        assert isinstance(rows, dict)
        self.model.fill(rows)
        self.view.resizeColumnsToContents()

    def _on_progress(self, progress: Progress) -> None:
        self.state.setText(progress.text)
        self.progress.setRange(0, progress.total or 0)
        self.progress.setValue(progress.done)
        self.progress.show()

    def _on_ended(self) -> None:
        self.progress.hide()
        is_whole = self.running.stop_reason is StopReason.FINISHED
        self.state.setText("All cells finished." if is_whole else "Stopped; finished cells are kept. Run continues.")
        if self.running.stop_sentence:
            self._context.report(self.running.stop_sentence, WHERE)
        if self.table is not None:
            self.words.setText(" ".join([*findings(self.table), *rank_sentences(self.table)]))
        self._show_enabled()

    def _on_columns(self, is_all: bool) -> None:
        self.model.show_columns(is_all)
        self.view.resizeColumnsToContents()

    def stop(self) -> None:
        """End everything that runs here."""
        self.running.stop()
        self._exporting.stop()

    # Files ----------------------------------------------------------------------------------------

    def ask_tables(self) -> QFileDialog:
        """Which tables to add."""
        endings = " ".join(f"*{suffix}" for suffix in table_suffixes())
        dialog = QFileDialog(
            self, "Add tables to the benchmark", self._dialogs.folder(), f"Tables ({endings});;All (*)"
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self._take_files)
        dialog.open()
        return dialog

    def _take_files(self, chosen: list[str]) -> None:
        paths = [Path(text) for text in chosen]
        if paths:
            self._context.settings.keep(FOLDER, str(paths[0].parent))
        self.form.take_files(paths)

    def ask_file(self) -> QFileDialog:
        """Where to write the table, and as what."""
        name = propose_name("", "bench")
        return self._dialogs.ask_save(
            "Export the benchmark", list(FORMATS), name=name, take=lambda path, kind: self.write(path, FORMATS[kind])
        )

    def write(self, path: Path, suffix: str) -> None:
        """Write the table; it is made beside the window, because charts take a while."""
        table = self.table
        if table is None:
            return

        def make(_control: RunControl) -> str:
            return bench_text(table, suffix, painter=_ChartPainter())

        self._export_path = path
        self._exporting.ask(make)

    def _on_text(self, text: str) -> None:
        path = self._export_path
        self._dialogs.write(path, lambda: write_text_atomically(path, text))


class _ChartPainter:
    """Draws the figures of the exported page."""

    def visits_svg(self, figure: VisitFigure) -> str:
        from latconf_gui.charts.visit_figure import visits_svg

        return visits_svg(figure)


class BenchTabs(QObject):
    """Puts the Bench beside the graphs of a page: the one place where the page knows of it."""

    def __init__(self, page: QWidget, context: PageContext) -> None:
        from PySide6.QtWidgets import QStackedWidget, QTabBar

        super().__init__(page)
        self.activity = BenchActivity(context)
        self.bar, self._stack = QTabBar(), QStackedWidget()
        layout = page.layout()
        assert layout is not None, "the page is laid out"
        item = layout.takeAt(0)
        graphs = None if item is None else item.widget()
        assert graphs is not None, "it has one widget"
        for widget, title in ((graphs, "Graphs"), (self.activity, "Bench")):
            self.bar.addTab(title)
            self._stack.addWidget(widget)
        self.bar.setAccessibleName("Graphs, bench")
        self.bar.setTabToolTip(0, "Compare graphs with each other")
        self.bar.setTabToolTip(1, "Compare searches over many data sets (4)")
        self.bar.setDocumentMode(True)
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.currentChanged.connect(self._stack.setCurrentIndex)
        layout.addWidget(self.bar)
        layout.addWidget(self._stack)
        tip = "Switch between the benchmark and the graphs"
        for id in ("compare.overlay", "compare.panes", "compare.matrix"):
            context.actions[id].triggered.connect(self.show_graphs)
        context.actions.add("compare.bench", "&Bench or graphs", slot=self.switch, shortcut="4", tip=tip, within=page)

    def switch(self) -> None:
        """Go to the Bench, or from there back to the graphs."""
        if self.bar.currentIndex():
            self.show_graphs()
            self.bar.setFocus()
        else:
            self.show_bench()

    def show_bench(self) -> None:
        """Open the Bench, ready to be told what to run on."""
        self.bar.setCurrentIndex(1)
        self.activity.form.list.setFocus()

    def show_graphs(self) -> None:
        self.bar.setCurrentIndex(0)
