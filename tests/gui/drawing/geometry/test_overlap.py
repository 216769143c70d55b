from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from latconf_gui.drawing.geometry.overlap import remove_overlaps, stretch


def n_overlaps(centres: np.ndarray, sizes: np.ndarray) -> int:
    count = 0
    for i in range(len(centres)):
        for j in range(i):
            room = (sizes[i] + sizes[j]) / 2
            count += bool((np.abs(centres[i] - centres[j]) < room).all())
    return count


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 25), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 20.0, 300.0]))
def test_that_no_two_boxes_intersect_wherever_they_began(n: int, seed: int, spread: float) -> None:
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-1, 1, (n, 2)) * spread
    sizes = rng.uniform(10, 120, (n, 2))
    moved = remove_overlaps(centres, sizes, gap=(5.0, 5.0))
    assert n_overlaps(moved, sizes + 4.9) == 0


def test_that_boxes_already_apart_stay_where_they_are() -> None:
    centres = np.array([[0.0, 0.0], [200.0, 0.0], [0.0, 90.0]])
    moved = remove_overlaps(centres, np.full((3, 2), 40.0), gap=(10.0, 10.0))
    assert np.abs(moved - centres).max() < 0.01


def test_that_a_layout_is_stretched_to_its_frame() -> None:
    moved = stretch(np.array([[0.0, 5.0], [10.0, 5.0], [4.0, 9.0]]), (300.0, 80.0))
    assert np.ptp(moved, axis=0).tolist() == [300.0, 80.0]
    assert (moved.max(axis=0) + moved.min(axis=0)).tolist() == [0.0, 0.0]
