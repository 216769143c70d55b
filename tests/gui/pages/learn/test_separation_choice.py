from __future__ import annotations

import json

import pytest

from latconf_gui.pages.learn.separation.choice import Choice


def clicked(names: str) -> Choice:
    choice = Choice()
    for name in names:
        choice = choice.click(name)
    return choice


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("AB", Choice("A", "B")),
        ("ABCD", Choice("A", "B", frozenset("CD"))),
        ("ABCDC", Choice("A", "B", frozenset("D"))),
        ("ABA", Choice(None, "B")),
        ("ABCAC", Choice("C", "B")),  # what was held fixed becomes an end, and is held fixed no more
        ("ABCBD", Choice("A", "D", frozenset("C"))),
    ],
)
def test_that_the_first_two_clicks_choose_the_ends_and_others_what_is_held_fixed(names: str, expected: Choice) -> None:
    assert clicked(names) == expected


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        (Choice(), "Select two variables."),
        (Choice(None, "B", frozenset("C")), "B is one end: select another variable. C is conditioned on."),
        (Choice("A", None, frozenset("CD")), "A is one end: select another variable. C and D are conditioned on."),
        (Choice("A", "B"), "Between A and B, given the empty set."),
        (Choice("A", "B", frozenset("DC")), "Between A and B, given C and D."),
    ],
)
def test_that_a_choice_is_said_with_what_to_do_next(choice: Choice, sentence: str) -> None:
    assert choice.sentence("ABCD") == sentence


def test_that_a_choice_goes_through_json_and_keeps_what_another_graph_has() -> None:
    choice = clicked("ABCD")
    assert Choice.from_json(json.loads(json.dumps(choice.to_json("ABCD")))) == choice
    assert choice.within("ACE") == Choice("A", None, frozenset("C"))
