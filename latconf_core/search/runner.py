"""Runs a search to its end, whatever ends it: exactly one SearchFinished comes last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from threading import Event

import numpy as np

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.completed_dataset import CompletedDataset
from latconf_core.data.dataset import Dataset
from latconf_core.errors import GraphError, OptionError
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.families.family_model import FamiliesOf
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.model.bit_dag import neighbours_of
from latconf_core.model.component import split_latents
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.handling import PagHandling, handle_pag
from latconf_core.pag.learners.kept_apart import find_conflicts
from latconf_core.score.naming import to_bits
from latconf_core.score.posterior import Posterior
from latconf_core.score.scorer import Scorer
from latconf_core.search.candidate_scores import CandidateScores
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.completed_search import check_takes_missing, search_completed
from latconf_core.search.judgement import cut_by_limit, search_and_judge
from latconf_core.search.outcome.cuts import CutKind
from latconf_core.search.outcome.events import Search, SearchEvent, SearchFinished, SearchStarted
from latconf_core.search.outcome.evidence import latent_evidence, replace_latents
from latconf_core.search.outcome.knowledge_effect import effect_of
from latconf_core.search.outcome.part_scores import known_part_scores
from latconf_core.search.outcome.reference import Reference
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.references import References
from latconf_core.search.row_limits import find_repeats, limit_evidence
from latconf_core.search.run import SearchRun
from latconf_core.search.scoring_port import ScoringOf
from latconf_core.search.setup import SearchSetup, align_to_dataset, check_setup, choose_objective
from latconf_core.search.staged_scoring import StagedScoring
from latconf_core.structure.best_dag import best_of, reach_best_by
from latconf_core.workers_port import make_threads

MAX_NUMBERS_READ_AFTER_STOP = 5_000_000  # that are read in less than a tenth of a second
MAX_NUMBERS_SCORED_AFTER_STOP = 500_000  # the same of data on which a few families are scored


def start_search(
    dataset: Dataset,
    pag: MixedGraph,
    algorithm: str = "ilc-v",
    *,
    options: SearchOptions | None = None,
    control: RunControl | None = None,
    scoring: ScoringOf | None = None,
    references: References | None = None,
    start: LatentDag | None = None,
    families_of: FamiliesOf = DiscreteFamilies,
    with_evidence: bool = True,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> Iterator[SearchEvent]:
    """The events of a search; the last is SearchFinished, also where `control` or the time limit ends it.

    scoring : who computes the fits, such as a cluster's `scoring_of`; None for as many threads as the options say
    references : shared by the runs on some data, so that the best DAG without latents is looked for once
    start : a DAG on the same data that Refine starts from, besides the best DAG without latents
    families_of : makes the family model that scores variables given their parents
    with_evidence : whether the latents are judged; a search that needs that for its result does so anyway
    knowledge : what the user says about causes: nothing that it rules out is visited
    """
    if algorithm not in SEARCHES:
        raise OptionError(f"there is no search {algorithm!r}; choose one of {', '.join(SEARCHES)}")
    options = SearchOptions() if options is None else options
    check_setup(dataset, pag, algorithm=algorithm, options=options, start=start, knowledge=knowledge)
    control, pag = control or RunControl(), align_to_dataset(pag, dataset)

    def search(data: Dataset, search_options: SearchOptions) -> Iterator[SearchEvent]:
        run = prepare_run(
            data,
            pag,
            algorithm,
            options=search_options,
            control=control,
            scoring=scoring,
            references=references,
            start=start,
            knowledge=knowledge,
            families_of=families_of,
        )
        return _events(run, with_evidence=with_evidence)

    if dataset.is_complete:
        return search(dataset, options)
    check_takes_missing(dataset, SEARCHES[algorithm])
    known = knowledge.bind(dataset.names)
    return search_completed(dataset, search, options=options, control=control, known=known)


def run_search(
    dataset: Dataset,
    pag: MixedGraph,
    algorithm: str = "ilc-v",
    *,
    options: SearchOptions | None = None,
    control: RunControl | None = None,
    start: LatentDag | None = None,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> SearchResult:
    """The result of a search, its events passed over; the arguments are those of `start_search`."""
    for event in start_search(
        dataset, pag, algorithm, options=options, control=control, start=start, knowledge=knowledge
    ):
        if isinstance(event, SearchFinished):
            return event.result
    raise AssertionError("a search ends with its result")


def prepare_run(
    dataset: Dataset,
    pag: MixedGraph,
    algorithm: str,
    *,
    options: SearchOptions,
    control: RunControl,
    scoring: ScoringOf | None = None,
    references: References | None = None,
    start: LatentDag | None = None,
    knowledge: Knowledge = NO_KNOWLEDGE,
    families_of: FamiliesOf = DiscreteFamilies,
) -> SearchRun:
    """A run with nothing found yet, timed from now on."""
    dataset.digest  # noqa: B018 - part of every result, which a stop must not wait for
    method = SEARCHES[algorithm]
    options = choose_objective(options, method)
    closing = Event()
    child = control.child(time_limit=options.time_limit, is_cancelled=closing.is_set)
    scorer = Scorer(dataset, replace(options.vbem, seed=options.seed), control=child, families_of=families_of)
    if scoring is None:
        scoring = _threads(options.workers)
    scores = CandidateScores(scorer, scoring(scorer, closing))
    setup = SearchSetup(
        method=method,
        dataset=dataset,
        pag=pag,
        pag_handling=_handle_pag(pag, options, child) if method.needs_pag else PagHandling(pag, "unused"),
        options=options,
        scores=scores,
        scorer=scorer,
        staged_scoring=None if options.effort == "full" else _staged_scoring(scorer, scores, scoring, closing),
        references=References() if references is None else references,
        start=start,
        knowledge=knowledge,
    )
    return SearchRun(setup, child)


def _threads(n_workers: int) -> ScoringOf:
    return lambda scorer, closing: make_threads(scorer.fit, n_workers, closing)


def _staged_scoring(scorer: Scorer, full: CandidateScores, scoring: ScoringOf, closing: Event) -> StagedScoring:
    """Glances, and light scores that begin elsewhere, beside the full ones."""
    seed = scorer.options.seed
    light = [scorer.at_effort("light").with_seed(seed + k) for k in (1, 2)]
    first, *others = [
        CandidateScores(effort_scorer, scoring(effort_scorer, closing))
        for effort_scorer in (scorer.at_effort("glance"), *light)
    ]
    return StagedScoring(first, others, full)


def _handle_pag(pag: MixedGraph, options: SearchOptions, control: RunControl) -> PagHandling:
    """How a graph is searched; as given where the run is stopped before that is known, and nothing will be searched."""
    try:
        return handle_pag(pag, options.invalid_pag, control=control)
    except StopRequested:
        return PagHandling(pag, "as given", ("the search was stopped before it was checked",))


def _events(run: SearchRun, *, with_evidence: bool) -> Iterator[SearchEvent]:
    method = run.setup.method
    yield SearchStarted(method.name, run.pag_handling)
    search = method.load_search()(run)
    if method.finds_latents and (with_evidence or method.drops_unsupported):
        search = search_and_judge(search, run)
    yield from run_to_end(search, run, with_evidence=with_evidence)


def run_to_end(search: Search, run: SearchRun, *, with_evidence: bool = True) -> Iterator[SearchEvent]:
    """The events of a search, and its result.

    A stop request from any depth ends it as a result with the best so far; real errors pass through.
    """
    try:
        reason = yield from search
        if run.history.best is None and reason not in (StopReason.TIME_LIMIT, StopReason.WORK_LIMIT):
            _refuse_nothing_found(run)
        if not run.findings.is_judged:
            score_rival(run)
        if with_evidence:
            find_knowledge_effect(run)
            find_knowledge_conflicts(run)
    except StopRequested as stop:
        reason = stop.reason
        if reason in (StopReason.TIME_LIMIT, StopReason.WORK_LIMIT):
            cut_by_limit(run, reason)
        elif stop.sentence:
            run.cut(CutKind.STOPPED, stop.sentence)
    _complete_evidence(run)
    yield SearchFinished(_result(run, reason))


def _refuse_nothing_found(run: SearchRun) -> None:
    findings = run.findings
    if run.known.binds and (findings.n_excluded or findings.mags is not None):
        for edge in run.setup.pag.edges():
            if not run.known.allows_adjacency(run.dataset.index[edge.first], run.dataset.index[edge.second]):
                raise GraphError(
                    f"the PAG has {edge}, but the knowledge lets nothing join {edge.first} and {edge.second}; learn "
                    "the PAG with this knowledge, or remove one"
                )
        raise GraphError(
            "none of the DAGs tried from this PAG obeys the knowledge; learn the PAG with this knowledge, or "
            "choose auto or refine without a PAG"
        )
    raise GraphError("the graph as given allows no DAG; repair it first (invalid_pag: repair)")


def find_knowledge_effect(run: SearchRun) -> None:
    """Look for a better DAG without latents from the reference, where knowledge does not bind."""
    reference = run.findings.reference
    if reference is None or not run.known.binds:
        return
    free = best_of(
        reach_best_by(
            run.judging_scorer,
            seed=run.options.seed,
            checkpoint=run.control.checkpoint,
            start=reference.parents,
            is_short=True,
        )
    )
    run.findings.knowledge_effect = effect_of(reference, free, run.history.nodes)


def find_knowledge_conflicts(run: SearchRun) -> None:
    """Ask the data about pairs that knowledge keeps apart, given what the PAG joins them with, else the best DAG."""
    if run.findings.knowledge_conflicts is not None or not run.known.binds:
        return
    data = run.dataset.source if isinstance(run.dataset, CompletedDataset) else run.dataset  # tests use observed cells
    marks, best = run.setup.pag.marks, run.history.best
    if marks.any() or best is None:
        joined = [sum(1 << int(other) for other in np.flatnonzero(row)) for row in marks]
    else:
        joined = neighbours_of(best.candidate)
    run.findings.knowledge_conflicts = find_conflicts(data, run.setup.knowledge, joined, control=run.control)


def score_rival(run: SearchRun) -> None:
    """Score the best DAG with latents after edges took their place: what they gain is then always known."""
    best = run.history.best_with_latents
    if best is not None:
        score, _ = replace_latents(best.candidate, run.score_all)
        run.findings.rival = score if score > -inf else None


def _complete_evidence(run: SearchRun) -> None:
    """What the PAG alone says of latents, where the run was stopped before the data could be asked."""
    findings, history, pag = run.findings, run.history, run.setup.evidence_pag
    if findings.is_judged:
        return
    if history.chosen is not None:
        findings.evidence = latent_evidence(history.dag(history.chosen), pag)
    elif not findings.evidence and history.best_with_latents is not None:
        findings.evidence = latent_evidence(history.dag(history.best_with_latents.index), pag)
        if findings.rival is None and run.dataset.n_rows * run.dataset.n_variables <= MAX_NUMBERS_SCORED_AFTER_STOP:
            with run.control.ignore_stop():
                score_rival(run)


def _result(run: SearchRun, reason: StopReason) -> SearchResult:
    setup, findings, history = run.setup, run.findings, run.history
    best = None if history.result is None else history.dag(history.result)
    posterior = None if best is None else _posterior(run, best)
    repeats = None if posterior is None else find_repeats(run.dataset, posterior.network())
    return SearchResult(
        algorithm=setup.method.name,
        options=setup.options,
        dataset_digest=setup.dataset.digest,
        pag=setup.pag,
        pag_handling=setup.pag_handling,
        best=best,
        posterior=posterior,
        evidence=limit_evidence(findings.evidence, run.dataset, repeats),
        history=history,
        stop_reason=reason,
        cuts=tuple(map(str, findings.cuts)),
        seconds=_own_seconds(run),
        reference_seconds=findings.reference_seconds,
        evidence_seconds=findings.evidence_seconds,
        rival=findings.rival,
        reference=_reference(run),
        other=findings.other,
        start=setup.start,
        tried_every_group=findings.tried_every_group,
        repeats=repeats,
        restarts=findings.restarts,
        parts=() if best is None or setup.scorer is None else known_part_scores(best, setup.scorer),
        knowledge=setup.knowledge,
        mags=findings.mags,
        knowledge_effect=findings.knowledge_effect,
        knowledge_conflicts=findings.knowledge_conflicts or (),
    )


def _reference(run: SearchRun) -> Reference | None:
    """The best DAG without latents with its score under the objective of the search, too."""
    reference = run.findings.reference
    if reference is None:
        return None
    scorer, parents = run.own_scorer, reference.parents
    try:
        score = sum(map(scorer.family_score, range(len(parents)), parents))
    except StopRequested:
        score = None
    return Reference.of_bits(reference, run.history.nodes, score)


def _own_seconds(run: SearchRun) -> float:
    """What the search itself took, without the best DAG without latents and without judging."""
    findings = run.findings
    if findings.search_seconds is not None:
        return findings.search_seconds
    apart = (findings.reference_seconds or 0.0) + (findings.evidence_seconds or 0.0)
    return max(run.control.seconds() - apart, 0.0)


def _posterior(run: SearchRun, dag: LatentDag) -> Posterior | None:
    """What the data say about the best DAG; None where the run is stopped and that takes longer than a moment."""
    if _numbers_to_read(run, dag) <= MAX_NUMBERS_READ_AFTER_STOP:
        with run.control.ignore_stop():
            return run.setup.scores.posterior(dag)
    try:
        run.control.checkpoint()
        return run.setup.scores.posterior(dag)
    except StopRequested:
        return None


def _numbers_to_read(run: SearchRun, dag: LatentDag) -> int:
    """How many numbers of the data and of the posteriors of latents are looked at."""
    states = sum(
        sum(component.states) if component.is_tree else component.n_joint_states
        for component, _ in split_latents(*to_bits(dag))
    )
    return run.dataset.n_rows * (run.dataset.n_variables + states)
