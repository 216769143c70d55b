"""A search of data with missing cells: on completed rows, which are completed again by what it found, and so on.

Structural EM (Friedman 1998), right when cells are missing at random. It begins with the best DAG without latents.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from latconf_core.control import Progress, RunControl, StopReason, StopRequested
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError
from latconf_core.families.objectives import JUDGING
from latconf_core.inference.completing.completions import Completion, CompletionPlan
from latconf_core.inference.completing.em_rounds import (
    MOST_ROUNDS,
    begin_at,
    complete_by_best_dag,
    complete_by_model,
)
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.model.bit_dag import BitDag
from latconf_core.options.searching import SearchOptions
from latconf_core.score.naming import to_bits
from latconf_core.search.catalogue import SEARCHES, SearchMethod
from latconf_core.search.complete_rows import check_on_complete_rows
from latconf_core.search.outcome.about_rows import CompletionReport
from latconf_core.search.outcome.events import SearchEvent, SearchFinished, StageStarted
from latconf_core.search.outcome.result import SearchResult

SearchOnce = Callable[[Dataset, SearchOptions], Iterator[SearchEvent]]
COMPLETING = "completing rows"
NEAR = 10.0  # nats; chosen: PKC hidden in Sachs was 2 below and 1 above with a tenth of all cells missing
ENDED = (StopReason.CANCELLED, StopReason.TIME_LIMIT, StopReason.WORK_LIMIT, StopReason.CLUSTER_LOST)


def check_takes_missing(dataset: Dataset, method: SearchMethod) -> None:
    """Refuse missing cells for a search that fills in latents alone."""
    if not dataset.is_complete and not method.takes_missing:
        others = ", ".join(search.name for search in SEARCHES.values() if search.takes_missing)
        raise DataError(
            f"{method.name} cannot handle missing cells; choose {others}, or decide what to do with the cells "
            "(missing: drop, state or most-frequent)"
        )


def search_completed(
    dataset: Dataset, search: SearchOnce, *, options: SearchOptions, control: RunControl, known: BoundKnowledge
) -> Iterator[SearchEvent]:
    """The events of a search on completed rows; of later rounds its stages alone, and the last result.

    search : of complete data, with a time limit that may be shorter
    known : what the DAG obeys that completes the rows first
    """
    began = control.seconds()
    yield Progress(0, None, COMPLETING)
    completion, plain = _begin(dataset, options, control, known)
    plan = CompletionPlan(seed=options.seed)
    found_before: list[BitDag] = []
    without: tuple[SearchResult, Completion] | None = None  # before rows were completed by a model with latents
    for number in range(1, MOST_ROUNDS + 1):
        result = yield from _one_round(search, completion.data, number, _with_time_left(options, control, began))
        bits = None if result.best is None else to_bits(result.best)
        if without is not None and not found_before and (bits is None or not bits.latents):
            ended = result.stop_reason in ENDED
            result = replace(without[0], stop_reason=result.stop_reason) if ended else without[0]
            completion, repeats = without[1], True
            break
        near = _near_model(result) if without is None and not found_before else None
        repeats = near is None and (bits in found_before or (not found_before and bits == plain))
        if bits is None or repeats or number == MOST_ROUNDS or result.stop_reason in ENDED:
            break
        if near is None:
            found_before.append(bits)
        else:
            without = result, completion
        try:
            control.checkpoint()
            completion = _complete(completion, near or result.best, options, plan, control)
        except StopRequested:
            break
    with suppress(StopRequested):
        result = check_on_complete_rows(result, dataset, control=control)
    report = _report(dataset, completion, number, repeats=repeats)
    digest = dataset.digest
    yield SearchFinished(replace(result, dataset_digest=digest, options=_asked(result, options), completion=report))


def _asked(result: SearchResult, options: SearchOptions) -> SearchOptions:
    """The options of the run, the time limit as it was asked for."""
    return replace(result.options, time_limit=options.time_limit)


def _begin(
    dataset: Dataset, options: SearchOptions, control: RunControl, known: BoundKnowledge
) -> tuple[Completion, BitDag | None]:
    """The rows completed by the best DAG without latents, and that DAG; by no edges where the run is stopped first."""
    limited = control.child(time_limit=options.time_limit)
    try:
        first = complete_by_best_dag(dataset, seed=options.seed, control=limited, known=known)
    except StopRequested:
        quick = CompletionPlan(most_per_row=1, seed=options.seed)
        edgeless = (0,) * dataset.n_variables
        return begin_at(dataset, edgeless, JUDGING.apply(options.vbem), quick, control=RunControl()).completion, None
    return first.completion, BitDag(first.parents)


def _one_round(
    search: SearchOnce, data: Dataset, number: int, options: SearchOptions
) -> Generator[SearchEvent, None, SearchResult]:
    """All events of the first round; of later ones the stages, because their visits are another history."""
    for event in search(data, options):
        if isinstance(event, SearchFinished):
            return event.result
        if number == 1:
            yield event
        elif isinstance(event, StageStarted):
            yield replace(event, text=f"Round {number} on completed rows: {event.text}")
        elif isinstance(event, Progress):
            yield event
    raise AssertionError("a search ends with its result")


def _with_time_left(options: SearchOptions, control: RunControl, began: float) -> SearchOptions:
    if options.time_limit is None:
        return options
    return replace(options, time_limit=max(options.time_limit - (control.seconds() - began), 1e-3))


def _near_model(result: SearchResult) -> LatentDag | None:
    """The best visited DAG with latents of a result without any, where it is nearly as good; else None.

    Rows completed without latents speak against these, so that what is near deserves rows of its own.
    """
    near, best = result.history.best_with_latents, result.history.best_without_latents
    if result.best is None or result.best.latents or near is None or best is None:
        return None
    return result.history.dag(near.index) if near.p_elbo >= best.p_elbo - NEAR else None


def _complete(
    completion: Completion, best: LatentDag | None, options: SearchOptions, plan: CompletionPlan, control: RunControl
) -> Completion:
    if best is None:
        raise ValueError("a result without a DAG completes no rows")
    return complete_by_model(completion, best, JUDGING.apply(options.vbem), plan, control=control)


def _report(dataset: Dataset, completion: Completion, n_rounds: int, *, repeats: bool) -> CompletionReport:
    distinct = dataset.distinct
    missing = (distinct.codes < 0).sum(axis=1)
    counts = np.asarray(distinct.counts, dtype=np.int64)
    return CompletionReport(
        rows=dataset.n_rows,
        incomplete_rows=int(counts[missing > 0].sum()),
        missing_cells=int(counts @ missing),
        completions=completion.n_completions,
        mass_left_out=completion.mass_left_out,
        drawn_rows=completion.n_drawn,
        rounds=n_rounds,
        repeats=repeats,
        entropy=completion.entropy,
    )
