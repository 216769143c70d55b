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
        (
            "In nats, under the chosen objective: a lower bound on the log probability of the data, minus "
            "log(states!) per latent and the penalties for edges and latents. Higher is better."
        ),
        lambda numbers: numbers.score,
    ),
    OwnNumber(
        "Difference from A",
        "Its score minus that of the reference A, in nats; always relative to A.",
        lambda numbers: numbers.above_reference,
    ),
    OwnNumber("Parameters", "Free parameters of all tables, latents included.", lambda numbers: numbers.n_parameters),
    OwnNumber(
        "BIC",
        (
            "Log-likelihood minus half the number of free parameters times the log of the number of rows. Higher "
            "is better."
        ),
        lambda numbers: numbers.bic,
    ),
    OwnNumber(
        "Log-likelihood",
        "Log-likelihood of the rows at the posterior means, latents summed out; empty if this takes too long.",
        lambda numbers: numbers.log_likelihood,
    ),
    OwnNumber("Latents", "Hidden common causes.", lambda numbers: numbers.n_latents),
    OwnNumber(
        "Edges", "Edges among the observed variables, without those of latents.", lambda numbers: numbers.n_edges
    ),
    OwnNumber(
        "Valid PAG",
        (
            "Whether the graph is the PAG of a Markov class: consistent and complete. Empty for a DAG, whose PAG "
            "always is."
        ),
        lambda numbers: _yes_or_no(numbers.is_valid_pag),
    ),
)
MEASURES = (
    Measure(
        "SHD",
        "Structural Hamming distance: pairs of variables whose edge differs in presence or in a mark.",
        lambda pair: pair.metrics.shd,
    ),
    Measure(
        "Adjacency precision",
        "Share of the adjacencies here that are in the reference.",
        lambda pair: pair.metrics.adjacency.precision,
    ),
    Measure(
        "Adjacency recall",
        "Share of the reference's adjacencies that are here.",
        lambda pair: pair.metrics.adjacency.recall,
    ),
    Measure(
        "Adjacency F1", "The harmonic mean of adjacency precision and recall.", lambda pair: pair.metrics.adjacency.f1
    ),
    Measure(
        "Arrowhead precision",
        "Share of the arrowheads here that are in the reference, over all pairs.",
        lambda pair: pair.metrics.arrowhead.precision,
    ),
    Measure(
        "Arrowhead recall",
        "Share of the reference's arrowheads that are here, over all pairs.",
        lambda pair: pair.metrics.arrowhead.recall,
    ),
    Measure(
        "Arrowhead F1", "The harmonic mean of arrowhead precision and recall.", lambda pair: pair.metrics.arrowhead.f1
    ),
    Measure(
        "Arrowhead precision, common",
        "Arrowhead precision over pairs adjacent in both.",
        lambda pair: pair.metrics.arrowhead_on_common.precision,
    ),
    Measure(
        "Arrowhead recall, common",
        "Arrowhead recall over pairs adjacent in both.",
        lambda pair: pair.metrics.arrowhead_on_common.recall,
    ),
    Measure(
        "Arrowhead F1, common",
        "Harmonic mean of arrowhead precision and recall over pairs adjacent in both.",
        lambda pair: pair.metrics.arrowhead_on_common.f1,
    ),
    Measure("<-> right", "Pairs with <-> in both.", lambda pair: pair.metrics.bidirected.right),
    Measure("<-> wrong", "Pairs with <-> here but not in the reference.", lambda pair: pair.metrics.bidirected.wrong),
    Measure("<-> missed", "Pairs with <-> in the reference but not here.", lambda pair: pair.metrics.bidirected.missed),
    Measure(
        "BSF, skeleton",
        (
            "½ (TP/a + TN/i − FP/i − FN/a) over adjacencies, with a adjacent and i non-adjacent pairs in the "
            "reference. 1: the reference; 0: no better than an empty or complete graph; −1: its complement."
        ),
        lambda pair: pair.metrics.bsf_skeleton,
    ),
    Measure(
        "BSF, half credit",
        (
            "BSF with 1 for an edge with two correct marks and ½ for an edge with a wrong mark. BSF is not "
            "standard for graphs with marks."
        ),
        lambda pair: pair.metrics.bsf_half,
    ),
    Measure(
        "Latents exact",
        "Latents of the reference with exactly the same children as a latent here.",
        lambda pair: pair.metrics.n_latents_exact,
    ),
    Measure(
        "Latents partial",
        "Latents of the reference that share some but not all children with a latent here.",
        lambda pair: sum(0 < match.overlap < 1 for match in pair.metrics.latents),
    ),
    Measure(
        "Latent overlap",
        (
            "Mean over the reference's latents of the overlap (Jaccard) between their children and those of the "
            "matched latent here: 1 if all are exact, 0 if none is recovered."
        ),
        lambda pair: fmean(match.overlap for match in pair.metrics.latents) if pair.metrics.latents else None,
    ),
    Measure(
        "Latents missed",
        "Latents of the reference that share no child with a latent here.",
        lambda pair: sum(match.found is None for match in pair.metrics.latents),
    ),
    Measure(
        "Latents wrong", "Latents here that match none in the reference.", lambda pair: pair.metrics.n_latents_wrong
    ),
    Measure(
        "States right",
        "Latents of the reference whose match here has the same number of states.",
        lambda pair: sum(match.has_right_states for match in pair.metrics.latents),
    ),
    Measure(
        "Same class",
        (
            "Whether both imply the same independences among the observed variables, by their MAGs. With latents "
            "the fit may still differ (numbers of states, inequalities, Verma constraints). Empty if a graph is "
            "not a valid DAG, MAG or PAG."
        ),
        lambda pair: _yes_or_no(pair.same_class),
    ),
)
