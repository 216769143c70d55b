"""What a bench is to run: its data sets, learners and searches, and how each cell is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFormLayout, QGridLayout, QHBoxLayout, QListWidget, QMenu, QPushButton, QWidget

from latconf_core.bench.bench_plan import DEFAULT_LEARNERS, BenchOptions, ComparedAs, Preset, default_searches
from latconf_core.formats.example_choice import default_choice
from latconf_core.formats.examples import examples
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.search.catalogue import SEARCHES
from latconf_gui.pages.compare.bench.bench_sources import OpenData, Source, title_of
from latconf_gui.widgets.form_fields import Choice, Limit, Tick, Whole, add_row
from latconf_gui.widgets.scroll import LeastLines, ScrollColumn
from latconf_gui.widgets.text import SPACE, Heading

EXAMPLE_ROWS = 1000
LONGEST_SECONDS = 86_400
DEFAULT_SECONDS = 120
MOST_WORKERS = 64
PROTOCOLS = {"default": "Training and held-out rows", "paper": "Whole table, as in the paper"}
VIEWS = {"PAG": "PAGs", "MAG": "MAGs"}


class BenchForm(ScrollColumn):
    """`changed` when a person has changed anything; `file_asked` when files are to be chosen."""

    changed = Signal()
    file_asked = Signal()

    def __init__(self, open_data: Callable[[], OpenData | None], parent: QWidget | None = None) -> None:
        super().__init__("Settings of the benchmark", parent)
        self._open_data = open_data
        self.sources: list[Source] = []
        self.list = QListWidget()
        self.list.setAccessibleName("Data sets of the benchmark")
        self.list.setToolTip("Data sets of the benchmark. Delete removes the selected ones.")
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        LeastLines(self.list, 5)
        remove = QAction("Remove", self.list)
        remove.setShortcut(Qt.Key.Key_Delete)
        remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        remove.triggered.connect(self.remove_chosen)
        self.list.addAction(remove)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.learners = _ticks({name: learner.title for name, learner in LEARNERS.items()}, DEFAULT_LEARNERS, LEARNERS)
        titles = {name: method.title for name, method in SEARCHES.items()}
        self.searches = _ticks(titles, default_searches(), SEARCHES)
        self.time_limit, self.seed = Limit(LONGEST_SECONDS, least=1, step=10, unit="s"), Whole(0, 2**31 - 1)
        self.workers = Whole(1, MOST_WORKERS)
        self.protocol, self.compared_as = Choice(PROTOCOLS), Choice(VIEWS)
        self.time_limit.fill(DEFAULT_SECONDS)
        self._place()
        for tick in (*self.learners.values(), *self.searches.values()):
            tick.edited.connect(self.changed)

    def _place(self) -> None:
        column = self.column
        column.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        column.addWidget(Heading("Data sets", factor=1.0))
        column.addWidget(self.list, 1)
        column.addLayout(self._make_buttons())
        column.addSpacing(SPACE // 2)
        column.addWidget(Heading("Learners of PAGs", factor=1.0))
        column.addLayout(_in_columns(list(self.learners.values())))
        column.addSpacing(SPACE // 2)
        column.addWidget(Heading("Searches", factor=1.0))
        column.addLayout(_in_columns(list(self.searches.values())))
        column.addSpacing(SPACE // 2)
        form = QFormLayout()
        tip = "The paper's table gives scores of the whole table, with the paper's settings of the learners."
        add_row(form, "Protocol", self.protocol, tip=tip)
        add_row(
            form, "Time limit per cell", self.time_limit, tip="A cell that takes longer keeps its best result so far."
        )
        tip = "PAGs: Markov equivalent DAGs count as the same. MAGs: edges are compared one by one."
        add_row(form, "Compare as", self.compared_as, tip=tip)
        add_row(form, "Seed", self.seed, tip="The same seed gives the same table.")
        tip = "Number of cores. Different data sets run in parallel; the results do not depend on it."
        add_row(form, "Cores", self.workers, tip=tip)
        column.addLayout(form)

    def _make_buttons(self) -> QHBoxLayout:
        self.add_open, self.add_files = QPushButton("Current data"), QPushButton("Files…")
        self.add_example = QPushButton("Example")
        self.add_open.setToolTip("Add the current data")
        self.add_files.setToolTip("Add tables; one named like alarm_HYPOVOLEMIA_1000 uses that example as truth")
        self.add_example.setToolTip(f"Add {EXAMPLE_ROWS:,} rows drawn from an example with a hidden common cause")
        menu = QMenu(self.add_example)
        for example in examples():
            action = menu.addAction(f"{example.title}, {example.hide} hidden")
            action.triggered.connect(lambda _=False, name=example.name: self.take_example(name))
        self.add_example.setMenu(menu)
        self.add_open.clicked.connect(self.take_open)
        self.add_files.clicked.connect(self.file_asked)
        row = QHBoxLayout()
        for button in (self.add_open, self.add_files, self.add_example):
            row.addWidget(button)
        return row

    def take_example(self, name: str) -> None:
        """Add rows of an example, its usual variable hidden."""
        self.take([replace(default_choice(name), n_rows=EXAMPLE_ROWS)])

    def take_open(self) -> None:
        """Add the data of the document."""
        data = self._open_data()
        if data is not None:
            self.take([data])

    def take_files(self, paths: Sequence[Path]) -> None:
        """Add table files."""
        self.take(list(paths))

    def take(self, sources: Sequence[Source]) -> None:
        """Add data sets, each once."""
        known = [title_of(entry) for entry in self.sources if not isinstance(entry, Path)]
        for source_entry in sources:
            if source_entry not in self.sources and (
                isinstance(source_entry, Path) or title_of(source_entry) not in known
            ):
                self.sources.append(source_entry)
                self.list.addItem(title_of(source_entry))
        self.changed.emit()

    def remove_chosen(self) -> None:
        """Take the chosen data sets out."""
        for row in sorted((self.list.row(item) for item in self.list.selectedItems()), reverse=True):
            self.list.takeItem(row)
            self.sources.pop(row)
        self.changed.emit()

    def offer_open(self) -> None:
        """The open data can be added where there are any."""
        data = self._open_data()
        self.add_open.setEnabled(data is not None)

    def fit_width(self) -> None:
        """Room for all of the form beside its scroll bar, whatever the size of text."""
        inside = self.widget()
        if inside is not None:
            self.setMinimumWidth(inside.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width())

    def read(self) -> BenchOptions:
        """What the form says; OptionError where that makes no sense."""
        limit = self.time_limit.read()
        preset: Preset = "paper" if self.protocol.read() == "paper" else "default"
        view: ComparedAs = "MAG" if self.compared_as.read() == "MAG" else "PAG"
        options = SearchOptions(time_limit=None if limit is None else float(limit), seed=self.seed.read())
        return BenchOptions(
            learners=tuple(name for name, tick in self.learners.items() if tick.read()),
            searches=tuple(name for name, tick in self.searches.items() if tick.read()),
            preset=preset,
            options=options,
            compared_as=view,
        )


def _ticks(titles: Mapping[str, str], chosen: Sequence[str], catalogue: Mapping[str, object]) -> dict[str, Tick]:
    ticks = {}
    for name, title in titles.items():
        tick = Tick(title)
        tick.fill(name in chosen)
        tick.setToolTip(str(getattr(catalogue[name], "description", "")))
        ticks[name] = tick
    return ticks


def _in_columns(ticks: Sequence[QWidget], n_columns: int = 2) -> QGridLayout:
    grid = QGridLayout()
    for index, tick in enumerate(ticks):
        grid.addWidget(tick, index // n_columns, index % n_columns)
    return grid
