"""A refining search made several times from other seeds: the best under the objective is the result.

What is found depends a little on where fits begin. So the whole is done again, judging included, and the result says
how many came to the same hidden causes. The first has all the time that there is; another is begun only where there is
room for one as long as the longest, and one that a limit cuts all the same is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from latconf_core.control import StopReason, StopRequested
from latconf_core.search.judgement import as_scored, drop_unsupported
from latconf_core.search.outcome.cuts import LIMITS, CutKind
from latconf_core.search.outcome.events import LatentsJudged, Search, SearchEvent
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.search.outcome.restarts import Restarts
from latconf_core.search.run import ModelToJudge, SearchRun
from latconf_core.structure.best_dag import FoundDag

ROOM = 1.25  # times as long as the longest so far
SAME = 1e-6  # nats; of models as high as each other the first is the result


@dataclass(frozen=True, eq=False)
class _End:
    """Where one of them ended.

    number : 0 for the first
    left : the model before judging, and who judged it
    visit : that of the model after judging
    seconds, n_visits : what it took
    """

    number: int
    reason: StopReason
    left: ModelToJudge
    visit: int
    score: float
    evidence: tuple[LatentEvidence, ...]
    tried_every_group: bool
    seconds: float
    n_visits: int

    @property
    def claims(self) -> frozenset[frozenset[str]]:
        """The children of the hidden causes that are supported."""
        return frozenset(
            frozenset(latent_evidence.latent.children)
            for latent_evidence in self.evidence
            if latent_evidence.support == "strong"
        )


def search_again(run: SearchRun, search: Callable[[SearchRun], Search]) -> Search:
    """A search that leaves a model to judging, made and judged as often as the options say."""
    asked = run.options.restarts
    reason, first = yield from _make(run, search, 0)
    if first is None:  # time was up before there was a model, which was said
        return reason
    ends = [first]
    try:
        while len(ends) < asked:
            again = (yield from _make_again(run, search, len(ends))) if _has_room(run, ends) else None
            if again is None:
                run.cut(CutKind.RESTARTS, len(ends), asked)
                break
            ends.append(again)
        ends = yield from _judge_by_best_reference(run, ends)
    finally:  # also where the run is stopped
        best = _best(ends)
        _take(run, best)
        run.findings.restarts = Restarts(asked, len(ends), sum(end.claims == best.claims for end in ends))
    yield LatentsJudged(run.findings.evidence)
    return first.reason


def seed_of(seed: int, number: int) -> int:
    """The seed of a restart by its number; that of the run for the first."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1)[0] >> 1) if number else seed


def _make(
    run: SearchRun, search: Callable[[SearchRun], Search], number: int
) -> Generator[SearchEvent, None, tuple[StopReason, _End | None]]:
    """One search to its end, and judging; None where it has no model."""
    findings, began, n_before = run.findings, run.control.seconds(), len(run.history)
    findings.to_judge = None
    reason = yield from search(run)
    left = findings.to_judge
    if left is None:
        return reason, None
    yield from drop_unsupported(run)
    findings.to_judge = None
    return reason, _end(run, number, reason, left, began, n_before)


def _end(run: SearchRun, number: int, reason: StopReason, left: ModelToJudge, began: float, n_before: int) -> _End:
    findings, visit = run.findings, run.history.chosen
    assert visit is not None
    return _End(
        number,
        reason,
        left,
        visit,
        run.history.score(visit),
        findings.evidence,
        findings.tried_every_group,
        run.control.seconds() - began,
        len(run.history) - n_before,
    )


def _make_again(
    run: SearchRun, search: Callable[[SearchRun], Search], number: int
) -> Generator[SearchEvent, None, _End | None]:
    """Another from another seed; None where a limit cut it."""
    cuts = list(run.findings.cuts)
    end = None
    with _seeded(run, number):
        try:
            _, end = yield from _make(run, search, number)
        except StopRequested as stop:
            if stop.reason is not StopReason.TIME_LIMIT:
                raise
    is_cut = any(cut.kind in LIMITS for cut in run.findings.cuts if cut not in cuts)
    run.findings.cuts[:] = cuts
    return None if is_cut else end


@contextmanager
def _seeded(run: SearchRun, number: int) -> Iterator[None]:
    """The run from the seed of a restart; fits that are known to the others begin anew."""
    if not number:
        yield
        return
    with run.reseeded(seed_of(run.options.seed, number), f"restart {number + 1} of {run.options.restarts}"):
        yield


def _has_room(run: SearchRun, ends: Sequence[_End]) -> bool:
    """Whether time and work are left for one as long as the longest so far."""
    seconds, n_visits = run.seconds_left, run.visits_left
    has_time = seconds is None or seconds >= ROOM * max(end.seconds for end in ends)
    return has_time and (n_visits is None or n_visits >= max(end.n_visits for end in ends))


def _judge_by_best_reference(run: SearchRun, ends: list[_End]) -> Generator[SearchEvent, None, list[_End]]:
    """Judge the best again where a later one found a better DAG without latents, as often as that changes the best."""
    while True:
        best, reference = _best(ends), _better_reference(run, _best(ends))
        if reference is None:
            return ends
        left = ModelToJudge(best.left.judge.against(as_scored(reference)), best.left.present, is_bound=False)
        began, n_before = run.control.seconds(), len(run.history)
        with _seeded(run, best.number):
            run.hand_over(left)
            yield from drop_unsupported(run)
        run.findings.to_judge = None
        run.findings.tried_every_group = best.tried_every_group
        again = _end(run, best.number, best.reason, left, began, n_before)
        ends = [again if end is best else end for end in ends]


def _better_reference(run: SearchRun, end: _End) -> FoundDag | None:
    """The best DAG without latents where it is better than the one that an end was judged by."""
    reference = run.findings.reference
    if reference is None or end.left.is_bound or reference.score <= end.left.judge.reference.score + SAME:
        return None
    return reference


def _best(ends: Sequence[_End]) -> _End:
    return max(ends, key=lambda end: (round(end.score / SAME), -end.number))


def _take(run: SearchRun, end: _End) -> None:
    """Make one of them the result, with its fits."""
    run.keep_fits(end.left.judge.scorer, end.visit)
    run.choose(end.visit)
    findings, evidence = run.findings, end.evidence
    if _better_reference(run, end) is not None:  # there was no time left to judge it by that one
        evidence = tuple(latent_evidence.limited("cut short") for latent_evidence in evidence)
    findings.evidence, findings.tried_every_group = evidence, end.tried_every_group
    findings.is_judged, findings.to_judge = True, None
