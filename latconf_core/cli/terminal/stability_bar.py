"""Repetitions on samples with a bar that shows how far they are, on stderr or in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace

from latconf_core.cli.terminal.bars import NotebookBar, ProgressBar, make_bar
from latconf_core.control import Progress
from latconf_core.stability.stability_result import Stability
from latconf_core.stability.stability_run import StabilityEvent, StabilityFinished, StabilityProgress


def follow_stability(events: Iterable[StabilityEvent], n_workers: int, *, shown: bool) -> Stability:
    """What comes of the samples; their progress is shown where the program runs."""
    with make_bar() if shown else nullcontext() as bar:
        return follow_with_bar(events, bar, n_workers)


def follow_with_bar(
    events: Iterable[StabilityEvent], bar: ProgressBar | NotebookBar | None, n_workers: int
) -> Stability:
    """The same with a bar that is there, or without one."""
    seen = StabilityProgress(n_workers)
    for event in events:
        seen.see(event)
        if isinstance(event, StabilityFinished):
            return event.stability
        if bar is not None:
            bar.show(_shown(seen.progress(), bar))
    raise AssertionError("repetitions end with their result")


def _shown(progress: Progress, bar: ProgressBar | NotebookBar) -> Progress:
    """With the time left where the bar redraws itself; elsewhere lines come by quarters, not with each new guess."""
    redraws = isinstance(bar, NotebookBar) or sys.stderr.isatty()
    return progress if redraws else replace(progress, text="samples")
