"""What looking at hidden causes takes: looks as Refine makes them, timed on some of the candidates it begins with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from latconf_core.control import StopRequested
from latconf_core.score.scorer import Scorer
from latconf_core.search.estimate.probe import Probe, until_time
from latconf_core.search.judgement import as_scored, make_fitting
from latconf_core.search.refining.candidates import (
    MAX_COMPLETE,
    list_candidates,
    list_every_group,
    list_far_pairs,
    list_triples,
)
from latconf_core.search.refining.insertion import Insertion
from latconf_core.search.refining.renewal import renew
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.structure.best_dag import best_different

FIRST_SHARE, FAR_SHARE = 0.35, 0.1  # of the time, at most; the rest is for second looks, which vary most
N_FAR = 8  # sets of variables that are not joined, spread over all of them
N_SECOND = 6  # candidates that get a second look: as many as Refine begins anew
N_RENEWALS = 2  # times each


class TimedLooks:
    """Looks at hidden causes, timed one by one; `probe` must have reached a DAG without latents.

    n_candidates, n_far : the sets of variables that Refine looks at first, and where none of these is worth it
    first, far, thorough, renewal : the seconds of each look of a kind; none where there was no time for any
    """

    def __init__(self, probe: Probe, time_limit: float) -> None:
        self._time_limit = time_limit
        self._control = probe.control.child()
        scorer = Scorer(probe.dataset, probe.vbem, control=self._control)
        self._fitting = make_fitting(scorer, probe.options.max_states, self._control.checkpoint, known=probe.known)
        self._insertion = Insertion(self._fitting)
        best, *others = best_different(probe.reached)
        self._base = as_scored(best)
        self._candidates = list_candidates([self._base.model, *(SoftModel(dag.parents) for dag in others)])
        self._far = _list_far(self._base.model)
        self.n_candidates, self.n_far = len(self._candidates), len(self._far)
        self.first: list[float] = []
        self.far: list[float] = []
        self.thorough: list[float] = []
        self.renewal: list[float] = []

    def look(self) -> None:
        """Look at as much as there is time for."""
        promising: list[Scored] = []
        with self._until(FIRST_SHARE):
            self._look_first(promising)
        with self._until(FIRST_SHARE + FAR_SHARE):
            for children in self._far[:: max(1, self.n_far // N_FAR)]:
                with self._timed(self.far):
                    self._insertion.quick(self._base, children, is_far=True)
        with self._until(1.0):
            for scored in _best_different(promising):
                self._look_again(scored)

    def _look_first(self, promising: list[Scored]) -> None:
        """First looks at candidates drawn at random, because the list has them by size."""
        for index in np.random.default_rng(0).permutation(self.n_candidates):
            with self._timed(self.first):
                after = self._insertion.quick(self._base, self._candidates[index])
            if after is not None:
                promising.append(after)

    def _look_again(self, scored: Scored) -> None:
        with self._timed(self.thorough):
            after = self._insertion.thorough(self._base, scored.model.latents[-1].children, scored)
        if after is not None:
            for series in range(N_RENEWALS):
                with self._timed(self.renewal):
                    renew(self._fitting, after, len(after.model.latents) - 1, n_trials=1, series=series)

    @contextmanager
    def _until(self, share: float) -> Iterator[None]:
        """A part that ends after a share of the time."""
        self._control.time_limit = share * self._time_limit
        with until_time():
            yield

    @contextmanager
    def _timed(self, seconds: list[float]) -> Iterator[None]:
        """Adds the seconds of a look; of one that was cut short, where there is no other to go by."""
        began = self._control.seconds()
        try:
            yield
        except StopRequested:
            if not seconds:
                seconds.append(self._control.seconds() - began)
            raise
        seconds.append(self._control.seconds() - began)


def _list_far(model: SoftModel) -> list[int]:
    n_variables = len(model.parents)
    if n_variables <= MAX_COMPLETE:
        return list_every_group(n_variables)
    return [*list_far_pairs(model), *list_triples(model)]


def _best_different(scored: list[Scored]) -> list[Scored]:
    """The best of those that came to different children."""
    different: dict[int, Scored] = {}
    for trial in sorted(scored, key=lambda trial: -trial.score):
        different.setdefault(trial.model.latents[-1].children, trial)
    return list(different.values())[:N_SECOND]
