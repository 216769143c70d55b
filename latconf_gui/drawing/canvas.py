"""The canvas that every page uses: a scene, its view, its legend, its layouts, and what stands there before."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from latconf_gui.drawing.content.graph_drawing import Drawing, Pair, Positions
from latconf_gui.drawing.legend import LegendWidget, legend_of
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.drawing.view import GraphView
from latconf_gui.drawing.view_layouts import Layouts
from latconf_gui.look.colours import Highlight

NOTHING = Drawing()


class GraphCanvas(QWidget):
    """A drawing with the legend below it.

    scene : one with gestures of its own, or None for the usual one
    empty : what stands there while no graph is shown, such as an invitation; None for an empty drawing
    """

    def __init__(
        self, *, scene: GraphScene | None = None, empty: QWidget | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.scene = GraphScene() if scene is None else scene
        self.scene.setParent(self)
        self.view = GraphView(self.scene)
        self.legend = LegendWidget(legend_of(NOTHING))
        self.layouts = Layouts(self.view, room=self.room, parent=self)
        self._highlights: dict[str, Mapping[Pair, Highlight]] = {}
        self._empty = empty
        self._stack = QStackedWidget()
        for widget in (empty, self.view):
            if widget is not None:
                self._stack.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.legend)

    def show_drawing(self, drawing: Drawing | None, positions: Positions, *, keeps_view: bool = False) -> None:
        """Show a drawing, or what stands there without one; `keeps_view` moves the view only where it must."""
        self._stack.setCurrentWidget(self._empty if drawing is None and self._empty is not None else self.view)
        shown = NOTHING if drawing is None else drawing
        self.scene.show_drawing(shown, positions, keeps_extent=keeps_view)
        self.legend.show_entries(legend_of(shown))
        self._apply_highlights()

    def room(self) -> QSize:
        """The size of the drawing area, also while something else stands there."""
        return self._stack.size()

    def highlight(self, reason: str, highlights: Mapping[Pair, Highlight]) -> None:
        """Highlight edges for one reason; later reasons win where two highlight the same edge."""
        self._highlights.pop(reason, None)
        if highlights:
            self._highlights[reason] = highlights
        self._apply_highlights()

    def _apply_highlights(self) -> None:
        merged: dict[Pair, Highlight] = {}
        for highlights in self._highlights.values():
            merged |= highlights
        self.scene.set_highlights(merged)

    def menu_at(self, actions: list[QAction | None], place: QPoint) -> QMenu:
        """A context menu of these commands; None is a separator."""
        menu = QMenu(self)
        for action in actions:
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)
        return menu
