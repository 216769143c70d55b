"""The parents that a tree chooses, against grow and shrink written out, for any predecessors and in any order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from latconf_core.control import RunControl, StopRequested
from latconf_core.structure.family_table import FamilyTable
from latconf_core.structure.parent_tree import ParentTree

N = 8


def random_scores(seed: int, n_levels: int) -> Callable[[int, int], float]:
    """A random score per family, most often higher with a parent more.

    Few levels make many ties; some families are impossible.
    """
    values = np.random.default_rng(seed).integers(n_levels, size=(N, 1 << N)).astype(float)
    values[values == 0] = -np.inf
    return lambda child, parents: float(values[child, parents]) + n_levels // 2 * parents.bit_count()


def grow_and_shrink(score: Callable[[int, int], float], child: int, before: int, most: int) -> int:
    """The first of the best is added while the score rises, then the first of the best to leave out is."""
    chosen, rises = 0, True
    while rises and chosen.bit_count() < most:
        bigger = [chosen | 1 << v for v in range(N) if (before & ~chosen) >> v & 1]
        best = max(bigger, key=lambda parents: score(child, parents), default=chosen)
        rises = score(child, best) > score(child, chosen)
        chosen = best if rises else chosen
    rises = True
    while rises and chosen:
        smaller = [chosen & ~(1 << v) for v in range(N) if chosen >> v & 1]
        best = max(smaller, key=lambda parents: score(child, parents))
        rises = score(child, best) > score(child, chosen)
        chosen = best if rises else chosen
    return chosen


@pytest.mark.parametrize("n_levels", [4, 1000])
@pytest.mark.parametrize("most_nodes", [1, 5, 1000])
def test_that_a_tree_chooses_what_grow_and_shrink_do_whatever_was_asked_before(n_levels: int, most_nodes: int) -> None:
    rng = np.random.default_rng(0)
    for seed in range(4):
        score = random_scores(seed, n_levels)
        table = FamilyTable(N, score, max_parents=3)
        tree = ParentTree(seed, most_nodes=most_nodes)
        for before in rng.permutation([mask for mask in range(1 << N) if not mask >> seed & 1]).tolist():
            parents, family_score = tree.choose(before, table, lambda: None)
            assert parents == grow_and_shrink(score, seed, before, 3)
            assert family_score == score(seed, parents)


def test_that_no_family_is_scored_twice_nor_one_with_a_parent_that_never_came_before() -> None:
    asked: list[int] = []
    score = random_scores(1, 1000)

    def count(child: int, parents: int) -> float:
        asked.append(parents)
        return score(child, parents)

    tree, table = ParentTree(0), FamilyTable(N, count, max_parents=3)
    for size in range(5):
        for others in combinations(range(1, 6), size):
            tree.choose(sum(1 << v for v in others), table, lambda: None)
    assert len(asked) == len(set(asked))
    assert not any(parents >> 6 for parents in asked)


def test_that_a_tree_never_has_more_nodes_than_it_may() -> None:
    table = FamilyTable(N, random_scores(2, 1000), max_parents=5)
    free, bounded = ParentTree(0), ParentTree(0, most_nodes=6)
    sizes = []
    for before in range(0, 1 << N, 2):
        free.choose(before, table, lambda: None)
        bounded.choose(before, table, lambda: None)
        sizes.append(bounded.n_nodes)
    assert max(sizes) <= 6 + table.max_parents  # a walk that was begun is ended
    assert free.n_nodes > 6 + table.max_parents


def test_that_a_stop_while_candidates_are_looked_at_leaves_a_tree_that_chooses_the_same() -> None:
    score = random_scores(3, 1000)
    table, tree = FamilyTable(N, score, max_parents=3), ParentTree(0)
    everyone = (1 << N) - 2
    for n_heard in range(1, 6):
        heard = iter(range(10**6))
        with pytest.raises(StopRequested):
            tree.choose(everyone, table, RunControl(lambda: next(heard) >= n_heard).checkpoint)  # noqa: B023
    assert tree.choose(everyone, table, lambda: None)[0] == grow_and_shrink(score, 0, everyone, 3)
