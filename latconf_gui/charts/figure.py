"""The paper's Figure 2 as a picture: p-ELBO against visited DAGs. Drawn without a window."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from latconf_core.errors import FileFormatError
from latconf_core.files import write_atomically, write_text_atomically
from latconf_core.search.outcome.history import History, level_text
from latconf_gui.charts.chart_style import (
    BEST_LABEL,
    DOT_ALPHA,
    PAPER,
    WITHOUT_LABEL,
    X_LABEL,
    Y_LABEL,
    level_style,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INCHES = (8.0, 4.5)
WORST_SHOWN = 0.02  # of the dots may lie below the picture: one failed DAG must not flatten the rest
FEW_DOTS = 100  # below, a dot is large enough to be found alone
DOT_SIZE, FEW_DOTS_SIZE = 14, 40  # area in square points
LEGEND_COLUMNS = 5
MANY_DOTS = 3_000  # above, dots are an image inside the SVG, which would have megabytes otherwise


def chart_svg(history: History) -> str:
    """The chart of a search as SVG text."""
    import matplotlib

    out = io.StringIO()
    # A fixed salt and no date: the same history is the same file.
    with matplotlib.rc_context({"svg.hashsalt": "latconf", "svg.fonttype": "none"}):
        chart_figure(history).savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def write_chart(history: History, path: Path) -> None:
    """Write the chart of a search as .svg, .pdf or .png."""
    suffix = path.suffix.lower()
    if suffix == ".svg":
        write_text_atomically(path, chart_svg(history))
    elif suffix in (".pdf", ".png"):
        with write_atomically(path) as temporary:
            chart_figure(history).savefig(temporary, format=suffix.removeprefix("."))
    else:
        raise FileFormatError("the file name must end in .svg, .pdf or .png", path)


def chart_figure(history: History) -> Figure:
    """The chart of a search: a dot for each DAG by its level, the best so far, and the best without latents."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=INCHES, dpi=150, layout="constrained", facecolor=PAPER.ground)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set_xlabel(X_LABEL, color=PAPER.text)
    axes.set_ylabel(Y_LABEL.format(history.score_title), color=PAPER.text)
    axes.ticklabel_format(useOffset=False, style="plain")
    axes.grid(color=PAPER.grid, linewidth=0.6)
    axes.tick_params(colors=PAPER.faint)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    if len(history):
        _draw_visits(axes, history)
        figure.legend(loc="outside upper left", ncols=LEGEND_COLUMNS, fontsize="small", frameon=False)
    return figure


def _draw_visits(axes: Axes, history: History) -> None:
    numbers = np.arange(1, len(history) + 1)
    levels = history.level
    scores = np.array([visit.p_elbo for visit in history])
    for level in sorted(set(levels.tolist())):
        style, in_level = level_style(level), levels == level
        axes.scatter(
            numbers[in_level],
            scores[in_level],
            s=FEW_DOTS_SIZE if len(history) <= FEW_DOTS else DOT_SIZE,
            marker=style.marker,
            color=style.on_light,
            alpha=DOT_ALPHA,
            linewidths=0,
            label=level_text(level, history.level_name),
            rasterized=len(history) > MANY_DOTS,
        )
    axes.plot(numbers, np.maximum.accumulate(scores), color=PAPER.best, linewidth=1.2, label=BEST_LABEL)
    if history.best_without_latents is not None:
        without = history.best_without_latents.p_elbo
        axes.axhline(without, color=PAPER.without, linewidth=1.2, linestyle="--", label=WITHOUT_LABEL)
    lowest, highest = float(np.quantile(scores, WORST_SHOWN)), float(scores.max())
    margin = 0.05 * (highest - lowest) or 1.0
    axes.set_ylim(lowest - margin, highest + margin)
