"""A claim about a latent near missing cells is asked again of the rows that are complete there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.families.objectives import JUDGING
from latconf_core.graph.mixed import empty_graph
from latconf_core.score.scorer import Scorer
from latconf_core.search.judgement import judge_dag
from latconf_core.search.outcome.evidence import LatentEvidence, OnCompleteRows, has_neighbours
from latconf_core.search.outcome.result import SearchResult
from latconf_core.structure.best_dag import best_of, reach_best

LEAST_SHARE = 0.5  # of the rows


def check_on_complete_rows(result: SearchResult, dataset: Dataset, *, control: RunControl) -> SearchResult:
    """The result with every claim near missing cells asked again, which may lower it."""
    dag = result.best
    if dag is None or not dag.latents:
        return result
    evidence = []
    for own in result.evidence:
        control.checkpoint()
        is_claim = own.support in ("strong", "weak") and own.latent in dag.latents
        evidence.append(_checked(own, dag, dataset, result, control) if is_claim else own)
    return replace(result, evidence=tuple(evidence))


def find_zone(latent: Latent, dag: LatentDag) -> tuple[str, ...]:
    """The observed children of a latent and their observed parents, in the order of the DAG."""
    children = set(latent.children)
    zone = children | {first for first, second in dag.edges if second in children}
    return tuple(name for name in dag.nodes if name in zone)


def _checked(
    own: LatentEvidence, dag: LatentDag, dataset: Dataset, result: SearchResult, control: RunControl
) -> LatentEvidence:
    zone = find_zone(own.latent, dag)
    columns = [dataset.index[name] for name in zone]
    if not dataset.is_missing[columns].any() or has_neighbours(own.latent, dag.nodes):
        return own
    complete = np.asarray((dataset.rows[:, columns] >= 0).all(axis=1))
    part = dataset.take_rows(complete).select(zone)
    if part.n_rows < LEAST_SHARE * dataset.n_rows:
        return replace(own, on_complete=OnCompleteRows(part.n_rows)).graded()
    again = _judge(own.latent, _within(dag, zone, own.latent), part, result, control)
    return replace(own, on_complete=OnCompleteRows(part.n_rows, again.density, again.support)).graded()


def _within(dag: LatentDag, zone: tuple[str, ...], latent: Latent) -> LatentDag:
    """The DAG among the variables of a zone, with the latents that have two children there."""
    edges = [edge for edge in dag.edges if set(edge) <= set(zone)]
    latents = []
    for one in dag.latents:
        children = tuple(child for child in one.children if child in zone)
        if one.parent is None and len(children) >= 2:
            latents.append(replace(one, children=children))
    return LatentDag(zone, edges, latents)


def _judge(latent: Latent, dag: LatentDag, data: Dataset, result: SearchResult, control: RunControl) -> LatentEvidence:
    """The evidence for a latent on the rows of its zone, against the best allowed DAG without latents there."""
    options, known = result.options, result.knowledge.bind(data.names)
    scorer = Scorer(data, replace(JUDGING.apply(options.vbem), seed=options.seed), control=control)
    reference = best_of(
        reach_best(
            data.n_variables,
            scorer.family_score,
            row=scorer.family_row,
            seed=options.seed,
            checkpoint=control.checkpoint,
            known=known,
        )
    )
    *_, judged = judge_dag(
        scorer, dag, empty_graph(data.names), reference, max_states=options.max_states, control=control, known=known
    )
    children = set(latent.children)
    return next(one for one in judged if set(one.latent.children) == children)
