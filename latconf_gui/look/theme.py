"""Light, dark and for a projector: the only place where colours are named. Everything else asks the palette."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from latconf_gui.application.settings import ColourScheme, Settings
from latconf_gui.look.colours import PROJECTED_SIZE
from latconf_gui.look.style import ScaledStyle

Role = QPalette.ColorRole

_LIGHT = {
    Role.Window: "#f4f5f7",
    Role.WindowText: "#1d2229",
    Role.Base: "#ffffff",
    Role.AlternateBase: "#f6f7f9",
    Role.Text: "#1d2229",
    Role.Button: "#fbfbfc",
    Role.ButtonText: "#2a313a",
    Role.BrightText: "#b3261e",
    Role.Highlight: "#2563c9",
    Role.HighlightedText: "#ffffff",
    Role.Accent: "#2563c9",
    Role.Link: "#1d57b5",
    Role.LinkVisited: "#6b4aa0",
    Role.PlaceholderText: "#5f6873",
    Role.ToolTipBase: "#2a313a",
    Role.ToolTipText: "#f4f5f7",
    Role.Light: "#ffffff",
    Role.Midlight: "#e7eaee",
    Role.Mid: "#d2d7dd",
    Role.Dark: "#a7aeb8",
    Role.Shadow: "#6b737d",
}
_DARK = {
    Role.Window: "#1f2227",
    Role.WindowText: "#e4e7ec",
    Role.Base: "#17191d",
    Role.AlternateBase: "#1c1f24",
    Role.Text: "#e4e7ec",
    Role.Button: "#262a30",
    Role.ButtonText: "#dde1e7",
    Role.BrightText: "#ff8a80",
    Role.Highlight: "#2f6bd0",
    Role.HighlightedText: "#ffffff",
    Role.Accent: "#5a94f0",
    Role.Link: "#7fb0ff",
    Role.LinkVisited: "#b79be8",
    Role.PlaceholderText: "#9aa3af",
    Role.ToolTipBase: "#e4e7ec",
    Role.ToolTipText: "#1f2227",
    Role.Light: "#3c424b",
    Role.Midlight: "#31363e",
    Role.Mid: "#3a4049",
    Role.Dark: "#14161a",
    Role.Shadow: "#0b0c0e",
}
_LIGHT_PROJECTED = _LIGHT | {
    Role.Window: "#ffffff",
    Role.WindowText: "#000000",
    Role.AlternateBase: "#f0f0f0",
    Role.Text: "#000000",
    Role.Button: "#ffffff",
    Role.ButtonText: "#000000",
    Role.BrightText: "#a00000",
    Role.Highlight: "#003da5",
    Role.Accent: "#003da5",
    Role.Link: "#003da5",
    Role.LinkVisited: "#4b1d8f",
    Role.PlaceholderText: "#303030",
    Role.ToolTipBase: "#000000",
    Role.ToolTipText: "#ffffff",
    Role.Midlight: "#d8d8d8",
    Role.Mid: "#707070",
    Role.Dark: "#404040",
}
_DARK_PROJECTED = _DARK | {
    Role.Window: "#000000",
    Role.WindowText: "#ffffff",
    Role.Base: "#000000",
    Role.AlternateBase: "#141414",
    Role.Text: "#ffffff",
    Role.Button: "#0a0a0a",
    Role.ButtonText: "#ffffff",
    Role.Highlight: "#2f6bd0",
    Role.Accent: "#7fb4ff",
    Role.Link: "#9cc8ff",
    Role.LinkVisited: "#d3beff",
    Role.PlaceholderText: "#d8d8d8",
    Role.ToolTipBase: "#ffffff",
    Role.ToolTipText: "#000000",
    Role.Midlight: "#333333",
    Role.Mid: "#9a9a9a",
}
_PALETTES = {  # by whether it is dark, and whether it is for a projector
    (False, False): _LIGHT,
    (True, False): _DARK,
    (False, True): _LIGHT_PROJECTED,
    (True, True): _DARK_PROJECTED,
}
_DISABLED = {True: "#6d7580", False: "#969ea8"}
_TEXT_ROLES = (Role.WindowText, Role.Text, Role.ButtonText, Role.HighlightedText)

_STYLE = """
#rail { background: palette(base); border: none; border-right: 1px solid palette(mid); }
#rail QToolButton { border: none; border-left: 3px solid transparent; padding: 10px 10px 10px 7px; }
#rail QToolButton:hover:enabled { background: palette(midlight); }
#rail QToolButton:checked { background: palette(midlight); border-left: 3px solid palette(highlight); }
#rail QToolButton:focus { border-left: 3px solid palette(dark); }
#rail QToolButton:checked:focus { border-left: 3px solid palette(highlight); }
QFrame[role="card"] { background: palette(base); border: 1px solid palette(mid); border-radius: 8px; }
QFrame[role="banner"] { background: palette(alternate-base); border: 1px solid palette(mid);
    border-left: 4px solid palette(highlight); border-radius: 6px; }
