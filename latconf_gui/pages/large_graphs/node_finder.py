"""The field that finds a node of a drawing by its name."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.widgets.text_size import FollowTextSize

LETTERS = 24  # the largest width
MOST_LISTED = 12


class NodeFinder(QLineEdit):
    """Lights the nodes whose names hold what is typed; Return selects the next of them and brings it to the middle.

    A node that is not in the neighbourhood that is drawn becomes the centre of another.
    """

    def __init__(self, canvas: GraphCanvas, report: Callable[[str, str], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas, self._report = canvas, report
        self._names = QStringListModel(self)
        self.setPlaceholderText("Find a node…")
        self.setAccessibleName("Find a node")
        self.setClearButtonEnabled(True)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setMaxVisibleItems(MOST_LISTED)
        completer.activated.connect(self.show_node)
        self.setCompleter(completer)
        self._limit_width()
        FollowTextSize(self, self._limit_width)
        self.textChanged.connect(lambda _text: self._light())
        self.returnPressed.connect(self.find_next)
        canvas.shown.connect(self._on_shown)

    def _limit_width(self) -> None:
        self.setMaximumWidth(self.fontMetrics().averageCharWidth() * LETTERS)

    def start(self) -> None:
        """Type a name to find."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def find_next(self) -> None:
        """Select the next node whose name holds the text."""
        matches = self._matches()
        if not matches:
            self._report(f"No node has {self.text()!r} in its name.", "Find a node")
            return
        chosen = self._canvas.scene.selected_nodes()
        at = matches.index(chosen[0]) + 1 if chosen and chosen[0] in matches else 0
        self.show_node(matches[at % len(matches)])

    def show_node(self, name: str) -> None:
        """Select a node and bring it to the middle."""
        self._canvas.reveal(name)
        self._canvas.scene.select_nodes([name])
        self._canvas.view.show_node(name)

    def _matches(self) -> list[str]:
        wanted = self.text().strip().casefold()
        return [name for name in self._canvas.whole.names if wanted in name.casefold()] if wanted else []

    def _light(self) -> None:
        self._canvas.scene.set_found(self._matches())

    def _on_shown(self) -> None:
        names = list(self._canvas.whole.names)
        if names != self._names.stringList():
            self._names.setStringList(names)
        self._light()
