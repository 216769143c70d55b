"""All about a DAG and its latents that a person wants to know: tables, evidence, curve over states, associations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.held_columns import HeldColumn
from latconf_core.families.objectives import JUDGING
from latconf_core.score.agreement import Agreement, measure_agreements
from latconf_core.score.association import Association, associations
from latconf_core.score.posterior import Posterior
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.outcome.states_curve import StatesPoint, states_curve
from latconf_core.search.outcome.visited_weights import VisitedWeights

if TYPE_CHECKING:
    from latconf_core.score.scorer import Scorer


@dataclass(frozen=True, eq=False)
class LatentFacts:
    """All about one latent.

    spread : the bounds that the finalists of its component reached, best first
    curve : the score by its number of states
    agreements : with columns that the search was not given
    """

    latent: Latent
    evidence: LatentEvidence
    curve: tuple[StatesPoint, ...]
    associations: tuple[Association, ...]
    spread: FloatArray
    agreements: tuple[Agreement, ...] = ()


@dataclass(frozen=True, eq=False)
class ModelFacts:
    """A DAG fitted to the data; `latents` is filled once that is known too.

    weights : of edges and latents over the DAGs that the search visited
    without : the best DAG without latents fitted to the same data, where the search has one
    """

    posterior: Posterior
    latents: Mapping[str, LatentFacts]
    is_complete: bool
    weights: VisitedWeights | None = None
    without: Posterior | None = None


def facts_of(
    data: Dataset,
    result: SearchResult,
    dag: LatentDag,
    control: RunControl | None = None,
    *,
    held: Sequence[HeldColumn] = (),
) -> Iterator[ModelFacts]:
    """The tables of a DAG, then all about its latents.

    held : columns of the same rows that the search was not given
    """
    from latconf_core.inference.completing.em_rounds import rows_to_score
    from latconf_core.score.naming import split
    from latconf_core.score.scorer import Scorer

    control = control or RunControl()
    if not data.is_complete:
        bound = result.knowledge.bind(data.names)
        completed = None if result.posterior is None else result.posterior.dataset
        data = completed or rows_to_score(data, seed=result.seed, control=control, known=bound)
    scorer = Scorer(data, replace(result.options.vbem, seed=result.seed), control=control)
    posterior = result.posterior if dag == result.best and result.posterior is not None else scorer.posterior(dag)
    weights = result.weights
    yield ModelFacts(posterior, {}, is_complete=not dag.latents, weights=weights)
    if not dag.latents:
        return

    def score(latent_dag: LatentDag) -> float:
        return scorer.score(latent_dag).score

    evidence = known_evidence(result, dag) or _judge(result, dag, scorer)
    component_of = {name: i for i, names in enumerate(split(dag, data).latents) for name in names}
    facts = {}
    for latent, judged in zip(dag.latents, evidence):
        control.checkpoint()
        curve = states_curve(dag, latent.name, score, history=result.history, most=result.options.max_states)
        spread = posterior.spread[component_of[latent.name]]
        agreements = measure_agreements(posterior, latent.name, held)
        own_associations = associations(posterior, latent.name)
        facts[latent.name] = LatentFacts(latent, judged, curve, own_associations, spread, agreements)
    without = None if result.reference is None else scorer.posterior(result.reference.dag)
    yield ModelFacts(posterior, facts, is_complete=True, weights=weights, without=without)


def _judge(result: SearchResult, dag: LatentDag, scorer: Scorer) -> tuple[LatentEvidence, ...]:
    """The evidence for the latents of a DAG that the search did not judge; over its reference, where it has one."""
    from latconf_core.search.judgement import judge_dag
    from latconf_core.search.row_limits import limit_evidence
    from latconf_core.structure.best_dag import best_of, reach_best_by

    options, known = result.options, result.knowledge.bind(scorer.dataset.names)
    if not JUDGING.is_of(scorer.options):
        scorer = scorer.on(scorer.dataset, JUDGING.apply(scorer.options))
    if result.reference is None or result.reference.objective != JUDGING.name:
        reference = best_of(reach_best_by(scorer, seed=options.seed, checkpoint=scorer.control.checkpoint, known=known))
    else:
        reference = result.reference.to_bits()
    *_, evidence = judge_dag(
        scorer,
        dag,
        result.pag_handling.graph,
        reference,
        max_states=options.max_states,
        workers=options.workers,
        control=scorer.control,
        known=known,
    )
    return limit_evidence(evidence, scorer.dataset, result.repeats)


def known_evidence(result: SearchResult, dag: LatentDag) -> tuple[LatentEvidence, ...]:
    """What the search itself says about the latents of a DAG; empty where it did not judge that DAG by the data."""
    if result.judged_under != JUDGING.name:  # by the rule of an older program
        return ()
    judged = tuple(latent_evidence.latent for latent_evidence in result.evidence)
    is_own = dag == result.best if result.best is not None and result.best.latents else dag == _best_with(result)
    is_known = all(
        None not in (latent_evidence.density, latent_evidence.support) for latent_evidence in result.evidence
    )
    return result.evidence if is_own and is_known and judged == dag.latents else ()


def _best_with(result: SearchResult) -> LatentDag | None:
    visit = result.history.best_with_latents
    return None if visit is None else result.history.dag(visit.index)
