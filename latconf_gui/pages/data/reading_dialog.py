"""How a file is read: what was detected, and what the user knows better."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from latconf_core.data.raw_table import RawTable
from latconf_core.data.read_options import ReadOptions
from latconf_core.errors import LatconfError
from latconf_gui.pages.data.banners import DELIMITER_NAMES, reading_text
from latconf_gui.widgets.text import Heading, Quiet

ENCODINGS = ("utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "shift_jis", "gb18030")
BLANKS = "blanks"


class ReadingDialog(QDialog):
    """`reading_chosen(options)` when the file must be read again, `marks_chosen(marks)` when only marks changed."""

    reading_chosen = Signal(object)
    marks_chosen = Signal(object)

    def __init__(self, raw: RawTable, marks: tuple[str, ...], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("How the file is read")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._options, self._marks = raw.options, marks
        self.is_text = raw.options.format in ("delimited", "blanks")
        self.delimiter = self._delimiter_box(raw.options)
        self.header = QCheckBox("The first row holds the &names")
        self.header.setChecked(bool(raw.options.header))
        self.encoding = QComboBox(editable=True)
        self.encoding.addItems(ENCODINGS)
        self.encoding.setCurrentText(raw.options.encoding or "utf-8")
        self.decimal = QComboBox()
        self.decimal.addItem("Point (1.5)", ".")
        self.decimal.addItem("Comma (1,5)", ",")
        self.decimal.setCurrentIndex(self.decimal.findData(raw.decimal))
        self.marks = QLineEdit(write_marks(marks))
        self.marks.setToolTip('Texts that mean a missing cell, separated by spaces; use quotes for "n a"')
        self.empty = QCheckBox("An &empty cell is missing")
        self.empty.setChecked("" in marks)
        self.problem = QLabel(wordWrap=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self._build(raw)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)

    def _delimiter_box(self, options: ReadOptions) -> QComboBox:
        box = QComboBox()
        for character, name in DELIMITER_NAMES.items():
            if character != " ":
                box.addItem(f"{name.capitalize()} ({character})" if character != "\t" else "Tab", character)
        box.addItem("Blanks", BLANKS)
        current = BLANKS if options.format == "blanks" else options.delimiter
        if box.findData(current) < 0 and current is not None:
            box.addItem(current, current)
        box.setCurrentIndex(box.findData(current))
        return box

    def _build(self, raw: RawTable) -> None:
        form = QFormLayout()
        if self.is_text:
            form.addRow("&Delimiter", self.delimiter)
            form.addRow("", self.header)
            form.addRow("En&coding", self.encoding)
            form.addRow("Deci&mal mark", self.decimal)
        form.addRow("Missing mar&ks", self.marks)
        form.addRow("", self.empty)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(Heading("How the file is read"))
        layout.addWidget(Quiet(f"Now: {reading_text(raw)}"))
        layout.addLayout(form)
        layout.addWidget(self.problem)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(self.fontMetrics().height() * 26)

    def options(self) -> ReadOptions:
        """The options as they stand in the form; an OptionError says what is wrong with them."""
        if not self.is_text:
            return self._options
        chosen = self.delimiter.currentData()
        return replace(
            self._options,
            format="blanks" if chosen == BLANKS else "delimited",
            delimiter=None if chosen == BLANKS else chosen,
            header=self.header.isChecked(),
            encoding=self.encoding.currentText().strip(),
            decimal=self.decimal.currentData(),
        )

    def chosen_marks(self) -> tuple[str, ...]:
        return (("",) if self.empty.isChecked() else ()) + parse_marks(self.marks.text())

    def _accept(self) -> None:
        try:
            options = self.options()
        except LatconfError as error:
            self.problem.setText(f"{error}.")
            return
        if options != self._options:
            self.reading_chosen.emit(options)
        if set(self.chosen_marks()) != set(self._marks):
            self.marks_chosen.emit(self.chosen_marks())
        self.accept()


def write_marks(marks: Iterable[str]) -> str:
    """The marks but the empty one in a line, those with blanks in quotes."""
    return " ".join(f'"{mark}"' if " " in mark else mark for mark in marks if mark)


def parse_marks(line: str) -> tuple[str, ...]:
    """The marks in a line: words, or texts in quotes."""
    findall = re.findall(r'"([^"]*)"|(\S+)', line)
    return tuple(mark for quoted, word in findall if (mark := " ".join(quoted.split()) or word))
