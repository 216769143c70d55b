"""The Inspector of the Data page: the chosen variable, its states, and what can be done with it."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QTableView, QVBoxLayout, QWidget

from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.phrases import counted
from latconf_gui.look.icons import icon
from latconf_gui.pages.data.offers import OfferList
from latconf_gui.pages.data.variable_use import NOTHING_CHOSEN, UseChange
from latconf_gui.pages.page import INSPECTOR_LINES
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.state_table import make_state_table
from latconf_gui.widgets.states_model import NAME, StatesModel
from latconf_gui.widgets.text import SPACE, Heading, Quiet
from latconf_gui.widgets.text_size import FollowTextSize

MAX_SHARE_OF_NAME = 0.52
LONGEST_WORD = 14
ZERO_WIDTH_SPACE = "\u200b"
_PIECE = re.compile(r"[^\s_.-]{0,7}[_.-]|[^\s_.-]{8}")


class VariableInspector(QWidget):
    """One variable. It only asks: the signals say what the user wants, with the variable's name first."""

    use_asked = Signal(str, bool)
    discretise_asked = Signal(str)
    rename_asked = Signal(str, str, str)
    rule_removed = Signal(str)
    offers_accepted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plan: ColumnPlan | None = None
        self._change = NOTHING_CHOSEN
        self.title = Heading()
        self.selection = QLabel(wordWrap=True)
        self.summary = Quiet()
        self.reason = QLabel(wordWrap=True)
        self.offers = OfferList()
        self.model = StatesModel(self)
        self.table: QTableView = make_state_table(self.model)
        self.hint = Quiet("Double-click a state, or press F2, to rename it. States with the same name are merged.")
        self.use = QPushButton()
        self.discretise = QPushButton(icon("discretise"), "Discretise…")
        self.undiscretise = QPushButton("Keep the original values")
        self._build()
        self.offers.accepted.connect(self.offers_accepted)
        self.model.renamed.connect(self._on_renamed)
        self.use.clicked.connect(self._on_use)
        self.discretise.clicked.connect(lambda: self._plan and self.discretise_asked.emit(self._plan.name))
        self.undiscretise.clicked.connect(lambda: self._plan and self.rule_removed.emit(self._plan.name))
        self.show_variable(None, None)

    def _build(self) -> None:
        self.use.setAccessibleName("Use this variable or exclude it")
        buttons = QVBoxLayout()
        buttons.setSpacing(6)
        for button in (self.use, self.discretise, self.undiscretise):  # below each other: large text needs the width
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        layout.setSpacing(8)
        for widget in (self.selection, self.title, self.summary, self.reason):
            layout.addWidget(widget)
        layout.addLayout(buttons)
        layout.addWidget(self.offers)
        layout.addWidget(self.table, 100)
        layout.addWidget(self.hint)
        layout.addStretch(1)  # where there is no table
        LeastLines(self, wide=INSPECTOR_LINES)
        FollowTextSize(self, self._fit_names)

    def show_variable(
        self,
        plan: ColumnPlan | None,
        rule: Discretisation | None,
        *,
        n_chosen: int = 1,
        n_numeric: int = 1,
        change: UseChange = NOTHING_CHOSEN,
    ) -> None:
        """Show a variable, or an invitation to choose one.

        n_chosen : how many variables are selected, which the buttons act on
        n_numeric : how many of them can be discretised
        change : what the first button does
        """
        self._plan, self._change = plan, change
        self.selection.setText(f"{n_chosen:,} selected; each button says how many it changes")
        self.selection.setVisible(n_chosen > 1)
        for widget in (self.table, self.use, self.hint):
            widget.setVisible(plan is not None)
        self.discretise.setVisible(plan is not None and n_numeric > 0)
        self.discretise.setText(f"Discretise {n_numeric} variables…" if n_numeric > 1 else "Discretise…")
        self.undiscretise.setVisible(rule is not None)
        self.offers.show_offers([(offer,) for offer in plan.offers] if plan is not None else (), names_columns=False)
        self.reason.setVisible(plan is not None and not plan.is_used)
        if plan is None:
            self.title.setText("No variable selected")
            self.summary.setText("Select one in the list of variables.")
            return
        self.title.setText(breakable(plan.called))
        self.title.setToolTip(plan.called)
        missing = f", {counted(plan.n_missing, 'cell')} missing" if plan.n_missing else ""
        ruled = f", discretised ({rule})" if rule is not None else ""
        in_file = f", {plan.name} in the file" if plan.called != plan.name else ""
        self.summary.setText(f"{counted(len(plan.states), 'state')}{missing}{ruled}{in_file}")
        self.reason.setText(f"Excluded: {plan.reason}." if not plan.by_hand else "Excluded manually.")
        self.use.setText(change.text)
        self.use.setIcon(icon("use" if change.is_to_use else "aside"))
        self.model.show(plan.states, plan.counts)
        self._fit_names()

    def set_editable(self, is_editable: bool) -> None:
        """Whether the variable can be changed here, or only be looked at."""
        self.model.set_editable(is_editable)
        for widget in (self.use, self.discretise, self.undiscretise, self.offers, self.hint):
            widget.setEnabled(is_editable)

    def _fit_names(self) -> None:
        self.table.resizeColumnToContents(NAME)
        widest = round(max(self.table.viewport().width(), 160) * MAX_SHARE_OF_NAME)
        self.table.setColumnWidth(NAME, min(self.table.columnWidth(NAME) + SPACE, widest))

    def _on_use(self) -> None:
        if self._plan is not None:
            self.use_asked.emit(self._plan.name, self._change.is_to_use)

    def _on_renamed(self, old: str, new: str) -> None:
        if self._plan is not None:
            self.rename_asked.emit(self._plan.name, old, new)


def breakable(name: str) -> str:
    """The name with invisible places where a line may end, where a word of it is too long for a narrow heading."""
    if max(map(len, name.split()), default=0) <= LONGEST_WORD:
        return name
    return _PIECE.sub(lambda piece: piece[0] + ZERO_WIDTH_SPACE, name)
