"""Guesses of what a learner does next."""

from __future__ import annotations

import pytest

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.marks import Mark
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.pag.events import ColliderOriented, EdgeRemoved, MarkChanged, PagLearned, PhaseStarted
from latconf_core.pag.learners.catalogue import learn_pag
from latconf_core.pag.replay import Replay
from latconf_core.teaching.prediction import Guess, first_question, judge_guess, question
from latconf_core.teaching.starter_dags import STARTER_DAGS
from latconf_core.teaching.stepped_run import SteppedRun, learn_in_steps

Y_STRUCTURE = LatentDag("ABCD", [("A", "C"), ("B", "C"), ("C", "D")])


@pytest.fixture
def replay() -> Replay:
    return Replay(learn_pag(DSeparationOracle(Y_STRUCTURE)))


def before(replay: Replay, kind: type, number: int = 0) -> int:
    """The step before the first event of a kind."""
    return [k for k, event in enumerate(replay.events) if isinstance(event, kind)][number] - 1


def test_that_the_next_change_is_right_by_edge_by_end_or_by_its_nodes(replay: Replay) -> None:
    step = before(replay, EdgeRemoved)
    for guess in (Guess(("A", "B")), Guess(("B", "A"), "A"), Guess(("A", "B"), "B")):
        assert judge_guess(replay, step, guess).is_right
        assert judge_guess(replay, step, guess).text == "Right."


def test_that_a_change_later_in_the_same_part_is_right_too_and_says_when(replay: Replay) -> None:
    step = before(replay, EdgeRemoved, 1)
    verdict = judge_guess(replay, step, Guess(("B", "D")))
    assert verdict.is_right
    assert verdict.text == f"Right. It comes in step {step + 3}; other changes come first."


def test_that_what_does_not_change_in_this_part_is_wrong_and_the_next_change_is_said(replay: Replay) -> None:
    verdict = judge_guess(replay, before(replay, EdgeRemoved), Guess(("A", "C")))
    assert not verdict.is_right
    assert verdict.text == "No. That does not change in this phase; next: A - B removed, given nothing."


def test_that_the_wrong_end_of_the_right_edge_says_so(replay: Replay) -> None:
    step = before(replay, ColliderOriented)
    assert judge_guess(replay, step, Guess(("C", "A"), "C")).is_right
    verdict = judge_guess(replay, step, Guess(("C", "A"), "A"))
    assert not verdict.is_right
    assert "at its other end" in verdict.text


def test_that_nothing_changes_is_right_only_at_the_end_of_a_part(replay: Replay) -> None:
    assert not judge_guess(replay, before(replay, MarkChanged), Guess()).is_right
    step = before(replay, PagLearned)
    assert judge_guess(replay, step, Guess()).is_right
    assert judge_guess(replay, step, Guess(("A", "C"))).text == "No: nothing more changes in this phase."


def test_that_questions_are_asked_after_it_was_said_what_a_part_does(replay: Replay) -> None:
    assert first_question(replay, 0) == 1
    step = before(replay, PhaseStarted, -1)
    assert first_question(replay, step) == step
    assert first_question(replay, step + 1) == step + 1
    assert question(replay, 1) == "Which edge or mark changes next (skeleton, empty conditioning set)?"
    assert question(replay, replay.last) == ""


@pytest.mark.parametrize("name", list(STARTER_DAGS))
@pytest.mark.parametrize("learner", ["fci", "rfci", "cfci", "mfci"])
def test_that_who_knows_every_step_is_always_right(name: str, learner: str) -> None:
    *_, replay = learn_in_steps(SteppedRun(STARTER_DAGS[name], learner=learner), RunControl())
    assert isinstance(replay, Replay)
    step, n_guesses = first_question(replay, 0), 0
    while step < replay.last:
        changes = replay.changes(step + 1)
        guess = Guess((changes[0].node, changes[0].other), changes[0].node) if changes else Guess()
        is_open = not changes and type(replay.events[step + 1]).__name__ == "TripleAmbiguous"
        assert is_open or judge_guess(replay, step, guess).is_right
        step, n_guesses = first_question(replay, step + 1), n_guesses + 1
    assert n_guesses >= 5
    assert replay.graph(replay.last) == STARTER_DAGS[name].pag or learner == "rfci"


def test_that_the_starter_dags_need_what_they_are_called_after() -> None:
    rules = {}
    for name, dag in STARTER_DAGS.items():
        *_, replay = learn_in_steps(SteppedRun(dag), RunControl())
        assert isinstance(replay, Replay)
        rules[name] = {event.rule for event in replay.events if isinstance(event, MarkChanged)} | {
            event.phase for event in replay.events if isinstance(event, EdgeRemoved)
        }
    assert "R4" in rules["Discriminating path"]
    assert "possible-d-sep" in rules["Possible-d-sep"]
    assert {"R8", "R9"} <= rules["Tail rules"]
    assert "R1" in rules["Collider and its effect"]
    hidden = STARTER_DAGS["Two hidden causes"].pag
    assert hidden.mark_at("B", "C") == hidden.mark_at("C", "B") == Mark.ARROW
