from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QTextLayout
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from latconf_gui.widgets.text import Heading, keep_arrows_whole


def lines(text: str, width: float) -> list[str]:
    """The lines in which Qt breaks a text."""
    layout = QTextLayout(text, QFont())
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
    layout.endLayout()
    parts = [layout.lineAt(i) for i in range(layout.lineCount())]
    return [text[part.textStart() : part.textStart() + part.textLength()] for part in parts]


def n_whole(arrow: str, text: str, width: float) -> int:
    """How many arrows stand on one line."""
    return sum(line.replace("\u2060", "").count(arrow) for line in lines(text, width))


@pytest.mark.parametrize("arrow", ["<->", "o->", "o-o", "-->", "<-o"])
def test_that_no_line_ends_within_an_arrow(qapp: QApplication, arrow: str) -> None:
    text, widths = f"A {arrow} B, and 12 more {arrow} with others", range(40, 300)
    assert min(n_whole(arrow, text, width) for width in widths) < 2  # Qt would
    assert all(n_whole(arrow, keep_arrows_whole(text), width) == 2 for width in widths)


def test_that_a_word_of_a_heading_without_room_is_cut_with_an_ellipsis_and_said_in_a_tip(qtbot: QtBot) -> None:
    name = "patients_<b>of</b>_all_wards_from_2019_to_2024.csv"
    heading = Heading(f"Data {name}")
    qtbot.addWidget(heading)
    heading.resize(140, 60)
    heading.show()
    shown = QLabel.text(heading)
    assert "…" in shown
    assert all(heading.fontMetrics().horizontalAdvance(word) <= 140 for word in shown.split())
    assert heading.text() == f"Data {name}"
    assert "&lt;b&gt;of" in heading.toolTip()
    heading.resize(900, 60)
    assert QLabel.text(heading) == f"Data {name}"
    assert heading.toolTip() == ""
