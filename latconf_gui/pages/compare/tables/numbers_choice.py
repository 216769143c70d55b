"""Which numbers are shown and exported: all, those that fit a page, or one by one."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from latconf_gui.pages.compare.tables.numbers_table import SHORT, TITLES, NumbersTable


class NumbersChoice(QToolButton):
    """A button with a menu; a tick per number."""

    def __init__(self, table: NumbersTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self.setText("Numbers")
        self.setToolTip("Which numbers are shown, copied and exported")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.addAction("All numbers", lambda: self.choose(TITLES))
        menu.addAction("A short table", lambda: self.choose(SHORT))
        menu.addSeparator()
        self.ticks: dict[str, QAction] = {}
        for title in TITLES:
            tick = menu.addAction(title)
            tick.setCheckable(True)
            tick.setChecked(True)
            tick.toggled.connect(self._on_toggled)
            self.ticks[title] = tick
        self.setMenu(menu)

    def choose(self, titles: tuple[str, ...]) -> None:
        """Show these numbers."""
        for title, tick in self.ticks.items():
            was_blocked = tick.blockSignals(True)
            tick.setChecked(title in titles)
            tick.blockSignals(was_blocked)
        self._on_toggled()

    def _on_toggled(self) -> None:
        self._table.show_rows([title for title, tick in self.ticks.items() if tick.isChecked()])
