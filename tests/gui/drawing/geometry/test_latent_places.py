from __future__ import annotations

import itertools

import numpy as np
import pytest

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_gui.drawing.geometry.latent_places import with_latents

SIZES = dict.fromkeys("ABCDEFGH", (60.0, 24.0)) | {"L1": (70.0, 44.0), "L2": (70.0, 44.0)}


@pytest.mark.parametrize("seed", range(20))
def test_that_latents_stand_near_their_children_and_overlap_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    spots = rng.permutation([(x * 90.0, y * 60.0) for x in range(4) for y in range(2)])
    positions = dict(zip("ABCDEFGH", map(tuple, spots)))
    dag = LatentDag("ABCDEFGH", (), [Latent("L1", 2, ("A", "B")), Latent("L2", 3, ("B", "C", "D"))])
    places = with_latents(dag, positions, SIZES)
    assert {name: places[name] for name in "ABCDEFGH"} == positions
    for first, second in itertools.combinations(places, 2):
        apart = np.abs(np.subtract(places[first], places[second]))
        assert (apart >= (np.array(SIZES[first]) + SIZES[second]) / 2).any()
    for latent in dag.latents:
        assert all(places[latent.name][1] < positions[child][1] for child in latent.children)
        middle = np.mean([positions[child] for child in latent.children], axis=0)
        assert np.hypot(*(places[latent.name] - middle)) < 250


def test_that_a_latent_stands_above_the_middle_where_there_is_room() -> None:
    dag = LatentDag("AB", (), [Latent("L1", 2, ("A", "B"))])
    x, y = with_latents(dag, {"A": (0.0, 0.0), "B": (400.0, 0.0)}, SIZES)["L1"]
    assert x == 200.0
    assert -80.0 < y < -40.0


def test_that_a_latent_above_latents_stands_above_them_in_whatever_order_they_come() -> None:
    upper = Latent("L1", 2, ("L2", "L3"))
    lower = [Latent("L2", 2, ("A", "B"), "L1"), Latent("L3", 2, ("C", "D"), "L1")]
    sizes = SIZES | {"L3": (70.0, 44.0)}
    positions = {name: (100.0 * index, 0.0) for index, name in enumerate("ABCD")}
    places = with_latents(LatentDag("ABCD", (), [upper, *lower]), positions, sizes)
    assert places["L1"][1] < min(places["L2"][1], places["L3"][1])
    assert places["L2"][1] < 0
