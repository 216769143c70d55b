"""How far a search is: level, done of total, rate, time left."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from latconf_core.control import Progress
from latconf_core.phrases import duration
from latconf_core.search.outcome.events import CandidateScored, LevelStarted, StageStarted, StatesTried

RATE_SECONDS = 4.0  # the rate is that of the last seconds


class SearchStep(Progress):
    """How far a search is, as `SearchProgress.step` says it: no news where it comes back among the events."""


class SearchProgress:
    """Follows the events of a search; pauses do not count."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._paused_at: float | None = None
        self._paused_seconds = 0.0
        self._marks: deque[tuple[float, int]] = deque([(0.0, 0)])  # (seconds, visits until then)
        self.n_visits = 0
        self.level: int | None = None
        self.done = 0
        self.total: int | None = None
        self.tries_states = False
        self.stage: StageStarted | None = None
        self._said = ""  # by what is no search, such as learning a PAG

    def see(self, events: list[object]) -> None:
        """Take note of a batch."""
        for event in events:
            if isinstance(event, CandidateScored):
                self.done += 1
                self.n_visits += 1
                self.tries_states = False
            elif isinstance(event, LevelStarted):
                self.level, self.total, self.done = event.level, event.n_candidates, 0
                self.tries_states = False
            elif isinstance(event, StageStarted):
                self.stage, self.level, self.total, self.done = event, None, None, 0
                self.tries_states, self._said = False, ""
            elif isinstance(event, Progress) and self._is_news(event):
                self.done, self.total, self._said = event.done, event.total, event.text
            elif isinstance(event, StatesTried):
                self.tries_states = True
                self.n_visits += 1
        now = self.seconds()
        self._marks.append((now, self.n_visits))
        while len(self._marks) > 2 and self._marks[1][0] < now - RATE_SECONDS:
            self._marks.popleft()

    def pause(self) -> None:
        if self._paused_at is None:
            self._paused_at = self._clock()

    def resume(self) -> None:
        if self._paused_at is not None:
            self._paused_seconds += self._clock() - self._paused_at
            self._paused_at = None

    def seconds(self) -> float:
        """Since the start, pauses left out."""
        now = self._clock() if self._paused_at is None else self._paused_at
        return now - self._began - self._paused_seconds

    def rate(self) -> float:
        """DAGs a second, of late."""
        began, before = self._marks[0]
        return (self.n_visits - before) / max(self.seconds() - began, 1e-3)

    def seconds_left(self) -> float | None:
        """Until the end of this level, where that can be told."""
        rate = self.rate()
        if self.total is None or self.tries_states or rate <= 0:
            return None
        return max(self.total - self.done, 0) / rate

    def text(self) -> str:
        """All of it in a line."""
        if self.level is None and self.stage is None:
            return "Preparing…"
        rate = [f"{self.rate():,.0f} a second"] if self.level is not None else []
        parts = [self._level_text(), *rate, f"{duration(self.seconds())} so far"]
        left = None if self.level is None else self.seconds_left()
        if left is not None:
            parts.append(f"{duration(left)} left in this level")
        return " · ".join(parts)

    def _level_text(self) -> str:
        """The stage where there are several, and what is done in it."""
        return " · ".join(filter(None, (self._stage_text(), self._doing())))

    def _stage_text(self) -> str:
        return "" if self.stage is None else f"{self.stage.number} of {self.stage.n_stages}: {self.stage.text}"

    def _is_news(self, event: Progress) -> bool:
        """Whether it comes from what is no search: not from here, and not while a level goes on."""
        return self.stage is not None and self.level is None and not isinstance(event, SearchStep)

    def _doing(self) -> str:
        if self.level is None:
            return self._said
        if self.tries_states:
            return "Trying more states for the latents"
        total = "" if self.total is None else f" of at most {self.total:,}"
        return f"Level {self.level}: {self.done:,}{total} DAGs"

    def step(self) -> SearchStep:
        """The same for the status bar, in short."""
        return SearchStep(self.done, None if self.tries_states else self.total, self._level_text())
