"""The comparisons that people come for, each by mouse alone and by keyboard alone."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot
from support.compare_acts import names, settle
from support.compare_hands import Keyboard, Mouse, Person, state_with_two_of_each

from latconf_gui.window.main_window import MainWindow

WALKS = {
    "what two searches found": ("Best DAG, ILC-V on GFCI", "Best DAG, HCLC-V on GFCI"),
    "with and without latents": ("Best without latents, ILC-V on GFCI", "Best with latents, ILC-V on GFCI"),
    "two PAGs": ("FCI", "GFCI"),
    "found and true": ("Truth", "Best DAG, HCLC-V on GFCI"),
}


@pytest.fixture(params=[Mouse, Keyboard])
def person(request: pytest.FixtureRequest, window: MainWindow, qtbot: QtBot) -> Person:
    window.document.open_state(state_with_two_of_each(), "Open")
    window.document.mark_clean()
    window.show_page("Model")
    made: Person = request.param(window)
    return made


@pytest.mark.parametrize("walk", WALKS)
def test_that_a_person_sees_where_two_graphs_differ(person: Person, qtbot: QtBot, walk: str) -> None:
    page, pair = person.page, WALKS[walk]
    person.open_page()
    qtbot.waitUntil(page.isVisible)
    for name in pair:
        person.add(name)
    assert names(page) == list(pair)
    assert page.parts.names.text() == f"A: {pair[0]}    B: {pair[1]}"
    settle(page, qtbot)
    shown = page.pair
    assert shown is not None
    are_dags = walk != "two PAGs"
    assert (shown.parts is not None) == are_dags
    assert (" nats " in page.parts.sentence.text() or "equally" in page.parts.sentence.text()) == are_dags
    assert "Markov equivalent" in page.parts.sentence.text()
    if shown.edges or shown.other_latents:
        person.go_to_first_difference()
        assert page.tree.current == page.tree.differences[0]
        assert page.overlay.canvas.scene.selectedItems()
    person.open_numbers()
    assert page.parts.shown_table == "numbers"
    assert page.numbers.isVisible()


def test_that_a_person_turns_a_comparison_round(person: Person, qtbot: QtBot) -> None:
    person.open_page()
    qtbot.waitUntil(person.page.isVisible)
    for name in WALKS["two PAGs"]:
        person.add(name)
    person.make_reference(1)
    assert names(person.page) == ["GFCI", "FCI"]
    assert person.page.shown == 1
    settle(person.page, qtbot)
