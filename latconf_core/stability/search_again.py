"""A run's search made again on another table: what a worker needs to know of it, and the search itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import OptionError
from latconf_core.graph.mixed import MixedGraph, empty_graph
from latconf_core.inference.completing.learned_rows import learned_from_rows
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import start_search


@dataclass(frozen=True, eq=False)
class SearchAgain:
    """A search as a run made it.

    learner : how a PAG is learned from each table; None where every search keeps to a given one, or needs none
    start : the model that the search started from besides
    """

    search: str
    options: SearchOptions
    pag: MixedGraph | None = None
    learner: PagOptions | None = None
    knowledge: Knowledge = NO_KNOWLEDGE
    start: LatentDag | None = None


def search_of(
    result: SearchResult, pag: MixedGraph | None, learner: PagOptions | None, knowledge: Knowledge | None = None
) -> SearchAgain:
    """The search of a run; OptionError where it cannot be repeated.

    knowledge : what binds every learner and search; that of the run where none is given
    """
    check_known(result)
    if SEARCHES[result.algorithm].needs_pag and pag is None and learner is None:
        raise OptionError(f"{result.algorithm} searches a PAG; name the learner of the run, or give its PAG")
    known = result.knowledge if knowledge is None else knowledge
    return SearchAgain(result.algorithm, result.options, pag, learner, known, result.start)


def check_known(result: SearchResult) -> None:
    """OptionError where this program has no such search."""
    if result.algorithm not in SEARCHES:
        raise OptionError(f"the search {result.algorithm!r} is not known to this latconf, so it cannot be repeated")


def seed_of_repeat(seed: int, number: int) -> int:
    """The seed of one repetition; it depends on nothing else."""
    return int(np.random.SeedSequence((seed, number)).generate_state(1)[0])


def search_again(work: SearchAgain, dataset: Dataset, *, seed: int, control: RunControl) -> SearchResult:
    """What the search finds in a table. Raises StopRequested, also where a search was stopped before its end."""
    pag = work.pag
    if work.learner is not None:
        pag = learned_from_rows(dataset, work.learner, knowledge=work.knowledge, control=control).graph
    for event in start_search(
        dataset,
        pag or empty_graph(dataset.names),
        work.search,
        options=replace(work.options, seed=seed, workers=1),
        control=control,
        start=work.start,
        knowledge=work.knowledge,
    ):
        if isinstance(event, SearchFinished):
            control.checkpoint()  # a search that was stopped ends as if it had found something
            if event.result.stop_reason is StopReason.CANCELLED:
                raise StopRequested(StopReason.CANCELLED)
            return event.result
    raise AssertionError("a search ends with its result")
