from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPalette
from pytestqt.qtbot import QtBot

from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.search.outcome.history import History
from latconf_gui.charts.axes import Axes
from latconf_gui.charts.chart_style import LEVELS, PAPER, level_style
from latconf_gui.charts.dots import DotLayer
from latconf_gui.charts.live_chart import LiveChart
from latconf_gui.look.theme import palette_of


def history_of(scores: list[float], levels: list[int]) -> History:
    """Visits with these scores; those of level 0 have no latent."""
    history = History("AB")
    for score, level in zip(scores, levels):
        history.add(BitDag((0, 0), (Hidden(0b11),) if level else ()), score, level=level)
    return history


def spread(count: int) -> History:
    """Scores of five levels, apart enough that no two dots meet in a large chart."""
    rng = np.random.default_rng(1)
    return history_of((-1000 + 10 * rng.random(count)).tolist(), [5 * i // count for i in range(count)])


@pytest.fixture
def chart(qtbot: QtBot) -> LiveChart:
    chart = LiveChart(lambda number: f"DAG {number + 1}")
    qtbot.addWidget(chart)
    chart.resize(900, 500)
    chart.show()
    return chart


def has_dot(chart: LiveChart, number: int, visits: History) -> bool:
    """Whether the picture has the colour of a visit's level where its dot should be."""
    axes, layer = chart._drawn()
    x, y = axes.places(number + 1, visits.score(number))
    pixelcolor = layer.image().pixelColor(round(float(x) - axes.frame.left()), round(float(y) - axes.frame.top()))
    wanted = QColor(level_style(int(visits.level[number])).colour(is_dark=axes.colours.is_dark))
    return pixelcolor.alpha() > 150 and all(
        abs(a - b) < 25
        for a, b in zip(pixelcolor.getRgb()[:3], wanted.getRgb()[:3])  # type: ignore[index]
    )


@pytest.mark.parametrize("is_dark", [False, True])
def test_that_every_visit_is_a_dot_in_the_colour_of_its_level(chart: LiveChart, is_dark: bool) -> None:
    chart.setPalette(palette_of(is_dark))
    history = spread(60)
    visits = History(history.nodes, history)
    chart.set_shown("all")
    chart.follow(visits, is_running=False)
    assert [number for number in range(60) if not has_dot(chart, number, visits)] == []


def test_that_dots_added_later_look_like_dots_drawn_at_once(qtbot: QtBot, chart: LiveChart) -> None:
    history = spread(300)
    visits = History(history.nodes)
    chart.set_shown("all")
    chart.follow(visits, is_running=True)
    for begin in range(0, 300, 25):
        visits.extend(history[begin : begin + 25])
        chart.visits_added()
        qtbot.waitUntil(lambda: chart.n_drawn == len(visits))
    assert [number for number in range(300) if not has_dot(chart, number, visits)] == []


def test_that_only_new_dots_are_drawn_while_the_axes_hold(
    qtbot: QtBot, chart: LiveChart, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    add = DotLayer.add
    monkeypatch.setattr(DotLayer, "add", lambda self, x, y, levels: (drawn.append(len(x)), add(self, x, y, levels)))
    history = history_of([-float(i % 7) for i in range(5000)], [1] * 5000)
    visits = History(history.nodes)
    chart.follow(visits, is_running=True)
    for begin in range(0, 5000, 50):
        visits.extend(history[begin : begin + 50])
        chart._draw_new()
        chart.repaint()
    assert sum(drawn) < 4 * 5000  # doubling axes draw at most as many again; drawing all each time would be 50 times
    assert chart.n_drawn == 5000


def test_that_the_axes_grow_with_better_scores_and_tighten_at_the_end(chart: LiveChart) -> None:
    history = history_of([-50.0, -40.0, -30.0, 100.0], [0, 1, 1, 2])
    visits = History(history.nodes, history[:3])
    chart.follow(visits, is_running=True)
    assert chart.axes.x_range[1] >= 50
    assert chart.axes.y_range[1] > -30
    visits.extend(history[3:])
    chart._draw_new()
    assert chart.axes.y_range[1] > 100
    assert [entry.text for entry in chart.axes.legend] == [
        "0 <->",
        "1 <->",
        "2 <->",
        "best so far",
        "best without hidden causes",
    ]
    chart.end_run(visits, None)
    assert chart.axes.x_range[1] < 6


def test_that_the_nearest_dot_is_found_and_none_far_away(chart: LiveChart) -> None:
    history = spread(40)
    chart.set_shown("all")
    chart.follow(History(history.nodes, history), is_running=False)
    for number in range(40):
        assert chart.visit_at(QPointF(chart.place_of(number))) == number
    assert chart.visit_at(QPointF(1, 1)) is None


def test_that_a_chart_without_visits_can_be_clicked_and_stepped(qtbot: QtBot, chart: LiveChart) -> None:
    chart.visit_chosen.connect(lambda _number: pytest.fail("nothing can be chosen"))
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton)
    qtbot.mouseMove(chart)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_B):
        qtbot.keyClick(chart, key)
    assert chart.selected is None


def test_that_levels_differ_in_marker_and_stand_out_from_light_and_dark() -> None:
    assert len({style.marker for style in LEVELS}) == len(LEVELS)
    for is_dark in (False, True):
        ground = palette_of(is_dark).color(QPalette.ColorRole.Base)
        for style in LEVELS:
            assert contrast(QColor(style.colour(is_dark=is_dark)), ground) >= 3.0  # WCAG 2.1, 1.4.11
    assert contrast(QColor(PAPER.text), QColor(PAPER.ground)) >= 4.5


def contrast(first: QColor, second: QColor) -> float:
    """The ratio of WCAG 2.1."""

    def luminance(colour: QColor) -> float:
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.getRgbF()[:3]]  # type: ignore[index]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_that_numbers_on_the_axes_are_inside_the_chart(chart: LiveChart) -> None:
    for percent in (1, 2):
        font = chart.font()
        font.setPixelSize(13 * percent)
        axes = Axes(700, 420, font, PAPER, (0, 100), (-123456.0, -123400.0), (0, 1, 2, 3, 4), True, True)
        assert axes.frame.left() > 0
        assert axes.frame.right() <= 700
        assert axes.frame.height() > 100


