"""What the data say for the latents of a search: each is judged against the best DAG without latents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from threading import Event

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.bits import bits
from latconf_core.graph.mixed import MixedGraph
from latconf_core.model.bit_dag import BitDag
from latconf_core.model.component import split_latents
from latconf_core.score.naming import to_bits
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.events import LatentsJudged, Search, SearchEvent, StageStarted
from latconf_core.search.outcome.evidence import (
    LatentEvidence,
    Support,
    has_neighbours,
    latent_evidence,
    orientation_evidence,
)
from latconf_core.search.outcome.reference import Reference
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.judging import LEAST_CLAIM, Judge, Judgement
from latconf_core.search.refining.other_causes import OtherCauses
from latconf_core.search.refining.side_by_side import SideBySide
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.search.run import SearchRun

KEPT_BACK = 0.3  # of the time limit, for judging …
MOST_KEPT_BACK = 60.0  # … and so many seconds at most
STAGES = ("Searching", "Looking for the best DAG without hidden causes", "Judging the hidden causes")


def search_and_judge(search: Search, run: SearchRun) -> Search:
    """A search, then the best DAG without latents and the evidence for the latents that the search found."""
    yield _stage(1)
    reason = yield from _within_its_time(search, run)
    try:
        yield _stage(2)
        yield from _find_reference(run)
        yield _stage(3)
        yield from _judge_best(run)
    except StopRequested as stop:
        if stop.reason is not StopReason.TIME_LIMIT:
            raise
        run.cut(f"the time limit of {run.control.time_limit:g} s ended the judging of hidden causes")
    return reason


def judge_dag(
    scorer: Scorer,
    dag: LatentDag,
    pag: MixedGraph,
    reference: Reference,
    *,
    max_states: int | None,
    workers: int = 1,
    control: RunControl,
) -> Iterator[tuple[LatentEvidence, ...]]:
    """The evidence for every latent of a DAG, after each that was judged; the rest is what the PAG alone says.

    max_states : of a latent; None for as many as a variable of the data has
    """
    closing = Event()
    part = control.child(is_cancelled=closing.is_set)
    candidate = to_bits(dag)
    found = list(latent_evidence(dag, pag))
    if not dag.latents or any(has_neighbours(one, dag.nodes) for one in dag.latents):
        yield tuple(found)  # a latent below another, or above one, is not put into the best DAG without any
        return
    fitting = make_fitting(_apart(scorer, candidate), max_states, part.checkpoint)
    present = fitting.fit_latents(candidate.parents, candidate.latents)
    plain = to_bits(reference.dag).parents
    judge = Judge(fitting, Scored(SoftModel(plain), reference.p_elbo))
    spreads = latent_spreads(scorer, candidate)
    threads = SideBySide(workers, closing, part)
    judged: list[Judgement] = []
    for own in threads.run_all([partial(judge.judge, present, place) for place in range(len(dag.latents))]):
        found[len(judged)] = evidence_of(dag.latents[len(judged)], pag, own, spreads[len(judged)])
        judged.append(own)
        yield tuple(found)
    others = OtherCauses(judge, present, judged, fitting=fitting, threads=threads)
    for place in others.judge_again():
        found[place] = evidence_of(dag.latents[place], pag, others.judged[place], spreads[place])
        yield tuple(found)


def _apart(scorer: Scorer, candidate: BitDag) -> Scorer:
    """A scorer that knows the fits of a DAG; what judging finds better than these stays out of the DAG's posterior."""
    apart = scorer.with_empty_cache()
    for component, _ in split_latents(*candidate):
        apart.known.components[component] = scorer.fit(component)
    return apart


def make_fitting(scorer: Scorer, max_states: int | None, checkpoint: Callable[[], None]) -> Fitting:
    """What fits models with latents of at least two states."""
    most = max_states or max(scorer.dataset.n_states)
    return Fitting(scorer, max_states=max(2, most), checkpoint=checkpoint)


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
        grade(judgement),
        judgement.over_local_tables,
        spread,
        beside,
        judgement.better_by,
    )


def grade(judgement: Judgement) -> Support:
    """How much the data support a latent: by 3 nats against every rival, at all, or not."""
    if judgement.support >= LEAST_CLAIM:
        return "strong"
    return "weak" if judgement.density >= 0 else "none"


def latent_spreads(scorer: Scorer, candidate: BitDag) -> Sequence[float | None]:
    """How far the starts of the fit of each latent ended apart; None where that is not known."""
    found: list[float | None] = [None] * len(candidate.latents)
    for component, places in split_latents(*candidate):
        fit = scorer.known.components.get(component)
        for place in places:
            found[place] = None if fit is None or len(fit.spread) < 2 else float(fit.spread[0] - fit.spread[-1])
    return found


def _within_its_time(search: Search, run: SearchRun) -> Search:
    """The search in its share of the time; where that is over, it ends with what it found."""
    control = run.control
    limit = control.time_limit
    if limit is not None:
        control.time_limit = limit - min(KEPT_BACK * limit, MOST_KEPT_BACK)
    try:
        return (yield from search)
    except StopRequested as stop:
        if stop.reason is not StopReason.TIME_LIMIT:
            raise
        run.cut(f"the time limit of {limit:g} s ended the search")
        return StopReason.TIME_LIMIT
    finally:
        control.time_limit = limit
        run.search_seconds = control.seconds()


def _find_reference(run: SearchRun) -> Iterator[SearchEvent]:
    """The best DAG without latents: that of the search for it, or one that was visited."""
    began = run.control.seconds()
    for one in run.references.reach(run.own_scorer, run.options, control=run.control):
        run.set_reference(BitDag(one.parents), one.score)
        run.reference_seconds = run.control.seconds() - began
    visited = run.history.best_without_latents
    if visited is not None:
        run.set_reference(visited.candidate, visited.p_elbo)
    yield from ()


def _judge_best(run: SearchRun) -> Iterator[SearchEvent]:
    """The evidence for the latents of the best DAG that has any; of the DAG that the search chose where that has."""
    history, best = run.history, run.history.best_with_latents
    if history.chosen is not None and history[history.chosen].n_latents:
        best = history[history.chosen]
    if best is None or run.reference is None:
        run.is_judged = True
        yield LatentsJudged(())
        return
    began = run.control.seconds()
    dag = history.dag(best.index)
    options = run.options
    for evidence in judge_dag(
        run.own_scorer,
        dag,
        run.pag_handling.graph,
        run.reference,
        max_states=options.max_states,
        workers=options.workers,
        control=run.control,
    ):
        run.evidence = evidence
        run.evidence_seconds = run.control.seconds() - began
    run.is_judged = True
    yield LatentsJudged(run.evidence)


def _stage(number: int) -> StageStarted:
    return StageStarted(STAGES[number - 1], number, len(STAGES))
