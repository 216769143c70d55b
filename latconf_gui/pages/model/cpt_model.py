"""The probability table of one variable: a row for each configuration of its parents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from math import prod
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import BayesNet, Cpt

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_Role = Qt.ItemDataRole
PROBABILITY_ROLE = _Role.UserRole + 4
NO_INTERVAL = ", no interval: the states of the hidden cause are themselves estimated"


class Shown(Enum):
    """What the cells say."""

    MEAN = "Probability"
    INTERVAL = "With 95 % interval"
    DIRICHLET = "Dirichlet parameters"


class CptModel(QAbstractTableModel):
    """Parents' states on the left, then a column for each state of the variable."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cpt: Cpt | None = None
        self.shown = Shown.MEAN
        self._parent_states: list[tuple[str, ...]] = []
        self._n_rows = 0
        self._has_interval = False
        self._intervals: dict[int, tuple[FloatArray, FloatArray]] = {}

    def show_cpt(self, network: BayesNet | None, variable: str) -> None:
        """Show a variable of a network, or nothing."""
        self.beginResetModel()
        self.cpt = None if network is None else network.cpts[variable]
        self._has_interval = network is not None and network.has_exact_interval(variable)
        self._intervals.clear()
        if network is not None and self.cpt is not None:
            self._parent_states = [network.states(name) for name in self.cpt.parents]
            self._n_rows = prod(len(states) for states in self._parent_states)
        else:
            self._parent_states, self._n_rows = [], 0
        self.endResetModel()

    def set_shown(self, shown: Shown) -> None:
        """Say something else in the cells."""
        self.beginResetModel()
        self.shown = shown
        self.endResetModel()

    @property
    def n_parents(self) -> int:
        return len(self._parent_states)

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else self._n_rows

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        if parent.isValid() or self.cpt is None:
            return 0
        return self.n_parents + len(self.cpt.states)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or self.cpt is None:
            return None
        if section < self.n_parents:
            return self.cpt.parents[section] if role == _Role.DisplayRole else None
        state = self.cpt.states[section - self.n_parents]
        if role == _Role.DisplayRole:
            return state
        return f"{self.cpt.variable} = {state}" if role == _Role.ToolTipRole else None

    def parent_state(self, row: int, column: int) -> str:
        """The state of one parent in a configuration."""
        sizes = [len(states) for states in self._parent_states]
        return self._parent_states[column][int(np.unravel_index(row, sizes)[column])]

    def probability(self, row: int, state: int) -> float:
        """The posterior mean of a state in a configuration."""
        assert self.cpt is not None
        return float(self.cpt.table.reshape(-1, len(self.cpt.states))[row, state])

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        if self.cpt is None:
            return None
        row, state = index.row(), index.column() - self.n_parents
        if state < 0:
            return self.parent_state(row, index.column()) if role in (_Role.DisplayRole, _Role.ToolTipRole) else None
        if role == _Role.DisplayRole:
            return self._text(row, state)
        if role == PROBABILITY_ROLE:
            return self.probability(row, state)
        if role in (_Role.ToolTipRole, _Role.AccessibleTextRole):
            return self._sentence(row, state)
        return None

    def _text(self, row: int, state: int) -> str:
        mean = f"{self.probability(row, state):.4f}"
        if self.shown is Shown.DIRICHLET and self._dirichlet is not None:
            return f"{self._dirichlet[row, state]:,.2f}"
        if self.shown is Shown.INTERVAL and self._has_interval:
            lower, upper = self._interval(row)
            return f"{mean} ({lower[state]:.4f} – {upper[state]:.4f})"
        return mean

    @property
    def _dirichlet(self) -> FloatArray | None:
        if self.cpt is None or self.cpt.dirichlet is None:
            return None
        return self.cpt.dirichlet.reshape(-1, len(self.cpt.states))

    def _interval(self, row: int) -> tuple[FloatArray, FloatArray]:
        """The interval of every state in one configuration; tables may have thousands, a screen shows few."""
        if row not in self._intervals:
            assert self.cpt is not None
            assert self._dirichlet is not None
            dirichlet = Cpt.from_dirichlet(self.cpt.variable, self.cpt.states, (), self._dirichlet[row])
            self._intervals[row] = dirichlet.credible_interval()
        return self._intervals[row]

    def _sentence(self, row: int, state: int) -> str:
        assert self.cpt is not None
        given = ", ".join(f"{name} = {self.parent_state(row, i)}" for i, name in enumerate(self.cpt.parents))
        what = f"P({self.cpt.variable} = {self.cpt.states[state]}{' | ' + given if given else ''})"
        text = f"{what} = {self.probability(row, state):.4f}"
        if self._has_interval:
            lower, upper = self._interval(row)
            text += f", 95 % interval {lower[state]:.4f} to {upper[state]:.4f}"
        if self._dirichlet is not None:
            text += "" if self._has_interval else NO_INTERVAL
            text += f"; Dirichlet {self._dirichlet[row, state]:,.2f} of {self._dirichlet[row].sum():,.2f}"
        return text

    def as_text(self, cells: Iterable[tuple[int, int]] | None = None) -> str:
        """The table, or the smallest block of rows and columns around some cells, separated by tabs, with heads."""
        rows, columns = list(range(self.rowCount())), list(range(self.columnCount()))
        chosen = list(cells or ())
        if chosen:
            rows = sorted({row for row, _ in chosen})
            columns = sorted({*range(self.n_parents), *(column for _, column in chosen)})
        heads = [str(self.headerData(column, Qt.Orientation.Horizontal)) for column in columns]
        lines: list[Sequence[str]] = [heads]
        lines += [[str(self.data(self.index(row, column))) for column in columns] for row in rows]
        return "\n".join("\t".join(line) for line in lines) + "\n"
