"""The static chart of a search: what it shows, without Qt."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.model.bit_dag import BitDag
from latconf_core.score.naming import to_bits
from latconf_core.search.outcome.history import History, level_text
from latconf_gui.charts.chart_style import BEST_LABEL, WITHOUT_LABEL, level_style
from latconf_gui.charts.figure import MANY_DOTS, chart_figure, chart_svg

WITH = to_bits(LatentDag("AB", [], [Latent("L1", 2, ("A", "B"))]))
WITHOUT = to_bits(LatentDag("AB", [("A", "B")]))


def history(*visits: tuple[int, float, BitDag]) -> History:
    result = History("AB")
    for level, p_elbo, model in visits:
        result.add(model, p_elbo, level=level)
    return result


SMALL = history((0, -5.0, WITHOUT), (1, -4.0, WITH), (1, -6.0, WITH), (2, -3.0, WITH))


def test_that_each_level_has_its_own_dots_and_both_lines_are_named() -> None:
    figure = chart_figure(SMALL)
    (axes,), (legend,) = figure.axes, figure.legends
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts == [level_text(0), level_text(1), level_text(2), BEST_LABEL, WITHOUT_LABEL]
    assert [dots.get_offsets().tolist() for dots in axes.collections] == [
        [[1.0, -5.0]],
        [[2.0, -4.0], [3.0, -6.0]],
        [[4.0, -3.0]],
    ]
    best, without = axes.lines
    assert best.get_ydata().tolist() == [-5.0, -4.0, -4.0, -3.0]
    assert set(without.get_ydata()) == {-5.0}
    assert without.get_linestyle() == "--"


def test_that_levels_differ_in_colour_and_in_marker() -> None:
    styles = [level_style(level) for level in range(5)]
    assert len({style.marker for style in styles}) == len({style.on_light for style in styles}) == 5


def test_that_the_svg_is_the_same_for_the_same_history() -> None:
    first = chart_svg(SMALL)
    assert first == chart_svg(SMALL)
    assert ET.fromstring(first).tag.endswith("svg")
    assert "DAGs visited" in first


def test_that_a_history_without_visits_is_an_empty_chart() -> None:
    figure = chart_figure(History("AB"))
    assert len(figure.axes) == 1
    assert figure.legends == []


def test_that_many_dots_stay_a_small_file() -> None:
    many = history(*((i % 4, -float(i % 997), WITH) for i in range(MANY_DOTS + 1)))
    assert len(chart_svg(many)) < 1_000_000


def test_that_the_painter_draws_without_qt() -> None:
    code = (
        "import sys; from latconf_gui.painter import SvgPainter;"
        "from latconf_core.search.outcome.history import History;"
        "from latconf_core.dag.latent_dag import LatentDag; from latconf_core.graph.mixed import MixedGraph;"
        "painter = SvgPainter(); texts = painter.chart_svg(History('AB')), painter.dag_svg(LatentDag('AB')),"
        "painter.graph_svg(MixedGraph('AB', [[0, 0], [0, 0]]));"
        "assert all('<svg' in text for text in texts); assert 'PySide6' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
