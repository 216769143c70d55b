"""How near a graph is to a reference or a known truth: adjacencies, arrowheads, SHD, BSF, and latents by children."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import BoolArray
from latconf_core.comparison.latent_matching import match_latents
from latconf_core.comparison.subject import Subject, lay_side_by_side
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph


@dataclass(frozen=True)
class Agreement:
    """How many things were found rightly, found wrongly, and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float | None:
        """The share of what was found that is true; None where nothing was found."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None

    @property
    def recall(self) -> float | None:
        """The share of what is true that was found; None where there was nothing to find."""
        return self.right / (self.right + self.missed) if self.right + self.missed else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; None where nothing was found and nothing was there."""
        total = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / total if total else None


@dataclass(frozen=True)
class LatentMatch:
    """A true latent and the found one with the children most like its own.

    overlap : children in common, as a share of all children of the two
    """

    truth: str
    children: tuple[str, ...]
    found: str | None
    found_children: tuple[str, ...]
    overlap: float
    has_right_states: bool = False

    @property
    def is_exact(self) -> bool:
        return self.overlap == 1.0


@dataclass(frozen=True)
class Comparison:
    """A found graph against the truth, or against the graph that was chosen as the reference.

    adjacency : pairs of nodes that are joined
    arrowhead : ends with an arrowhead, over all pairs
    arrowhead_on_common : the same over the pairs that both join
    bidirected : pairs joined by <->
    shd : pairs of nodes whose edges differ, in being there or in a mark
    bsf_skeleton : ½ (TP/a + TN/i − FP/i − FN/a) of the adjacencies, with a true edges and i pairs without one
    bsf_half : the same with 1 for an edge whose two marks are right and ½ for one with a wrong mark; FN = a − TP
    latents : for each true latent, the found one that fits best
    n_latents_wrong : found latents that fit no true one best

    Both BSF are None where the truth has no edge or joins every pair. "BSF" is Constantinou's for DAGs; for graphs
    with marks it is no standard, which is why both readings are given.
    """

    adjacency: Agreement
    arrowhead: Agreement
    arrowhead_on_common: Agreement
    bidirected: Agreement
    shd: int
    bsf_skeleton: float | None
    bsf_half: float | None
    latents: tuple[LatentMatch, ...] = ()
    n_latents_wrong: int = 0

    @property
    def n_latents_exact(self) -> int:
        return sum(match.is_exact for match in self.latents)


def compare_graphs(mixed_graph: MixedGraph, truth: MixedGraph) -> Comparison:
    """A graph against another on the same nodes, mark by mark."""
    theirs, ours, _ = lay_side_by_side(Subject("the truth", truth), Subject("the graph", mixed_graph), "as given")
    return _compare_marks(ours, theirs)


def compare_dags(latent_dag: LatentDag, truth: LatentDag) -> Comparison:
    """A DAG with latents against the true one: their MAGs mark by mark, their latents by children."""
    return compare_subjects(Subject("the DAG", latent_dag), Subject("the true DAG", truth))


def compare_subjects(
    subject: Subject, truth: Subject, *, graphs: tuple[MixedGraph, MixedGraph] | None = None
) -> Comparison:
    """One side against the other; `graphs`, of the truth and of what was found, where they are laid out already."""
    theirs, ours = lay_side_by_side(truth, subject)[:2] if graphs is None else graphs
    marks = _compare_marks(ours, theirs)
    if subject.dag is None or truth.dag is None:
        return marks
    return _with_latents(marks, subject.dag, truth.dag)


def _compare_marks(mixed_graph: MixedGraph, truth: MixedGraph) -> Comparison:
    ours, theirs = mixed_graph.marks, truth.marks
    joined, truly_joined = np.triu(ours > 0), np.triu(theirs > 0)
    other_marks = np.triu((ours != theirs) | (ours != theirs).T)
    heads, true_heads = ours == Mark.ARROW, theirs == Mark.ARROW
    common = (ours > 0) & (theirs > 0)
    adjacency = _agreement(joined, truly_joined)
    n_pairs = len(mixed_graph.nodes) * (len(mixed_graph.nodes) - 1) // 2
    n_half = int((other_marks & joined & truly_joined).sum())
    return Comparison(
        adjacency=adjacency,
        arrowhead=_agreement(heads, true_heads),
        arrowhead_on_common=_agreement(heads & common, true_heads & common),
        bidirected=_agreement(np.triu(heads & heads.T), np.triu(true_heads & true_heads.T)),
        shd=int(other_marks.sum()),
        bsf_skeleton=balanced_score(adjacency.right, adjacency.wrong, int(truly_joined.sum()), n_pairs),
        bsf_half=balanced_score(adjacency.right - n_half / 2, adjacency.wrong, int(truly_joined.sum()), n_pairs),
    )


def balanced_score(right: float, wrong: float, n_edges: int, n_pairs: int) -> float | None:
    """BSF of `right` edges found and `wrong` ones claimed, where `n_edges` of `n_pairs` pairs are truly joined."""
    n_without = n_pairs - n_edges
    if not n_edges or not n_without:
        return None
    missed, rightly_left_out = n_edges - right, n_without - wrong
    return 0.5 * (right / n_edges + rightly_left_out / n_without - wrong / n_without - missed / n_edges)


def _agreement(learned: BoolArray, truth: BoolArray) -> Agreement:
    right = int((learned & truth).sum())
    return Agreement(right, int(learned.sum()) - right, int(truth.sum()) - right)


def _with_latents(marks: Comparison, latent_dag: LatentDag, truth: LatentDag) -> Comparison:
    matches, n_wrong = [], 0
    for pair in match_latents(truth, latent_dag):
        if pair.a is None:
            n_wrong += 1
            continue
        latent = pair.b
        name, children = (None, ()) if latent is None else (latent.name, latent.children)
        has_right_states = latent is not None and latent.n_states == pair.a.n_states
        matches.append(LatentMatch(pair.a.name, pair.a.children, name, children, pair.overlap, has_right_states))
    return Comparison(**{**vars(marks), "latents": tuple(matches), "n_latents_wrong": n_wrong})
