"""Several graphs at once: every pair of nodes that any of them joins, and every latent that any of them has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from latconf_core.comparison.subject import Subject, View, check_same_variables, choose_view, show_in
from latconf_core.graph.marks import Edge


@dataclass(frozen=True)
class EdgeRow:
    """A pair of nodes, and the edge that each graph has there; None for no edge."""

    nodes: tuple[str, str]
    edges: tuple[Edge | None, ...]

    @property
    def disagreement(self) -> float:
        """The share of graphs that do not have here what most of them have; 0 where all agree."""
        return 1 - max(Counter(self.edges).values()) / len(self.edges)


@dataclass(frozen=True)
class LatentRow:
    """A set of children, and the number of states of the latent that each graph has over it; None for no latent."""

    children: tuple[str, ...]
    states: tuple[int | None, ...]


@dataclass(frozen=True)
class Matrix:
    """Graphs as columns; rows of edges by falling disagreement, then latents by their children."""

    names: tuple[str, ...]
    view: View
    edges: tuple[EdgeRow, ...]
    latents: tuple[LatentRow, ...]


def make_matrix(subjects: Sequence[Subject], *, view: View | None = None) -> Matrix:
    """The matrix of graphs on the same variables, all in one view: as given, or by MAGs or PAGs beside a DAG."""
    for item in subjects[1:]:
        check_same_variables(subjects[0], item)
    chosen = choose_view(*subjects) if view is None else view
    nodes = subjects[0].nodes
    graphs = [show_in(subject, chosen, is_default=view is None).reordered(nodes) for subject in subjects]
    rows = []
    for i, j in np.argwhere(np.triu(np.any([graph.marks > 0 for graph in graphs], axis=0))):
        pair = nodes[i], nodes[j]
        rows.append(EdgeRow(pair, tuple(graph.edge(*pair) if graph.is_adjacent(*pair) else None for graph in graphs)))
    rows.sort(key=lambda row: -row.disagreement)
    return Matrix(tuple(subject.name for subject in subjects), chosen, tuple(rows), _latent_rows(subjects))


def _latent_rows(subjects: Sequence[Subject]) -> tuple[LatentRow, ...]:
    """One row per set of children, the sets that most graphs have first."""
    states: dict[tuple[str, ...], list[int | None]] = {}
    for index, subject in enumerate(subjects):
        for latent in subject.dag.latents if subject.dag is not None else ():
            states.setdefault(tuple(sorted(latent.children)), [None] * len(subjects))[index] = latent.n_states
    rows = [LatentRow(children, tuple(state)) for children, state in states.items()]
    return tuple(sorted(rows, key=lambda row: (row.states.count(None), row.children)))


def letter_of(index: int) -> str:
    """A for the reference, then B, C and so on."""
    return "ABCDEFGHIJKL"[index]
