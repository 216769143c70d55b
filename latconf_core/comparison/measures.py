"""The numbers of a comparison with their definitions: what a table shows, a tool tip explains and a file keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

from latconf_core.comparison.compare import PairComparison
from latconf_core.comparison.numbers import Numbers

Value = float | int | str | None


@dataclass(frozen=True)
class Measure:
    """One number of a graph against the reference or the truth."""

    title: str
    definition: str
    of: Callable[[PairComparison], Value]


@dataclass(frozen=True)
class OwnNumber:
    """One number of a graph on its own."""

    title: str
    definition: str
    of: Callable[[Numbers], Value]


def _yes_or_no(claim: bool | None) -> str | None:
    return None if claim is None else "yes" if claim else "no"


OWN_NUMBERS = (
    OwnNumber(
        "Score",
        "In nats, under the objective of the comparison: a lower bound of the log probability of the data, less "
        "log(states!) per latent and the price of edges and latents. Higher is better.",
        lambda one: one.score,
    ),
    OwnNumber(
        "Difference to A",
        "Nats that its score is above that of the reference A, whatever the numbers below are measured against.",
        lambda one: one.above_reference,
    ),
    OwnNumber(
        "Parameters", "Free parameters of all tables, those of the latents included.", lambda one: one.n_parameters
    ),
    OwnNumber(
        "BIC",
        "Log-likelihood less half the free parameters times the log of the number of rows. Higher is better.",
        lambda one: one.bic,
    ),
    OwnNumber(
        "Log-likelihood",
        "Of the rows at the posterior means, latents summed out; empty where that takes too long.",
        lambda one: one.log_likelihood,
    ),
    OwnNumber("Latents", "Hidden common causes.", lambda one: one.n_latents),
    OwnNumber(
        "Edges", "Edges among the observed variables; those of latents are not counted.", lambda one: one.n_edges
    ),
    OwnNumber(
        "Valid PAG",
        "Whether the graph is the PAG of a Markov class: no mark contradicts another, and none is missing that follows "
        "from the others. Empty for a DAG, whose PAG always is.",
        lambda one: _yes_or_no(one.is_valid_pag),
    ),
)
MEASURES = (
    Measure(
        "SHD",
        "Structural Hamming distance: pairs of variables whose edge differs, in being there or in a mark.",
        lambda one: one.metrics.shd,
    ),
    Measure(
        "Adjacency precision",
        "Of the pairs joined here, the share that the reference joins too.",
        lambda one: one.metrics.adjacency.precision,
    ),
    Measure(
        "Adjacency recall",
        "Of the pairs that the reference joins, the share that is joined here too.",
        lambda one: one.metrics.adjacency.recall,
    ),
    Measure(
        "Adjacency F1", "The harmonic mean of adjacency precision and recall.", lambda one: one.metrics.adjacency.f1
    ),
    Measure(
        "Arrowhead precision",
        "Of the arrowheads here, the share that the reference has too, over all pairs.",
        lambda one: one.metrics.arrowhead.precision,
    ),
    Measure(
        "Arrowhead recall",
        "Of the arrowheads of the reference, the share that is found here too, over all pairs.",
        lambda one: one.metrics.arrowhead.recall,
    ),
    Measure(
        "Arrowhead F1", "The harmonic mean of arrowhead precision and recall.", lambda one: one.metrics.arrowhead.f1
    ),
    Measure(
        "Arrowhead precision, common",
        "Arrowhead precision over the pairs that both join.",
        lambda one: one.metrics.arrowhead_on_common.precision,
    ),
    Measure(
        "Arrowhead recall, common",
        "Arrowhead recall over the pairs that both join.",
        lambda one: one.metrics.arrowhead_on_common.recall,
    ),
    Measure(
        "Arrowhead F1, common",
        "The harmonic mean of arrowhead precision and recall over the pairs that both join.",
        lambda one: one.metrics.arrowhead_on_common.f1,
    ),
    Measure("<-> right", "Pairs joined by <-> in both.", lambda one: one.metrics.bidirected.right),
    Measure(
        "<-> wrong", "Pairs joined by <-> here and not in the reference.", lambda one: one.metrics.bidirected.wrong
    ),
    Measure(
        "<-> missed", "Pairs joined by <-> in the reference and not here.", lambda one: one.metrics.bidirected.missed
    ),
    Measure(
        "BSF, skeleton",
        "½ (TP/a + TN/i − FP/i − FN/a) of the adjacencies: a edges of the reference, i pairs without one. "
        "1 is the reference, 0 no better than an empty or a complete graph, −1 its complement.",
        lambda one: one.metrics.bsf_skeleton,
    ),
    Measure(
        "BSF, half credit",
        "The same with 1 for an edge whose two marks are right and ½ for one with a wrong mark. "
        "For graphs with marks BSF is no standard.",
        lambda one: one.metrics.bsf_half,
    ),
    Measure(
        "Latents exact",
        "Latents of the reference that have a latent over exactly their children here.",
        lambda one: one.metrics.n_latents_exact,
    ),
    Measure(
        "Latents in part",
        "Latents of the reference that share some children with a latent here, but not all.",
        lambda one: sum(0 < own.overlap < 1 for own in one.metrics.latents),
    ),
    Measure(
        "Latent overlap",
        "The mean over the latents of the reference of the children in common with the latent here that stands for "
        "it, as a share of all children of the two: 1 where all are exact, 0 where none is found.",
        lambda one: fmean(own.overlap for own in one.metrics.latents) if one.metrics.latents else None,
    ),
    Measure(
        "Latents missed",
        "Latents of the reference that share no child with a latent here.",
        lambda one: sum(own.found is None for own in one.metrics.latents),
    ),
    Measure(
        "Latents wrong", "Latents here that stand for none of the reference.", lambda one: one.metrics.n_latents_wrong
    ),
    Measure(
        "States right",
        "Latents of the reference whose latent here has the same number of states.",
        lambda one: sum(own.has_right_states for own in one.metrics.latents),
    ),
    Measure(
        "Same class",
        "Whether both have the same independences among the observed variables, decided by their MAGs. "
        "With latents that does not mean the same fit: numbers of states, inequalities and Verma constraints may "
        "differ. Empty where a graph is no valid DAG, MAG or PAG.",
        lambda one: _yes_or_no(one.same_class),
    ),
)
