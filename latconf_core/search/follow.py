"""Runs a search to its end, whatever ends it: exactly one SearchFinished comes last."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from latconf_core.control import StopReason, StopRequested
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import GraphError
from latconf_core.score.component import split_latents
from latconf_core.score.posterior import Posterior
from latconf_core.search.candidate import Candidate
from latconf_core.search.outcome.events import Search, SearchEvent, SearchFinished
from latconf_core.search.outcome.evidence import latent_evidence, replace_latents
from latconf_core.search.outcome.part_scores import known_part_scores
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.run import SearchRun

MAX_NUMBERS_READ_AFTER_STOP = 5_000_000  # that are read in less than a tenth of a second
MAX_NUMBERS_SCORED_AFTER_STOP = 500_000  # the same of data on which a few families are scored


def follow(search: Search, run: SearchRun) -> Iterator[SearchEvent]:
    """The events of a search, and its result.

    A stop request from any depth ends it as a result with the best so far; real errors pass through.
    """
    try:
        reason = yield from search
        if run.history.best is None and reason is not StopReason.TIME_LIMIT:
            raise GraphError("no DAG can be made of this graph as it is given; repair it first (invalid_pag: repair)")
        if not run.is_judged:
            score_rival(run)
    except StopRequested as stop:
        reason = stop.reason
        if reason is StopReason.TIME_LIMIT:
            run.cut(f"the time limit of {run.control.time_limit:g} s ended the search")
        elif stop.sentence:
            run.cut(stop.sentence)
    yield SearchFinished(_result(run, reason))


def score_rival(run: SearchRun) -> None:
    """Score the best DAG with latents after edges took their place: what they gain is then always known."""
    best = run.history.best_with_latents
    if best is not None:
        score, _ = replace_latents(run.history.dag(best.index), run.score_all)
        run.rival = score if score > -inf else None


def _result(run: SearchRun, reason: StopReason) -> SearchResult:
    visit = run.chosen or run.history.best
    best = None if visit is None else run.history.dag(visit.index)
    with_latents = run.history.best_with_latents
    evidence = run.evidence
    if run.chosen is not None and not run.is_judged and best is not None:
        evidence = latent_evidence(best, run.pag_handling.graph)
    elif not evidence and with_latents is not None and not run.is_judged:  # stopped before the data could be asked
        evidence = latent_evidence(run.history.dag(with_latents.index), run.pag_handling.graph)
        if run.rival is None and run.dataset.n_rows * run.dataset.n_variables <= MAX_NUMBERS_SCORED_AFTER_STOP:
            with run.control.ignore_stop():
                score_rival(run)
    return SearchResult(
        algorithm=run.algorithm,
        options=run.options,
        dataset_digest=run.dataset.digest,
        pag=run.pag,
        pag_handling=run.pag_handling,
        best=best,
        posterior=None if best is None else _posterior(run, best),
        evidence=evidence,
        history=run.history,
        stop_reason=reason,
        cuts=tuple(run.cuts),
        seconds=_own_seconds(run),
        reference_seconds=run.reference_seconds,
        evidence_seconds=run.evidence_seconds,
        rival=run.rival,
        reference=run.reference,
        other=run.other,
        start=run.start,
        visit=None if run.chosen is None else run.chosen.index,
        parts=() if best is None or run.scorer is None else known_part_scores(best, run.scorer),
    )


def _own_seconds(run: SearchRun) -> float:
    """What the search itself took, without the best DAG without latents and without judging."""
    if run.search_seconds is not None:
        return run.search_seconds
    apart = (run.reference_seconds or 0.0) + (run.evidence_seconds or 0.0)
    return max(run.control.seconds() - apart, 0.0)


def _posterior(run: SearchRun, dag: LatentDag) -> Posterior | None:
    """What the data say about the best DAG; None where the run is stopped and that takes longer than a moment."""
    if _numbers_to_read(run, dag) <= MAX_NUMBERS_READ_AFTER_STOP:
        with run.control.ignore_stop():
            return run.scores.posterior(dag)
    try:
        run.control.checkpoint()
        return run.scores.posterior(dag)
    except StopRequested:
        return None


def _numbers_to_read(run: SearchRun, dag: LatentDag) -> int:
    """How many numbers of the data and of the posteriors of latents are looked at."""
    states = sum(
        sum(component.states) if component.is_tree else component.n_joint_states
        for component, _ in split_latents(*Candidate.of_dag(dag))
    )
    return run.dataset.n_rows * (run.dataset.n_variables + states)
