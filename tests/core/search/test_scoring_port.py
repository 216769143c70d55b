"""Whoever computes the fits, a search visits the same DAGs with the same scores, and hears a stop."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from support.builders import mixed, random_dataset
from support.process_scoring import ProcessScoring
from support.search_runs import made_up_run

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.score.fit import Fit
from latconf_core.score.fit_task import make_task
from latconf_core.score.scorer import Scorer
from latconf_core.search.candidate_scores import AHEAD, CandidateScores
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.run import MOST_WAITING
from latconf_core.search.runner import start_search
from latconf_core.search.scoring_port import Scoring

DATA = random_dataset(np.random.default_rng(5), 300, [2, 3, 2, 2, 3])
PAG = mixed("A o-> B", "C o-> B", "C o-> D", "E o-> D")
OPTIONS = SearchOptions(vbem=VbemOptions(restarts=2), seed=7)


def result_of(scoring: Scoring | None, *, workers: int = 1, control: RunControl | None = None) -> SearchResult:
    options = SearchOptions(vbem=OPTIONS.vbem, seed=OPTIONS.seed, workers=workers, effort="full")  # all by the port
    *_, last = start_search(
        DATA, PAG, options=options, scoring=None if scoring is None else lambda *_: scoring, control=control
    )
    assert isinstance(last, SearchFinished)
    return last.result


class NeverDone:
    """A cluster that never answers."""

    n_workers = 2

    def __init__(self) -> None:
        self.n_submitted = 0

    def submit(self, component: Component) -> Future[Fit]:
        self.n_submitted += 1
        return Future()

    def cancel_all(self) -> None:
        pass


@pytest.mark.slow
def test_that_processes_give_the_same_history_as_the_thread() -> None:
    here = result_of(None)
    with ProcessScoring(2, DATA, VbemOptions(restarts=2, seed=7)) as scoring:
        there = result_of(scoring)
    assert there.history == here.history
    assert scoring.n_submitted > 3
    assert there.posterior is not None
    assert here.posterior is not None
    assert there.posterior.p_elbo == here.posterior.p_elbo


def test_that_threads_give_the_same_history_as_the_thread() -> None:
    assert result_of(None, workers=3).history == result_of(None).history


def test_that_a_task_can_be_sent() -> None:
    task = make_task(Component(3, (Hidden(0b101),), (0, 2)), VbemOptions(), "digest")
    assert pickle.loads(pickle.dumps(task)) == task


def test_that_a_stop_is_heard_while_others_compute() -> None:
    times_asked = count()
    scoring = NeverDone()
    result = result_of(scoring, control=RunControl(lambda: next(times_asked) > 100))
    assert result.stop_reason is StopReason.CANCELLED
    assert 1 <= scoring.n_submitted <= AHEAD * scoring.n_workers + 2  # no more was begun behind what is not done


def test_that_only_so_many_candidates_are_listed_behind_one_slow_fit() -> None:
    stop = [False]
    run = made_up_run(PAG, lambda dag: 0.0, control=RunControl(lambda: stop[0]))
    scores = CandidateScores(Scorer(DATA, VbemOptions()), NeverDone())
    run.setup = replace(run.setup, scores=scores)
    n_listed = 0

    def candidates() -> Iterator[BitDag]:
        nonlocal n_listed
        yield BitDag((0,) * 5, (Hidden(0b11),))
        stop[0] = True  # the next look at the control is while the first is waited for
        for mask in count():
            n_listed += 1
            yield BitDag((0, 0, 0, 0, mask % 2))

    run._unseen = lambda listed: iter(listed)  # type: ignore[method-assign]  # the same two again and again
    with pytest.raises(StopRequested):
        list(run.visit(candidates(), level=0))
    assert n_listed == MOST_WAITING
