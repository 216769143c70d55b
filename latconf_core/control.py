"""How long work is paused, stopped, timed and watched."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

PAUSE_POLL_SECONDS = 0.02


class StopReason(Enum):
    """Why a run ended."""

    FINISHED = "finished"
    LOCAL_MAXIMUM = "local maximum"
    NO_IMPROVEMENT = "no improvement"
    MAX_BIDIRECTED = "maximum number of bidirected edges"
    CANCELLED = "cancelled"
    TIME_LIMIT = "time limit"
    WORK_LIMIT = "work limit"
    CLUSTER_LOST = "cluster lost"


class StopRequested(Exception):
    """Raised by `checkpoint` at any depth when the run must end now.

    sentence : what the result says about it, besides the reason
    """

    def __init__(self, reason: StopReason, sentence: str = "") -> None:
        self.reason = reason
        self.sentence = sentence
        super().__init__(reason.value)


@dataclass(frozen=True)
class Progress:
    """How far a piece of long work is; `total` is None where it is not known."""

    done: int
    total: int | None
    text: str = ""


def _never() -> bool:
    return False


class _Stopwatch:
    """Seconds since the start without pauses, the same for a whole and all its parts. Safe from several threads."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._started = clock()
        self._paused_seconds = 0.0  # of pauses that are over
        self._pause_began: float | None = None
        self._n_waiting = 0
        self._lock = threading.Lock()

    def seconds(self) -> float:
        """Stands still while a pause lasts."""
        with self._lock:
            now = self._clock() if self._pause_began is None else self._pause_began
            return now - self._started - self._paused_seconds

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Several workers wait through the same pause: it counts once, from the first to the last of them."""
        with self._lock:
            self._n_waiting += 1
            if self._pause_began is None:
                self._pause_began = self._clock()
        try:
            yield
        finally:
            with self._lock:
                self._n_waiting -= 1
                if self._n_waiting == 0 and self._pause_began is not None:
                    self._paused_seconds += self._clock() - self._pause_began
                    self._pause_began = None


class RunControl:
    """Lets the outside cancel, pause and time-limit a run that calls `checkpoint` in its inner loops.

    Time spent in a pause does not count towards the limit.
    """

    def __init__(
        self,
        is_cancelled: Callable[[], bool] = _never,
        is_paused: Callable[[], bool] = _never,
        *,
        time_limit: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if time_limit is not None and not time_limit > 0:
            raise ValueError(f"time limit must be above 0 seconds, not {time_limit}")
        self._is_cancelled = is_cancelled
        self._is_paused = is_paused
        self._sleep = sleep
        self._watch = _Stopwatch(clock)
        self._started = 0.0  # on the watch
        self.time_limit = time_limit
        self._whole: RunControl | None = None
        self._is_put_off = False
        self._ended: tuple[StopReason, str] | None = None

    def child(self, *, time_limit: float | None = None, is_cancelled: Callable[[], bool] = _never) -> RunControl:
        """A control for a part that starts now: stopped and paused with this one, and by limits of its own."""
        part = RunControl(
            lambda: is_cancelled() or self._is_cancelled(),
            self._is_paused,
            time_limit=time_limit,
            sleep=self._sleep,
        )
        part._whole = self
        part._watch, part._started = self._watch, self._watch.seconds()
        return part

    def seconds(self) -> float:
        """Seconds since the start, pauses left out; stands still while a pause lasts."""
        return self._watch.seconds() - self._started

    def checkpoint(self) -> None:
        """Wait while paused; raise StopRequested when cancelled or out of time. Safe from several threads."""
        if self._is_put_off:
            return
        if self._is_cancelled():
            raise StopRequested(StopReason.CANCELLED)
        if self._ended is not None:
            raise StopRequested(*self._ended)
        if self._is_paused():
            self._wait()
        if self.time_limit is not None and self.seconds() >= self.time_limit:
            raise StopRequested(StopReason.TIME_LIMIT)
        if self._whole is not None:
            self._whole.checkpoint()

    def end(self, reason: StopReason, sentence: str = "") -> None:
        """Let every checkpoint from now on end the run, here and in its parts: something that it needs is gone."""
        self._ended = reason, sentence

    @contextmanager
    def ignore_stop(self) -> Iterator[None]:
        """Neither stop nor wait inside: for the moment it takes to hand over what was found."""
        self._is_put_off = True
        try:
            yield
        finally:
            self._is_put_off = False

    def _wait(self) -> None:
        with self._watch.pause():
            while self._is_paused():
                if self._is_cancelled():
                    raise StopRequested(StopReason.CANCELLED)
                self._sleep(PAUSE_POLL_SECONDS)
