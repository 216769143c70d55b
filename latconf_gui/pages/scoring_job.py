"""Scores computed beside the window, of which only those asked for last count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_gui.background.latest_job import LatestJob

if TYPE_CHECKING:
    from latconf_core.score.scorer import Scorer


class ScoringJob(LatestJob):
    """A latest job that scores: what was scored for one question need not be for the next."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._last: Scorer | None = None

    def scorer_for(self, dataset: Dataset, options: VbemOptions, control: RunControl) -> Scorer:
        """A scorer that knows what the last one knew, where it is about the same."""
        from latconf_core.inference.completing.em_rounds import rows_to_score
        from latconf_core.score.scorer import Scorer

        dataset = rows_to_score(dataset, control=control)
        scorer, last = Scorer(dataset, options, control=control), self._last
        if last is not None and last.dataset is scorer.dataset and last.options == scorer.options:
            scorer.known = last.known
        self._last = scorer
        return scorer
