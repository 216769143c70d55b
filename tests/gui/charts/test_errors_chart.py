"""The small chart of errors against rows."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from latconf_gui.charts.errors_chart import ErrorPoint, ErrorsChart

SIZES = (100, 1_000, 10_000)
POINTS = [ErrorPoint(0, 100, 6), ErrorPoint(1, 100, 4), ErrorPoint(0, 1_000, 3)]


@pytest.fixture
def chart(qtbot: QtBot) -> ErrorsChart:
    made = ErrorsChart(SIZES)
    qtbot.addWidget(made)
    made.resize(500, 200)
    made.show_points(POINTS, n_rows=1_000, draw=0)
    return made


def test_that_means_are_over_the_draws_that_are_known(chart: ErrorsChart) -> None:
    assert chart.means() == {100: 5.0, 1_000: 3.0}
    assert "100 rows: 5.0 errors; 1,000 rows: 3.0 errors." in chart.accessibleDescription()


def test_that_more_rows_stand_further_right_by_powers_and_more_errors_higher(chart: ErrorsChart) -> None:
    first, second, third = (chart.place_of(size, 0).x() for size in SIZES)
    assert second - first == pytest.approx(third - second)
    assert chart.place_of(100, 4).y() < chart.place_of(100, 2).y() < chart.place_of(100, 0).y()


@pytest.mark.parametrize(("key", "chosen"), [(Qt.Key.Key_Left, 100), (Qt.Key.Key_Right, 10_000)])
def test_that_keys_step_from_size_to_size(qtbot: QtBot, chart: ErrorsChart, key: Qt.Key, chosen: int) -> None:
    with qtbot.waitSignal(chart.rows_chosen) as asked:
        QTest.keyClick(chart, key)
    assert asked.args == [chosen]


def test_that_a_click_chooses_the_nearest_size_and_an_empty_chart_is_drawn(qtbot: QtBot, chart: ErrorsChart) -> None:
    with qtbot.waitSignal(chart.rows_chosen) as asked:
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.place_of(10_000, 1).toPoint())
    assert asked.args == [10_000]
    chart.show_points((), n_rows=100, draw=0)
    assert not chart.grab().isNull()
