"""The paper's Figure 2 once per method of a bench, side by side, as SVG text that light and dark pages can show."""

from __future__ import annotations

import io
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from latconf_core.bench.writing.visit_panels import VisitFigure, VisitPanel
from latconf_core.search.outcome.history import level_text
from latconf_gui.charts.chart_style import X_LABEL, Y_LABEL, level_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 4
PANEL_INCHES = (3.1, 2.3)
INK, GRID = "#010203", "#0d0e0f"  # stand-ins, which become what the page says
MIDDLE = ("#7f8894", "#2f8fd0", "#dd7a2a", "#16a37b", "#cf6faa", "#ad8d10", "#8a72d8", "#98a1ad")  # on light and dark
LINEAR_UP_TO = 30  # visits
WORST_SHOWN = 0.05  # of the dots may lie below the picture


def visits_svg(figure: VisitFigure) -> str:
    """A panel per method, all with the same scale of scores; ink is `currentColor`, the grid `var(--grid)`."""
    import matplotlib

    out = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "latconf", "svg.fonttype": "none", "font.size": 9}):
        _draw(figure).savefig(out, format="svg", transparent=True, metadata={"Date": None})
    text = out.getvalue()
    return text.replace(INK, "currentColor").replace(GRID, "var(--grid, #d9dde2)")


def _draw(figure: VisitFigure) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    n_columns = min(COLUMNS, len(figure.panels))
    n_lines = ceil(len(figure.panels) / n_columns)
    size = (PANEL_INCHES[0] * n_columns + 0.4, PANEL_INCHES[1] * n_lines + 0.3)
    whole = Figure(figsize=size, dpi=150, layout="constrained")
    FigureCanvasAgg(whole)
    grid = whole.subplots(n_lines, n_columns, squeeze=False, sharey=True).ravel().tolist()
    for axes, panel in zip(grid, figure.panels):
        _draw_panel(axes, panel, figure.true_p_elbo)
    for axes in grid[len(figure.panels) :]:
        axes.set_visible(False)
    grid[0].set_ylim(*_limits(figure))
    whole.supxlabel(X_LABEL, color=INK, fontsize=9)
    whole.supylabel(Y_LABEL.format("p-ELBO"), color=INK, fontsize=9)
    return whole


def _draw_panel(axes: Axes, panel: VisitPanel, true_p_elbo: float | None) -> None:
    axes.set_title(panel.title, color=INK, fontsize=9.5)
    axes.ticklabel_format(useOffset=False, style="plain")
    axes.grid(color=GRID, linewidth=0.6)
    axes.tick_params(colors=INK, labelsize=8)
    for side in axes.spines.values():
        side.set_color(INK)
        side.set_alpha(0.4)
    numbers = np.array([visit.number for visit in panel.visits])
    levels = np.array([visit.level for visit in panel.visits])
    scores = np.array([visit.p_elbo for visit in panel.visits])
    for level in sorted(set(levels.tolist())):
        in_level = levels == level
        axes.scatter(
            numbers[in_level],
            scores[in_level],
            s=12,
            marker=level_style(level).marker,
            color=MIDDLE[level % len(MIDDLE)],
            linewidths=0,
            label=level_text(level, panel.level_name),
            rasterized=len(numbers) > 60,
        )
    best = np.maximum.accumulate(scores)
    axes.step([*numbers, max(panel.n_visited, 1)], [*best, best[-1]], where="post", color=INK, linewidth=1.1)
    if true_p_elbo is not None:
        axes.axhline(true_p_elbo, color=INK, linewidth=1.0, linestyle="--")
    _scale_visits(axes, panel.n_visited)
    axes.legend(loc="best", fontsize=7, frameon=False, labelcolor=INK, handletextpad=0.1, borderpad=0.1)


def _scale_visits(axes: Axes, n_visited: int) -> None:
    """Whole numbers; tens, hundreds and thousands where there are many."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

    if n_visited > LINEAR_UP_TO:
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True, min_n_ticks=1))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _limits(figure: VisitFigure) -> tuple[float, float]:
    """From the best of the worst method, and most of its dots, to the best of all."""
    lows, highs = [], []
    for panel in figure.panels:
        scores = [visit.p_elbo for visit in panel.visits]
        lows.append(max(float(np.quantile(scores, WORST_SHOWN)), max(scores) - (max(scores) - min(scores)) * 0.5))
        highs.append(max(scores))
    if figure.true_p_elbo is not None:
        lows.append(figure.true_p_elbo)
        highs.append(figure.true_p_elbo)
    margin = 0.06 * (max(highs) - min(lows)) or 1.0
    return min(lows) - margin, max(highs) + margin
