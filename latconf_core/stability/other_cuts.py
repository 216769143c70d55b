"""Whether claims survive other cut points: the same search on the same table, its columns of numbers cut elsewhere.

A variable that was cut is a coarse measurement of its number. What is found only at one set of cut points is found
because of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.data.preparing.other_cuttings import Cutting
from latconf_core.errors import LatconfError, OptionError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.learning import PagOptions
from latconf_core.search.outcome.cut_outcomes import CutOutcome
from latconf_core.search.outcome.evidence import Support
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.repeats import RepeatFinished
from latconf_core.stability.sample_workers import LostWorkerError
from latconf_core.stability.search_again import SearchAgain, search_again, search_of
from latconf_core.stability.shares import (
    LatentShare,
    PairShare,
    count_latents,
    count_new_latents,
    count_pairs,
    dag_edges,
)
from latconf_core.worker_processes import WorkerProcesses
from latconf_core.workers_port import OneWorker, Workers, until_stopped, work_through


@dataclass(frozen=True)
class OtherCuts:
    """What the same search found with other cut points, those that were done by the end.

    obstacle : why there was nothing to search; "" where there was
    """

    asked: int
    outcomes: tuple[CutOutcome, ...]
    seconds: float
    stop_reason: StopReason = StopReason.FINISHED
    obstacle: str = ""


@dataclass(frozen=True)
class OtherCutsFinished:
    """The end."""

    cuts: OtherCuts


OtherCutsEvent = RepeatFinished | OtherCutsFinished


@dataclass(frozen=True, eq=False)
class _Work:
    """What is done with every cutting; sent to each worker once."""

    again: SearchAgain
    cuttings: tuple[Cutting, ...]


def start_other_cuts(
    result: SearchResult,
    cuttings: Sequence[Cutting],
    *,
    pag: MixedGraph | None = None,
    learner: PagOptions | None = None,
    control: RunControl | None = None,
    n_workers: int = 1,
) -> Iterator[OtherCutsEvent]:
    """The events of the searches; the last is OtherCutsFinished, also where `control` ends it.

    pag : what every search keeps to; None where a PAG is learned from each cutting, or the search needs none
    n_workers : cuttings at a time; what is found does not depend on it
    """
    if not cuttings:
        raise OptionError("there are no other cuttings to search; give one at least")
    work = _Work(search_of(result, pag, learner), tuple(cuttings))
    limited = (control or RunControl()).child()
    return _events(work, limited, min(n_workers, len(cuttings)))


def cut_and_search(
    result: SearchResult,
    cuttings: Sequence[Cutting],
    *,
    pag: MixedGraph | None,
    learner: PagOptions | None,
    control: RunControl | None,
    n_workers: int,
) -> SearchResult:
    """The result with what came of all cuttings."""
    events = start_other_cuts(result, cuttings, pag=pag, learner=learner, control=control, n_workers=n_workers)
    *_, last = events
    assert isinstance(last, OtherCutsFinished)
    return replace(result, other_cuts=last.cuts.outcomes)


def _events(work: _Work, control: RunControl, n_workers: int) -> Iterator[OtherCutsEvent]:
    done: dict[int, CutOutcome] = {}
    reason = StopReason.FINISHED
    yield RepeatFinished(0, len(work.cuttings))
    begin = partial(_begin, work)
    make: Callable[[], Workers[int, tuple[int, CutOutcome]]] = (
        (lambda: OneWorker(begin, control))
        if n_workers == 1
        else (lambda: WorkerProcesses(n_workers, begin, lost=LostWorkerError))
    )
    try:
        for number, outcome in work_through(make(), range(len(work.cuttings)), control, lost=LostWorkerError):
            done[number] = outcome
            yield RepeatFinished(len(done), len(work.cuttings))
    except StopRequested as stop:
        reason = stop.reason
    outcomes = tuple(done[number] for number in sorted(done))
    yield OtherCutsFinished(OtherCuts(len(work.cuttings), outcomes, control.seconds(), reason))


def _begin(work: _Work, control: RunControl) -> Callable[[int], tuple[int, CutOutcome] | None]:
    return until_stopped(
        lambda number, cutting_control: (number, search_cutting(work, number, control=cutting_control)), control
    )


def search_cutting(work: _Work, number: int, *, control: RunControl) -> CutOutcome:
    """What the same search finds in one cutting; by the seed of the run, as the data themselves."""
    control.checkpoint()
    cutting = work.cuttings[number]
    try:
        again = search_again(work.again, cutting.dataset, seed=work.again.options.seed, control=control)
    except LatconfError as error:  # this cutting alone, say because its graph allows no DAG
        return CutOutcome(cutting.title, failure=str(error))
    if again.best is None:
        return CutOutcome(cutting.title, failure="the search stopped before the first score")
    known = {latent_evidence.latent: latent_evidence.support for latent_evidence in again.evidence}
    return CutOutcome(cutting.title, again.best, tuple(known.get(latent) for latent in again.best.latents))


@dataclass(frozen=True)
class CutSurvival:
    """What of a result comes back where columns were cut elsewhere.

    latents : the hidden causes that the data support, and in how many cuttings one that is supported stands for each
    new : supported hidden causes that only other cuttings have
    pairs : the edges of the result, and in how many cuttings each is there
    """

    titles: tuple[str, ...]
    latents: tuple[LatentShare, ...]
    new: tuple[LatentShare, ...]
    pairs: tuple[PairShare, ...]
    failures: tuple[str, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        return {
            "cuttings": list(self.titles),
            "claims": [share.to_json() for share in self.latents],
            "new_claims": [share.to_json() for share in self.new],
            "edges": [share.to_json() for share in self.pairs],
            "failures": list(self.failures),
        }


def survival_of(result: SearchResult) -> CutSurvival | None:
    """Which claims and edges of a result survive; None where other cut points were not tried, or it has no DAG."""
    if result.other_cuts is None or result.best is None:
        return None
    supported = CutOutcome("", result.best, _supports(result)).supported
    used = [outcome for outcome in result.other_cuts if outcome.dag is not None]
    dags = [outcome.supported for outcome in used]
    assert supported is not None
    others = [dag for dag in dags if dag is not None]
    here = dag_edges(result.best)
    pairs = count_pairs([dag_edges(dag) for dag in others], result.best.nodes, also=here)
    return CutSurvival(
        tuple(outcome.title for outcome in used),
        count_latents(supported, others),
        count_new_latents(others, result.best.nodes, known=supported.latents),
        tuple(pair for pair in pairs if pair.here is not None),
        tuple(f"{outcome.title}: {outcome.failure}" for outcome in result.other_cuts if outcome.failure),
    )


def _supports(result: SearchResult) -> tuple[Support | None, ...]:
    known = {latent_evidence.latent: latent_evidence.support for latent_evidence in result.evidence}
    return tuple(known.get(latent) for latent in (result.best.latents if result.best is not None else ()))
