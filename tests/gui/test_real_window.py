"""From an example to a saved model in a real window on an X server, by mouse and keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.real_window import act_under_x


@pytest.mark.slow
def test_that_the_way_from_an_example_to_a_saved_model_works_by_mouse_and_keyboard_under_x(tmp_path: Path) -> None:
    act_under_x("person_to_model", tmp_path)


@pytest.mark.slow
def test_that_graphs_are_dragged_to_compare_under_x(tmp_path: Path) -> None:
    act_under_x("person_comparing", tmp_path)
