"""The button of the Compare page takes graphs that are dragged from other pages."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from latconf_gui.application.compared_graph import dragged_graph
from latconf_gui.application.document import Document


class GraphDrop(QObject):
    """Hands a graph that is dropped on a widget to the Compare page."""

    def __init__(self, widget: QWidget, document: Document) -> None:
        super().__init__(widget)
        self._document = document
        widget.setAcceptDrops(True)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent):  # entering and moving are drops to be
            graph = dragged_graph(event.mimeData())
            if graph is None:
                return False
            event.acceptProposedAction()
            if event.type() == QEvent.Type.Drop:
                self._document.compare_asked.emit(graph)
            return True
        return super().eventFilter(watched, event)
