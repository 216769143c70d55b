"""What a climb may be told: the least gain, no turning, families that are ruled out, and its steps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from math import inf

import numpy as np
import pytest
from support.builders import random_dataset
from support.rival_data import chain, hiv_tests

from latconf_core.graph.bits import topological_order
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.structure.family_table import FamilyScore, FamilyTable
from latconf_core.structure.hill_climber import climb, climb_steps

HIV = Scorer(hiv_tests(), VbemOptions()).family_score


def test_that_every_step_changes_one_edge_and_gains() -> None:
    table = FamilyTable(4, HIV, max_parents=3)
    steps = list(climb_steps(table))
    assert steps[0] == (0, 0, 0, 0)
    assert steps[-1] == climb(table)
    for before, after in pairwise(steps):
        assert 1 <= sum((a ^ b).bit_count() for a, b in zip(before, after)) <= 2
        assert table.total(after) > table.total(before)


def test_that_moves_below_the_least_gain_are_left_out() -> None:
    table = FamilyTable(4, HIV, max_parents=3)
    few = climb(table, least_gain=5.0)
    assert sum(mask.bit_count() for mask in few) < sum(mask.bit_count() for mask in climb(table))


def test_that_without_turning_edges_only_come_and_go() -> None:
    for seed in range(20):
        data = random_dataset(np.random.default_rng(seed), 60, [2, 3, 2, 3, 2])
        table = FamilyTable(5, Scorer(data, VbemOptions()).family_score, max_parents=3)
        steps = list(climb_steps(table, turns_edges=False))
        assert all(sum((a ^ b).bit_count() for a, b in zip(*two)) == 1 for two in pairwise(steps))


def test_that_a_family_of_minus_infinity_is_never_made_by_adding_or_turning() -> None:
    score = Scorer(chain(), VbemOptions()).family_score
    table = FamilyTable(4, lambda child, mask: -inf if child == 2 and mask else score(child, mask), max_parents=3)
    assert climb(table)[2] == 0
    assert sum(mask.bit_count() for mask in climb(table)) == 3


def all_moves(dag: tuple[int, ...], n: int, *, turns_edges: bool) -> Iterator[tuple[int, ...]]:
    """Every parent more or less, then every turn of an edge, by child and parent."""
    for child, parent in product(range(n), repeat=2):
        if child != parent:
            yield tuple(mask ^ (v == child) << parent for v, mask in enumerate(dag))
    for child, parent in product(range(n), repeat=2):
        if turns_edges and dag[child] >> parent & 1:
            turned = {child: dag[child] ^ 1 << parent, parent: dag[parent] | 1 << child}
            yield tuple(turned.get(v, mask) for v, mask in enumerate(dag))


def climb_by_hand(score: FamilyScore, n: int, *, most: int, turns_edges: bool) -> list[tuple[int, ...]]:
    """The DAGs of a climb whose moves are all made and looked at, of equal gains the first."""
    steps = [(0,) * n]
    while True:
        present = steps[-1]
        gains: dict[tuple[int, ...], float] = {}
        for dag in all_moves(present, n, turns_edges=turns_edges):
            if topological_order(dag) is not None and max(mask.bit_count() for mask in dag) <= most:
                gains.setdefault(dag, sum(score(v, dag[v]) - score(v, present[v]) for v in range(n)))
        best = max(gains, key=lambda dag: gains[dag])
        if not gains[best] > 0:
            return steps
        steps.append(best)


@pytest.mark.parametrize("turns_edges", [False, True])
@pytest.mark.parametrize("n_levels", [3, 8, 1000])
def test_that_every_step_is_the_first_of_the_best_moves(n_levels: int, *, turns_edges: bool) -> None:
    for seed in range(25):
        values = np.random.default_rng(seed).integers(n_levels, size=(6, 1 << 6)).astype(float)

        def score(child: int, parents: int) -> float:
            return float(values[child, parents])  # noqa: B023

        table = FamilyTable(6, score, max_parents=3)
        expected = climb_by_hand(score, 6, most=3, turns_edges=turns_edges)
        assert list(climb_steps(table, turns_edges=turns_edges)) == expected
