"""The scoring port: searches hand in components and get futures, whoever computes them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from latconf_core.model.component import Component
from latconf_core.score.fit import Fit
from latconf_core.score.scorer import Scorer
from latconf_core.workers_port import WorkQueue

Scoring = WorkQueue[Component, Fit]  # what comes out never depends on which implementation does, or on `n_workers`
# Who computes the fits of a scorer; `closing` is set while threads of this process are asked to end.
ScoringOf = Callable[[Scorer, Event], Scoring]
