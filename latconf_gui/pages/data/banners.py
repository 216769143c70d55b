"""The strips above the data: how the file was read, and the choice that missing cells ask for."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QRadioButton, QSizePolicy, QWidget

from latconf_core.data.preparing.choices import MissingPolicy
from latconf_core.data.preparing.column_plans import ColumnPlan
from latconf_core.data.preparing.data_changes import marks_text
from latconf_core.data.reading.raw_table import RawTable
from latconf_core.data.reading.read_options import FORMAT_TITLES
from latconf_gui.look.icons import icon
from latconf_gui.widgets.text import SPACE, Card, Heading, Quiet

POLICY_TEXTS: dict[MissingPolicy, str] = {
    "drop rows": "&Leave out rows with missing cells",
    "own state": "Make “&missing” a state of its own",
    "most frequent": "Fill in the most &frequent state",
}
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank", ":": "colon"}
SHOWN_COLUMNS = 6


class MissingBanner(Card):
    """Says how many cells are missing and where, and offers the three ways on."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(role="banner", parent=parent)
        self.heading = Heading(factor=1.05)
        self.where = Quiet()
        self.body.addWidget(self.heading)
        self.body.addWidget(self.where)
        self.body.setSpacing(4)
        self.buttons: dict[str, QRadioButton] = {}
        for policy in get_args(MissingPolicy):
            button = QRadioButton(POLICY_TEXTS[policy])
            button.clicked.connect(lambda _on=True, policy=policy: self.chosen.emit(policy))
            self.buttons[policy] = button
            self.body.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_choice(self, plans: tuple[ColumnPlan, ...], policy: MissingPolicy | None) -> None:
        """Show what is missing in the columns that are used; hidden where nothing is."""
        missing = {plan.name: plan.n_missing for plan in plans if plan.is_used and plan.n_missing}
        self.setVisible(bool(missing))
        total = sum(missing.values())
        said = f"{total:,} {'cell is' if total == 1 else 'cells are'} missing"
        self.heading.setText(f"{said}. What should be done with them?" if policy is None else f"{said}.")
        named = [f"{name} ({count:,})" for name, count in missing.items()]
        rest = len(named) - SHOWN_COLUMNS
        more = f" and {rest} more columns" if rest > 0 else ""
        self.where.setText(f"In {', '.join(named[:SHOWN_COLUMNS])}{more}")
        for own, button in self.buttons.items():
            button.setAutoExclusive(False)
            button.setChecked(own == policy)
            button.setAutoExclusive(True)


class ObstacleBanner(Card):
    """Says why there is no data to work with yet."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(role="banner", parent=parent)
        self.body.addWidget(Heading("The data cannot be used as it is", factor=1.05))
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
    parts = [FORMAT_TITLES[options.format]] if options.format is not None else []
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
