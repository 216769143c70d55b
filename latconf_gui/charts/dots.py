"""The dots of a chart as a picture in memory, drawn by matplotlib's renderer: ten thousand in some milliseconds.

A whole figure of matplotlib's takes a tenth of a second to draw, most of it for text. So only the dots, which come by
the thousand, are drawn here; axes and text are Qt's.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgb
from matplotlib.markers import MarkerStyle
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, IdentityTransform
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainterPath, QPolygonF

from latconf_core.arrays import FloatArray, IntArray
from latconf_gui.charts.chart_style import DOT_ALPHA, level_style

DOTS_PER_INCH = 72.0


@cache
def marker_path(marker: str) -> Path:
    """The outline of a marker one unit wide around the origin, y upwards."""
    style = MarkerStyle(marker)
    return style.get_path().transformed(style.get_transform())


def marker_shape(marker: str, width: float) -> QPainterPath:
    """The same outline for Qt, y downwards."""
    shape = QPainterPath()
    for polygon in marker_path(marker).to_polygons(Affine2D().scale(width, -width), closed_only=True):
        shape.addPolygon(QPolygonF([QPointF(x, y) for x, y in np.asarray(polygon)]))
        shape.closeSubpath()
    return shape


class DotLayer:
    """A picture on a clear ground, to which dots are added; lengths are in logical pixels, y downwards."""

    def __init__(self, width: float, height: float, ratio: float, *, dot_width: float, is_dark: bool) -> None:
        self._width, self._height = max(round(width * ratio), 1), max(round(height * ratio), 1)
        self._ratio = ratio
        self._scale = Affine2D().scale(dot_width * ratio)
        self._is_dark = is_dark
        self._renderer = RendererAgg(self._width, self._height, DOTS_PER_INCH)  # type: ignore[no-untyped-call]
        self._image: QImage | None = None

    def add(self, x: FloatArray, y: FloatArray, levels: IntArray) -> None:
        """Draw more dots over those that are there; of dots on the same pixel, one."""
        for level in np.unique(levels):
            chosen = levels == level
            places = self._different(np.stack((x[chosen], y[chosen]), axis=1) * self._ratio)
            if len(places):
                self._draw(places, int(level))
        self._image = None

    def _different(self, places: FloatArray) -> FloatArray:
        """The places inside the picture, rounded to whole pixels, each once."""
        pixels = np.round(places)
        inside = (pixels >= 0).all(axis=1) & (pixels[:, 0] <= self._width) & (pixels[:, 1] <= self._height)
        codes = pixels[inside, 0].astype(np.int64) * (self._height + 1) + pixels[inside, 1].astype(np.int64)
        kept = np.sort(np.unique(codes, return_index=True)[1])
        pixel: FloatArray = pixels[inside][kept]
        return pixel

    def _draw(self, places: FloatArray, level: int) -> None:
        style = level_style(level)
        colour = (*to_rgb(style.colour(is_dark=self._is_dark)), DOT_ALPHA)
        pen = self._renderer.new_gc()
        pen.set_linewidth(0)
        upwards = np.stack((places[:, 0], self._height - places[:, 1]), axis=1)
        shape = marker_path(style.marker)
        self._renderer.draw_markers(pen, shape, self._scale, Path(upwards), IdentityTransform(), colour)
        pen.restore()

    def image(self) -> QImage:
        """The picture as it is now."""
        if self._image is None:
            pixels: memoryview = self._renderer.buffer_rgba()  # type: ignore[no-untyped-call]
            row = 4 * self._width
            drawn = QImage(pixels, self._width, self._height, row, QImage.Format.Format_RGBA8888)
            self._image = drawn.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
            self._image.setDevicePixelRatio(self._ratio)
        return self._image
