"""What the project has that can be compared, as a list to drag from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from latconf_gui.application.compared_graph import ComparedGraph
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.pages.compare.comparable_graphs import Offer
from latconf_gui.widgets.text_size import FollowTextSize

GROUPS = {
    "PAG": "PAGs",
    "MAG": "PAGs",
    "best": "Runs",
    "with latents": "Runs",
    "without latents": "Runs",
    "visit": "Runs",
    "determined": "Runs",
    "truth": "Known truth",
    "true MAG": "Known truth",
    "true PAG": "Known truth",
}
_OWN = Qt.ItemDataRole.UserRole


class OffersList(QTreeWidget):
    """PAGs, runs and the truth; `chosen` carries the Offer that is double-clicked, or on which Return is pressed."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Graphs of this project")
        self.setAccessibleDescription("Return adds one to the comparison")
        self.setHeaderHidden(True)
        self.setDragEnabled(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._indent()
        FollowTextSize(self, self._indent)
        self.itemActivated.connect(self._on_activated)
        self._rows: list[QTreeWidgetItem] = []
        self._shown: tuple[tuple[str, str, str], ...] = ()

    def _indent(self) -> None:
        self.setIndentation(self.fontMetrics().height() // 2)

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Other graphs; where they are the same, what is chosen stays chosen."""
        shown = tuple((offer.role, offer.name, offer.kind) for offer in offers)
        if shown == self._shown:
            for item, offer in zip(self._rows, offers):  # the same names may stand for other graphs now
                item.setData(0, _OWN, offer)
            return
        self._shown = shown
        self.clear()
        self._rows = [_row(offer) for offer in offers]
        for title in dict.fromkeys(GROUPS[offer.role] for offer in offers):
            top = QTreeWidgetItem([title])
            top.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self.addTopLevelItem(top)
            top.addChildren([row for row, offer in zip(self._rows, offers) if GROUPS[offer.role] == title])
        self.expandAll()

    def startDrag(self, _actions: Qt.DropAction) -> None:
        """Drag the chosen graph, to compare it."""
        item = self.currentItem()
        offer: Offer | None = None if item is None else item.data(0, _OWN)
        made = None if offer is None else offer.to_item()
        if made is not None:
            drag = QDrag(self)
            drag.setMimeData(ComparedGraph(made.name, made.origin, made.content, made.source, made.kind).to_mime())
            drag.exec(Qt.DropAction.CopyAction)

    def _on_activated(self, item: QTreeWidgetItem) -> None:
        offer = item.data(0, _OWN)
        if offer is not None:
            self.chosen.emit(offer)


def _row(offer: Offer) -> QTreeWidgetItem:
    item = QTreeWidgetItem([offer.name])
    item.setData(0, _OWN, offer)
    origin = f", {offer.origin}" if offer.origin and offer.origin not in offer.name else ""
    item.setToolTip(0, plain_tip(f"{offer.name} ({offer.kind}{origin}). Drag it to the list, or double-click it."))
    return item
