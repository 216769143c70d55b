"""The pictures of a bench as plain values: for each data set, the visited DAGs of every method side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from latconf_core.bench.bench_table import BenchTable
from latconf_core.bench.cell import ShownVisit


@dataclass(frozen=True)
class VisitPanel:
    """The visits of one method, and what their levels count."""

    title: str
    visits: tuple[ShownVisit, ...]
    level_name: str
    n_visited: int


@dataclass(frozen=True)
class VisitFigure:
    """p-ELBO against visited DAGs of every method on one data set (the paper's Figure 2, once per method).

    true_p_elbo : of the true DAG, a line in every panel
    """

    data: str
    panels: tuple[VisitPanel, ...]
    true_p_elbo: float | None


class FigurePainter(Protocol):
    """Draws as SVG text, without a window. Ink is `currentColor`, so that it can be read on light and dark."""

    def visits_svg(self, figure: VisitFigure, /) -> str:
        """A panel per method with the same scale of scores."""


def make_figures(table: BenchTable) -> list[VisitFigure]:
    """A figure for every data set with a method that visited something."""
    figures = []
    for data in table.plan.data:
        panels = tuple(
            VisitPanel(row.cell.title, row.result.visits, row.result.level_name, row.result.n_visited or 0)
            for row in table.rows()
            if row.cell.data == data.name and row.result.visits
        )
        truth = table.truth(data.name)
        if panels:
            figures.append(VisitFigure(data.name, panels, None if truth is None else truth.p_elbo))
    return figures
