"""A scene as a picture file: SVG, PDF or PNG, black on white, with its legend."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from latconf_core.errors import FileFormatError, GraphError, OptionError
from latconf_core.files import write_atomically
from latconf_gui.drawing.items.node_item import label_font
from latconf_gui.drawing.legend import LegendEntry, legend_of, legend_rows, paint_legend, row_height
from latconf_gui.drawing.scene import GraphScene
from latconf_gui.look.colours import Colours, Highlight

BORDER = 16.0
LEAST_WIDTH = 360.0  # room for a legend below a small graph
LARGEST_SIDE = 30_000  # pixels; QImage cannot hold much more
POINTS_PER_INCH = 72


class Picture:
    """A scene with its legend below, at its natural size."""

    def __init__(self, scene: GraphScene) -> None:
        if not scene.node_items():
            raise GraphError("there is no graph to draw; learn, import or draw one first")
        self._scene = scene
        self._graph = scene.extent().adjusted(-6, -6, 6, 6)
        self._width = max(self._graph.width(), LEAST_WIDTH)
        self._entries: tuple[LegendEntry, ...] = legend_of(scene.drawing)
        rows = legend_rows(self._entries, label_font(), self._width)
        self._legend_height = len(rows) * row_height(label_font())

    @property
    def size(self) -> QSizeF:
        """In scene units."""
        return QSizeF(self._width + 2 * BORDER, self._graph.height() + self._legend_height + 3 * BORDER)

    def paint(self, painter: QPainter) -> None:
        """Draw everything at scene size from the origin, without what is selected or lit."""
        selected = self._scene.selectedItems()
        highlights = {
            item.pair: item.highlight for item in self._scene.edge_items() if item.highlight != Highlight.NONE
        }
        colours, is_overview = self._scene.colours, self._scene.is_overview
        was_blocked = self._scene.blockSignals(True)
        try:
            self._scene.clearSelection()
            self._scene.set_highlights({})
            self._scene.set_overview(False)
            self._scene.set_colours(Colours.for_paper())
            painter.fillRect(QRectF(0, 0, self.size.width(), self.size.height()), Qt.GlobalColor.white)
            left = BORDER + (self._width - self._graph.width()) / 2
            target = QRectF(left, BORDER, self._graph.width(), self._graph.height())
            self._scene.render(painter, target, self._graph)
            q_rect_f = QRectF(BORDER, self._graph.height() + 2 * BORDER, self._width, self._legend_height)
            paint_legend(painter, q_rect_f, self._entries, font=label_font(), colours=Colours.for_paper())
        finally:
            self._scene.set_colours(colours)
            self._scene.set_overview(is_overview)
            self._scene.set_highlights(highlights)
            for item in selected:
                item.setSelected(True)
            self._scene.blockSignals(was_blocked)


def export_picture(scene: GraphScene, path: str | Path, *, scale: float = 2.0) -> None:
    """Write the scene with its legend as .svg, .pdf or .png; `scale` multiplies its size."""
    file = Path(path)
    writers: dict[str, Callable[[Picture, Path, float], None]] = {
        ".svg": _write_svg,
        ".pdf": _write_pdf,
        ".png": _write_png,
    }
    writer = writers.get(file.suffix.lower())
    if writer is None:
        raise FileFormatError("the file name must end in .svg, .pdf or .png", file)
    if not 0.1 <= scale <= 20:
        raise OptionError(f"the scale is {scale}; it must lie between 0.1 and 20")
    picture = Picture(scene)
    with write_atomically(file) as temporary:
        writer(picture, temporary, scale)


def _draw(picture: Picture, painter: QPainter, scale: float) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(scale, scale)
    picture.paint(painter)
    painter.end()


def _write_svg(picture: Picture, path: Path, scale: float) -> None:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setTitle("latconf graph")
    size = picture.size * scale
    generator.setSize(size.toSize())
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    _draw(picture, QPainter(generator), scale)


def _write_pdf(picture: Picture, path: Path, scale: float) -> None:
    writer = QPdfWriter(str(path))
    writer.setResolution(POINTS_PER_INCH)
    writer.setTitle("latconf graph")
    page = QPageSize(picture.size * scale, QPageSize.Unit.Point, "graph", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    _draw(picture, QPainter(writer), scale)


def _write_png(picture: Picture, path: Path, scale: float) -> None:
    size = (picture.size * scale).toSize()
    if max(size.width(), size.height()) > LARGEST_SIDE:
        raise OptionError(
            f"at scale {scale:g} the picture is {size.width()} × {size.height()} pixels; choose a smaller one"
        )
    image = QImage(size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    _draw(picture, QPainter(image), scale)
    if not image.save(str(path), "PNG"):  # type: ignore[call-overload]
        raise FileNotFoundError(path) if not path.parent.is_dir() else OSError("the picture could not be written")
