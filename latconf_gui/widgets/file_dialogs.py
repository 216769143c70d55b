"""Asks where to write: one dialog for all that the pages export, and how large a picture is to be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QMainWindow,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from latconf_core.errors import LatconfError
from latconf_core.files import has_folder, is_there
from latconf_core.formats.graphs.graph_document import GraphFormat
from latconf_core.formats.networks.registry import NetworkFormat
from latconf_gui.application.path_request import PathRequest
from latconf_gui.application.settings import Settings
from latconf_gui.background.runs import Report

PICTURES = ("SVG (*.svg)", "PDF (*.pdf)", "PNG (*.png)")
ANY_NAME = "txt"  # the ending of files whose format has none of its own
FOLDER = "files/folder"  # where the settings keep the folder that was used last
MESSAGE_MILLISECONDS = 15_000
Take = Callable[[Path, str], object]


def format_filter(graph_format: GraphFormat | NetworkFormat) -> str:
    """The choice of a file dialog that stands for a format; one without an extension goes with every name."""
    title = f"{graph_format.description[:1].upper()}{graph_format.description[1:]}"
    return f"{title} ({' '.join(f'*{extension}' for extension in graph_format.extensions) or '*'})"


def propose_name(document: str, what: str) -> str:
    """A name for a file about what is open: `survey.csv` and `PAG` give `survey_PAG`; the filter adds the ending."""
    words = (re.sub(r"[^\w-]+", "_", text).strip("_") for text in (re.sub(r"\.[A-Za-z]\w*$", "", document), what))
    return "_".join(word for word in words if word)


class FileDialogs(QObject):
    """Opens each file dialog where the last one ended, and says what was written in the window's status bar."""

    def __init__(self, settings: Settings, report: Report, *, window: QWidget) -> None:
        super().__init__(window)
        self._settings = settings
        self._report = report
        self._window = window

    def folder(self) -> str:
        """Where the next dialog starts: the folder used last, while it is there."""
        kept = str(self._settings.value(FOLDER, ""))
        return kept if kept and has_folder(Path(kept)) else str(Path.home())

    def write(self, path: Path, write: Callable[[], Mapping[str, str] | None]) -> bool:
        """Carry out an export and say that it is done; a failure is reported, and so are names that had to change.

        Gives whether it was written.

        write : gives written name → real name of what the format could not hold as it is called
        """
        where = f"Exporting {path.name}"
        try:
            changed = write()
        except (LatconfError, OSError) as error:
            self._report(error, where)
            return False
        self.say_written(path)
        if changed:
            pairs = ", ".join(f"{real!r} as {written!r}" for written, real in changed.items())
            self._report(f"This format cannot store every name; written instead: {pairs}.", where)
        return True

    def say_written(self, path: Path) -> None:
        """Tell that a file is complete, and where it is."""
        window = self._window.window()
        if isinstance(window, QMainWindow):
            window.statusBar().showMessage(f"Written: {path}", MESSAGE_MILLISECONDS)

    def ask_open(self, title: str, filters: Sequence[str], *, take: Take) -> QFileDialog:
        """Let the person choose a file to read; `take` gets its path and the filter that was chosen."""
        dialog = self._make(title, filters)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self._hand_over(Path(path), dialog.selectedNameFilter(), take))
        dialog.open()
        return dialog

    def ask_save(self, title: str, filters: Sequence[str], *, name: str, take: Take) -> QFileDialog:
        """Let the person choose a file to write; `take` gets its path and the filter it is to be written by.

        An extension that was typed wins over the first filter; where another filter was chosen, the person is asked.
        """
        dialog = self._make(title, filters)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(_endings(chosen)[0]))
        dialog.setDefaultSuffix(_endings(filters[0])[0])
        dialog.selectFile(name)
        dialog.fileSelected.connect(lambda path: self._settle_format(Path(path), filters, dialog, take))
        dialog.open()
        return dialog

    def ask_picture(self, name: str, write: Callable[[Path, float], object]) -> PictureDialog:
        """Let the person choose the scale, then the file; `write` gets the path and the scale."""
        dialog = PictureDialog(self._window)

        def ask_file() -> None:
            scale = dialog.scale.value()
            self.ask_save("Export a picture", PICTURES, name=name, take=lambda path, _: write(path, scale))

        dialog.accepted.connect(ask_file)
        dialog.open()
        return dialog

    def _make(self, title: str, filters: Sequence[str]) -> QFileDialog:
        dialog = QFileDialog(self._window, title, self.folder())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setNameFilters(list(filters))
        return dialog

    def _settle_format(self, path: Path, filters: Sequence[str], dialog: QFileDialog, take: Take) -> None:
        chosen = dialog.selectedNameFilter()
        named = filter_of_ending(path, filters, chosen=chosen)
        if named == chosen or chosen == filters[0]:
            self._hand_over(path, named, take)
        else:
            self._ask_format(path, chosen, named=named, take=take)

    def _ask_format(self, path: Path, chosen: str, *, named: str, take: Take) -> None:
        """The name says one format and the chosen filter another: which is it to be?"""
        by_its_name, as_chosen = _title(named), _title(chosen)
        other = path.with_suffix(f".{_endings(chosen)[0]}")
        replaces = ", which replaces the existing file" if is_there(other) else ""
        question = QMessageBox(self._window)
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.setIcon(QMessageBox.Icon.Question)
        question.setWindowTitle("Which format?")
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setText(f"{path.name} has the extension of {by_its_name}, but {as_chosen} was chosen.")
        question.setInformativeText(f"Write {by_its_name} to {path.name}, or {as_chosen} to {other.name}{replaces}?")
        by_name = question.addButton(f"{by_its_name} ({path.name})", QMessageBox.ButtonRole.AcceptRole)
        by_filter = question.addButton(f"{as_chosen} ({other.name})", QMessageBox.ButtonRole.AcceptRole)
        question.addButton(QMessageBox.StandardButton.Cancel)
        question.setDefaultButton(by_name)
        by_name.clicked.connect(lambda: self._hand_over(path, named, take))
        by_filter.clicked.connect(lambda: self._hand_over(other, chosen, take))
        question.open()

    def _hand_over(self, path: Path, filter: str, take: Take) -> None:
        self._settings.keep(FOLDER, str(path.parent))
        take(path, filter)


def filter_of_ending(path: Path, filters: Sequence[str], *, chosen: str) -> str:
    """The filter that a name's ending belongs to: the chosen one where it may be, also where no filter has it."""
    ending = path.suffix.lower().removeprefix(".")
    if ending in _endings(chosen):
        return chosen
    return next((each for each in filters if ending in _endings(each)), chosen)


def _endings(filter: str) -> list[str]:
    """The endings of a filter such as `Graphviz DOT (*.dot *.gv)`, without their dots."""
    patterns = filter[filter.rindex("(") + 1 : -1].split()
    return [pattern.removeprefix("*.") if pattern != "*" else ANY_NAME for pattern in patterns]


def _title(filter: str) -> str:
    return filter[: filter.rindex("(")].strip()


def answer_path_request(parent: QWidget, request: PathRequest) -> QFileDialog:
    """Let the person choose the file that the program asks for."""
    dialog = QFileDialog(parent, request.title, request.start, request.file_filter)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if request.suffix:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(request.suffix.removeprefix("."))
    else:
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(lambda chosen: request.take(Path(chosen)))
    dialog.rejected.connect(request.give_up)
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
        note = QLabel("Black on white, with the legend. SVG and PDF for print, PNG for slides.")
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
