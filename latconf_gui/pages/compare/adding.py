"""The ways in which a graph comes to the Compare page: offered there, handed over, dropped, or read from a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtWidgets import QMainWindow, QMenu

from latconf_core.comparison.subject import Subject
from latconf_core.phrases import counted
from latconf_gui.application.compared_graph import ComparedGraph, dragged_graph
from latconf_gui.application.opener import NO_GRAPHS
from latconf_gui.pages.compare.comparable_graphs import Offer, find_source, kind_of, list_offers

if TYPE_CHECKING:
    from latconf_gui.pages.compare.compare_page import ComparePage

ADDING = "Adding to Compare"
MESSAGE_MILLISECONDS = 8_000


class Adding(QObject):
    """Offers what the document has, and takes what comes from elsewhere."""

    def __init__(self, page: ComparePage) -> None:
        super().__init__(page)
        self._page = page
        self.menu = QMenu(page)
        self.menu.aboutToShow.connect(self.fill_menu)
        page.panel.add.setMenu(self.menu)
        page.panel.offers.chosen.connect(lambda offer: self.add_offers([offer]))
        page.parts.invitation.chosen.connect(self.add_offers)
        page.document.compare_asked.connect(self.take)
        page.files.graph_read.connect(self._on_read)

    def offers(self) -> tuple[Offer, ...]:
        """What the document has."""
        return list_offers(self._page.document)

    def add_offers(self, offers: Sequence[Offer]) -> bool:
        """Compare what the document has, as one step."""
        items = [offer.to_item() for offer in offers]
        for offer, item in zip(offers, items):
            if item is None:
                problem = f"{offer.name} cannot be computed: the PAG is not valid; repair it first."
                self._page.context.report(problem, ADDING)
        made = [item for item in items if item is not None]
        return bool(made) and self._page.add_items(*made)

    def show_offers(self) -> None:
        """Offer what there is now."""
        offers = self.offers()
        self._page.panel.offers.show_offers(offers)
        if not self._page.candidates.items:
            self._page.parts.invitation.show_offers(offers)

    def fill_menu(self) -> None:
        """The offers, and files."""
        self.menu.clear()
        origin = None
        for offer in self.offers():
            if origin not in (None, offer.origin):
                self.menu.addSeparator()
            origin = offer.origin
            action = self.menu.addAction(f"{offer.name}  ({offer.kind})")
            action.triggered.connect(lambda _=False, offer=offer: self.add_offers([offer]))
        self.menu.addSeparator()
        self.menu.addAction(self._page.context.actions["compare.file"])

    def take(self, graph: ComparedGraph) -> None:
        """Another page hands a graph over; the status bar says that it was taken."""
        page, window = self._page, self._page.window()
        source = graph.source or find_source(page.document, graph.content)
        before = len(page.candidates)
        is_there = page.add_items(replace(graph, source=source).to_item(kind_of(graph.content)))
        if is_there and isinstance(window, QMainWindow):
            text = f"Added to Compare: {graph.name} ({counted(len(page.candidates), 'graph')})"
            if len(page.candidates) == before:
                text = f"{graph.name} is already in Compare: {page.candidates.items[page.panel.current].name}"
            window.statusBar().showMessage(text, MESSAGE_MILLISECONDS)

    def may_drop(self, mime: QMimeData) -> bool:
        """Whether a drag carries something for this page."""
        return dragged_graph(mime) is not None or any(url.isLocalFile() for url in mime.urls())

    def drop(self, mime: QMimeData) -> None:
        """Compare what is dropped: a graph of another page, or files; tables and projects are opened."""
        graph = dragged_graph(mime)
        paths = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
        if graph is not None:
            self.take(graph)
        elif any(path.suffix.lower() in NO_GRAPHS for path in paths):
            self._page.context.opener.open_dropped(mime.urls())
        else:
            self._page.files.read_graphs(paths)

    def _on_read(self, subject: Subject) -> None:
        self._page.add(subject.name, subject.content, origin="file")
