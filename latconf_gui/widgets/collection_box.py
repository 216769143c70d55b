"""A box that shows which item of a collection is current, with the way to a list of all."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QWidget

from latconf_gui.look.icons import icon
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.widgets.box_width import bound_width
from latconf_gui.widgets.collection import Collection
from latconf_gui.widgets.text import SPACE
from latconf_gui.widgets.text_size import FollowTextSize

LEAST_LETTERS, MOST_LETTERS = 8, 30  # of the box


class CollectionBox(QWidget):
    """Choose an item; those that cannot be shown are greyed, and say why. Hidden while there is none.

    manage : a button for the command that shows the list of all
    """

    def __init__(self, collection: Collection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._collection = collection
        thing = collection.kind.thing
        self.box = QComboBox()
        self.box.setAccessibleName(f"Which {thing}")
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.box.activated.connect(lambda _: self._on_activated())
        self.manage = QToolButton()
        self.manage.setIcon(icon("rename"))
        self.manage.setAccessibleName(f"Rename or delete {thing}s")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE // 4)
        row.addWidget(self.box, 1)
        row.addWidget(self.manage)
        collection.changed.connect(self._show_entries)
        FollowTextSize(self, self._share_width)
        self._show_entries()

    def _show_entries(self) -> None:
        entries, current = self._collection.entries, self._collection.current
        was_blocked = self.box.blockSignals(True)
        self.box.clear()
        for index, entry in enumerate(entries):
            self.box.addItem(f"{entry.name} – {entry.reason}" if entry.reason else entry.name, entry.name)
            self.box.setItemData(index, plain_tip(entry.tip), Qt.ItemDataRole.ToolTipRole)
            self._grey(index, bool(entry.reason))
        self.box.setCurrentIndex(self.box.findData(current) if current else -1)
        self.box.blockSignals(was_blocked)
        shown = next((entry for entry in entries if entry.name == current), None)
        self.box.setPlaceholderText(f"No {self._collection.kind.thing} for these data")
        self.box.setToolTip(plain_tip(shown.tip) if shown is not None else "")
        if self.parentWidget() is not None or not entries:  # without a parent it would be a window of its own
            self.setVisible(bool(entries))
        self._share_width()

    def _share_width(self) -> None:
        bound_width(self.box, least=LEAST_LETTERS, most=MOST_LETTERS)

    def _grey(self, index: int, is_grey: bool) -> None:
        model = self.box.model()
        assert isinstance(model, QStandardItemModel)
        model.item(index).setEnabled(not is_grey)

    def _on_activated(self) -> None:
        self._collection.choose(self.box.currentData())
