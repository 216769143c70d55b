"""The status bar: data set · PAG · what is running, with its progress and a way to stop it."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton, QWidget

from latconf_core.phrases import counted
from latconf_gui.application.document import Document
from latconf_gui.background.runs import Runs
from latconf_gui.look.icons import icon


class StatusBar(QStatusBar):
    """Follows the document and the runs by itself."""

    def __init__(self, document: Document, runs: Runs, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._runs = runs
        self.data = self._label("Data set")
        self.pag = self._label("PAG")
        self.run = self._label("Run state", stretch=1)
        self.run.setMinimumWidth(1)  # a long text is cut off rather than making the window wider
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Progress")
        self.progress.setMaximumWidth(220)
        self.progress.setTextVisible(False)
        self.cancel = QToolButton(autoRaise=True)
        self.cancel.setAccessibleName("Cancel the run")
        self.cancel.setIcon(icon("cancel"))
        self.cancel.setToolTip("Cancel the running task")
        self.cancel.clicked.connect(runs.cancel_current)
        self.addPermanentWidget(self.progress)
        self.addPermanentWidget(self.cancel)
        document.name_changed.connect(self._show_data)
        document.dataset_changed.connect(self._show_data)
        document.pag_changed.connect(self._show_pag)
        runs.changed.connect(self._show_run)
        self._show_data()
        self._show_pag()
        self._show_run()

    def _label(self, name: str, *, stretch: int = 0) -> QLabel:
        label = QLabel()
        label.setAccessibleName(name)
        label.setContentsMargins(6, 0, 10, 0)
        self.addWidget(label, stretch)
        return label

    def _show_data(self) -> None:
        data = self._document.dataset
        if data is None:
            self.data.setText(self._document.name or "No data")
        else:
            self.data.setText(
                f"{self._document.name}: {counted(data.n_rows, 'row')}, {counted(data.n_variables, 'variable')}"
            )

    def _show_pag(self) -> None:
        pag = self._document.pag
        if pag is None:
            self.pag.setText("No PAG")
            return
        n_edges = sum(1 for _ in pag.edges())
        origin = f" ({self._document.pag_origin})" if self._document.pag_origin else ""
        self.pag.setText(f"PAG: {n_edges} {'edge' if n_edges == 1 else 'edges'}{origin}")

    def _show_run(self) -> None:
        run = self._runs.current
        self.progress.setVisible(run is not None)
        self.cancel.setVisible(run is not None)
        if run is None:
            self.run.setText("Ready")
            return
        step = self._runs.progress_of(run)
        said = f" · {step.text}" if step is not None and step.text else ""
        self.run.setText(f"{self._runs.text_of(run)}{said}")
        self.run.setToolTip(self.run.text())
        if step is None or step.total is None:
            self.progress.setRange(0, 0)
        else:
            self.progress.setRange(0, 1000)
            self.progress.setValue(round(1000 * step.done / max(step.total, 1)))
