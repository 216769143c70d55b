"""Walks an example from its data to a model by itself, so that a newcomer sees the whole path at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from latconf_core.control import StopReason
from latconf_core.data.dataset import Dataset
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.learning import PagOptions
from latconf_core.search.catalogue import DEFAULT_SEARCH

if TYPE_CHECKING:
    from latconf_core.pag.events import LearnedPag
    from latconf_core.search.outcome.result import SearchResult
    from latconf_gui.window.main_window import MainWindow

LEARNER = PagOptions(method="gfci")
Stage = Literal["none", "drawing rows", "waiting to learn", "learning", "placing", "searching"]


class ExamplePath(QObject):
    """Opens an example, learns its PAG and searches, as a person would; it gives way when the person does else.

    What comes is only taken up where it is this example's own: its choice, its data, its PAG. What was cancelled, or
    opened by the person, ends the path. `ended` comes when there is a model, or when the path was left.
    """

    ended = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._stage: Stage = "none"
        self._choice: ExampleChoice | None = None
        self._data: Dataset | None = None
        self._graph: MixedGraph | None = None
        self._follows_pages = False
        window.opener.opened.connect(self._on_opened)
        window.opener.given_up.connect(self._on_given_up)
        window.document.dataset_changed.connect(self._on_dataset_changed)
        window.document.pag_changed.connect(self._on_pag_changed)

    @property
    def is_under_way(self) -> bool:
        return self._stage != "none"

    def start(self, choice: ExampleChoice) -> None:
        """Begin; everything runs in the background and can be cancelled there."""
        self._end()
        self._choice = replace(choice)  # one of its own: the same example opened by hand is another one
        self._stage = "drawing rows"
        self._window.opener.open_example(self._choice)

    def _on_given_up(self) -> None:
        if self._stage == "drawing rows":
            self._end()

    def _follow_pages(self) -> None:
        """Follow what runs on the pages, which are loaded after the window is shown."""
        from latconf_gui.pages.pag.pag_page import PagPage
        from latconf_gui.pages.search.search_page import SearchPage

        if self._follows_pages:
            return
        self._follows_pages = True
        learning, running = self._window.page(PagPage).learning, self._window.page(SearchPage).running
        learning.learned.connect(self._on_learned)
        learning.changed.connect(self._on_learning_changed)
        running.finished.connect(self._on_finished)
        running.failed.connect(self._end)

    def _on_opened(self) -> None:
        if self._stage != "drawing rows":
            return
        document = self._window.document
        if document.source is not self._choice:
            self._end()
            return
        self._data = document.dataset
        self._follow_pages()
        self._stage = "waiting to learn"
        self._on_learning_changed()

    def _on_learning_changed(self) -> None:
        """Learn when nothing else is being learned; where learning ended without a PAG, so does the path."""
        from latconf_gui.pages.pag.pag_page import PagPage

        page = self._window.page(PagPage)
        if page.learning.is_running:
            return
        if self._stage == "waiting to learn":
            self._stage = "learning"
            page.learn_panel.show_options(LEARNER)  # who learns again gets the same
            page.learning.start(LEARNER)
        elif self._stage == "learning":
            self._end()

    def _on_learned(self, learned: LearnedPag) -> None:
        if self._stage == "learning":
            self._stage, self._graph = "placing", learned.graph

    def _on_dataset_changed(self) -> None:
        if self._data is not None and self._window.document.dataset is not self._data:
            self._end()

    def _on_pag_changed(self) -> None:
        from latconf_gui.pages.search.form import default_options
        from latconf_gui.pages.search.search_page import SearchPage

        if self._stage != "placing":
            return
        if self._window.document.pag != self._graph:
            self._end()
            return
        self._stage = "searching"
        page = self._window.page(SearchPage)
        page.form.choose(DEFAULT_SEARCH)
        page.running.start(DEFAULT_SEARCH, default_options())

    def _on_finished(self, result: SearchResult) -> None:
        if self._stage != "searching":
            return
        if result.best is None or result.stop_reason is StopReason.CANCELLED:
            self._end()
        else:
            QTimer.singleShot(0, self, self._arrive)  # when the step is in the undo list

    def _arrive(self) -> None:
        if self._stage != "searching":
            return
        window = self._window
        window.document.mark_clean()  # the program did all this: there is nothing of the person's to save
        if window.stack.currentWidget() is window.pages[1]:  # nobody has gone elsewhere meanwhile
            window.show_page("Model")
        self._end()

    def _end(self) -> None:
        was_under_way = self.is_under_way
        self._stage, self._choice, self._data, self._graph = "none", None, None, None
        if was_under_way:
            self.ended.emit()
