"""Small values for tests, written as they are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import Knowledge


def mixed(*edges: str, nodes: Sequence[str] | None = None) -> MixedGraph:
    """The graph of edges such as "A o-> B"; nodes in alphabetical order unless given."""
    parsed = [Edge.parse(text) for text in edges]
    names = {name for edge in parsed for name in (edge.first, edge.second)}
    return MixedGraph.from_edges(sorted(names) if nodes is None else nodes, parsed)


def random_dataset(rng: np.random.Generator, n_rows: int, cards: Sequence[int]) -> Dataset:
    """Independent uniform columns named A, B, …, each with its number of states."""
    names = [chr(ord("A") + i) for i in range(len(cards))]
    states = [[f"s{k}" for k in range(card)] for card in cards]
    codes = np.stack([rng.integers(card, size=n_rows) for card in cards], axis=1)
    return Dataset(names, states, codes)


def knowledge_of_all_kinds() -> Knowledge:
    """Knowledge of A to E that says something of every kind."""
    return Knowledge(
        tiers=(("A", "B"), ("C", "D")),
        closed_tiers=frozenset({0}),
        forbidden=(("A", "D"),),
        required=(("B", "C"),),
        forbidden_indirect=(("E", "C"),),
        exogenous=("A",),
        no_hidden_cause=(("B", "C", "D"),),
        hidden_causes_only_among=("B", "C", "D", "E"),
    )
