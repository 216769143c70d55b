from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from latconf_gui.drawing.geometry.free_places import NEW_NODE_GAP, nearest_free_place, place_beside

SIZES = {name: (60.0 + 10 * i, 24.0) for i, name in enumerate("ABCDEFGH")}


@pytest.mark.parametrize("seed", range(10))
def test_that_new_nodes_stand_apart_from_all_others_and_those_stay(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kept = {name: (150.0 * i, 0.0) for i, name in enumerate("ABC")}
    wanted = {name: (float(x), float(y)) for name, (x, y) in zip("DEFGH", rng.uniform(0, 200, (5, 2)))}
    placed = {**kept, **place_beside(wanted, kept, SIZES)}
    for first, second in combinations(placed, 2):
        apart = np.abs(np.subtract(placed[first], placed[second]))
        assert (apart >= (np.array(SIZES[first]) + SIZES[second]) / 2 + NEW_NODE_GAP - 1e-6).any()


def test_that_a_free_place_is_taken_as_it_is() -> None:
    assert place_beside({"D": (500.0, 5.0)}, {"A": (0.0, 0.0)}, SIZES) == {"D": (500.0, 5.0)}


def test_that_a_place_above_is_not_lower_than_the_one_asked_for() -> None:
    placed = {"A": (0.0, 0.0), "B": (0.0, -40.0)}
    x, y = nearest_free_place((0.0, -30.0), (60.0, 24.0), placed, sizes=SIZES, gap=20.0, is_above=True)
    assert y <= -30.0
    assert (x, y) != (0.0, -30.0)
