"""Walks an example from its data to a model by itself, so that a newcomer sees the whole path at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from latconf_core.data.dataset import Dataset
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions

if TYPE_CHECKING:
    from latconf_gui.window.main_window import MainWindow

LEARNER = PagOptions(method="gfci")
SEARCH = "hclc-v"


class ExamplePath(QObject):
    """Opens an example, learns its PAG and searches, as a person would; it gives way when the person does else.

    `ended` comes when there is a model, or when the path was left.
    """

    ended = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._data: Dataset | None = None
        self.is_under_way = False

    def start(self, choice: ExampleChoice) -> None:
        """Begin; everything runs in the background and can be cancelled there."""
        self.is_under_way = True
        self._window.opener.opened.connect(self._on_opened)
        self._window.opener.open_example(choice)

    def _on_opened(self) -> None:
        from latconf_gui.pages.pag.pag_page import PagPage

        document = self._window.document
        self._window.opener.opened.disconnect(self._on_opened)
        self._data = document.dataset
        page = self._window.page(PagPage)
        page.learn_panel.show_options(LEARNER)  # who learns again gets the same
        learning = page.learning
        document.dataset_changed.connect(self._end)
        document.pag_changed.connect(self._on_pag_changed)
        learning.cancelled.connect(self._end)
        learning.start(LEARNER)

    def _on_pag_changed(self) -> None:
        from latconf_gui.pages.search.search_page import SearchPage

        document = self._window.document
        if not self.is_under_way or document.pag is None or document.dataset is not self._data:
            self._end()
            return
        document.pag_changed.disconnect(self._on_pag_changed)
        document.result_changed.connect(self._on_result_changed)
        self._window.page(SearchPage).running.start(SEARCH, SearchOptions())

    def _on_result_changed(self) -> None:
        if not self.is_under_way:
            return
        if self._window.document.result is None:
            self._end()
        else:
            QTimer.singleShot(0, self, self._arrive)  # when the step is in the undo list

    def _arrive(self) -> None:
        window = self._window
        window.project.mark_opened_from(None)  # the program did all this: there is nothing of the person's to save
        if window.stack.currentWidget() is window.pages[1]:  # nobody has gone elsewhere meanwhile
            window.show_page("Model")
        self._end()

    def _end(self) -> None:
        if self.is_under_way:
            self.is_under_way = False
            self.ended.emit()
