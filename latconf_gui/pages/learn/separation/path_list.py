"""The list of paths between two nodes: open or blocked, where and why."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from latconf_core.graph.mixed import MixedGraph
from latconf_core.graph.paths import PathVerdict, drawn_path
from latconf_core.graph.separation import Verdict
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text import keep_arrows_whole

LEAST_LINES = 7
OPEN_SIGN, BLOCKED_SIGN = "●", "✕"


class PathList(QListWidget):
    """One line per path; `path_chosen` carries the PathVerdict of the chosen one, or None. Escape chooses none."""

    path_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Paths between the two ends")
        self.setToolTip("Select a path to highlight it; Escape highlights all open paths again")
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSpacing(2)
        LeastLines(self, LEAST_LINES)
        self._paths: tuple[PathVerdict, ...] = ()
        self.currentRowChanged.connect(self._on_row_changed)

    def show_verdict(self, verdict: Verdict | None, graph: MixedGraph) -> None:
        """List the paths of a verdict; none without one."""
        was_blocked = self.blockSignals(True)
        self.clear()
        self._paths = () if verdict is None else (*verdict.open_paths, *verdict.blocked_paths)
        for path in self._paths:
            self.addItem(QListWidgetItem(keep_arrows_whole(path_line(path, graph))))
        if verdict is not None and not self._paths:
            self._add_note("There is no path between the two.")
        if verdict is not None and verdict.truncated:
            self._add_note("The list is incomplete: there are more paths.")
        self.blockSignals(was_blocked)

    def _add_note(self, text: str) -> None:
        item = QListWidgetItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.addItem(item)

    @property
    def current_path(self) -> PathVerdict | None:
        """The path that is chosen."""
        row = self.currentRow()
        return self._paths[row] if 0 <= row < len(self._paths) else None

    @property
    def lit_paths(self) -> tuple[PathVerdict, ...]:
        """The path that is chosen, or else all open ones."""
        chosen = self.current_path
        return tuple(path for path in self._paths if path.is_open) if chosen is None else (chosen,)

    def _on_row_changed(self) -> None:
        self.path_chosen.emit(self.current_path)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.currentRow() >= 0:
            self.setCurrentRow(-1)
            return
        super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """As high as there is room for, not as high as all paths."""
        return QSize(super().sizeHint().width(), self.minimumHeight())


def path_line(path: PathVerdict, graph: MixedGraph) -> str:
    """The path as it is drawn, whether it is open, and why: `✕ A --> B --> C: blocked at B. B is given …`."""
    if path.is_open:
        return f"{OPEN_SIGN} {drawn_path(path.nodes, graph)}: open. {path.reason}."
    return f"{BLOCKED_SIGN} {drawn_path(path.nodes, graph)}: blocked at {path.blocked_by}. {path.reason}."
