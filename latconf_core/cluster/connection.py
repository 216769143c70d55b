"""A connection to a cluster: functions go to its workers, futures come back; what a lost worker had is repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager, suppress
from itertools import count
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from latconf_core.cluster.client import make_client
from latconf_core.cluster.on_worker import OtherVersionsError, hold
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.cluster.versions import read_versions
from latconf_core.cluster.workers import check_workers
from latconf_core.control import StopReason, StopRequested

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as TheirFuture

Result = TypeVar("Result")

RUNNING = "running"  # what Dask calls a client that is connected
WATCH_SECONDS = 2.0  # between two looks at who is there
FETCH_SECONDS = 2.0  # for a result, before it is looked whether the cluster is still there
MOST_SECONDS_ALONE = 60.0  # without any worker, after which the cluster counts as lost
LARGEST_SILENTLY = "100GB"  # of data in one task; Dask warns of more
REMEDY = "the results so far are kept; restart it, then run the command again"


class Cluster:
    """The workers of one scheduler. Safe from several threads; `connect` makes it and closes it."""

    def __init__(self, scheduler: Scheduler, client: Client, n_threads: int) -> None:
        self.scheduler = scheduler
        self.versions = read_versions()
        self.n_threads = n_threads
        self._lost: str | None = None
        self._client = client
        self._name, self._numbers = f"latconf-{uuid4().hex}", count()
        self._held: dict[int, tuple[object, TheirFuture]] = {}
        self._under_way: dict[Future[Any], TheirFuture] = {}
        self._lock = Lock()
        self._closing = Event()
        self._watcher = Thread(target=self._watch, name="latconf-cluster", daemon=True)
        self._watcher.start()

    @property
    def lost(self) -> str | None:
        """A sentence, once there is no scheduler or no worker any more; futures then end with StopRequested."""
        if self._lost is None and self._client.status != RUNNING:
            self._lose()
        return self._lost

    def submit(self, function: Callable[..., Result], data: object, *arguments: Any) -> Future[Result]:
        """Begin `function(data, *arguments)` on a worker; the data are sent with the first such call alone.

        function : found by its name where the worker runs, so one of a module of latconf
        data : what many calls have in common; the same object each time
        """
        future: Future[Result] = Future()
        future.set_running_or_notify_cancel()
        try:
            theirs = self._send(function, self._hold(data), *arguments)
        except Exception:  # whatever a broken connection says
            self._lose()
            self._end(future)
            return future
        with self._lock:
            self._under_way[future] = theirs
        theirs.add_done_callback(lambda done: self._on_done(future, done))
        if self.lost is not None:
            self._end(future)
        return future

    def give_up(self, futures: Iterable[Future[Any]]) -> None:
        """Let workers leave these calls at their next checkpoint; nobody waits for them any more."""
        with self._lock:
            theirs = [theirs_of for future in futures if (theirs_of := self._under_way.pop(future, None)) is not None]
        if theirs and self.lost is None:
            with suppress(Exception):  # a connection that breaks now has nothing left to do
                self._client.cancel(theirs)

    def close(self) -> None:
        """Give up everything and leave the cluster; the scheduler forgets what was sent."""
        self._closing.set()
        self.give_up(list(self._under_way))
        self._held.clear()
        with suppress(Exception):
            self._client.close(timeout=5)
        self._watcher.join(timeout=1)  # it may be asking a scheduler that is gone

    def _hold(self, data: object) -> TheirFuture:
        """The data as the workers know them. A task, not a scattered value: what is lost is computed again by Dask."""
        with self._lock:
            if id(data) not in self._held:
                self._held[id(data)] = data, self._send(hold, data)  # with the data, so that their id stays theirs
            return self._held[id(data)][1]

    def _send(self, function: Callable[..., Any], *arguments: Any) -> TheirFuture:
        import dask

        key = f"{function.__name__}-{self._name}-{next(self._numbers)}"
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": LARGEST_SILENTLY}):
            return self._client.submit(function, *arguments, key=key, pure=False)

    def _on_done(self, future: Future[Any], theirs: TheirFuture) -> None:
        """Settle a call; it counts as under way until then, so that a cluster that is lost meanwhile ends it too."""
        if future not in self._under_way:  # given up
            return
        try:
            if theirs.status == "finished":
                _settle(future, result=self._fetch(theirs))
            elif theirs.status == "error":
                self._on_error(future, theirs.exception())
            else:
                self._lose()
        except Exception:  # the scheduler went while the result was fetched
            self._lose()
        finally:
            with self._lock:
                self._under_way.pop(future, None)
            self._end(future)  # where nothing else has

    def _fetch(self, theirs: TheirFuture) -> Any:
        """The result of a call; waits in short turns, because Dask waits for ever where the scheduler just went.

        One thread of Dask's does this for all connections: it must come back.
        """
        while True:
            try:
                return theirs.result(timeout=FETCH_SECONDS)
            except TimeoutError:
                if self.lost is not None or self._closing.is_set():
                    raise

    def _on_error(self, future: Future[Any], error: BaseException) -> None:
        """Faults of the cluster end the run; those of the function are passed on to whoever asks for its result."""
        if isinstance(error, OtherVersionsError):
            self._lose_all(f"a worker that joined the cluster has other versions ({error}); end it; {REMEDY}")
        elif type(error).__name__ == "KilledWorker":
            self._lose_all(
                "several cluster workers ended at the same task, perhaps because memory ran out; the results "
                "so far are kept"
            )
        else:
            _settle(future, error=error)

    def _watch(self) -> None:
        """Look now and then who is there: new workers get work, and none for long means the cluster is lost."""
        seconds_alone = 0.0
        while not self._closing.wait(WATCH_SECONDS) and self.lost is None:
            try:
                n_threads = sum(self._client.nthreads().values())
            except Exception:  # whatever a broken connection says
                self._lose()
                return
            seconds_alone = 0.0 if n_threads else seconds_alone + WATCH_SECONDS
            self.n_threads = max(n_threads, 1)
            if seconds_alone >= MOST_SECONDS_ALONE:
                self._lose_all(f"the cluster at {self.scheduler.address} has had no worker for a minute; {REMEDY}")

    def _lose(self) -> None:
        if not self._closing.is_set():
            self._lose_all(f"the connection to the scheduler at {self.scheduler.address} was lost; {REMEDY}")

    def _lose_all(self, sentence: str) -> None:
        self._lost = self._lost or sentence
        with self._lock:
            waiting = list(self._under_way)
            self._under_way.clear()
        for future in waiting:
            self._end(future)

    def _end(self, future: Future[Any]) -> None:
        _settle(future, error=StopRequested(StopReason.CLUSTER_LOST, self._lost or ""))


def _settle(future: Future[Any], *, result: Any = None, error: BaseException | None = None) -> None:
    with suppress(InvalidStateError):  # settled by another thread already
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)


@contextmanager
def connect(scheduler: Scheduler) -> Iterator[Cluster]:
    """A cluster whose scheduler answers and whose workers all have the versions of this process.

    ClusterError names what is wrong and the remedy.
    """
    client = make_client(scheduler)
    try:
        report = check_workers(scheduler, client)
    except BaseException:
        client.close(timeout=5)
        raise
    cluster = Cluster(scheduler, client, report.n_threads)
    try:
        yield cluster
    finally:
        cluster.close()
