"""What the legend draws at every size of text."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from latconf_gui.drawing.items.state_bars import SEEN_SIGN, SET_SIGN
from latconf_gui.drawing.legend import SAMPLE_WIDTH, SHARES, LegendEntry, paint_legend
from latconf_gui.look.colours import TEXT_PIXELS, Colours

SIGNS = {"observed": SEEN_SIGN, "set": SET_SIGN, "share": SHARES.sign}


def font_of(percent: int) -> QFont:
    font = QFont(QApplication.font())
    font.setPixelSize(TEXT_PIXELS * percent // 100)
    return font


def ink_of(draw) -> tuple[int, int]:
    """The width and the height of what is drawn on an empty picture."""
    image = QImage(600, 200, QImage.Format.Format_Grayscale8)
    image.fill(QColor("white"))
    painter = QPainter(image)
    draw(painter)
    painter.end()
    pixels = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(200, image.bytesPerLine())[:, :600]
    rows, columns = (np.flatnonzero((pixels < 128).any(axis=axis)) for axis in (1, 0))
    return int(columns[-1] - columns[0] + 1), int(rows[-1] - rows[0] + 1)


@pytest.mark.parametrize("percent", [100, 150, 200, 300])
@pytest.mark.parametrize("what", SIGNS)
def test_that_a_sign_of_the_legend_is_drawn_whole_and_as_large_as_the_text(qapp, percent, what):
    font, sign = font_of(percent), SIGNS[what]
    entries = (LegendEntry(None, "", "", sign=sign),)

    def paint(painter: QPainter) -> None:
        painter.setFont(font)  # as the painter of a widget has it
        paint_legend(painter, QRectF(40, 40, 500, 100), entries, font=font, colours=Colours.for_paper())

    def write(painter: QPainter) -> None:
        painter.setFont(font)
        painter.drawText(QRectF(40, 40, 500, 100), Qt.TextFlag.TextDontClip, sign)

    own, written = ink_of(paint), ink_of(write)
    assert own == pytest.approx(written, abs=2 + 0.03 * max(written))  # a scaled font is hinted in another way


@pytest.mark.parametrize("percent", [100, 200])
def test_that_every_sign_of_the_legend_fits_its_sample(qapp, percent):
    font = font_of(percent)
    for sign in SIGNS.values():
        assert QFontMetricsF(font).horizontalAdvance(sign) <= SAMPLE_WIDTH * percent / 100 + 1
