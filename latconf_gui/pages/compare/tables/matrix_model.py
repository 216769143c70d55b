"""All graphs at once as a table: a row per pair of nodes or latent, a column per graph."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from latconf_core.comparison.matrix import EdgeRow, LatentRow, Matrix, letter_of
from latconf_core.graph.marks import Edge

Index = QModelIndex | QPersistentModelIndex
_ROLE = Qt.ItemDataRole
NOTHING = "·"


class MatrixModel(QAbstractTableModel):
    """Sorted by disagreement; cells that are not what most graphs have are said to be so."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.matrix: Matrix | None = None
        self._rows: tuple[EdgeRow | LatentRow, ...] = ()

    def show(self, matrix: Matrix | None) -> None:
        self.beginResetModel()
        self.matrix = matrix
        self._rows = () if matrix is None else (*matrix.latents, *matrix.edges)
        self.endResetModel()

    def row_at(self, row: int) -> EdgeRow | LatentRow:
        return self._rows[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.matrix is None else len(self.matrix.names)

    def cell(self, row: int, column: int) -> tuple[str, bool]:
        """What a graph has there, and whether it agrees with most of the others."""
        matrix_row = self._rows[row]
        values: tuple[object, ...] = matrix_row.edges if isinstance(matrix_row, EdgeRow) else matrix_row.states
        value = values[column]
        text = NOTHING if value is None else arrow_of(value) if isinstance(value, Edge) else f"{value} states"
        return text, 2 * values.count(value) > len(values)

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == _ROLE.DisplayRole:
            return self.cell(index.row(), index.column())[0]
        if role == _ROLE.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        if role in (_ROLE.ToolTipRole, _ROLE.AccessibleTextRole) and self.matrix is not None:
            text, is_usual = self.cell(index.row(), index.column())
            name, row = self.matrix.names[index.column()], self.title_of(index.row())
            return f"{row} in {name}: {'nothing' if text == NOTHING else text}{'' if is_usual else ', unlike most'}"
        return None

    def title_of(self, row: int) -> str:
        matrix_row = self._rows[row]
        return (
            " – ".join(matrix_row.nodes)
            if isinstance(matrix_row, EdgeRow)
            else f"Latent over {', '.join(matrix_row.children)}"
        )

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole) -> object:
        if self.matrix is None:
            return None
        if orientation == Qt.Orientation.Vertical:
            return self.title_of(section) if role in (_ROLE.DisplayRole, _ROLE.ToolTipRole) else None
        name = self.matrix.names[section]
        if role == _ROLE.DisplayRole:
            return f"{letter_of(section)}  {name}"
        return name if role == _ROLE.ToolTipRole else None


def arrow_of(edge: Edge) -> str:
    """The marks of an edge alone, such as o-> ."""
    return str(edge)[len(edge.first) + 1 : len(str(edge)) - len(edge.second) - 1]
