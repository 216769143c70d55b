"""The table of all states: see, set and take away by mouse and keys."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from latconf_gui.pages.model.asking.beliefs_model import BEFORE, NOW, RANGE, SHARE_NOW_ROLE, STATE, BeliefsModel
from latconf_gui.widgets.probability import ProbabilityDelegate
from latconf_gui.widgets.table_looks import choose_single_rows
from latconf_gui.widgets.text_size import FollowTextSize

LINE_HEIGHT = 1.5  # of a row, in heights of the text


class StatesTable(QTableView):
    """`see_asked(variable, state)`, `set_asked(variable, state)`, `take_asked(variable)`, by positions."""

    see_asked = Signal(int, int)
    set_asked = Signal(int, int)
    take_asked = Signal(int)

    def __init__(self, model: BeliefsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._beliefs = model
        self.setModel(model)
        self.setAccessibleName("Probabilities of all states")
        self.setToolTip("Enter observes the selected state, Shift+Enter sets it, Delete removes it")
        self.setItemDelegateForColumn(NOW, ProbabilityDelegate(SHARE_NOW_ROLE, self))
        choose_single_rows(self)
        header = self.horizontalHeader()
        header.setSectionResizeMode(STATE, QHeaderView.ResizeMode.Stretch)
        for column in (BEFORE, NOW, RANGE):  # by the content, each answer would measure every cell
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self.setColumnHidden(RANGE, True)
        FollowTextSize(self, self._fit_columns)
        self._fit_columns()
        model.modelReset.connect(self._widen_heads)
        self.doubleClicked.connect(lambda _: self.see_chosen())

    def _fit_columns(self) -> None:
        """Widths for numbers, of which those of states that are held are bold, and for the titles above them."""
        bold = QFont(self.font())
        bold.setBold(True)
        header, width = self.horizontalHeader(), QFontMetrics(bold).horizontalAdvance("0.0000")
        self.setColumnWidth(BEFORE, max(width + 24, header.sectionSizeHint(BEFORE)))
        self.setColumnWidth(NOW, round(1.6 * width) + 24)
        self.setColumnWidth(RANGE, max(self.fontMetrics().horizontalAdvance("0.000 – 0.000") + 16, 1))
        beside = self.verticalScrollBar().sizeHint().width() + 2 * self.frameWidth()
        numbers = sum(self.columnWidth(column) for column in (BEFORE, NOW, RANGE) if not self.isColumnHidden(column))
        self.setMinimumWidth(header.sectionSizeHint(STATE) + numbers + beside)
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * LINE_HEIGHT))

    def show_ranges(self, are_shown: bool) -> None:
        """Show the column of ranges, where something is set, in the place of the one before."""
        self.setColumnHidden(RANGE, not are_shown)
        self.setColumnHidden(BEFORE, are_shown)
        self._fit_columns()

    def _widen_heads(self) -> None:
        """Give the name of a variable the whole width."""
        self.clearSpans()
        for row in range(self._beliefs.rowCount()):
            if self._beliefs.line(row) is None:
                self.setSpan(row, STATE, 1, self._beliefs.columnCount())

    @property
    def chosen(self) -> tuple[int, int] | None:
        """The variable and the state of the chosen line."""
        return self._beliefs.line(self.currentIndex().row())

    def choose(self, variable: int, state: int) -> None:
        """Choose the line of a state, and bring it into sight."""
        self.selectRow(self._beliefs.row_of((variable, state)))

    def see_chosen(self) -> None:
        """See the chosen state, or take it away where it is seen."""
        if self.chosen is not None:
            self.see_asked.emit(*self.chosen)

    def set_chosen(self) -> None:
        """Set the chosen state, or take it away where it is set."""
        if self.chosen is not None:
            self.set_asked.emit(*self.chosen)

    def take_chosen(self) -> None:
        """Take away what is seen or set of the chosen variable."""
        if self.chosen is not None:
            self.take_asked.emit(self.chosen[0])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, Shift+Enter and Delete; the rest moves in the table."""
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.set_chosen() if is_shifted else self.see_chosen()
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.take_chosen()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()
