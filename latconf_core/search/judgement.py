"""What the data say for the latents of a search: each is judged against the best DAG without latents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import repeat
from threading import Event

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.bits import bits
from latconf_core.graph.mixed import MixedGraph
from latconf_core.inference.held_out_gain import measure_held_out_gain
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.model.bit_dag import BitDag
from latconf_core.model.component import split_latents
from latconf_core.score.naming import to_bits, to_dag
from latconf_core.score.scorer import Scorer
from latconf_core.search.catalogue import JUDGING, REFERENCE, SEARCHING
from latconf_core.search.outcome.cuts import CutKind
from latconf_core.search.outcome.events import CandidateScored, LatentsJudged, Search, SearchEvent
from latconf_core.search.outcome.evidence import (
    LatentEvidence,
    has_neighbours,
    latent_evidence,
    orientation_evidence,
)
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.judging import Judge, Judgement
from latconf_core.search.refining.other_causes import OtherCauses
from latconf_core.search.refining.side_by_side import SideBySide
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.search.run import SearchRun
from latconf_core.structure.best_dag import FoundDag

KEPT_BACK = 0.3  # of the time limit, for judging …
MOST_KEPT_BACK = 60.0  # … and so many seconds at most


def search_and_judge(search: Search, run: SearchRun) -> Search:
    """A search, then the evidence for the latents that it found, over the best DAG without latents.

    A search that drops what is not supported looks for that DAG itself, and shares out its time itself.
    """
    drops = run.setup.method.drops_unsupported
    reason = yield from (search if drops else _within_its_time(search, run))
    try:
        if not drops:
            yield run.start_stage(REFERENCE)
            _find_reference(run)
        yield from (drop_unsupported(run) if drops else _unless_cut_short(run, _judge_best(run)))
    except StopRequested as stop:
        if stop.reason is not StopReason.TIME_LIMIT or drops:
            raise
        run.cut(CutKind.JUDGING_TIME, run.control.time_limit)
    return reason


def _unless_cut_short(run: SearchRun, judging: Iterator[SearchEvent]) -> Iterator[SearchEvent]:
    """The events of judging; where it is stopped, what it came to by then is at most weak evidence."""
    try:
        yield from judging
    except StopRequested:
        run.findings.evidence = tuple(entry.limited("cut short") for entry in run.findings.evidence)
        raise
    if any("cut short" in entry.limits for entry in run.findings.evidence):
        run.cut(CutKind.JUDGING_TIME, run.control.time_limit)


def judge_dag(
    scorer: Scorer,
    dag: LatentDag,
    pag: MixedGraph,
    reference: FoundDag,
    *,
    max_states: int | None,
    workers: int = 1,
    control: RunControl,
    known: BoundKnowledge | None = None,
) -> Iterator[tuple[LatentEvidence, ...]]:
    """The evidence for every latent of a DAG, after each that was judged; the rest is what the PAG alone says.

    known : what binds all that the latents are compared with

    max_states : of a latent; None for as many as a variable of the data has
    """
    closing = Event()
    part = control.child(is_cancelled=closing.is_set)
    candidate = to_bits(dag)
    evidence = list(latent_evidence(dag, pag))
    if not dag.latents or any(has_neighbours(latent, dag.nodes) for latent in dag.latents):
        yield tuple(evidence)  # a latent below another, or above one, is not put into the best DAG without any
        return
    fitting = make_fitting(_apart(scorer, candidate), max_states, part.checkpoint, known=known)
    present = fitting.fit_latents(candidate.parents, candidate.latents)
    judge = Judge(fitting, as_scored(reference))
    spreads = latent_spreads(scorer, candidate)
    threads = SideBySide(workers, closing, part)
    judged: list[Judgement] = []
    for judgement in threads.run_all([partial(judge.judge, present, position) for position in range(len(dag.latents))]):
        evidence[len(judged)] = evidence_of(dag.latents[len(judged)], pag, judgement, spreads[len(judged)])
        judged.append(judgement)
        yield tuple(evidence)
    others = OtherCauses(judge, present, judged, fitting=fitting, threads=threads)
    for index in others.judge_again():
        evidence[index] = evidence_of(dag.latents[index], pag, others.judged[index], spreads[index])
        yield tuple(evidence)
    yield from ask_left_out_rows(scorer, evidence, others.judged)


def _apart(scorer: Scorer, candidate: BitDag) -> Scorer:
    """A scorer that knows the fits of a DAG; what judging finds better than these stays out of the DAG's posterior."""
    apart = scorer.with_empty_cache()
    for component, _ in split_latents(*candidate):
        apart.known.components[component] = scorer.fit(component)
    return apart


