"""Asks where to write: one dialog for all that the pages export, and how large a picture is to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from latconf_core.formats.graphs.graph_document import GraphFormat

PICTURES = ("SVG (*.svg)", "PDF (*.pdf)", "PNG (*.png)")


def format_filter(one: GraphFormat) -> str:
    """The choice of a file dialog that stands for a format; one without an extension goes with every name."""
    title = f"{one.description[:1].upper()}{one.description[1:]}"
    return f"{title} ({' '.join(f'*{extension}' for extension in one.extensions) or '*'})"


def make_file_dialog(parent: QWidget, title: str, folder: str, filters: Sequence[str]) -> QFileDialog:
    """A file dialog that goes when it is closed."""
    dialog = QFileDialog(parent, title, folder)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setNameFilters(list(filters))
    return dialog


def ask_where_to_save(
    parent: QWidget, title: str, folder: str, filters: Sequence[str], *, take: Callable[[Path, str], object]
) -> QFileDialog:
    """Let the person choose a file to write; `take` gets its path and the filter that was chosen."""
    dialog = make_file_dialog(parent, title, folder, filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)

    def take_suffix(chosen: str) -> None:
        pattern = chosen[chosen.rindex("(") + 1 : -1].split()[0]
        dialog.setDefaultSuffix(pattern.removeprefix("*.") if pattern != "*" else "txt")

    dialog.filterSelected.connect(take_suffix)
    take_suffix(filters[0])
    dialog.fileSelected.connect(lambda path: take(Path(path), dialog.selectedNameFilter()))
    dialog.open()
    return dialog


class PictureDialog(QDialog):
    """How large a picture is to be."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export a picture")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.scale = QDoubleSpinBox()
        self.scale.setRange(0.1, 20)
        self.scale.setValue(2)
        self.scale.setSingleStep(0.5)
        self.scale.setSuffix(" ×")
        self.scale.setAccessibleName("Scale")
        note = QLabel("Black on white, with the legend: SVG and PDF for print, PNG for slides.")
        note.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton("Choose a file…", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow("Scale", self.scale)
        layout = QVBoxLayout(self)
        layout.addWidget(note)
        layout.addLayout(form)
        layout.addWidget(buttons)


def ask_picture(parent: QWidget, folder: Callable[[], str], write: Callable[[Path, float], object]) -> QDialog:
    """Let the person choose the scale, then the file; `write` gets the path and the scale."""
    dialog = PictureDialog(parent)

    def ask_file() -> None:
        scale = dialog.scale.value()
        ask_where_to_save(parent, "Export a picture", folder(), PICTURES, take=lambda path, _: write(path, scale))

    dialog.accepted.connect(ask_file)
    dialog.open()
    return dialog
