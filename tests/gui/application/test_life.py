"""Whatever a person does, and whenever they are cut off: no completed save is lost, nothing lands in another's file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from support.life import Person


def live(n_actions: int, seed: int, folder: Path, recovery_folder: Path, qtbot: QtBot) -> Person:
    """A life of so many actions, and then as many more as it takes until something was saved and all was done once."""
    person = Person(folder, recovery_folder=recovery_folder, rng=np.random.default_rng(seed), qtbot=qtbot)
    everything = {act.__name__ for act in person.acts}
    for number in range(10 * n_actions):
        if number >= n_actions and person.saved and set(person.done) == everything:
            break
        person.act()
    person.end()
    return person


@pytest.mark.parametrize("seed", [1, 2])
def test_that_three_hundred_actions_lose_nothing_and_mix_nothing_up(
    tmp_path: Path, own_recovery_folder: Path, qtbot: QtBot, seed: int
) -> None:
    person = live(300, seed, tmp_path, own_recovery_folder, qtbot)
    assert person.saved
    assert set(person.done) == {act.__name__ for act in person.acts}


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_that_two_thousand_actions_lose_nothing_and_mix_nothing_up(
    tmp_path: Path, own_recovery_folder: Path, qtbot: QtBot, seed: int
) -> None:
    person = live(2000, seed, tmp_path, own_recovery_folder, qtbot)
    assert person.saved
