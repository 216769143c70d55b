from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from latconf_gui.charts.live_chart import chart_colours
from latconf_gui.look.colours import Colours
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
    projected = palette_of(is_dark, is_projected=True)
    least = 4.5 if text == Role.HighlightedText else 7.0  # WCAG's enhanced contrast
    assert contrast(projected.color(text), projected.color(ground)) >= least


@pytest.mark.parametrize("is_dark", [False, True])
def test_that_drawings_and_charts_have_lines_half_as_thick_again_on_a_projector(qapp: object, is_dark: bool) -> None:
    usual, projected = palette_of(is_dark), palette_of(is_dark, is_projected=True)
    assert Colours.from_palette(usual).line_scale == chart_colours(usual).line_scale == 1.0
    assert Colours.from_palette(projected).line_scale == chart_colours(projected).line_scale == 1.5
    edge, canvas = Colours.from_palette(projected).edge, Colours.from_palette(projected).canvas
    assert contrast(edge, canvas) == pytest.approx(21.0)


def test_that_pictures_on_paper_do_not_depend_on_the_projector(qapp: QApplication) -> None:
    before, palette = Colours.for_paper(), qapp.palette()
    qapp.setPalette(palette_of(False, is_projected=True))
    assert Colours.for_paper() == before
    qapp.setPalette(palette)


def test_that_every_icon_can_be_drawn_in_the_colour_of_the_palette(qapp: object) -> None:
    names = [path.stem for path in icon_folder().glob("*.svg")]
    assert len(names) > 20
    for name in names:
        picture = icon(name).pixmap(32, 32).toImage()
        drawn = {picture.pixelColor(x, y).alpha() for x in range(32) for y in range(32)}
        assert max(drawn) > 200, name
