"""A search with a bar that shows how far it is, on stderr or in a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from latconf_core.cli.terminal.bars import NotebookBar, ProgressBar, make_bar
from latconf_core.control import Progress, RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.events import (
    CandidateScored,
    SearchEvent,
    SearchFinished,
    SearchStarted,
    StageStarted,
    StatesTried,
)
from latconf_core.search.outcome.progress import SearchProgress
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import start_search

QUIET_SECONDS = 0.2  # between two looks at the bar


def search_with_bar(
    dataset: Dataset,
    pag: MixedGraph,
    algorithm: str,
    *,
    options: SearchOptions | None = None,
    control: RunControl | None = None,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> SearchResult:
    """The result of a search, its progress shown where the program runs."""
    with make_bar() as bar:
        events = start_search(dataset, pag, algorithm, options=options, control=control, knowledge=knowledge)
        return follow_with_bar(events, bar, quiet_seconds=QUIET_SECONDS)


def follow_with_bar(
    events: Iterable[SearchEvent], bar: ProgressBar | NotebookBar, *, quiet_seconds: float
) -> SearchResult:
    """The result of a search whose events are shown."""
    shown = SearchBar(bar, quiet_seconds=quiet_seconds)
    for event in events:
        shown.show(event)
        if isinstance(event, SearchFinished):
            return event.result
    raise AssertionError("a search ends with its result")


class SearchBar:
    """Shows the events of a search as a bar: level, how far, rate, time left and the best so far."""

    def __init__(self, bar: ProgressBar | NotebookBar, *, quiet_seconds: float) -> None:
        self._bar = bar
        self._quiet_seconds = quiet_seconds
        self._progress = SearchProgress()
        self._shown_at = 0.0
        self._best: float | None = None

    def show(self, event: SearchEvent) -> None:
        """Draw the bar again where enough time has passed."""
        self._progress.see([event])
        if isinstance(event, SearchStarted):
            self._bar.show(Progress(0, None, f"{event.algorithm}: {event.pag_handling}"))
        elif isinstance(event, StageStarted):
            self._bar.show(Progress(0, None, f"{event.number} of {event.n_stages}: {event.text}"))
        elif isinstance(event, CandidateScored | StatesTried):
            self._best = event.p_elbo if event.is_best else self._best
            if self._progress.seconds() - self._shown_at >= self._quiet_seconds:
                self._shown_at = self._progress.seconds()
                text = self._progress.text().replace(" · ", ", ")
                self._bar.show(replace(self._progress.step(), text=f"{text}, best {self._best:,.2f}"))
