"""What each graph of a comparison is like on its own: score, size, fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from latconf_core.comparison.parts import NO_SCORES, KeptScores, score_of
from latconf_core.comparison.subject import Subject
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.validity import check_pag
from latconf_core.score.scorer import Scorer


@dataclass(frozen=True)
class Numbers:
    """One graph in numbers; None where there are no data or it is no DAG.

    score : in nats, under the objective of the comparison
    above_reference : nats that it is above the reference
    n_parameters : free parameters of all tables
    log_likelihood : of the rows at the posterior means, latents summed out; None where that takes too long
    bic : log-likelihood less half the free parameters times the log of the rows; higher is better
    is_valid_pag : whether it is the PAG of a Markov class; None for a DAG
    """

    n_edges: int
    n_latents: int = 0
    n_parameters: int | None = None
    score: float | None = None
    above_reference: float | None = None
    log_likelihood: float | None = None
    bic: float | None = None
    is_valid_pag: bool | None = None


def describe_subject(subject: Subject, scorer: Scorer | None = None, kept: KeptScores = NO_SCORES) -> Numbers:
    """A graph in numbers; with a scorer, and where it is a DAG, with its score and fit.

    kept : scores of parts that a result has reported, which are taken as they are
    """
    if isinstance(subject.content, MixedGraph) and subject.dag is None:
        return Numbers(subject.content.n_edges, is_valid_pag=check_pag(subject.content).valid)
    dag = subject.dag
    assert dag is not None, "what is no graph with marks is a DAG"
    if scorer is None:
        return Numbers(len(dag.edges), len(dag.latents))
    fit = scorer.posterior(dag)
    return Numbers(
        n_edges=len(dag.edges),
        n_latents=len(dag.latents),
        n_parameters=fit.n_free_parameters,
        score=score_of(dag, scorer, kept),
        log_likelihood=fit.log_likelihood,
        bic=fit.bic,
    )


def relate_to_reference(numbers: Mapping[str, Numbers], reference: str) -> dict[str, Numbers]:
    """The numbers of graphs by name, each with what it is above the reference where both have a score."""
    base = numbers[reference].score if reference in numbers else None
    return {name: replace(number, above_reference=_above(number.score, base)) for name, number in numbers.items()}


def _above(value: float | None, base: float | None) -> float | None:
    return None if value is None or base is None else value - base
