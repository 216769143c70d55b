"""Graphs and DAGs with latents against a reference or a truth: the whole answer, as values, JSON and a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from latconf_core.comparison.differences import EdgeDifference, find_edge_differences
from latconf_core.comparison.latent_matching import LatentPair, match_latents
from latconf_core.comparison.metrics import Agreement, Comparison, compare_subjects
from latconf_core.comparison.parts import NO_SCORES, BlockDifference, KeptScores, compare_parts, score_of
from latconf_core.comparison.subject import Subject, View, are_in_same_class, lay_side_by_side
from latconf_core.descriptions import describe
from latconf_core.families.objectives import objective_of
from latconf_core.options.scoring import ObjectiveName
from latconf_core.pictures import make_table
from latconf_core.score.naming import price_of
from latconf_core.score.scorer import Scorer


@dataclass(frozen=True)
class PairComparison:
    """B against the reference A.

    view : as what the two were laid side by side
    metrics : A taken for the truth
    same_class : whether both have the same independences; None where one of them is no valid DAG, MAG or PAG
    edges : where they differ as graphs; two DAGs that nobody wants to see otherwise by their own arrows, latents apart
    latents : of two DAGs shown as such, matched by their children; empty where a side is no DAG
    parts : the blocks of variables whose score differs; None without data or where a side is no DAG
    scores : of A and of B; None as for parts
    prices : what the structure of A and of B costs, which is in their scores; None as for parts
    objective : under which they were scored; None for a prior chosen by itself, or without scores
    """

    a: str
    b: str
    view: View
    metrics: Comparison
    same_class: bool | None
    edges: tuple[EdgeDifference, ...]
    latents: tuple[LatentPair, ...]
    parts: tuple[BlockDifference, ...] | None = None
    scores: tuple[float, float] | None = None
    prices: tuple[float, float] | None = None
    objective: ObjectiveName | None = None

    @property
    def score_difference(self) -> float | None:
        """Nats that B is above A; the parts add up to it."""
        return None if self.scores is None else self.scores[1] - self.scores[0]

    @property
    def p_elbo_difference(self) -> float | None:
        """Nats that the p-ELBO of B is above that of A: the scores without the prices of their structure."""
        if self.score_difference is None or self.prices is None:
            return None
        return self.score_difference + self.prices[1] - self.prices[0]

    @property
    def other_latents(self) -> tuple[LatentPair, ...]:
        """The latents in which the two differ, in children or in states."""
        return tuple(pair for pair in self.latents if not pair.is_same)

    def _repr_html_(self) -> str:
        from latconf_core.comparison.measures import MEASURES
        from latconf_core.comparison.tables import show_value

        rows: list[list[object]] = [[measure.title, show_value(measure.of(self))] for measure in MEASURES]
        return f"<p>{escape(describe(self))}</p>" + make_table(["", f"{self.b} against {self.a}"], rows)

    def to_json(self) -> dict[str, Any]:
        """The contract of `latconf compare --json`."""
        numbers = self.metrics
        return {
            "a": self.a,
            "b": self.b,
            "as": self.view,
            "shd": numbers.shd,
            "adjacency": _rates(numbers.adjacency),
            "arrowhead": _rates(numbers.arrowhead),
            "arrowhead_on_common": _rates(numbers.arrowhead_on_common),
            "bidirected": _rates(numbers.bidirected),
            "bsf_skeleton": numbers.bsf_skeleton,
            "bsf_half": numbers.bsf_half,
            "same_class": self.same_class,
            "latents": [
                {
                    "truth": match.truth,
                    "children": list(match.children),
                    "found": match.found,
                    "found_children": list(match.found_children),
                    "overlap": match.overlap,
                    "exact": match.is_exact,
                    "states_right": match.has_right_states,
                }
                for match in numbers.latents
            ],
            "latents_wrong": numbers.n_latents_wrong,
            "objective": self.objective,
            "score_difference": self.score_difference,
            "p_elbo_difference": self.p_elbo_difference,
            "parts": None if self.parts is None else [_block(part) for part in self.parts],
        }


def compare_pair(
    a: Subject,
    b: Subject,
    *,
    scorer: Scorer | None = None,
    view: View | None = None,
    kept: KeptScores = NO_SCORES,
) -> PairComparison:
    """B against the reference A; with a scorer, and where both are DAGs, also what each difference is worth.

    kept : scores of parts that a result has reported, which are taken as they are
    """
    first, second, chosen = lay_side_by_side(a, b, view)
    arrows = first, second
    latents: tuple[LatentPair, ...] = ()
    if view in (None, "DAG") and a.dag is not None and b.dag is not None:
        arrows, latents = lay_side_by_side(a, b, "DAG")[:2], match_latents(a.dag, b.dag)
    parts, scores, prices, objective = None, None, None, None
    if scorer is not None and a.dag is not None and b.dag is not None:
        parts = compare_parts(a.dag, b.dag, scorer, kept)
        scores = score_of(a.dag, scorer, kept), score_of(b.dag, scorer, kept)
        prices = price_of(a.dag, scorer.options), price_of(b.dag, scorer.options)
        objective = objective_of(scorer.options)
    return PairComparison(
        a=a.name,
        b=b.name,
        view=chosen,
        metrics=compare_subjects(b, a, graphs=(first, second)),
        same_class=are_in_same_class(a, b),
        edges=find_edge_differences(*arrows),
        latents=latents,
        parts=parts,
        scores=scores,
        prices=prices,
        objective=None if objective is None else objective.name,
    )


def compare_all(
    subjects: Sequence[Subject],
    *,
    truth: Subject | None = None,
    scorer: Scorer | None = None,
    view: View | None = None,
    kept: KeptScores = NO_SCORES,
) -> tuple[PairComparison, ...]:
    """Each against the truth, or where there is none, each after the first against the first."""
    reference, others = (subjects[0], subjects[1:]) if truth is None else (truth, subjects)
    return tuple(compare_pair(reference, other, scorer=scorer, view=view, kept=kept) for other in others)


def _rates(agreement: Agreement) -> dict[str, float | int | None]:
    return {
        "precision": agreement.precision,
        "recall": agreement.recall,
        "f1": agreement.f1,
        "right": agreement.right,
        "wrong": agreement.wrong,
        "missed": agreement.missed,
    }


def _block(block: BlockDifference) -> dict[str, Any]:
    return {"part": list(block.variables), "a": block.a, "b": block.b, "difference": block.difference}
