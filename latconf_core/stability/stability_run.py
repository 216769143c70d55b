"""Repeats learning and a search on samples of the rows, some at a time, and tells of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil

from latconf_core.control import Progress, RunControl, StopReason, StopRequested
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.counted_dataset import LEAST_ROWS, count_rows
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError, LatconfError, OptionError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.resampling import StabilityOptions
from latconf_core.pag.learners.catalogue import find_learner
from latconf_core.phrases import counted, duration
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.setup import align_to_dataset
from latconf_core.stability.run_sample import WHOLE, SampleOutcome, SampleWork
from latconf_core.stability.sample_workers import LostWorkerError, MakeWorkers, make_workers
from latconf_core.stability.stability_result import Stability
from latconf_core.workers_port import work_through


@dataclass(frozen=True)
class StabilityStarted:
    """How many samples there will be."""

    n_samples: int


@dataclass(frozen=True, eq=False)
class SampleFinished:
    """A sample, or the data as they are, has its outcome."""

    outcome: SampleOutcome
    n_done: int
    n_samples: int


@dataclass(frozen=True, eq=False)
class StabilityFinished:
    """The end, with all samples that were done by then."""

    stability: Stability


StabilityEvent = StabilityStarted | SampleFinished | StabilityFinished


@dataclass(frozen=True, eq=False)
class Whole:
    """What is known to come of the data as they are: a PAG, a model, or both."""

    pag: MixedGraph | None = None
    dag: LatentDag | None = None


def whole_of(result: SearchResult, dataset: Dataset) -> Whole:
    """What a search found in the data; OptionError where it was in others."""
    if result.dataset_digest != dataset.digest:
        raise OptionError("the result belongs to other data; give a result for these data")
    return Whole(result.pag if result.pag.n_edges else None, result.best)


@dataclass(frozen=True, eq=False)
class _Task:
    """What was asked for, besides the data."""

    options: StabilityOptions
    pag: MixedGraph | None
    knowledge: Knowledge
    whole: Whole | None


def start_stability(
    dataset: Dataset,
    options: StabilityOptions,
    *,
    pag: MixedGraph | None = None,
    knowledge: Knowledge = NO_KNOWLEDGE,
    whole: Whole | None = None,
    control: RunControl | None = None,
    workers: MakeWorkers = make_workers,
) -> Iterator[StabilityEvent]:
    """The events of the repetitions; the last is StabilityFinished, also where `control` or the time limit ends it.

    pag : what every search keeps to where the options name no learner
    whole : what came of the data themselves; None to work on them first, as on a sample
    workers : who works on samples; the outcome does not depend on it
    """
    aligned = align_to_dataset(pag, dataset) if pag is not None else None
    _check(dataset, options, aligned)
    limited = (control or RunControl()).child(time_limit=options.time_limit)
    return _events(dataset, _Task(options, aligned, knowledge, whole), limited, workers)


def _check(dataset: Dataset, options: StabilityOptions, pag: MixedGraph | None) -> None:
    """Refuse what cannot be repeated, before the first sample is drawn."""
    if dataset.n_rows < LEAST_ROWS:
        raise DataError(f"the data have {dataset.n_rows} rows; samples can be drawn of {LEAST_ROWS} or more")
    if options.learner is not None:
        find_learner(options.learner.method)
        if pag is not None:
            raise OptionError("give either a PAG or a learner, not both")
    if options.search is not None:
        if options.search not in SEARCHES:
            raise OptionError(f"there is no search {options.search!r}; choose one of {', '.join(SEARCHES)}")
        if SEARCHES[options.search].needs_pag and options.learner is None and pag is None:
            raise OptionError(f"{options.search} needs a PAG; name a learner, or give a PAG")


def _events(dataset: Dataset, task: _Task, control: RunControl, make: MakeWorkers) -> Iterator[StabilityEvent]:
    n_samples, outcomes = task.options.samples, dict[int, SampleOutcome]()
    yield StabilityStarted(n_samples)
    reason = StopReason.FINISHED
    try:
        for outcome in _outcomes(dataset, task, control, make):
            if outcome.number == WHOLE and outcome.failure:
                raise LatconfError(outcome.failure)
            outcomes[outcome.number] = outcome
            yield SampleFinished(outcome, len(outcomes) - (WHOLE in outcomes), n_samples)
    except StopRequested as stop:
        reason = stop.reason
    whole = task.whole or _known(outcomes.pop(WHOLE, None), dataset)
    yield StabilityFinished(
        Stability(
            options=task.options,
            nodes=dataset.names,
            dataset_digest=dataset.digest,
            outcomes=tuple(outcomes[number] for number in sorted(outcomes)),
            stop_reason=reason,
            seconds=control.seconds(),
            pag=None if task.options.learner is None else whole.pag,
            dag=None if task.options.search is None else whole.dag,
            keeps_pag=task.pag is not None,
        )
    )


def _outcomes(dataset: Dataset, task: _Task, control: RunControl, make: MakeWorkers) -> Iterator[SampleOutcome]:
    """Every outcome as it comes, that of the data as they are first where it is not known."""
    source = count_rows(dataset, control=control)
    workers = make(SampleWork(source, task.options, task.pag, task.knowledge), control)
    numbers = range(WHOLE if task.whole is None else WHOLE + 1, task.options.samples + 1)
    return work_through(workers, numbers, control, lost=LostWorkerError)


def _known(outcome: SampleOutcome | None, dataset: Dataset) -> Whole:
    if outcome is None:
        return Whole()
    edges = outcome.pag
    return Whole(None if edges is None else MixedGraph.from_edges(dataset.names, edges), outcome.dag)


class StabilityProgress:
    """Follows the events, for a bar: samples done of all, and the time left."""

    def __init__(self, n_workers: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._n_workers = clock, n_workers
        self._began = clock()
        self._done, self._total = 0, 0

    def see(self, event: StabilityEvent) -> None:
        """Take note of an event."""
        if isinstance(event, StabilityStarted):
            self._total, self._began = event.n_samples, self._clock()
        elif isinstance(event, SampleFinished):
            self._done = event.n_done

    def progress(self) -> Progress:
        """How far it is."""
        text = f"{self._done:,} of {counted(self._total, 'sample')}"
        if self._done and self._done < self._total:
            rounds_done, rounds = (ceil(number / self._n_workers) for number in (self._done, self._total))
            left = (self._clock() - self._began) / rounds_done * (rounds - rounds_done)
            text += f", about {duration(left)} left" if left >= 1 else ""
        return Progress(self._done, self._total, text)
