"""The order in which candidates are tried where there are many variables."""

from __future__ import annotations

import numpy as np
from support.builders import random_dataset

from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.promise import sort_by_promise
from latconf_core.search.refining.soft_model import SoftModel
from latconf_core.search.refining.soft_scores import SoftScores


def test_that_sets_with_more_links_than_a_tree_come_first_and_weak_links_before_strong_ones() -> None:
    data = random_dataset(np.random.default_rng(1), 500, [2] * 9)
    codes = data.codes.copy()
    codes[:, 8] = codes[:, 7]  # a link as strong as can be, where all others are none
    soft = SoftScores(Scorer(Dataset(data.names, data.states, codes), VbemOptions()))
    # 0 to 3 are all joined, 4 to 6 in a triangle, 6 and 7 as well as 7 and 8 by an edge.
    model = SoftModel((0, 0b1, 0b11, 0b111, 0, 1 << 4, 0b11 << 4, 1 << 6, 1 << 7))
    clique, triangle, weak, strong = 0b1111, 0b111 << 4, 0b11 << 6, 0b11 << 7
    assert sort_by_promise([strong, weak, triangle, clique], model, soft) == [clique, triangle, weak, strong]
