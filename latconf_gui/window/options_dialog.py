"""Options of the program: whether searches are computed on this computer or by a cluster."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from latconf_core.cluster.scheduler import EXAMPLE, Scheduler
from latconf_core.errors import LatconfError
from latconf_gui.application.settings import Settings
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.widgets.text import SPACE, Heading, Quiet

DIALOG_LETTERS = 78  # its first width
ADDRESS_LETTERS = 32  # the least width of an address
EXPLANATION = (
    "A cluster is a Dask scheduler with workers on this or other machines. New searches and benchmarks run "
    "there, with the same results. Use one only in a network you trust: anyone who can reach a scheduler can "
    "run programs on its workers."
)
FILES = (
    ("ca_file", "&Authority:", "CA certificate"),
    ("cert_file", "&Certificate:", "Your certificate"),
    ("key_file", "&Key:", "Private key"),
)
TESTING = "Contacting the scheduler…"


class OptionsDialog(QDialog):
    """Takes over what is chosen with OK; Test says who is there, and whether they have the same versions."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._job = LatestJob(self)
        self.setWindowTitle("Options")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.here, self.there = QRadioButton("&This computer"), QRadioButton("A c&luster:")
        self.address = QLineEdit(settings.scheduler_address)
        self.test_button = QPushButton("T&est")
        self.files = {name: QLineEdit(text) for (name, *_), text in zip(FILES, settings.scheduler_files)}
        self._files_note = Quiet("For an encrypted connection, the files from the cluster's administrator:")
        self.answer = Quiet()
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, parent=self
        )
        self._build()
        self._connect()
        (self.there if settings.uses_scheduler else self.here).setChecked(True)
        self._show_enabled()
        self.resize(self.fontMetrics().averageCharWidth() * DIALOG_LETTERS, self.sizeHint().height())

    def _build(self) -> None:
        self.address.setPlaceholderText(EXAMPLE)
        self.address.setMinimumWidth(self.fontMetrics().averageCharWidth() * ADDRESS_LETTERS)
        self.address.setAccessibleName("Address of the scheduler")
        self.test_button.setAutoDefault(False)
        self.answer.setAccessibleName("Answer of the scheduler")
        self.answer.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout()
        for widget, share in ((self.there, 0), (self.address, 1), (self.test_button, 0)):
            row.addWidget(widget, share)
        self._form = QFormLayout()
        for name, label, title in FILES:
            self._form.addRow(label, self._file_row(name, title))
        column = QVBoxLayout(self)
        column.setSpacing(SPACE)
        column.addWidget(Heading("Where searches run", factor=1.1))
        column.addWidget(self.here)
        column.addLayout(row)
        column.addWidget(self._files_note)
        column.addLayout(self._form)
        column.addWidget(self.answer)
        column.addWidget(Quiet(EXPLANATION))
        column.addStretch(1)
        column.addWidget(self.buttons)

    def _file_row(self, name: str, title: str) -> QWidget:
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        button = QPushButton("Browse…")
        button.setAutoDefault(False)
        button.setAccessibleName(f"Browse for: {title}")
        button.clicked.connect(lambda: self._ask_file(title, self.files[name].setText))
        self.files[name].setAccessibleName(title)
        whole.setFocusProxy(self.files[name])
        row.addWidget(self.files[name], 1)
        row.addWidget(button)
        return whole

    def _connect(self) -> None:
        self.here.toggled.connect(self._show_enabled)
        self.address.textEdited.connect(lambda: self.there.setChecked(True))
        self.address.textEdited.connect(lambda: self.answer.clear())
        self.address.textChanged.connect(self._show_enabled)
        self.test_button.clicked.connect(self.test)
        self.buttons.accepted.connect(self._on_accepted)
        self.buttons.rejected.connect(self.reject)
        self._job.answered.connect(lambda report: self._say(f"It answers: {report}"))
        self._job.failed.connect(self._on_failed)
        self._job.changed.connect(self._show_enabled)
        self.finished.connect(self._job.forget)

    @property
    def chosen(self) -> Scheduler:
        """The cluster as it is written; LatconfError where that is no address."""
        return Scheduler(self.address.text().strip(), *(field.text().strip() or None for field in self.files.values()))

    def test(self) -> None:
        """Ask the scheduler who is there, beside the window."""
        try:
            scheduler = self.chosen
        except LatconfError as error:
            self._on_failed(error)
            return

        def ask(_control: object) -> object:
            from latconf_core.cluster.workers import try_scheduler

            return try_scheduler(scheduler)

        self._say(TESTING)
        self._job.ask(ask)

    def _on_failed(self, error: object) -> None:
        said = str(error)
        self._say(f"{said[:1].upper()}{said[1:]}.")

    def _say(self, text: str) -> None:
        self.answer.setText(text)
        self._grow()

    def _grow(self) -> None:
        """Take the height that everything needs at this width."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        needed = layout.totalHeightForWidth(self.width())
        if needed > self.height():
            self.resize(self.width(), needed)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._grow()

    def _on_accepted(self) -> None:
        is_there, scheduler = self.there.isChecked(), None
        try:
            if is_there or self.address.text().strip():
                scheduler = self.chosen
        except LatconfError as error:
            if is_there:
                self._on_failed(error)
                return
        self._settings.keep_scheduler(scheduler)  # also while it is not used: it need not be written again
        self._settings.uses_scheduler = is_there
        self.accept()

    def _show_enabled(self) -> None:
        is_encrypted = self.address.text().strip().startswith("tls")
        asks_files = is_encrypted or any(field.text() for field in self.files.values())
        self._files_note.setVisible(asks_files)
        for row in range(self._form.rowCount()):
            self._form.setRowVisible(row, asks_files)
        self.test_button.setEnabled(bool(self.address.text().strip()) and not self._job.is_busy)
        self._grow()

    def _ask_file(self, title: str, take: Callable[[str], object]) -> None:
        dialog = QFileDialog(self, title, filter="Certificates and keys (*.pem *.crt *.key);;All files (*)")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(take)
        dialog.open()
