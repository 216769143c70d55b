"""Learning a PAG as an estimator."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.estimators.given_tables import as_frame, prepare_table
from latconf_core.estimators.parameters import Parameters, refused_as_values
from latconf_core.graph.mixed import MixedGraph
from latconf_core.inference.completing.learned_rows import learned_from_rows
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import pag_preset
from latconf_core.pag.events import LearnedPag


class Fitting(Parameters):
    """What learners and searches share: the table at `fit`."""

    missing: str | None
    intervals: int | None

    def _take(self, table: Any) -> Dataset:
        frame, names = as_frame(table)
        with refused_as_values():
            dataset = prepare_table(frame, missing=self.missing, intervals=self.intervals).dataset
        self.n_features_in_ = frame.shape[1]
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return dataset


class PagLearner(Fitting):
    """Learns a PAG by one of the learners.

    method, alpha, preset : as of `latconf pag`; alpha None for that of the preset
    knowledge : what is known about causes before any data
    missing : what becomes of missing cells: "keep", "drop", "state" or "most-frequent"
    intervals : numbers with more values than this are cut into so many intervals; None cuts nothing
    options : further fields of PagOptions by name

    After `fit`: graph_ (a MixedGraph), result_ (a LearnedPag), n_features_in_, feature_names_in_.
    """

    def __init__(
        self,
        method: str = "gfci",
        *,
        alpha: float | None = None,
        preset: str = "default",
        knowledge: Knowledge | None = None,
        missing: str | None = "keep",
        intervals: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.method = method
        self.alpha = alpha
        self.preset = preset
        self.knowledge = knowledge
        self.missing = missing
        self.intervals = intervals
        self.options = options

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the PAG of a frame or array of states; y is passed over."""
        dataset = self._take(X)
        with refused_as_values():
            changes = dict(self.options or {}) | ({} if self.alpha is None else {"alpha": self.alpha})
            options = replace(pag_preset(self.preset, self.method), **changes)
            known = NO_KNOWLEDGE if self.knowledge is None else self.knowledge
            self.result_: LearnedPag = learned_from_rows(dataset, options, knowledge=known)
        self.graph_: MixedGraph = self.result_.graph
        return self
