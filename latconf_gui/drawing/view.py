"""The window onto a scene: zoom, pan and fit, with labels that stay readable."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontInfo, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QGraphicsView, QWidget

from latconf_gui.background.gil_priority import GIL_PRIORITY
from latconf_gui.drawing.scene import MARGIN, GraphScene
from latconf_gui.look.colours import TEXT_PIXELS, Colours

LEAST_TEXT_PIXELS = 9.0  # a fit never makes labels smaller; the rest is reached by panning
SEEN_TEXT_PIXELS = 4.0  # smaller labels and marks are a blur
LEAST_TEXT_SHARE = 0.5  # of the window's own text: who enlarges that wants to read the labels too
LAYOUT_GROWTH = 1.07  # a crowded layout aims at larger labels: a fit has something to spare when a bar appears
STEP = 1.2
ZOOM_RANGE = (0.05, 8.0)
ROOMY = 0.08  # boxes that fill less of the view are laid out at the size of the window's own text
FIT_GROWTH = 1.3  # a small graph is not blown up further than this above the window's own text


class GraphView(QGraphicsView):
    """Shows a GraphScene; keeps it fitted until the person zooms or pans."""

    zoomed = Signal(float)
    resized = Signal()

    def __init__(self, scene: GraphScene, parent: QWidget | None = None) -> None:
        super().__init__(scene, parent)
        self.graph_scene = scene
        self._is_fitted = True
        self._is_whole = False  # whether a fit shows all, however small
        self._pan_from: QPoint | None = None
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setDragMode(QGraphicsView.DragMode.RubberBandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.setAcceptDrops(False)  # what is dropped on a drawing is for its page
        self.setAccessibleName("Graph")
        self.setAccessibleDescription("A drawing of the graph. The edge table beside it offers every edit by keyboard.")
        scene.sceneRectChanged.connect(self._on_extent_changed)

    @property
    def zoom(self) -> float:
        """Screen pixels per scene unit."""
        return float(self.transform().m11())

    @property
    def text_pixels(self) -> float:
        """The height of labels' font on the screen."""
        return TEXT_PIXELS * self.zoom

    def natural_zoom(self) -> float:
        """The zoom at which labels are as large as the window's own text."""
        return QFontInfo(self.font()).pixelSize() / TEXT_PIXELS

    def least_zoom(self) -> float:
        """The zoom at which labels can just be read; on a projector, at which they are as large as all other text."""
        is_projected = self.graph_scene.colours.line_scale > 1
        share = 1.0 if is_projected else LEAST_TEXT_SHARE
        return max(LEAST_TEXT_PIXELS / TEXT_PIXELS, share * self.natural_zoom())

    def frame_for_layout(self, sizes: Iterable[tuple[float, float]], room: QSize) -> tuple[float, float]:
        """What boxes of these sizes may fill, in scene units, so that a fit into `room` shows readable labels."""
        area = sum(width * height for width, height in sizes)
        is_roomy = area < ROOMY * room.width() * room.height()
        zoom = min(self.natural_zoom(), 1.0) if is_roomy else self.least_zoom() * LAYOUT_GROWTH
        return max(room.width() / zoom - 2 * MARGIN, 200.0), max(room.height() / zoom - 2 * MARGIN, 160.0)

    def minimumSizeHint(self) -> QSize:
        """Room for a latent and a child."""
        line = self.fontMetrics().height()
        return QSize(10 * line, 5 * line)

    def fit(self) -> None:
        """Show the whole graph, or the part that matters where labels would become too small to read."""
        self._is_whole = False
        self._fit_again()

    def show_all(self) -> None:
        """Show the whole graph, however small its labels become."""
        self._is_whole = True
        self._fit_again()

    def _fit_again(self) -> None:
        if not self.graph_scene.node_items() or self._room().isEmpty():
            return
        self._is_fitted = False  # so that the extent that changes here does not ask for another fit
        self.graph_scene.shrink_extent()
        rect = self.graph_scene.sceneRect()
        shows_all = self._is_whole or self.can_show_all()
        zoom = self.zoom_for(rect)
        self._set_zoom(zoom if shows_all else max(zoom, self.least_zoom()))
        self.centerOn((rect if shows_all else self._focus()).center())
        self._is_fitted = True

    def _room(self) -> QSize:
        return self.maximumViewportSize() - QSize(2, 2)  # without scroll bars, and without rounding into one

    def _whole_zoom(self) -> float:
        return self._zoom_to_see(self.graph_scene.sceneRect())

    def _zoom_to_see(self, rect: QRectF) -> float:
        if rect.isEmpty():  # nothing is drawn
            return self.natural_zoom()
        size = self._room()
        return min(size.width() / rect.width(), size.height() / rect.height())

    def zoom_for(self, rect: QRectF) -> float:
        """The zoom at which all of a rectangle is seen, no larger than that of a fit."""
        return min(self._zoom_to_see(rect), max(self.natural_zoom(), 1.0) * FIT_GROWTH)

    def whole_share(self) -> float:
        """The zoom at which the whole graph is seen, in the least one at which labels can be read."""
        return self._whole_zoom() / self.least_zoom()

    def can_show_all(self) -> bool:
        """Whether the whole graph can be seen with labels that can be read."""
        return self.whole_share() >= 1

    def _focus(self) -> QRectF:
        """Most of what stands out that there is room for at this zoom."""
        rects = self.graph_scene.focuses()
        room = QRectF(0, 0, self._room().width() / self.zoom, self._room().height() / self.zoom)
        fitting = (rect for rect in rects if rect.width() <= room.width() and rect.height() <= room.height())
        return next(fitting, rects[-1])

    def _set_zoom(self, zoom: float) -> None:
        factor = min(max(zoom, ZOOM_RANGE[0]), ZOOM_RANGE[1]) / self.zoom
        self.scale(factor, factor)
        self.graph_scene.set_tiny(self.text_pixels < SEEN_TEXT_PIXELS)
        self.zoomed.emit(self.zoom)

    def zoom_by(self, factor: float) -> None:
        """Enlarge or reduce; the graph is no longer kept fitted."""
        self._is_fitted = False
        self._set_zoom(self.zoom * factor)

    def zoom_in(self) -> None:
        self.zoom_by(STEP)

    def zoom_out(self) -> None:
        self.zoom_by(1 / STEP)

    def zoom_to_text(self) -> None:
        """Labels as large as the window's own text."""
        self.zoom_by(self.natural_zoom() / self.zoom)

    def show_node(self, name: str) -> None:
        """Bring a node to the middle, at a readable size."""
        self._is_fitted = False
        if self.zoom < self.least_zoom():
            self._set_zoom(self.natural_zoom())
        self.centerOn(self.graph_scene.node_item(name))

    def bring_into_view(self, name: str) -> None:
        """The same where the node is not seen."""
        seen = self.mapToScene(self.viewport().rect()).boundingRect()
        if not seen.contains(self.graph_scene.node_item(name).scene_box()):
            self.show_node(name)

    def _on_extent_changed(self) -> None:
        if self._is_fitted:
            self._fit_again()

    def paintEvent(self, event: QPaintEvent) -> None:
        with GIL_PRIORITY.window_first():
            super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_fitted:
            self._fit_again()
        self.resized.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.ApplicationPaletteChange):
            self.graph_scene.set_colours(Colours.from_palette(self.palette()))
            if self._is_fitted:
                self._fit_again()
        elif event.type() == QEvent.Type.FontChange and self._is_fitted:
            self._fit_again()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel zooms at the mouse; with Shift or Alt it scrolls."""
        if event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier):
            super().wheelEvent(event)
            return
        self.zoom_by(STEP ** (event.angleDelta().y() / 120))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = event.position().toPoint()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            event.accept()
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pan_from is None:
            super().mouseMoveEvent(event)
            return
        step = event.position().toPoint() - self._pan_from
        self._pan_from = event.position().toPoint()
        self.pan(-step.x(), -step.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = None
            self.viewport().unsetCursor()
            event.accept()
            return
        super().mouseReleaseEvent(event)

    def pan(self, dx: int, dy: int) -> None:
        """Move the view over the graph."""
        self._is_fitted = False
        for bar, step in ((self.horizontalScrollBar(), dx), (self.verticalScrollBar(), dy)):
            bar.setValue(bar.value() + step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys pan, plus and minus zoom, 0 fits; the rest goes to the scene."""
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom_in()
            case Qt.Key.Key_Minus:
                self.zoom_out()
            case Qt.Key.Key_0:
                self.show_all()
            case Qt.Key.Key_Left:
                self.pan(-40, 0)
            case Qt.Key.Key_Right:
                self.pan(40, 0)
            case Qt.Key.Key_Up:
                self.pan(0, -40)
            case Qt.Key.Key_Down:
                self.pan(0, 40)
            case _:
                super().keyPressEvent(event)
                return
        event.accept()
