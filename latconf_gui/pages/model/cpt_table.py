"""The probability table of the chosen variable: shown, copied, exported."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from latconf_core.dag.bayes_net import BayesNet
from latconf_gui.look.icons import icon
from latconf_gui.pages.model.cpt_model import PROBABILITY_ROLE, CptModel, Shown
from latconf_gui.widgets.actions import ToolBar
from latconf_gui.widgets.probability import ProbabilityDelegate
from latconf_gui.widgets.text import SPACE, Heading, Quiet

LETTERS_OF_NAME = 12
INVITATION = "Select a variable in the drawing or in the list to see its probabilities."
QWIDGETSIZE_MAX = (1 << 24) - 1  # Qt's own number for no limit
LEAST_ROWS = 2  # that stay visible in a small window, where the table has them


class CptPanel(QWidget):
    """`chosen(variable)` when another variable is picked from the list; `export_asked(variable)`.

    Without a variable it is folded into one line; `folded(bool)` when that changes.
    """

    chosen = Signal(str)
    folded = Signal(bool)
    export_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Probability table")
        self._network: BayesNet | None = None
        self.model = CptModel(self)
        self.table = QTableView()
        self.title = Heading(factor=1.1)
        self.hint = Quiet(INVITATION)
        self.is_folded = False
        self.variables, self.shown = QComboBox(), QComboBox()
        self._build()
        self.variables.activated.connect(lambda _: self.chosen.emit(self.variables.currentText()))
        self.shown.currentIndexChanged.connect(self._on_shown)
        key = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table)
        key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        key.activated.connect(self.copy_cells)
        self.show_variable(None, "")

    def _build(self) -> None:
        self.variables.setAccessibleName("Variable")
        self.variables.setToolTip("Variable of the table")
        self.variables.setPlaceholderText("Variable")
        self.variables.setMinimumContentsLength(LETTERS_OF_NAME)
        self.variables.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for choice in Shown:
            self.shown.addItem(choice.value, choice)
        self.shown.setAccessibleName("Cell contents")
        self._build_table()
        self.bar = ToolBar("Table toolbar")  # what has no room goes into its menu
        self.bar.setStyleSheet("QToolBar { border: none; padding: 0; }")
        self.bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.bar.addWidget(self.shown)
        copy = self.bar.addAction(icon("copy"), "Copy", self.copy_cells)
        copy.setToolTip("Copy the selected cells or the whole table for a spreadsheet (Ctrl+C)")
        export = self.bar.addAction(icon("save"), "Export CSV…", self._on_export)
        export.setToolTip("Write the table with intervals and Dirichlet parameters")
        self.copy, self.export = self.bar.widgetForAction(copy), self.bar.widgetForAction(export)
        row = QHBoxLayout()
        row.addWidget(self.variables)
        row.addWidget(self.hint, 1)
        row.addWidget(self.bar, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE // 2, SPACE, SPACE // 2)
        layout.addLayout(row)
        layout.addWidget(self.title)
        layout.addWidget(self.table, 1)
        layout.addStretch(0)

    def _build_table(self) -> None:
        self.table.setModel(self.model)
        self.table.setAccessibleName("Probabilities")
        self.table.setItemDelegate(ProbabilityDelegate(PROBABILITY_ROLE, self.table))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setHighlightSections(False)

    def show_network(self, network: BayesNet | None) -> None:
        """List the variables of a network; keep the chosen one where it has it."""
        self._network = network
        now = self.variables.currentText()
        self.variables.clear()
        if network is not None:
            self.variables.addItems(list(network.variables))
        findtext = self.variables.findText(now)
        self.show_variable(now if findtext >= 0 else None, "")

    def show_variable(self, name: str | None, note: str) -> None:
        """Show the table of a variable, or none; `note` says why there is none yet."""
        network = self._network if name is not None and self._network is not None else None
        self.variables.setCurrentIndex(self.variables.findText(name) if name is not None else -1)
        self.model.show_cpt(network, name or "")
        for widget in (self.table, self.bar, self.title):
            widget.setVisible(network is not None)
        self.hint.setVisible(network is None)
        self.hint.setText(note or INVITATION)
        if network is not None or not note:  # while its table is computed, the room of a variable stays
            self._fold(network is None)
        if network is not None and name is not None:
            parents = network.cpts[name].parents
            self.title.setText(f"P({name} | {', '.join(parents)})" if parents else f"P({name})")
            self._fit()

    def _fold(self, is_folded: bool) -> None:
        if is_folded == self.is_folded:
            return
        if is_folded:
            self.folded.emit(True)  # before the room goes, so that it can be given back
        self.is_folded = is_folded
        self._limit_height()
        if not is_folded:
            self.folded.emit(False)

    def _limit_height(self) -> None:
        """Folded, just the height of its text, which large letters break into two lines."""
        layout = self.layout()
        if not self.is_folded or layout is None:
            self.setMinimumHeight(0)
            self.setMaximumHeight(QWIDGETSIZE_MAX)
            return
        layout.invalidate()
        self.setFixedHeight(max(layout.minimumSize().height(), layout.heightForWidth(self.width())))

    def _on_export(self) -> None:
        self.export_asked.emit(self.variables.currentText())

    def _on_shown(self) -> None:
        self.model.set_shown(Shown(self.shown.currentData()))
        self._fit()

    def _fit(self) -> None:
        """Columns as wide as their text; probabilities share what is left."""
        header = self.table.horizontalHeader()
        line = round(self.fontMetrics().height() * 1.7)
        self.table.verticalHeader().setDefaultSectionSize(line)
        n_rows = min(self.model.rowCount(), LEAST_ROWS)
        self.table.setMinimumHeight(header.sizeHint().height() + n_rows * line + 4)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        widths = [header.sectionSize(column) for column in range(self.model.columnCount())]
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        first = self.model.n_parents
        n_states = max(len(widths) - first, 1)
        spare = max(self.table.viewport().width() - sum(widths), 0) // n_states
        most = self.fontMetrics().averageCharWidth() * 36
        for column, width in enumerate(widths):
            wider = width + spare if column >= first else width
            self.table.setColumnWidth(column, max(min(wider, most), width))

    def copy_cells(self) -> None:
        """Put the chosen cells, or the whole table, on the clipboard."""
        chosen = [(index.row(), index.column()) for index in self.table.selectionModel().selectedIndexes()]
        QGuiApplication.clipboard().setText(self.model.as_text(chosen))

    def event(self, event: QEvent) -> bool:
        """Its parts need more or less room, perhaps because letters have another size."""
        was_taken = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._limit_height()
        return was_taken

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._limit_height()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.model.columnCount():
            self._fit()
