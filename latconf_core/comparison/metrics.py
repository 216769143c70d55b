"""How near a found graph is to a known truth: adjacencies, arrowheads, SHD, and latents by their children."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import BoolArray
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.errors import GraphError
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

    @property
    def is_exact(self) -> bool:
        return self.overlap == 1.0


@dataclass(frozen=True)
class Comparison:
    """A found graph against the truth.

    shd : pairs of nodes whose edges differ, in being there or in a mark
    latents : for each true latent with two or more observed children, the found one that fits best
    n_latents_wrong : found latents that fit no true one best
    """

    adjacency: Agreement
    arrowhead: Agreement
    shd: int
    latents: tuple[LatentMatch, ...] = ()
    n_latents_wrong: int = 0

    @property
    def n_latents_exact(self) -> int:
        return sum(match.is_exact for match in self.latents)


def compare_graphs(found: MixedGraph, truth: MixedGraph) -> Comparison:
    """A graph against another on the same nodes, mark by mark."""
    if set(found.nodes) != set(truth.nodes):
        odd = sorted(set(found.nodes) ^ set(truth.nodes))
        raise GraphError(f"only graphs of the same variables can be compared; {', '.join(odd)} is in one alone")
    ours, theirs = found.reordered(truth.nodes).marks, truth.marks
    differs = np.triu((ours != theirs) | (ours != theirs).T)
    return Comparison(
        adjacency=_agreement(np.triu(ours > 0), np.triu(theirs > 0)),
        arrowhead=_agreement(ours == Mark.ARROW, theirs == Mark.ARROW),
        shd=int(differs.sum()),
    )


def compare_dags(found: LatentDag, truth: LatentDag) -> Comparison:
    """A DAG with latents against the true one: their MAGs mark by mark, their latents by children."""
    graphs = compare_graphs(mag_of_dag(found), mag_of_dag(truth))
    matches, n_wrong = _matched_latents(found, truth)
    return Comparison(graphs.adjacency, graphs.arrowhead, graphs.shd, matches, n_wrong)


def _agreement(found: BoolArray, truth: BoolArray) -> Agreement:
    right = int((found & truth).sum())
    return Agreement(right, int(found.sum()) - right, int(truth.sum()) - right)


def _matched_latents(found: LatentDag, truth: LatentDag) -> tuple[tuple[LatentMatch, ...], int]:
    """True latents matched with found ones, the pair with most in common first, each used once."""
    pairs = sorted(
        (
            (-_overlap(one.children, own.children), i, j)
            for i, one in enumerate(truth.latents)
            for j, own in enumerate(found.latents)
        ),
    )
    match_of: dict[int, int] = {}
    for overlap, i, j in pairs:
        if overlap < 0 and i not in match_of and j not in match_of.values():
            match_of[i] = j
    matches = []
    for i, one in enumerate(truth.latents):
        own = found.latents[match_of[i]] if i in match_of else None
        children = () if own is None else own.children
        name = None if own is None else own.name
        matches.append(LatentMatch(one.name, one.children, name, children, _overlap(one.children, children)))
    return tuple(matches), len(found.latents) - len(match_of)


def _overlap(first: tuple[str, ...], second: tuple[str, ...]) -> float:
    both = set(first) | set(second)
    return len(set(first) & set(second)) / len(both) if both else 0.0
