from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest

from latconf_core.json_form import decode, encode
from latconf_core.teaching.separation.separating_sets import variables_that_open
from latconf_core.teaching.separation.separation_game import (
    FIRST_TRY_POINTS,
    LATER_POINTS,
    Answer,
    GamePlay,
    GameRound,
    Task,
    draw_round,
    judge_answer,
)
from latconf_core.teaching.separation.separation_graph import GraphKind


def rounds(count: int = 60) -> list[GameRound]:
    rng = np.random.default_rng(4)
    return [draw_round(rng) for _ in range(count)]


def test_that_the_same_seed_draws_the_same_rounds_and_another_draws_others() -> None:
    assert draw_round(np.random.default_rng(7)) == draw_round(np.random.default_rng(7))
    assert len({repr(draw_round(np.random.default_rng(seed))) for seed in range(10)}) > 5


def test_that_rounds_ask_for_both_tasks_on_all_kinds_of_graphs() -> None:
    assert {(one.task, one.kind) for one in rounds()} == {(task, kind) for task in Task for kind in GraphKind}


@pytest.mark.parametrize("task", Task)
@pytest.mark.parametrize("kind", GraphKind)
def test_that_a_round_is_of_the_kind_that_is_asked_for(task: Task, kind: GraphKind) -> None:
    one = draw_round(np.random.default_rng(1), kinds=[kind], tasks=[task])
    assert (one.task, one.kind) == (task, kind)


def test_that_exactly_the_answers_are_right() -> None:
    for one in rounds():
        free = [name for name in one.dag.observed if name not in (one.first, one.second, *one.given)]
        for size in range(len(free) + 1):
            for chosen in combinations(free, size):
                answer = judge_answer(one, set(chosen))
                assert answer.is_right == (chosen in one.answers)
                assert answer.sentence.endswith(".")


def test_that_a_right_answer_does_what_the_round_asks_for() -> None:
    for one in rounds():
        for answer in one.answers:
            is_separated = one.asked.explain(one.first, one.second, (*one.given, *answer)).is_separated
            assert is_separated == (one.task == Task.SEPARATE)
        if one.task == Task.OPEN:
            assert one.asked.explain(one.first, one.second, one.given).is_separated
            assert tuple(variables_that_open(one.asked, one.first, one.second, one.given)) == one.answers[0]


def test_that_nothing_to_choose_is_never_the_answer() -> None:
    for one in rounds():
        assert not judge_answer(one, ()).is_right
        assert all(one.answers)


RIGHT, WRONG = Answer(True, "yes"), Answer(False, "no")


def test_that_points_depend_on_the_tries_and_a_round_that_is_over_gives_no_more() -> None:
    play = GamePlay(seed=1)
    assert play.standing == "Round 1 · 0 points · 0 of 0 answered"
    first = play.answered(RIGHT)
    assert (first.points, first.is_over) == (FIRST_TRY_POINTS, True)
    assert first.answered(RIGHT) == first
    second = first.next().answered(WRONG).answered(WRONG).answered(RIGHT)
    assert second.points == FIRST_TRY_POINTS + LATER_POINTS
    third = second.next().given_up()
    assert third.answered(RIGHT).points == second.points
    assert third.standing == "Round 3 · 4 points · 2 of 3 answered"


def test_that_a_game_goes_through_json_and_plays_the_same_rounds() -> None:
    play = GamePlay(seed=5).answered(WRONG).next().answered(RIGHT)
    again = decode(GamePlay, json.loads(json.dumps(encode(play))))
    assert again == play
    assert again.round() == play.round()
    assert play.next().round() != play.round()