def make_fitting(
    scorer: Scorer, max_states: int | None, checkpoint: Callable[[], None], *, known: BoundKnowledge | None
) -> Fitting:
    """What fits models with latents of at least two states that obey what is known."""
    most = max_states or max(scorer.dataset.n_states)
    return Fitting(scorer, max_states=max(2, most), checkpoint=checkpoint, known=known)


def evidence_of(
    latent: Latent, pag: MixedGraph, judgement: Judgement | None, spread: float | None = None
) -> LatentEvidence:
    """What speaks for a latent; what the PAG says alone where it was not judged."""
    pairs = orientation_evidence(latent, pag)
    if judgement is None:
        return LatentEvidence(latent, pairs)
    beside = tuple(tuple(pag.nodes[v] for v in bits(mask)) for mask in judgement.beside)
    return LatentEvidence(
        latent,
        pairs,
        judgement.density,
        None,
        judgement.over_local_tables,
        spread,
        beside,
        judgement.better_by,
        tuple(pag.nodes[v] for v in bits(judgement.untried)),
        over_ordinal=judgement.over_ordinal,
        proxy=None if judgement.proxy is None else pag.nodes[judgement.proxy],
    ).graded()


def ask_left_out_rows(
    scorer: Scorer, evidence: Sequence[LatentEvidence], judged: Sequence[Judgement]
) -> Iterator[tuple[LatentEvidence, ...]]:
    """The evidence after each latent whose gain on rows left out of the fit was measured, which may take its claim.

    Where time is up it ends; the rest was not judged to the end, and is at most weak evidence.
    """
    measured = list(evidence)
    for k, judgement in enumerate(judged):
        if judgement.pair is not None:
            model, rival = judgement.pair
            try:
                gain = measure_held_out_gain(scorer, model.model, rival.model)
            except StopRequested as stop:
                if stop.reason is not StopReason.TIME_LIMIT:
                    raise
                yield (*measured[:k], *(entry.limited("cut short") for entry in measured[k:]))
                return
            measured[k] = replace(measured[k], held_out=gain).graded()
            yield tuple(measured)


def latent_spreads(scorer: Scorer, candidate: BitDag) -> Sequence[float | None]:
    """How far the starts of the fit of each latent ended apart; None where that is not known."""
    spreads: list[float | None] = [None] * len(candidate.latents)
    for component, places in split_latents(*candidate):
        fit = scorer.known.components.get(component)
        for index in places:
            spreads[index] = None if fit is None or len(fit.spread) < 2 else float(fit.spread[0] - fit.spread[-1])
    return spreads


def as_scored(dag: FoundDag) -> Scored:
    """A DAG without latents as a model."""
    return Scored(SoftModel(dag.parents), dag.score)


def choose_model(run: SearchRun, scored: Scored) -> CandidateScored:
    """Visit a model, which is the result unless a later one is chosen."""
    candidate = scored.model.dag
    known = run.own_scorer.known.p_elbo(*candidate)
    score = scored.score if known is None else known
    event = run.record(candidate, score, level=len(candidate.latents), is_extra=True)
    run.choose(event.index)
    return event


def _within_its_time(search: Search, run: SearchRun) -> Search:
    """The search in its share of the time; where that is over, it ends with what it found."""
    yield run.start_stage(SEARCHING)
    control = run.control
    limit = control.time_limit
    if limit is not None:
        control.time_limit = limit - min(KEPT_BACK * limit, MOST_KEPT_BACK)
    try:
        return (yield from search)
    except StopRequested as stop:
        if stop.reason not in (StopReason.TIME_LIMIT, StopReason.WORK_LIMIT):
            raise
        cut_by_limit(run, stop.reason)
        return stop.reason
    finally:
        control.time_limit = limit
        run.findings.search_seconds = control.seconds()


