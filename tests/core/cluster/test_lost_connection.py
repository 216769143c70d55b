"""Whoever waits for a cluster hears of its end, at whatever moment it goes."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.cluster import connection
from latconf_core.cluster.batched_scoring import BatchedScoring
from latconf_core.cluster.connection import RUNNING, Cluster
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.control import StopReason, StopRequested
from latconf_core.model.bit_dag import Hidden
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

DATA = random_dataset(np.random.default_rng(5), 100, [2, 3, 2])
COMPONENT = Component(3, (Hidden(0b101),), (0, 2))


class TheirFuture:
    """A result that is said to be there and never comes."""

    status = "finished"

    def __init__(self) -> None:
        self.is_asked = Event()

    def result(self, timeout: float | None = None) -> object:
        self.is_asked.set()
        if timeout is None:
            Event().wait()
        raise TimeoutError

    def add_done_callback(self, call: Any) -> None:
        Thread(target=call, args=(self,), daemon=True).start()


class Client:
    """Of a scheduler that goes when the test says so."""

    def __init__(self) -> None:
        self.status = RUNNING
        self.sent: list[TheirFuture] = []

    def submit(self, *_: object, **__: object) -> TheirFuture:
        self.sent.append(TheirFuture())
        return self.sent[-1]

    def nthreads(self) -> dict[str, int]:
        return {"worker": 2}

    def cancel(self, _: object) -> None:
        pass

    def close(self, **_: object) -> None:
        pass


def test_that_a_result_that_never_comes_ends_with_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dask", reason="clusters need the extra latconf[cluster]")
    monkeypatch.setattr(connection, "WATCH_SECONDS", 0.02)
    client = Client()
    cluster = Cluster(Scheduler("tcp://localhost:1"), client, 2)  # type: ignore[arg-type]
    asked = cluster.submit(len, "data")
    assert client.sent[-1].is_asked.wait(30)
    assert not asked.done()
    client.status = "connecting"
    with pytest.raises(StopRequested, match="cluster lost"):
        asked.result(timeout=30)
    cluster.close()


class ClusterLostBetween:
    """A cluster that is there when a fit is handed in, and gone when it would be sent."""

    n_threads = 2

    def __init__(self) -> None:
        self._answers = iter([None, None])  # when it is connected, and when the fit is handed in

    @property
    def lost(self) -> str | None:
        return next(self._answers, "it is gone")

    def submit(self, *_: object) -> Future[Any]:
        raise AssertionError("nothing can be sent")

    def give_up(self, _: object) -> None:
        pass


def test_that_a_run_whose_cluster_is_lost_before_its_fits_are_sent_ends() -> None:
    scorer = Scorer(DATA, VbemOptions(restarts=2))
    scoring = BatchedScoring(ClusterLostBetween(), scorer, Event())  # type: ignore[arg-type]
    scoring._help = lambda: None  # type: ignore[method-assign]
    fit = scoring.submit(COMPONENT)
    ended = StopReason.FINISHED
    for _ in range(3000):
        try:
            scorer.control.checkpoint()
        except StopRequested as stop:
            ended = stop.reason
            break
        Event().wait(0.01)
    assert ended is StopReason.CLUSTER_LOST
    assert not fit.done()
    scoring.cancel_all()
