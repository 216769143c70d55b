"""What each graph of a comparison is like on its own: score, size, fit."""

from __future__ import annotations

from dataclasses import dataclass

from latconf_core.comparison.subject import Subject
from latconf_core.graph.mixed import MixedGraph
from latconf_core.score.scorer import Scorer


@dataclass(frozen=True)
class Numbers:
    """One graph in numbers; None where there are no data or it is no DAG.

    p_elbo : the score in nats
    n_parameters : free parameters of all tables
    log_likelihood : of the rows at the posterior means, latents summed out; None where that takes too long
    bic : log-likelihood less half the free parameters times the log of the rows; higher is better
    """

    n_edges: int
    n_latents: int = 0
    n_parameters: int | None = None
    p_elbo: float | None = None
    log_likelihood: float | None = None
    bic: float | None = None


def describe_subject(subject: Subject, scorer: Scorer | None = None) -> Numbers:
    """A graph in numbers; with a scorer, and where it is a DAG, with its score and fit."""
    if isinstance(subject.content, MixedGraph) and subject.dag is None:
        return Numbers(subject.content.n_edges)
    dag = subject.dag
    assert dag is not None, "what is no graph with marks is a DAG"
    if scorer is None:
        return Numbers(len(dag.edges), len(dag.latents))
    fit = scorer.posterior(dag)
    return Numbers(len(dag.edges), len(dag.latents), fit.n_free_parameters, fit.p_elbo, fit.log_likelihood, fit.bic)
