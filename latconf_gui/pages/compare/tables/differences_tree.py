"""The table of differences: a row per block with its nats, and under it what differs there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from latconf_core.phrases import nats
from latconf_core.wording.difference_list import Difference, DifferenceGroup
from latconf_core.wording.evidence_texts import gain_text
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.widgets.text_size import FollowTextSize

TITLES = ("Differences", "A", "B", "B minus A")
TIPS = (
    "Blocks of variables with separate scores, and their differences",
    "A's p-ELBO of this block, in nats",
    "B's p-ELBO of this block, in nats",
    "B's score minus A's in this block, in nats; the blocks add up to the total difference",
)
UNKNOWN = "…"
_OWN, _BLOCK = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class DifferencesTree(QTreeWidget):
    """`chosen` carries the Difference that a person goes to; a block is all of its own as one."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._differences: list[Difference] = []
        self._items: list[QTreeWidgetItem] = []
        self._is_following = False
        self.setAccessibleName("Differences")
        self.setColumnCount(len(TITLES))
        self.setHeaderLabels(list(TITLES))
        for column, tip in enumerate(TIPS):
            self.headerItem().setToolTip(column, tip)
        self.setAlternatingRowColors(True)
        self.setUniformRowHeights(True)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.currentItemChanged.connect(self._on_current)
        self.itemClicked.connect(lambda item, _: self._on_current(item))
        FollowTextSize(self, self._fit)
        self._fit()

    def show_groups(self, groups: Sequence[DifferenceGroup], *, is_scored: bool) -> None:
        """Other differences; what was chosen stays chosen where it is among them."""
        before = self.current
        self._is_following = True
        self.clear()
        self._differences, self._items = [], []
        for group in groups:
            self._add_group(group, is_scored)
        self.expandAll()
        self._is_following = False
        self.go_to(before)

    def show_names(self, a: str, b: str) -> None:
        """Who A and B are, in the titles."""
        for column, (letter, name) in enumerate((("A", a), ("B", b)), start=1):
            self.headerItem().setText(column, f"{letter}: {name}" if name else letter)
            self.headerItem().setToolTip(column, f"{letter} is {name}. {TIPS[column]}" if name else TIPS[column])
        self._fit()

    def _add_group(self, group: DifferenceGroup, is_scored: bool) -> None:
        unknown = UNKNOWN if is_scored else ""
        numbers = [unknown if score is None else nats(score) for score in (group.a, group.b)]
        top = QTreeWidgetItem([group.title, *numbers])
        top.setToolTip(0, plain_tip(group.title))
        top.setData(0, _BLOCK, group.whole)
        _show_gain(top, group.gain, unknown)
        for column in (1, 2, 3):
            top.setTextAlignment(column, RIGHT)
        self.addTopLevelItem(top)
        for difference in group.differences:
            item = QTreeWidgetItem([difference.text])
            item.setData(0, _OWN, difference)
            item.setToolTip(0, plain_tip(difference.text))
            top.addChild(item)
            if len(group.differences) == 1:  # what the block is worth, it is worth
                _show_gain(item, group.gain, unknown)
            else:
                item.setFirstColumnSpanned(True)
            if difference not in self._differences:
                self._differences.append(difference)
                self._items.append(item)

    @property
    def differences(self) -> Sequence[Difference]:
        """Each once, in the order of the table."""
        return tuple(self._differences)

    @property
    def current(self) -> Difference | None:
        item = self.currentItem()
        return None if item is None else item.data(0, _OWN)

    def go_to(self, difference: Difference | None) -> None:
        """Mark a difference without telling anybody."""
        self._is_following = True
        item = self._items[self._differences.index(difference)] if difference in self._differences else None
        self.setCurrentItem(item)  # type: ignore[arg-type]
        self._is_following = False

    def step(self, by: int) -> None:
        """Go to the next difference, or the one before; from the last to the first."""
        if self._differences:
            current_item = self.current
            at = self._differences.index(current_item) if current_item in self._differences else (-1 if by > 0 else 0)
            self.setCurrentItem(self._items[(at + by) % len(self._items)])

    def _on_current(self, current: QTreeWidgetItem | None, _before: object = None) -> None:
        if not self._is_following and current is not None:
            self.chosen.emit(current.data(0, _OWN) or current.data(0, _BLOCK))

    def _fit(self) -> None:
        line = self.fontMetrics().height()
        self.setMinimumHeight(line * 4)
        for column in (1, 2, 3):
            title = self.fontMetrics().horizontalAdvance(self.headerItem().text(column)) + 2 * line
            self.setColumnWidth(column, min(max(title, line * 8), self.width() // 5))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _show_gain(item: QTreeWidgetItem, gain: float | None, unknown: str) -> None:
    """What B is above A; the tip says whose it is."""
    item.setText(3, unknown if gain is None else f"{'+' if gain > 0 else ''}{nats(gain)}")
    item.setTextAlignment(3, RIGHT)
    if gain is not None:
        item.setToolTip(3, plain_tip(f"B: {gain_text(gain)}"))
