"""Where the nodes of a neighbourhood stand: apart from each other, causes above effects, within the room."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from support.builders import mixed

from latconf_core.graph.mixed import MixedGraph
from latconf_gui.drawing.content.graph_drawing import drawing_of_graph
from latconf_gui.drawing.content.neighbourhood import Neighbourhood, part_of
from latconf_gui.drawing.geometry.neighbourhood_places import neighbourhood_places

SIZE = (80.0, 26.0)
Places = dict[str, tuple[float, float]]


def place(graph: MixedGraph, centre: str, n_steps: int = 1, room: tuple[float, float] = (1000.0, 600.0)) -> Places:
    near = Neighbourhood(centre, n_steps)
    part = part_of(drawing_of_graph(graph), near)
    return neighbourhood_places(part, near, sizes=dict.fromkeys(part.names, SIZE), room=room)


def test_that_causes_stand_above_the_centre_its_effects_below_and_others_beside_it() -> None:
    places = place(mixed("A --> X", "B o-> X", "X --> C", "X <-> D", "X o-o E", "F --> A"), "X")
    (x, y) = places["X"]
    assert places["A"][1] == places["B"][1] < y < places["C"][1]
    assert places["D"][1] == places["E"][1] == y
    assert (places["D"][0] - x) * (places["E"][0] - x) < 0
    assert "F" not in places


def test_that_a_second_step_goes_on_upwards_and_downwards() -> None:
    places = place(mixed("A --> X", "B --> A", "X --> C", "C --> D", "E --> C"), "X", 2)
    heights = [places[name][1] for name in "BAXCD"]
    assert heights == sorted(heights)
    assert len(set(heights)) == 5
    assert places["E"][1] == places["X"][1]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("n_steps", [1, 2])
def test_that_no_two_boxes_touch(seed: int, n_steps: int) -> None:
    rng = np.random.default_rng(seed)
    arrows = ("-->", "<--", "<->", "o->", "o-o")
    pairs = {tuple(sorted(rng.choice(40, 2, replace=False).tolist())) for _ in range(90)}
    graph = mixed(*(f"V{a} {arrows[int(rng.integers(5))]} V{b}" for a, b in sorted(pairs)))
    for centre in graph.nodes[:6]:
        places = place(graph, centre, n_steps)
        for first, second in combinations(places.values(), 2):
            across, down = abs(first[0] - second[0]), abs(first[1] - second[1])
            assert across >= SIZE[0] or down >= SIZE[1]


def test_that_a_hub_with_forty_effects_fits_into_the_room() -> None:
    places = place(mixed(*(f"X --> V{i}" for i in range(40))), "X")
    across = [x for x, _ in places.values()]
    assert max(across) - min(across) + SIZE[0] <= 40 * SIZE[0] / 2
    assert all(places[f"V{i}"][1] > places["X"][1] for i in range(40))
