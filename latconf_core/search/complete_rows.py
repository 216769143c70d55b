"""A claim about a latent near missing cells is asked again: of rows that each side completes, and of complete rows.

Completed rows are those of the model that completed them: where that has the latent, they speak for it. So its model
and the best DAG without it complete the rows around it themselves, and their bounds of what was observed are compared.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.families.objectives import JUDGING, LEAST_CLAIM
from latconf_core.graph.mixed import empty_graph
from latconf_core.inference.completing.completions import CompletionPlan
from latconf_core.inference.completing.em_rounds import MOST_ROUNDS, complete_by_model, next_round, rounds
from latconf_core.score.scorer import Scorer
from latconf_core.search.judgement import judge_dag
from latconf_core.search.outcome.evidence import LatentEvidence, OnCompleteRows, Support, has_neighbours
from latconf_core.search.outcome.result import SearchResult
from latconf_core.structure.best_dag import best_of, reach_best_by

LEAST_SHARE = 0.5  # of the rows
LEAST_RISE = 0.1  # nats of a round of completing


def check_on_complete_rows(result: SearchResult, dataset: Dataset, *, control: RunControl) -> SearchResult:
    """The result with every claim near missing cells asked again, which may lower it."""
    dag = result.best
    if dag is None or not dag.latents:
        return result
    evidence = []
    for latent_evidence in result.evidence:
        control.checkpoint()
        is_claim = latent_evidence.support in ("strong", "weak") and latent_evidence.latent in dag.latents
        evidence.append(_checked(latent_evidence, dag, dataset, result, control) if is_claim else latent_evidence)
    return replace(result, evidence=tuple(evidence))


def find_zone(latent: Latent, dag: LatentDag) -> tuple[str, ...]:
    """The observed children of a latent and their observed parents, in the order of the DAG."""
    children = set(latent.children)
    zone = children | {first for first, second in dag.edges if second in children}
    return tuple(name for name in dag.nodes if name in zone)


def _checked(
    claim: LatentEvidence, dag: LatentDag, dataset: Dataset, result: SearchResult, control: RunControl
) -> LatentEvidence:
    zone = find_zone(claim.latent, dag)
    columns = [dataset.index[name] for name in zone]
    if not dataset.is_missing[columns].any() or has_neighbours(claim.latent, dag.nodes):
        return claim
    near = _within(dag, zone, claim.latent)
    claim = _lowered(claim, _gain_when_each_completes(near, dataset.select(zone), result, control))
    complete = np.asarray((dataset.rows[:, columns] >= 0).all(axis=1))
    part = dataset.take_rows(complete).select(zone)
    if part.n_rows < LEAST_SHARE * dataset.n_rows:
        return replace(claim, on_complete=OnCompleteRows(part.n_rows)).graded()
    again = _judge(claim.latent, near, part, result, control)
    support = _support_by(again, part.n_rows / dataset.n_rows)
    return replace(claim, on_complete=OnCompleteRows(part.n_rows, again.density, support)).graded()


def _gain_when_each_completes(dag: LatentDag, data: Dataset, result: SearchResult, control: RunControl) -> float:
    """What a DAG with latents gains over the best DAG without any, in bounds of the evidence of what was observed."""
    options, known = JUDGING.apply(result.options.vbem), result.knowledge.bind(data.names)
    plan = CompletionPlan(seed=result.options.seed)
    *_, now = rounds(data, options, plan, control=control, known=known)
    rival, completion, reached = now.score, now.completion, [-inf]
    for _ in range(MOST_ROUNDS):
        completion = complete_by_model(completion, dag, options, plan, control=control)
        reached.append(Scorer(completion.data, options, control=control).score(dag).score + completion.entropy)
        if reached[-1] < reached[-2] + LEAST_RISE:
            break
    now = replace(now, completion=completion)  # where the model with latents leads, the other may be better, too
    for _ in range(MOST_ROUNDS):
        now = next_round(now, options, plan, control=control, known=known)
        if now.score < rival + LEAST_RISE:
            break
        rival = now.score
    return max(reached) - rival


def _support_by(again: LatentEvidence, share: float) -> Support | None:
    """The support by a share of the rows, which must gain that share of what a claim needs: nats grow with the rows."""
    gains = [gain for gain in (again.density, again.over_local, again.over_ordinal) if gain is not None]
    is_enough = min(gains, default=-inf) >= LEAST_CLAIM * share
    return "strong" if again.support == "weak" and is_enough and "held out" not in again.warnings else again.support


def _lowered(latent_evidence: LatentEvidence, gain: float) -> LatentEvidence:
    """The evidence where no more than a gain is left of it."""
    if latent_evidence.density is None or latent_evidence.density <= gain:
        return latent_evidence
    loss = latent_evidence.density - gain
    over_local = None if latent_evidence.over_local is None else latent_evidence.over_local - loss
    over_ordinal = None if latent_evidence.over_ordinal is None else latent_evidence.over_ordinal - loss
    return replace(latent_evidence, density=gain, over_local=over_local, over_ordinal=over_ordinal).graded()


def _within(dag: LatentDag, zone: tuple[str, ...], latent: Latent) -> LatentDag:
    """The DAG among the variables of a zone, with the latents that have two children there."""
    edges = [edge for edge in dag.edges if set(edge) <= set(zone)]
    latents = []
    for other_latent in dag.latents:
        children = tuple(child for child in other_latent.children if child in zone)
        if other_latent.parent is None and len(children) >= 2:
            latents.append(replace(other_latent, children=children))
    return LatentDag(zone, edges, latents)


def _judge(latent: Latent, dag: LatentDag, data: Dataset, result: SearchResult, control: RunControl) -> LatentEvidence:
    """The evidence for a latent on the rows of its zone, against the best allowed DAG without latents there."""
    options, known = result.options, result.knowledge.bind(data.names)
    scorer = Scorer(data, replace(JUDGING.apply(options.vbem), seed=options.seed), control=control)
    reference = best_of(reach_best_by(scorer, seed=options.seed, checkpoint=control.checkpoint, known=known))
    *_, judged = judge_dag(
        scorer, dag, empty_graph(data.names), reference, max_states=options.max_states, control=control, known=known
    )
    children = set(latent.children)
    return next(judgement for judgement in judged if set(judgement.latent.children) == children)