def cut_by_limit(run: SearchRun, reason: StopReason) -> None:
    """Say which limit ended the search."""
    if reason is StopReason.WORK_LIMIT:
        run.cut(CutKind.WORK, run.options.work_limit)
    else:
        limit = run.options.time_limit
        assert limit is not None
        run.cut(CutKind.SEARCH_TIME, round(limit, 1) if limit >= 1 else limit)  # of a restart: what was left


def _find_reference(run: SearchRun) -> None:
    """Look for the best DAG without latents: that of the search for it, or one that was visited."""
    scorer = run.judging_scorer
    for _ in run.reach_references(scorer):
        pass
    visited = run.history.best_without_latents
    if visited is not None:
        parents = visited.candidate.parents
        run.take_reference(FoundDag(parents, sum(map(scorer.family_score, range(len(parents)), parents))))


def _judge_best(run: SearchRun) -> Iterator[SearchEvent]:
    """The evidence for the latents of the best DAG that has any; of the DAG that the search chose where that has."""
    yield run.start_stage(JUDGING)
    findings, history, best = run.findings, run.history, run.history.best_with_latents
    if history.chosen is not None and history[history.chosen].n_latents:
        best = history[history.chosen]
    if best is not None and findings.reference is not None:
        began = run.control.seconds()
        for evidence in judge_dag(
            run.judging_scorer,
            history.dag(best.index),
            run.setup.evidence_pag,
            findings.reference,
            max_states=run.options.max_states,
            workers=run.options.workers,
            control=run.control,
            known=run.known,
        ):
            findings.evidence = evidence
            findings.evidence_seconds = run.control.seconds() - began
    findings.is_judged = True
    yield LatentsJudged(findings.evidence)


def drop_unsupported(run: SearchRun) -> Iterator[SearchEvent]:
    """The evidence for the latents of the model that the search left; what is not supported is dropped from it."""
    return _unless_cut_short(run, _drop_unsupported(run))


def _drop_unsupported(run: SearchRun) -> Iterator[SearchEvent]:
    left, findings = run.findings.to_judge, run.findings
    if left is None:  # time was up before there was a model, which was said
        return
    yield run.start_stage(JUDGING)
    judge, latest = left.judge, None
    began = run.control.seconds() - (findings.evidence_seconds or 0.0)
    for present in judge.drop_unsupported(left.present):
        run.take_reference(FoundDag(judge.reference.model.parents, judge.reference.score))
        if present is not latest:
            yield choose_model(run, present)
            latest = present
        findings.evidence = _evidence_so_far(run, present.model, judge.judged)
        findings.evidence_seconds = run.control.seconds() - began
    if latest is not None:
        judged = [judge.judged[index] for index in latest.model.places]
        for evidence in ask_left_out_rows(run.own_scorer, findings.evidence, judged):
            findings.evidence = evidence
            findings.evidence_seconds = run.control.seconds() - began
    has_no_latents = latest is not None and not latest.model.latents
    if latest is not None and has_no_latents and judge.reference.score > latest.score and not left.is_bound:
        yield choose_model(run, judge.reference)
    findings.is_judged = True
    yield LatentsJudged(findings.evidence)


def _evidence_so_far(run: SearchRun, model: SoftModel, judged: Sequence[Judgement]) -> tuple[LatentEvidence, ...]:
    """What is known so far of the latents of a model, which are in the order of its DAG."""
    places = model.places
    candidate = model.dag
    latents = to_dag(candidate, run.dataset.names).latents
    spreads = latent_spreads(run.own_scorer, candidate)
    known = [judged[index] if index < len(judged) else None for index in places]
    return tuple(evidence_of(*each) for each in zip(latents, repeat(run.setup.evidence_pag), known, spreads))
