"""How far repeated searches are: for whoever draws a bar."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from latconf_core.control import Progress
from latconf_core.phrases import counted, duration


@dataclass(frozen=True)
class RepeatFinished:
    """How many of the repetitions are done; none at the beginning."""

    n_done: int
    n_all: int


class RepeatProgress:
    """Follows the events, for a bar: what is done of all, and the time left."""

    def __init__(self, word: str, clock: Callable[[], float] = time.monotonic) -> None:
        """`word` is what each repetition is called, such as "draw"."""
        self._word, self._clock, self._began = word, clock, clock()
        self._done, self._total = 0, 0

    def see(self, event: object) -> Progress:
        """How far it is after an event."""
        if isinstance(event, RepeatFinished):
            self._done, self._total = event.n_done, event.n_all
        text = f"{self._done:,} of {counted(self._total, self._word)}"
        if 0 < self._done < self._total:
            left = (self._clock() - self._began) / self._done * (self._total - self._done)
            text += f", about {duration(left)} left" if left >= 1 else ""
        return Progress(self._done, self._total, text)
