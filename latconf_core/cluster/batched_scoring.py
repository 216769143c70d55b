"""The scoring port on a cluster: fits go out in batches, and this computer takes its share while they are away.

A round trip takes some ten milliseconds, a fit one to a thousand. So fits wait until they are worth a journey together,
or until they have waited long enough; meanwhile one thread here works on those that wait. Who computes a fit changes
nothing of it.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from functools import partial
from threading import Condition, Event, Thread
from time import monotonic, perf_counter
from typing import NamedTuple

from latconf_core.cluster.connection import Cluster
from latconf_core.cluster.on_worker import FitsDone, fit_batch
from latconf_core.cluster.scheduler import ClusterError
from latconf_core.control import StopReason, StopRequested
from latconf_core.model.component import Component
from latconf_core.score.fit import Fit
from latconf_core.score.scorer import Scorer
from latconf_core.search.scoring_port import ScoringOf

LEAST_BATCH_SECONDS = 0.02  # that a batch is expected to take …
BATCH_SECONDS = 0.06  # … and as much where so many wait that all have enough: the journey costs some 8 ms of work
LINGER_SECONDS = 0.05  # after which fits go out although they are few: who works here is busy with a long one
BATCHES_PER_THREAD = 2  # one that is computed, one that waits at the worker
MOST_IN_BATCH = 64  # fits
FIRST_GUESS_SECONDS = 0.005  # of one fit
NEWEST_WEIGHT = 0.2  # of a fit's seconds in their mean


def scoring_of(cluster: Cluster) -> ScoringOf:
    """What `start_search` takes as its `scoring`: the run's fits go to the cluster. ClusterError where it is gone."""
    return partial(BatchedScoring, cluster)


class _Waiting(NamedTuple):
    component: Component
    future: Future[Fit]
    since: float


class BatchedScoring:
    """Computes the fits of one scorer on a cluster and here.

    n_batches, n_sent : what went to the cluster so far
    """

    def __init__(self, cluster: Cluster, scorer: Scorer, closing: Event) -> None:
        if cluster.lost is not None:
            raise ClusterError(cluster.lost)
        self._cluster = cluster
        self._scorer = scorer
        self._closing = closing
        self._waiting: deque[_Waiting] = deque()
        self._batches: dict[Future[FitsDone | None], list[_Waiting]] = {}
        self._changed = Condition()
        self._threads: list[Thread] = []
        self._is_giving_up = False
        self._seconds = FIRST_GUESS_SECONDS
        self.n_batches = 0
        self.n_sent = 0

    @property
    def n_workers(self) -> int:
        """So many that batches are full."""
        return 1 + self._cluster.n_threads * self._size(BATCH_SECONDS)

    def submit(self, component: Component) -> Future[Fit]:
        """Put a fit with those that wait; where the cluster is lost, the run ends at its next checkpoint."""
        future: Future[Fit] = Future()
        self._end_if_lost()
        with self._changed:
            self._waiting.append(_Waiting(component, future, monotonic()))
            if not self._threads:
                self._threads = [
                    Thread(target=target, name=f"latconf-cluster-{target.__name__.strip('_')}", daemon=True)
                    for target in (self._send_out, self._help)
                ]
                for thread in self._threads:
                    thread.start()
            self._changed.notify_all()
        return future

    def cancel_all(self) -> None:
        """Workers leave what they have at their next checkpoint, and the threads of this process end."""
        with self._changed:
            if not self._threads:
                return
            self._is_giving_up = True
            self._waiting.clear()
            batches = list(self._batches)
            self._batches.clear()
            self._changed.notify_all()
        self._cluster.give_up(batches)
        self._closing.set()
        for thread in self._threads:
            thread.join()
        self._closing.clear()
        self._threads, self._is_giving_up = [], False

    def _size(self, seconds: float) -> int:
        """How many fits are expected to take so long."""
        return min(max(round(seconds / self._seconds), 1), MOST_IN_BATCH)

    def _send_out(self) -> None:
        """Send batches while there is room for them at the workers."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_giving_up or self._waiting)
                if self._is_giving_up:
                    return
                batch = self._next_batch()
                if not batch:
                    self._end_if_lost()
                    self._changed.wait(LINGER_SECONDS)
                    continue
            self._send(batch)

    def _end_if_lost(self) -> None:
        """Let the run end at its next checkpoint where the cluster is gone; `_help` takes what still waits."""
        if (sentence := self._cluster.lost) is not None:
            self._scorer.control.end(StopReason.CLUSTER_LOST, sentence)

    def _next_batch(self) -> list[_Waiting]:
        """The fits that go out now; none where it is too early or the workers are busy."""
        least = self._size(LEAST_BATCH_SECONDS)
        has_room = len(self._batches) < BATCHES_PER_THREAD * self._cluster.n_threads and self._cluster.lost is None
        is_late = monotonic() - self._waiting[0].since >= LINGER_SECONDS
        if not has_room or (len(self._waiting) < least and not is_late):
            return []
        fair = len(self._waiting) // (self._cluster.n_threads + 1)  # this computer takes its share
        size = min(max(fair, least), self._size(BATCH_SECONDS))
        return [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]

    def _send(self, batch: list[_Waiting]) -> None:
        components = [task.component for task in batch]
        scorer = self._scorer
        sent = self._cluster.submit(
            fit_batch, scorer.dataset, components, scorer.options, scorer.families_of, self._cluster.versions
        )
        with self._changed:
            if self._is_giving_up:
                self._cluster.give_up([sent])
                return
            self._batches[sent] = batch
            self.n_batches += 1
            self.n_sent += len(batch)
        sent.add_done_callback(self._on_batch)

    def _on_batch(self, sent: Future[FitsDone | None]) -> None:
        with self._changed:
            batch = self._batches.pop(sent, None)
            self._changed.notify_all()
        if batch is None:  # given up
            return
        try:
            done = sent.result()
        except StopRequested as stop:
            self._scorer.control.end(stop.reason, stop.sentence)
            _fail(batch, stop)
        except BaseException as error:
            _fail(batch, error)
        else:
            if done is None:  # a worker that shuts down in order gives up its tasks
                self._put_back(batch)
                return
            for task, fit, seconds in zip(batch, done.fits, done.seconds):
                self._learn(seconds)
                with suppress(InvalidStateError):
                    task.future.set_result(fit)

    def _put_back(self, batch: list[_Waiting]) -> None:
        with self._changed:
            self._waiting.extendleft(reversed(batch))
            self._changed.notify_all()

    def _help(self) -> None:
        """Work on what waits, the last first: the others will be sent before."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_giving_up or self._waiting)
                if self._is_giving_up:
                    return
                task = self._waiting.pop()
            began = perf_counter()
            try:
                task.future.set_result(self._scorer.fit(task.component))
            except BaseException as error:  # as an executor does: whoever asks for the result hears of it
                task.future.set_exception(error)
            self._learn(perf_counter() - began)

    def _learn(self, seconds: float) -> None:
        """Take the time of one fit into their mean."""
        self._seconds += NEWEST_WEIGHT * (max(seconds, 1e-4) - self._seconds)


def _fail(batch: list[_Waiting], error: BaseException) -> None:
    for task in batch:
        with suppress(InvalidStateError):
            task.future.set_exception(error)