@pytest.mark.parametrize("height", [220, 500])
def test_that_dots_stay_whole_and_clear_of_every_word(chart: LiveChart, height: int) -> None:
    chart.resize(420, height)
    font = chart.font()
    font.setPixelSize(26)  # text at 200 % in a low chart
    chart.setFont(font)
    scores = [-(10.0 ** (i % 6)) for i in range(1200)]
    history = history_of(scores, [1] * 1200)
    visits = History(history.nodes, history)
    chart.follow(visits, is_running=False)
    axes, layer = chart._drawn()
    n_below = int((visits.p_elbo < axes.y_range[0]).sum())
    assert n_below > 0
    assert axes.x_title(n_below) in (f"DAGs visited · {n_below:,} lie below ▾", f"DAGs visited · {n_below:,} below ▾")
    image = layer.image()  # holds dots only, and stands inside the frame, where there are no words
    assert image.width() <= axes.frame.width() + 1
    edges = [image.pixelColor(x, y).alpha() for y in (0, image.height() - 1) for x in range(image.width())]
    assert max(edges) == 0


def test_that_the_title_below_counts_what_is_lower_and_is_never_wider_than_the_chart(chart: LiveChart) -> None:
    for width in (180, 260, 700):
        axes = Axes(width, 300, chart.font(), PAPER, (0, 100), (-2.0, -1.0), (1,))
        assert axes.x_title(0) == "DAGs visited"
        assert "1,234" in axes.x_title(1234)
        assert axes._advance(axes.x_title(1234)) <= width
    assert axes.x_title(1) == "DAGs visited · 1 lies below ▾"


@pytest.mark.parametrize("span", [0.03, 0.4, 1.0, 4.9, 5.1, 11.0, 14.0, 60.0, 1234.0])
@pytest.mark.parametrize("height", [150, 300, 700])
def test_that_a_tick_stands_where_its_number_says(chart: LiveChart, span: float, height: int) -> None:
    chart.resize(900, height)
    history = history_of([-17_905.63, -17_905.63 + span], [0, 1])
    chart.follow(History(history.nodes, history), is_running=False)
    ticks = chart.axes.score_ticks()
    assert len(ticks) >= 1
    for tick in ticks:
        assert float(chart.axes.score_text(tick).replace("−", "-").replace(",", "")) == pytest.approx(tick, abs=1e-9)