QStatusBar { border-top: 1px solid palette(mid); }
QStatusBar::item { border: none; }
QToolBar { background: palette(window); border: none; border-bottom: 1px solid palette(mid); padding: 3px 6px;
    spacing: 4px; }
QHeaderView { background: palette(alternate-base); }
QHeaderView::section { background: palette(alternate-base); border: none; border-bottom: 1px solid palette(mid);
    border-right: 1px solid palette(midlight); padding: 4px 8px; }
QTableView, QListView, QPlainTextEdit { border: 1px solid palette(mid); border-radius: 4px;
    gridline-color: palette(midlight); }
QTableCornerButton::section { background: palette(alternate-base); border: none;
    border-bottom: 1px solid palette(mid); }
QMainWindow::separator { background: palette(mid); width: 2px; height: 2px; }
QSplitter::handle { background: transparent; }
QAbstractSpinBox { min-height: 1.15em; }
"""


def palette_of(is_dark: bool, *, is_projected: bool = False) -> QPalette:
    """Our light or dark palette; black and white where it is projected."""
    palette = QPalette()
    for role, colour in _PALETTES[is_dark, is_projected].items():
        palette.setColor(role, QColor(colour))
    for role in _TEXT_ROLES:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(_DISABLED[is_dark]))
    palette.setColor(QPalette.ColorGroup.Disabled, Role.Highlight, palette.color(Role.Mid))
    return palette


class Theme(QObject):
    """Applies colours and text size to the whole program, and follows the system while the choice is "system".

    `polished` carries the style sheet, for every window that `dress` was called with. The sheet belongs to windows,
    not to the application: with the application's own, Qt polishes all that a widget holds again whenever it is put
    into another one, and building the pages takes three times as long.
    """

    polished = Signal(str)

    def __init__(self, app: QApplication, settings: Settings) -> None:
        super().__init__(app)
        self._app = app
        self._settings = settings
        self._system_font = app.font()
        self._style = ScaledStyle()
        app.setStyle(self._style)
        app.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        self._apply_colours()
        self._apply_text_size()

    def dress(self, window: QWidget) -> None:
        """Give a window, and the dialogs it opens, the style sheet from now on."""
        window.setStyleSheet(self._sheet())
        self.polished.connect(window.setStyleSheet)

    @property
    def is_dark(self) -> bool:
        scheme = self._settings.colour_scheme
        if scheme == "system":
            return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return scheme == "dark"

    def set_colour_scheme(self, scheme: ColourScheme) -> None:
        """Light, dark, or as the system has it; at once and from now on."""
        self._settings.colour_scheme = scheme
        self._apply_colours()
        self._polish()

    def set_text_percent(self, percent: int) -> None:
        """All text at this size, at once and from now on."""
        self._settings.text_percent = percent
        self._apply_text_size()
        self._polish()

    def set_projecting(self, on: bool) -> None:
        """Draw everything for a projector, or as usual again; at once and from now on."""
        self._settings.is_projecting = on
        self._apply_colours()
        self._apply_text_size()
        self._polish()

    def _on_system_changed(self) -> None:
        if self._settings.colour_scheme == "system":
            self._apply_colours()
            self._polish()

    def _apply_colours(self) -> None:
        self._app.setPalette(palette_of(self.is_dark, is_projected=self._settings.is_projecting))

    def _apply_text_size(self) -> None:
        font = self._app.font()
        factor = PROJECTED_SIZE if self._settings.is_projecting else 1.0
        font.setPointSizeF(self._system_font.pointSizeF() * factor * self._settings.text_percent / 100)
        self._app.setFont(font)
        self._style.set_text_height(QFontMetrics(font).height())

    def _polish(self) -> None:
        """Make every widget ask for its colours and sizes anew: where the sheet is not set again, some keep the old."""
        self.polished.emit(self._sheet())

    def _sheet(self) -> str:
        return _STYLE.replace("1px solid", "2px solid") if self._settings.is_projecting else _STYLE
