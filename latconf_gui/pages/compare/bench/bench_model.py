"""The table of a bench on the screen: a row per cell, filled as cells are finished."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from latconf_core.bench.bench_columns import COLUMNS, BenchColumn
from latconf_core.bench.bench_row import BenchRow
from latconf_core.bench.bench_table import SHORT, BenchTable
from latconf_core.bench.cell import Cell
from latconf_core.bench.writing.bench_words import gap_sentence
from latconf_core.wording.evidence_texts import latents_text
from latconf_gui.look.plain_tips import plain_tip

Index = QModelIndex | QPersistentModelIndex
_ROLE = Qt.ItemDataRole
OWN_TITLES = ("Data", "Method")
BEST_OF = ("p_elbo", "held_out", "fresh")
RUNNING, WAITING = "running", "waiting"


class BenchModel(QAbstractTableModel):
    """Shows the short table or all columns; the best score, held-out and fresh value of a data set are bold."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table: BenchTable | None = None
        self.columns: tuple[BenchColumn, ...] = SHORT
        self._cells: tuple[Cell, ...] = ()
        self._running: set[Cell] = set()
        self._rows: dict[Cell, BenchRow] = {}
        self._best: dict[tuple[str, str], float] = {}

    def show_table(self, table: BenchTable | None) -> None:
        """Show the cells of a new bench."""
        self.beginResetModel()
        self.table = table
        self._cells = () if table is None else table.cells
        self._running.clear()
        self._rows.clear()
        self._best.clear()
        self.endResetModel()

    def show_columns(self, is_all: bool) -> None:
        """All columns, or those that fit the screen."""
        self.beginResetModel()
        self.columns = COLUMNS if is_all else SHORT
        self.endResetModel()

    def note_running(self, cells: set[Cell]) -> None:
        """Which cells are being run."""
        self._running = cells
        self._tell()

    def fill(self, rows: dict[Cell, BenchRow]) -> None:
        """Show the rows that are known now."""
        self._rows = rows
        self._best.clear()
        for row in rows.values():
            for column in COLUMNS:
                value = column.of(row) if column.key in BEST_OF else None
                if isinstance(value, float):
                    key, shown = (row.cell.data, column.key), column.rounded(value)
                    self._best[key] = max(self._best.get(key, shown), shown)
        self._tell()

    def _tell(self) -> None:
        if self._cells:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._cells) - 1, self.columnCount() - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._cells)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(OWN_TITLES) + len(self.columns)

    def text(self, row: int, column: int) -> str:
        """What stands in a cell of the table."""
        cell = self._cells[row]
        if column < len(OWN_TITLES):
            return cell.data if column == 0 else cell.title
        bench_row = self._rows.get(cell)
        if bench_row is not None:
            return self.columns[column - len(OWN_TITLES)].show(bench_row)
        if column == len(OWN_TITLES):
            return RUNNING if cell in self._running else WAITING
        return ""

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == _ROLE.DisplayRole:
            return self.text(row, column)
        if role == _ROLE.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if self._is_text(column) else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == _ROLE.FontRole and self._is_best(row, column):
            font = QFont()
            font.setBold(True)
            return font
        if role in (_ROLE.ToolTipRole, _ROLE.AccessibleDescriptionRole):
            said = self._tip(row, column)
            return (plain_tip(said) if role == _ROLE.ToolTipRole else said) if said else None
        return None

    def _is_text(self, column: int) -> bool:
        return column < len(OWN_TITLES) or self.columns[column - len(OWN_TITLES)].key in ("stop_reason", "converged")

    def _is_best(self, row: int, column: int) -> bool:
        bench_row = self._rows.get(self._cells[row])
        if bench_row is None or column < len(OWN_TITLES):
            return False
        bench_column = self.columns[column - len(OWN_TITLES)]
        value = bench_column.of(bench_row) if bench_column.key in BEST_OF else None
        return isinstance(value, float) and bench_column.rounded(value) == self._best.get(
            (bench_row.cell.data, bench_column.key)
        )

    def _tip(self, row: int, column: int) -> str:
        bench_row = self._rows.get(self._cells[row])
        if bench_row is None:
            return ""
        if column < len(OWN_TITLES):
            latents = "" if bench_row.result.dag is None else f"Latents: {latents_text(bench_row.result.dag)}"
            return "\n".join(filter(None, (latents, *bench_row.result.notes)))
        return gap_sentence(bench_row) if self.columns[column - len(OWN_TITLES)].key in ("p_elbo", "gap") else ""

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> object:
        if orientation == Qt.Orientation.Vertical:
            return section + 1 if role == _ROLE.DisplayRole else None
        if section < len(OWN_TITLES):
            return OWN_TITLES[section] if role == _ROLE.DisplayRole else None
        column = self.columns[section - len(OWN_TITLES)]
        if role == _ROLE.DisplayRole:
            return column.title
        return plain_tip(column.definition) if role == _ROLE.ToolTipRole else None
