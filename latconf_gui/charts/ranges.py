"""How much of the scores a chart shows, so that a few very bad DAGs do not flatten all the others."""

from __future__ import annotations

from typing import Literal

import numpy as np

from latconf_core.arrays import FloatArray

Show = Literal["typical", "best", "all"]

TYPICAL_SPAN = 4.0  # times the distance from the best to the median: further away lie only outliers
BEST_SHARE = 0.9  # "best" shows the upper tenth
MARGIN = 0.07  # of the span, above and below
LEAST_SPAN = 0.5  # nats: below this, differences mean nothing
MOST_ABOVE = 1.5  # times the range of the scores: higher lies only what is said in words
FIRST_COUNT = 50
STEPS = (1.0, 2.0, 5.0)


def score_range(
    scores: FloatArray, show: Show = "typical", *, also: float | None = None, is_final: bool = False
) -> tuple[float, float]:
    """The lowest and highest score to show.

    also : a score that must be seen, such as the best without latents, unless it lies so high that the others would
        be flattened
    is_final : nothing more comes, so no room is left empty below the lowest score that is shown
    """
    known = scores[np.isfinite(scores)]
    if not known.size:
        return -1.0, 0.0
    best = float(known.max())
    lowest = max(float(known.min()), _lowest_wanted(known, best, show))
    if is_final:
        lowest = float(known[known >= lowest].min())
    if also is not None and np.isfinite(also):
        lowest = min(lowest, also)
        if also - best <= MOST_ABOVE * max(best - lowest, LEAST_SPAN):
            best = max(best, also)
    middle, span = (best + lowest) / 2, max(best - lowest, LEAST_SPAN)
    half = span * (0.5 + MARGIN)
    return middle - half, middle + half


def _lowest_wanted(known: FloatArray, best: float, show: Show) -> float:
    if show == "all":
        return -np.inf
    if show == "best":
        return float(np.quantile(known, BEST_SHARE))
    return best - TYPICAL_SPAN * (best - float(np.median(known)))


def count_limit(count: int) -> int:
    """Where an axis that has to hold this many DAGs ends; it grows in large steps, because each costs a redraw."""
    decade = 10
    while True:
        for step in STEPS:
            limit = int(step * decade)
            if limit >= max(count, FIRST_COUNT):
                return limit
        decade *= 10
