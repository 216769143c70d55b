"""Our icons: one-colour SVG pictures, painted in the colour that the palette has at that moment."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from latconf_core.formats.desktop_entry import desktop_folder

PROGRAM_ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)
_HERE = Path(__file__).resolve().parents[1]


def icon_folder() -> Path:
    """Where the pictures are: inside the installed package, or in the checkout."""
    packaged = _HERE / "_icons"
    return packaged if packaged.is_dir() else _HERE.parent / "resources" / "icons"


def program_icon() -> QIcon:
    """The coloured icon of the program, as the menus of a desktop show it."""
    renderer = QSvgRenderer(str(desktop_folder() / "latconf.svg"))
    icon = QIcon()
    for side in PROGRAM_ICON_SIZES:
        picture = QPixmap(side, side)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        renderer.render(painter)
        painter.end()
        icon.addPixmap(picture)
    return icon


def icon(name: str) -> QIcon:
    """The icon of this name; it follows light and dark by itself."""
    return QIcon(_PaletteIcon(name))


class _PaletteIcon(QIconEngine):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._renderer = QSvgRenderer(str(icon_folder() / f"{name}.svg"))
        if not self._renderer.isValid():
            raise FileNotFoundError(f"there is no icon {name!r} in {icon_folder()}")

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatioF()
        picture = self._picture(rect.size() * ratio, _colour(mode))
        picture.setDevicePixelRatio(ratio)
        painter.drawPixmap(rect.topLeft(), picture)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self._picture(size, _colour(mode))

    def _picture(self, size: QSize, colour: QColor) -> QPixmap:
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        self._renderer.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
        self._renderer.render(painter, QRectF(QPoint(0, 0), size))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(picture.rect(), colour)
        painter.end()
        return picture

    def clone(self) -> QIconEngine:
        return _PaletteIcon(self._name)


def _colour(mode: QIcon.Mode) -> QColor:
    palette = QGuiApplication.palette()
    if mode == QIcon.Mode.Disabled:
        return palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText)
    if mode == QIcon.Mode.Selected:
        return palette.color(QPalette.ColorRole.HighlightedText)
    return palette.color(QPalette.ColorRole.ButtonText)
