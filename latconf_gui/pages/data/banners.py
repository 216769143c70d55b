"""The strips above the data: how the file was read, and the choice that missing cells ask for."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QRadioButton, QSizePolicy, QWidget

from latconf_core.data.preparing.choices import MissingPolicy
from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.data.preparing.data_changes import marks_text
from latconf_core.data.raw_table import RawTable
from latconf_core.data.reading.table_formats.registry import table_format
from latconf_core.phrases import counted
from latconf_gui.look.icons import icon
from latconf_gui.widgets.text import SPACE, Card, Heading, Quiet

LOOKS_HIDDEN = "can look like a hidden cause: at most weak evidence"
POLICY_TEXTS: dict[MissingPolicy, str] = {
    "keep": "&Keep them missing",
    "drop rows": "&Drop rows with missing cells",
    "own state": "Make “&missing” a separate state",
    "most frequent": "Fill in the most &frequent state",
}
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank", ":": "colon"}
SHOWN_COLUMNS = 6


class MissingBanner(Card):
    """Says how many cells are missing and where, and offers the four ways on."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(role="banner", parent=parent)
        self.heading = Heading(factor=1.05)
        self.where = Quiet()
        self.body.addWidget(self.heading)
        self.body.addWidget(self.where)
        self.body.setSpacing(4)
        self.buttons: dict[str, QRadioButton] = {}
        self.costs: dict[str, Quiet] = {}
        choices = QGridLayout()
        choices.setHorizontalSpacing(SPACE)
        choices.setColumnStretch(1, 1)
        for row, policy in enumerate(get_args(MissingPolicy)):
            button, cost = QRadioButton(POLICY_TEXTS[policy]), Quiet()
            button.clicked.connect(lambda _on=True, policy=policy: self.chosen.emit(policy))
            self.buttons[policy], self.costs[policy] = button, cost
            choices.addWidget(button, row, 0)
            choices.addWidget(cost, row, 1)
        self.body.addLayout(choices)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def show_choice(self, plans: tuple[ColumnPlan, ...], policy: MissingPolicy, *, n_rows: int) -> None:
        """Show what is missing in the columns that are used; hidden where nothing is.

        What dropping rows would cost is counted elsewhere: `show_rows_left` says it.
        """
        missing = {plan.name: plan.n_missing for plan in plans if plan.is_used and plan.n_missing}
        self.setVisible(bool(missing))
        total = sum(missing.values())
        self.heading.setText(f"{counted(total, 'cell is', 'cells are')} missing.")
        named = [f"{name} ({count:,})" for name, count in missing.items()]
        rest = len(named) - SHOWN_COLUMNS
        more = f" and {counted(rest, 'more column')}" if rest > 0 else ""
        self.where.setText(f"In {', '.join(named[:SHOWN_COLUMNS])}{more}")
        stay = f"all {counted(n_rows, 'row')} remain" if n_rows != 1 else "the row remains"
        self.costs["drop rows"].setText("counting the rows that remain…")
        more_states = counted(len(missing), "variable gets one more state", "variables get one more state")
        self.costs["keep"].setText(f"{stay}; tests use complete rows, scores average over possible values")
        self.costs["own state"].setText(f"{more_states}; {LOOKS_HIDDEN}")
        self.costs["most frequent"].setText(f"{counted(total, 'cell is', 'cells are')} guessed; {LOOKS_HIDDEN}")
        for value, button in self.buttons.items():
            button.setAutoExclusive(False)
            button.setChecked(value == policy)
            button.setAutoExclusive(True)

    def show_rows_left(self, n_left: int, n_rows: int) -> None:
        """Say what dropping rows would leave."""
        self.costs["drop rows"].setText(f"{n_left:,} of {counted(n_rows, 'row')} remain{'s' if n_left == 1 else ''}")


class RowsBanner(Card):
    """Says what about the rows claims depend on, and takes the user's word that repeated rows are real."""

    real_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(role="banner", parent=parent)
        self.heading = Heading("Before you search", factor=1.05)
        self.text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.real = QPushButton("The rows are real")
        self.real.setToolTip("Repeated or designed rows were really observed: judge claims as usual")
        self.real.clicked.connect(self.real_asked)
        self.body.addWidget(self.heading)
        self.body.addWidget(self.text)
        self.body.addWidget(self.real, 0, Qt.AlignmentFlag.AlignLeft)

    def show_warnings(self, warnings: tuple[str, ...], *, has_repeats: bool) -> None:
        self.setVisible(bool(warnings))
        self.text.setText("\n".join(f"{text}." for text in warnings))
        self.real.setVisible(has_repeats)


class ObstacleBanner(Card):
    """Says why there is no data to work with yet."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(role="banner", parent=parent)
        self.body.addWidget(Heading("These data cannot be used yet", factor=1.05))
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.body.addWidget(self.text)

    def show_obstacle(self, sentence: str) -> None:
        self.setVisible(bool(sentence))
        self.text.setText(f"{sentence[:1].upper()}{sentence[1:]}." if sentence else "")


class ReadingStrip(QWidget):
    """How the file was read, in a line, with a button to change it."""

    change_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = Quiet()
        self.button = QPushButton(icon("settings"), "Change…")
        self.button.setToolTip("Delimiter, header, encoding and missing marks")
        self.button.setAccessibleName("Change how the file is read")
        self.button.clicked.connect(self.change_asked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.button)

    def show_reading(self, raw: RawTable, marks: tuple[str, ...]) -> None:
        self.text.setText(f"{reading_text(raw)} · missing marks: {marks_text(marks)}" if raw.source else "")
        self.setVisible(raw.source is not None)


def reading_text(raw: RawTable) -> str:
    """How the file was read, e.g. "Delimited text (CSV, TSV) · comma · names in the first row · utf-8"."""
    options = raw.options
    parts = [table_format(options.format).title] if options.format is not None else []
    if options.format == "delimited" and options.delimiter is not None:
        parts.append(DELIMITER_NAMES.get(options.delimiter, options.delimiter))
    if options.format in ("delimited", "blanks"):
        parts.append("names in the first row" if options.header else "no names in the file")
        parts.append(str(options.encoding))
    if options.sheet is not None:
        parts.append(f"sheet {options.sheet}")
    if options.decimal == ",":
        parts.append("decimal comma")
    return " · ".join(parts)
