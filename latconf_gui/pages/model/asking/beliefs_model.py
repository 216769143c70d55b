"""All variables and their states with probabilities, a line each: what the bars show, for keys and screen readers."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.effects.class_range import AnswerRange
from latconf_core.inference.asking import Answer
from latconf_gui.drawing.items.state_bars import SEEN_SIGN, SET_SIGN
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.pages.model.asking.held_states import HeldStates

Index = QModelIndex | QPersistentModelIndex
STATE, BEFORE, NOW, RANGE = range(4)
COLUMNS = ("State", "Before", "Now", "Range")
# Plain numbers: a cell is asked for a dozen roles whenever it is painted, and looking up a member of an enum is slow.
DISPLAY, FONT, ACCESSIBLE, TIP, SHARE_NOW_ROLE = (
    int(role)
    for role in (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.FontRole,
        Qt.ItemDataRole.AccessibleTextRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.UserRole + 1,
    )
)
ROLES = frozenset((DISPLAY, FONT, ACCESSIBLE, TIP, SHARE_NOW_ROLE))
Line = tuple[int, int]  # the positions of a variable and of its state; HEAD for the line with the variable's name
HEAD = -1
INDENT = "    "
ROOT = QModelIndex()


class BeliefsModel(QAbstractTableModel):
    """Shows the last answer; what it is not known of yet has no number."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._network: BayesNet | None = None
        self._answer: Answer | None = None
        self._range: AnswerRange | None = None
        self._held = HeldStates()
        self._names: tuple[str, ...] = ()
        self._lines: tuple[Line, ...] = ()
        self._bold = QFont()
        self._bold.setBold(True)

    def show_network(self, network: BayesNet | None) -> None:
        """The variables of another network, without numbers."""
        self.beginResetModel()
        self._network, self._answer, self._held, self._range = network, None, HeldStates(), None
        self._names = () if network is None else network.variables
        self._lines = tuple((i, k) for i, name in enumerate(self._names) for k in range(HEAD, self._n_states(name)))
        self.endResetModel()

    def _n_states(self, name: str) -> int:
        assert self._network is not None
        return len(self._network.states(name))

    def show_answer(self, answer: Answer | None, held: HeldStates) -> None:
        """Other numbers."""
        self._answer, self._held, self._range = answer, held, None
        if self._lines:
            self.dataChanged.emit(self.index(0, STATE), self.index(len(self._lines) - 1, RANGE))

    def show_range(self, answer_range: AnswerRange) -> None:
        """The least and the greatest that DAGs give which fit as well."""
        self._range = answer_range
        if self._lines:
            self.dataChanged.emit(self.index(0, RANGE), self.index(len(self._lines) - 1, RANGE))

    def line(self, row: int) -> Line | None:
        """The variable and the state of a row; None where it has no state."""
        line = self._lines[row] if 0 <= row < len(self._lines) else None
        return None if line is None or line[1] == HEAD else line

    def row_of(self, line: Line) -> int:
        """The row of a variable's state."""
        return self._lines.index(line)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in ROLES or self._network is None or not index.isValid():
            return None
        line = self._lines[index.row()]
        name = self._names[line[0]]
        if role == SHARE_NOW_ROLE:
            is_known = self._answer is not None and line[1] != HEAD
            return float(self._answer.probabilities[name][line[1]]) if is_known else None  # type: ignore[union-attr]
        if role == FONT:
            return self._bold if line[1] == HEAD or self._sign(line) else None
        text = self._text(line, index.column())
        if role == DISPLAY:
            return text
        whole = f"{name} {text.strip()}" if line[1] != HEAD else text
        return plain_tip(whole) if role == TIP and whole else whole

    def _text(self, line: Line, column: int) -> str:
        assert self._network is not None
        variable, state = line
        name = self._names[variable]
        if state == HEAD:
            return name if column == STATE else ""
        if column == STATE:
            sign = self._sign(line)
            return f"{sign} {self._network.states(name)[state]}" if sign else INDENT + self._network.states(name)[state]
        if column == RANGE:
            return "" if self._range is None else _span(*self._range.of(name)[self._network.states(name)[state]])
        if self._answer is None:
            return ""
        shares = self._answer.before if column == BEFORE else self._answer.probabilities
        return f"{shares[name][state]:.4f}"

    def _sign(self, line: Line) -> str:
        variable, state = line
        if self._held.seen.get(variable) == state:
            return SEEN_SIGN
        return SET_SIGN if self._held.set_to.get(variable) == state else ""


def _span(least: float, greatest: float) -> str:
    """A range as a cell shows it; one number where no digit differs."""
    low, high = f"{least:.3f}", f"{greatest:.3f}"
    return low if low == high else f"{low} – {high}"
