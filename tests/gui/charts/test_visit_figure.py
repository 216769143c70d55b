"""The charts of a bench: SVG that pages of either ground can show."""

from __future__ import annotations

from xml.etree import ElementTree

from latconf_core.bench.cell import ShownVisit
from latconf_core.bench.writing.visit_panels import FigurePainter, VisitFigure, VisitPanel
from latconf_gui.charts.visit_figure import visits_svg
from latconf_gui.painter import SvgPainter

MANY = tuple(ShownVisit(number, number % 3, -100.0 - (number * 37 % 50)) for number in range(1, 200))
FIGURE = VisitFigure(
    "asia",
    (VisitPanel("ILC-V on FCI", MANY, "<->", 199), VisitPanel("Refine", (ShownVisit(1, 0, -99.0),), "latents", 1)),
    true_p_elbo=-98.0,
)


def test_that_a_figure_has_a_panel_per_method_and_takes_its_ink_from_the_page() -> None:
    text = visits_svg(FIGURE)
    ElementTree.fromstring(text)
    assert ">ILC-V on FCI<" in text
    assert ">Refine<" in text
    assert "currentColor" in text
    assert "var(--grid" in text
    assert "#010203" not in text
    assert visits_svg(FIGURE) == text  # the same visits are the same file


def test_that_the_painter_of_the_command_line_draws_them() -> None:
    painter: FigurePainter = SvgPainter()
    assert painter.visits_svg(FIGURE).startswith("<?xml")
