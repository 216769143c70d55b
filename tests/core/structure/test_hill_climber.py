"""What a climb may be told: the least gain, no turning, families that are ruled out, and its steps."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import numpy as np
from support.builders import random_dataset
from support.rival_data import chain, hiv_tests

from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.structure.family_table import FamilyTable
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
