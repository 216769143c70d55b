"""A table of states with bars."""

from __future__ import annotations

from PySide6.QtWidgets import QHeaderView, QTableView

from latconf_gui.widgets.bars import ShareDelegate
from latconf_gui.widgets.states_model import COUNT, NAME, StatesModel
from latconf_gui.widgets.table_looks import choose_single_rows
from latconf_gui.widgets.text_size import FollowTextSize

ROW_LINES = 1.9  # the height of a row, in lines of text


def make_state_table(model: StatesModel) -> QTableView:
    """A view of states: names on the left, counts as bars on the right."""
    table = QTableView()
    table.setModel(model)
    table.setAccessibleName("States with their counts")
    table.setItemDelegateForColumn(COUNT, ShareDelegate(table))
    choose_single_rows(table)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)  # an identifier has 100,000 rows
    table.setWordWrap(False)  # counts stand in one line, so that all rows have the same height
    header = table.horizontalHeader()
    header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Interactive)
    header.setSectionResizeMode(COUNT, QHeaderView.ResizeMode.Stretch)
    fit_rows(table)
    FollowTextSize(table, lambda: fit_rows(table))
    return table


def fit_rows(table: QTableView) -> None:
    """The height of all rows, which a field to edit a name fits into."""
    table.verticalHeader().setDefaultSectionSize(round(table.fontMetrics().height() * ROW_LINES))
