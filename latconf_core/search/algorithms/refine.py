"""Refine: hidden causes are put into the best DAG without any, and only those that judging supports stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from threading import Event

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.errors import GraphError
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.model.allowed_dag import allows
from latconf_core.model.bit_dag import BitDag
from latconf_core.options.scoring import Effort
from latconf_core.search.algorithms.binding import bind_to_pag
from latconf_core.search.algorithms.no_latents import visit_references
from latconf_core.search.catalogue import REFERENCE, REFINING
from latconf_core.search.judgement import as_scored, choose_model, cut_by_limit, make_fitting
from latconf_core.search.outcome.cuts import TIME_SHARES, CutKind
from latconf_core.search.outcome.events import LevelStarted, Search, SearchEvent
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.judging import Judge
from latconf_core.search.refining.polishing import WITHIN, polish
from latconf_core.search.refining.refiner import Refiner
from latconf_core.search.refining.side_by_side import SideBySide
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.search.run import ModelToJudge, SearchRun
from latconf_core.structure.best_dag import FoundDag, best_different, reach_best

REFERENCE_SHARE = 0.3  # of the time, at most, for the best DAG without latents
JUDGING_SHARE = 0.2  # of what is left after that, kept back for judging


def refine(run: SearchRun) -> Search:
    """Find the best DAG without latents and put hidden causes into it; judging drops those that are not supported."""
    return (yield from refine_with(run, run.setup.start_bits))


def refine_with(run: SearchRun, start: BitDag | None) -> Search:
    """The same, from another model too where one is given."""
    yield run.start_stage(REFERENCE)
    reached: list[FoundDag] = []
    control = time_share(run, REFERENCE_SHARE)
    yield from until_time(run, visit_references(run, control=control, keep=reached), CutKind.REFERENCE)
    if reached:  # else time was up before the first DAG, which was said
        yield from _Refinement(run, best_different(reached), start).events()
    cut = {cut.kind for cut in run.findings.cuts}
    if CutKind.WORK in cut:
        return StopReason.WORK_LIMIT
    return StopReason.TIME_LIMIT if cut & set(TIME_SHARES) else StopReason.LOCAL_MAXIMUM


def time_share(run: SearchRun, share: float, *, is_cancelled: Callable[[], bool] = lambda: False) -> RunControl:
    """A control that ends after a share of the time that is left."""
    limit = run.control.time_limit
    left = None if limit is None else max(share * (limit - run.control.seconds()), 1e-3)
    return run.control.child(time_limit=left, is_cancelled=is_cancelled)


def until_time(run: SearchRun, part: Iterator[SearchEvent], kind: CutKind) -> Iterator[SearchEvent]:
    """The events of a part until its share of the time or of the work is over; a stop of the whole run passes."""
    try:
        yield from part
    except StopRequested as stop:
        run.control.checkpoint()
        if stop.reason is StopReason.WORK_LIMIT:
            cut_by_limit(run, stop.reason)
        else:
            run.cut(kind)


class _Refinement:
    """One run of Refine after the best DAGs without latents are known."""

    def __init__(self, run: SearchRun, found_dags: Sequence[FoundDag], start: BitDag | None) -> None:
        closing = Event()
        control = time_share(run, 1 - JUDGING_SHARE, is_cancelled=closing.is_set)
        self._run = run
        fitted = run.own_scorer, run.options.max_states, control.checkpoint
        self._free = self._fitting = make_fitting(*fitted, known=run.known)
        self._reference = as_scored(higher_dag(found_dags[0], run.findings.reference))
        if run.options.binding != "free":
            bound = bind_to_pag(run.known, run.setup.pag, run.options.binding)
            check_start(start, bound)
            self._fitting = make_fitting(*fitted, known=bound)
            found_dags = find_bound(self._fitting, seed=run.options.seed)
        self._given = start
        self._refiner = Refiner(
            self._fitting,
            as_scored(found_dags[0]),
            others=[SoftModel(reference.parents) for reference in found_dags[1:]],
            more_candidates=() if start is None else [reference.children for reference in start.latents],
            run_all=SideBySide(run.options.workers, closing, control).run_all,
        )
        self._level = 0

    def events(self) -> Iterator[SearchEvent]:
        """Refine, and leave the model to judging."""
        yield self._run.start_stage(REFINING)
        yield choose_model(self._run, self._refiner.present)
        yield from until_time(self._run, self._refine(), CutKind.REFINING)
        self._run.findings.tried_every_group = self._refiner.has_tried_all
        if self._refiner.n_tried < self._refiner.n_listed:
            self._run.cut(CutKind.CANDIDATES, self._refiner.n_tried, self._refiner.n_listed)
        for fitting in (self._fitting, self._free):
            fitting.checkpoint = self._run.control.checkpoint
        before = self._refiner.present
        self._refiner.settle()
        if self._refiner.present is not before:
            yield from self._choose(self._refiner.present)
        judge = Judge(self._fitting, self._reference, free=self._free)
        is_bound = self._free is not self._fitting
        self._run.hand_over(ModelToJudge(judge, self._refiner.present, is_bound=is_bound))

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
        if begun.score > self._refiner.present.score:
            self._refiner.present = begun
            yield from self._choose(begun)
        reached = polish(self._fitting, begun)
        if reached.score > self._refiner.present.score:
            self._refiner.present = reached
            yield from self._choose(reached)

    def _choose(self, scored: Scored) -> Iterator[SearchEvent]:
        """Visit a model, which is the result unless a later one is chosen."""
        yield from self._start_level(scored)
        yield choose_model(self._run, scored)

    def _visit(self, scored: Scored) -> Iterator[SearchEvent]:
        """Of trials, which are improved no further than needed to tell which is best, the scores are first looks."""
        if scored.score == -inf:  # begun as nothing that is allowed can be
            return
        yield from self._start_level(scored)
        level = len(scored.model.latents)
        effort: Effort = "light" if level else "full"
        yield self._run.record(scored.model.dag, scored.score, level=level, effort=effort)

    def _start_level(self, scored: Scored) -> Iterator[SearchEvent]:
        level = len(scored.model.latents)
        if level > self._level:
            self._level = level
            yield LevelStarted(level, None)


def higher_dag(dag: FoundDag, other: FoundDag | None) -> FoundDag:
    """The one with the higher score; the first of equal ones, or where there is no other."""
    return dag if other is None or other.score <= dag.score else other


def find_bound(fitting: Fitting, *, seed: int) -> tuple[FoundDag, ...]:
    """The best different DAGs without latents among those that a PAG allows, best first."""
    reached = reach_best(
        fitting.n_variables, fitting.soft.plain, seed=seed, checkpoint=fitting.checkpoint, known=fitting.known
    )
    return best_different(reached)


def check_start(start: BitDag | None, bound: BoundKnowledge) -> None:
    """Refuse a model to start from that the PAG rules out."""
    if start is not None and not allows(bound, start):
        raise GraphError(
            "the starting model has edges or hidden causes that the PAG rules out; choose the binding free "
            "or another model"
        )
