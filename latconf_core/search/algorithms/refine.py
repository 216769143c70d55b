"""Refine: hidden causes are put into the best DAG without any, and only those that judging supports stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from threading import Event

import numpy as np

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.errors import GraphError
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.options.scoring import Effort
from latconf_core.score.naming import to_bits, to_dag
from latconf_core.search.algorithms.binding import Allowed, BoundScores
from latconf_core.search.algorithms.no_latents import find_reference
from latconf_core.search.judgement import evidence_of, latent_spreads, make_fitting
from latconf_core.search.outcome.events import (
    CandidateScored,
    LatentsJudged,
    LevelStarted,
    Search,
    SearchEvent,
    StageStarted,
)
from latconf_core.search.references import best_different
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.judging import Judge, Judgement
from latconf_core.search.refining.polishing import WITHIN, polish
from latconf_core.search.refining.refiner import Refiner
from latconf_core.search.refining.side_by_side import SideBySide
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.search.run import SearchRun
from latconf_core.structure.best_dag import MAX_PARENTS, FoundDag, search_best_dag
from latconf_core.structure.family_table import FamilyTable

REFERENCE_SHARE = 0.3  # of the time, at most, for the best DAG without latents
JUDGING_SHARE = 0.2  # of what is left after that, kept back for judging
LEFT_TIME = "was ended to leave time for the rest"
FIRST_STAGE = "Looking for the best DAG without hidden causes"
STAGES = ("Putting hidden causes into the best DAG", "Judging the hidden causes")


def refine(run: SearchRun) -> Search:
    """Find the best DAG without latents, put hidden causes into it, and drop those that are not supported."""
    start = None if run.start is None else to_bits(run.start)
    yield StageStarted(FIRST_STAGE, 1, 3)
    yield from refine_with(run, start, stages=(2, 3))
    return end_reason(run)


def refine_with(run: SearchRun, start: BitDag | None, *, stages: tuple[int, int]) -> Iterator[SearchEvent]:
    """The same, from another model too where one is given.

    stages : the numbers of what follows the best DAG without latents
    """
    found: list[FoundDag] = []
    control = time_share(run, REFERENCE_SHARE)
    yield from until_time(run, find_reference(run, control=control, keep=found), "the search without hidden causes")
    if found:  # else time was up before the first DAG, which was said
        yield from _Refinement(run, best_different(found), start, stages).events()


def time_share(run: SearchRun, share: float, *, is_cancelled: Callable[[], bool] = lambda: False) -> RunControl:
    """A control that ends after a share of the time that is left."""
    limit = run.control.time_limit
    left = None if limit is None else max(share * (limit - run.control.seconds()), 1e-3)
    return run.control.child(time_limit=left, is_cancelled=is_cancelled)


def until_time(run: SearchRun, part: Iterator[SearchEvent], what: str) -> Iterator[SearchEvent]:
    """The events of a part until its share of the time is over; a stop of the whole run passes through."""
    try:
        yield from part
    except StopRequested:
        run.control.checkpoint()
        run.cut(f"{what} {LEFT_TIME}")


def end_reason(run: SearchRun) -> StopReason:
    """Whether time ended a part of the search, or there was nothing more that gained."""
    is_cut = any(sentence.endswith(LEFT_TIME) for sentence in run.cuts)
    return StopReason.TIME_LIMIT if is_cut else StopReason.LOCAL_MAXIMUM


class _Refinement:
    """One run of Refine after the best DAGs without latents are known."""

    def __init__(
        self, run: SearchRun, found: Sequence[FoundDag], start: BitDag | None, stages: tuple[int, int]
    ) -> None:
        closing = Event()
        control = time_share(run, 1 - JUDGING_SHARE, is_cancelled=closing.is_set)
        self._run = run
        self._stages = stages
        self._free = self._fitting = make_fitting(run.own_scorer, run.options.max_states, control.checkpoint)
        self._reference = as_scored(found[0])
        allowed = None if run.options.binding == "free" else Allowed(run.pag, run.options.binding)
        if allowed is not None:
            check_start(start, allowed)
            self._fitting = make_fitting(run.own_scorer, run.options.max_states, control.checkpoint)
            self._fitting.soft = BoundScores(run.own_scorer, allowed)
            found = find_bound(self._fitting, seed=run.options.seed)
        self._given = start
        self._refiner = Refiner(
            self._fitting,
            as_scored(found[0]),
            others=[SoftModel(one.parents) for one in found[1:]],
            more_candidates=() if start is None else [one.children for one in start.latents],
            may_share=(lambda _children: True) if allowed is None else allowed.children,
            run_all=SideBySide(run.options.workers, closing, control).run_all,
        )
        self._level = 0

    def events(self) -> Iterator[SearchEvent]:
        """Refine, then judge."""
        n_stages = self._stages[-1]
        yield StageStarted(STAGES[0], self._stages[0], n_stages)
        yield from self._choose(self._refiner.present)
        yield from until_time(self._run, self._refine(), "the search for hidden causes")
        for fitting in (self._fitting, self._free):
            fitting.checkpoint = self._run.control.checkpoint
        before = self._refiner.present
        self._refiner.settle()
        if self._refiner.present is not before:
            yield from self._choose(self._refiner.present)
        yield StageStarted(STAGES[1], self._stages[1], n_stages)
        yield from self._judge()

    def _refine(self) -> Iterator[SearchEvent]:
        if self._given is not None:
            yield from self._take_given(self._given)
        present = self._refiner.present
        for scored in self._refiner.refine():
            if self._refiner.present is not present:
                present = self._refiner.present
                yield from self._choose(present)
            else:
                yield from self._visit(scored)

    def _take_given(self, given: BitDag) -> Iterator[SearchEvent]:
        """Go on from a model that was given where that leads higher than the best DAG without latents.

        One that is far below is not followed; its hidden causes are tried in the other.
        """
        begun = self._fitting.fit_latents(given.parents, given.latents)
        yield from self._visit(begun)
        if begun.score < self._refiner.present.score - WITHIN:
            return
        reached = polish(self._fitting, begun)
        if reached.score > self._refiner.present.score:
            self._refiner.present = reached
            yield from self._choose(reached)

    def _judge(self) -> Iterator[SearchEvent]:
        judge = Judge(self._fitting, self._reference, free=self._free)
        latest: Scored | None = None
        began = self._run.control.seconds()
        for present in judge.drop_unsupported(self._refiner.present):
            self._run.set_reference(BitDag(judge.reference.model.parents), judge.reference.score)
            if present is not latest:
                yield from self._choose(present)
                latest = present
            self._keep_evidence(present.model, judge.judged)
            self._run.evidence_seconds = self._run.control.seconds() - began
        is_bound = self._free is not self._fitting
        if latest is not None and not latest.model.latents and judge.reference.score > latest.score and not is_bound:
            yield from self._choose(judge.reference)
        self._run.is_judged = True
        yield LatentsJudged(self._run.evidence)

    def _keep_evidence(self, model: SoftModel, judged: Sequence[Judgement]) -> None:
        """What is known so far of the latents of a model, which are in the order of its DAG."""
        run = self._run
        places = sorted(range(len(model.latents)), key=lambda k: model.latents[k].place)
        candidate = to_candidate(model)
        latents = to_dag(candidate, run.dataset.names).latents
        spreads = latent_spreads(run.own_scorer, candidate)
        known = [judged[place] if place < len(judged) else None for place in places]
        run.evidence = tuple(evidence_of(*one) for one in zip(latents, repeat(run.pag), known, spreads))

    def _choose(self, scored: Scored) -> Iterator[SearchEvent]:
        """Visit a model, which is the result unless a later one is chosen."""
        candidate = to_candidate(scored.model)
        known = self._run.own_scorer.known.p_elbo(*candidate)
        for event in self._visit(scored, scored.score if known is None else known, effort="full"):
            if isinstance(event, CandidateScored):
                self._run.history.chosen = event.index
                self._run.evidence = ()
            yield event

    def _visit(self, scored: Scored, p_elbo: float | None = None, *, effort: Effort = "light") -> Iterator[SearchEvent]:
        """Of trials, which are improved no further than needed to tell which is best, the scores are first looks."""
        level = len(scored.model.latents)
        if level > self._level:
            self._level = level
            yield LevelStarted(level, None)
        score = scored.score if p_elbo is None else p_elbo
        yield self._run.record(to_candidate(scored.model), score, level=level, effort=effort if level else "full")


def as_scored(found: FoundDag) -> Scored:
    """A DAG without latents as a model."""
    return Scored(SoftModel(found.parents), found.score)


def find_bound(fitting: Fitting, *, seed: int) -> list[FoundDag]:
    """The best different DAGs without latents among those that a PAG allows, best first."""
    table = FamilyTable(fitting.n_variables, fitting.soft.plain, max_parents=MAX_PARENTS)
    reached = search_best_dag(table, rng=np.random.default_rng(seed), checkpoint=fitting.checkpoint)
    return best_different(list(reached))


def check_start(start: BitDag | None, allowed: Allowed) -> None:
    """Refuse a model to start from that the PAG rules out."""
    if start is not None and not allowed.dag(start):
        raise GraphError(
            "the model to start from has edges or hidden causes that the PAG rules out; choose the binding free, or "
            "another model"
        )


def to_candidate(model: SoftModel) -> BitDag:
    """The DAG of a model, its latents in their order."""
    latents = sorted(model.latents, key=lambda one: one.place)
    return BitDag(model.parents, tuple(Hidden(one.children, one.n_states) for one in latents))
