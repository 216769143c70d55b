"""The chart of a search above the table of the DAGs it visited; both choose the same one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from latconf_core.phrases import counted, nats
from latconf_core.search.outcome.history import History
from latconf_gui.pages.light_scores import about
from latconf_gui.pages.search.columns import LATENTS
from latconf_gui.pages.search.visits_table import VisitTable
from latconf_gui.widgets.text import SPACE, Heading, Quiet

if TYPE_CHECKING:
    from latconf_gui.charts.live_chart import LiveChart

FIRST_SHARES = (58, 42)  # of the height: the chart, the table
SHOWN = {"typical": "most DAGs", "best": "the best tenth", "all": "all DAGs"}


class SearchResults(QWidget):
    """Follows a history. `visit_chosen` carries the visit that a person chose in the chart or in the table.

    `menu_asked` carries the place on the screen of a right click on either; what is under it has been chosen before.
    """

    visit_chosen = Signal(int)
    menu_asked = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._visits = History()
        self._chart: LiveChart | None = None
        self.table = VisitTable()
        self.table.visit_chosen.connect(self._on_chosen)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._on_table_menu)
        self.shown = QComboBox()
        for value, title in SHOWN.items():
            self.shown.addItem(title, value)
        self.shown.setAccessibleName("Scores in the chart")
        self.shown.setToolTip("Range of scores in the chart: very poor DAGs would flatten the others")
        self.shown.currentIndexChanged.connect(self._on_shown)
        self._stack = QStackedWidget()
        self._stack.addWidget(_invitation())
        self._stack.addWidget(self._make_parts())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _make_parts(self) -> QWidget:
        row = QHBoxLayout()
        row.setContentsMargins(SPACE, SPACE // 2, SPACE, 0)
        self.count = QLabel()
        self.count.setAccessibleName("DAGs visited")
        label = QLabel("Show")
        label.setBuddy(self.shown)
        row.addWidget(self.count, 1)
        row.addWidget(label)
        row.addSpacing(SPACE // 2)
        row.addWidget(self.shown)
        above = QWidget()
        self._chart_place = QVBoxLayout(above)
        self._chart_place.setContentsMargins(0, 0, 0, 0)
        self._chart_place.setSpacing(0)
        self._chart_place.addLayout(row)
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.addWidget(above)
        parts.addWidget(self.table)
        for index, share in enumerate(FIRST_SHARES):
            parts.setStretchFactor(index, share)
        parts.setSizes([20 * share for share in FIRST_SHARES])
        parts.setChildrenCollapsible(False)
        return parts

    @property
    def chart(self) -> LiveChart:
        """The chart; made when it is first needed, because matplotlib takes a while to import."""
        if self._chart is None:
            from latconf_gui.charts.live_chart import LiveChart

            self._chart = LiveChart(self.describe)
            self._chart.visit_chosen.connect(self._on_chosen)
            self._chart.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            self._chart.customContextMenuRequested.connect(self._on_chart_menu)
            self._chart_place.addWidget(self._chart, 1)
        return self._chart

    def follow(self, visits: History, *, is_running: bool, reference: float | None = None) -> None:
        """Show other visits; `reference` is the score of the best DAG without latents."""
        self._visits = visits
        has_any = is_running or len(visits) > 0
        self.table.follow(visits)  # first: the chart asks it for words
        if has_any or self._chart is not None:
            self.chart.follow(visits, is_running=is_running, reference=reference)
        self._stack.setCurrentIndex(1 if has_any else 0)
        self._say_count()

    def visits_added(self) -> None:
        """More was added to the visits."""
        self.chart.visits_added()
        self.table.visits_added()
        self._say_count()

    def end_run(self, visits: History, reference: float | None) -> None:
        """Nothing more comes: the same visits as the result keeps them."""
        self._visits = visits
        self.table.visits.exchange(visits)  # first: the chart asks it for words
        self.chart.end_run(visits, reference)
        self._say_count()

    def show_changes(self) -> None:
        """Show the same visits anew, because scores have changed."""
        self.chart.redraw()
        self.table.visits.show_changes()
        if self.chart.selected is not None:
            self.table.select(self.chart.selected)  # it may stand elsewhere now

    def select(self, number: int | None) -> None:
        """Mark a visit in the chart and in the table."""
        self.chart.select(number)
        if number is None:
            self.table.clearSelection()
        else:
            self.table.select(number)

    def describe(self, number: int) -> str:
        """What a tool tip says of a visit."""
        text, level = self.table.visits.text, self._visits.level_text(number)
        score = about(nats(self._visits.score(number)), is_light=bool(self._visits.is_light[number]))
        latents = text(number, LATENTS)
        return f"DAG {number + 1:,} · {level}\n{self._visits.score_title} {score}\nLatents: {latents}"

    def _say_count(self) -> None:
        self.count.setText(f"{counted(len(self._visits), 'DAG')} visited")

    def _on_chosen(self, number: int) -> None:
        self.select(number)
        self.visit_chosen.emit(number)

    def _on_table_menu(self, point: QPoint) -> None:
        self.menu_asked.emit(self.table.viewport().mapToGlobal(point))

    def _on_chart_menu(self, point: QPoint) -> None:
        visit = self.chart.visit_at(QPointF(point))
        if visit is not None:
            self._on_chosen(visit)
        self.menu_asked.emit(self.chart.mapToGlobal(point))

    def _on_shown(self) -> None:
        self.chart.set_shown(self.shown.currentData())


def _invitation() -> QWidget:
    widget = QWidget()
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(4 * SPACE, SPACE, 4 * SPACE, SPACE)
    layout.addStretch(2)
    layout.addWidget(Heading("No search yet"))
    layout.addWidget(
        Quiet(
            "A search visits DAGs with hidden common causes and scores how well each explains the data. Auto "
            "runs every step and claims only what the data support; ILC-V and HCLC-V search the DAGs that "
            "the PAG allows. See the estimate beside this, then press Run (Ctrl+R)."
        )
    )
    layout.addStretch(3)
    return widget
