from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette

from latconf_gui.look.icons import icon, icon_folder
from latconf_gui.look.theme import palette_of

Role = QPalette.ColorRole


def luminance(colour: QColor) -> float:
    """WCAG 2.1, relative luminance."""
    parts = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in colour.getRgbF()[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(first: QColor, second: QColor) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        (Role.WindowText, Role.Window),
        (Role.Text, Role.Base),
        (Role.Text, Role.AlternateBase),
        (Role.ButtonText, Role.Button),
        (Role.PlaceholderText, Role.Base),
        (Role.PlaceholderText, Role.Window),
        (Role.HighlightedText, Role.Highlight),
        (Role.ToolTipText, Role.ToolTipBase),
        (Role.Link, Role.Base),
        (Role.BrightText, Role.Base),
    ],
)
def test_that_text_has_the_contrast_that_wcag_asks_for(qapp: object, is_dark: bool, text: Role, ground: Role) -> None:
    palette = palette_of(is_dark)
    assert contrast(palette.color(text), palette.color(ground)) >= 4.5


def test_that_every_icon_can_be_drawn_in_the_colour_of_the_palette(qapp: object) -> None:
    names = [path.stem for path in icon_folder().glob("*.svg")]
    assert len(names) > 20
    for name in names:
        picture = icon(name).pixmap(32, 32).toImage()
        drawn = {picture.pixelColor(x, y).alpha() for x in range(32) for y in range(32)}
        assert max(drawn) > 200, name
