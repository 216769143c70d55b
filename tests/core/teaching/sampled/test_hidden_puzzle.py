"""Puzzles about a secret variable: the same choice is the same puzzle, levels keep their word, guesses are scored."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from latconf_core.control import RunControl, StopRequested
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.errors import OptionError
from latconf_core.formats.examples import example_names, load_example
from latconf_core.graph.marks import Mark
from latconf_core.pag.validity import pag_of_mag
from latconf_core.teaching.sampled.hidden_puzzle import (
    LEVELS,
    ProgramAnswer,
    Puzzle,
    PuzzleChoice,
    PuzzlePosed,
    answer_puzzle,
    make_puzzle,
    pose_puzzle,
    possible_secrets,
    score_guess,
)

SEEDS = range(1, 21)


@cache
def random_puzzle(difficulty: str, seed: int) -> Puzzle:
    return make_puzzle(PuzzleChoice("random", difficulty, seed))


def posed(choice: PuzzleChoice) -> PuzzlePosed:
    return next(event for event in pose_puzzle(choice) if isinstance(event, PuzzlePosed))


def test_that_the_same_choice_is_the_same_puzzle() -> None:
    one, again = (make_puzzle(PuzzleChoice("random", "medium", 7)) for _ in range(2))
    assert one.truth == again.truth
    assert np.array_equal(one.dataset.codes, again.dataset.codes)
    assert {random_puzzle("medium", seed).secret.children for seed in SEEDS} > {one.secret.children}


@pytest.mark.parametrize("difficulty", LEVELS)
def test_that_random_puzzles_are_as_hard_as_they_say(difficulty: str) -> None:
    level = LEVELS[difficulty]
    for seed in SEEDS:
        puzzle = random_puzzle(difficulty, seed)
        children = puzzle.secret.children
        assert len(puzzle.truth.latents) == 1
        assert puzzle.secret.name not in puzzle.dataset.names
        assert len(children) in level.n_children
        assert (puzzle.dataset.n_variables, puzzle.dataset.n_rows) == (level.n_variables, level.n_rows)
        pag = pag_of_mag(mag_of_dag(puzzle.truth))
        shown = [pag.mark_at(a, b) == pag.mark_at(b, a) == Mark.ARROW for a, b in combinations(children, 2)]
        assert all(shown) if level.shows_all else any(shown)


@pytest.mark.parametrize("name", example_names())
def test_that_every_example_has_a_secret_to_guess(name: str) -> None:
    network = load_example(name)
    secrets = possible_secrets(network)
    puzzle = make_puzzle(PuzzleChoice(name, "hard", 3))
    assert puzzle.secret.name in secrets
    assert len(puzzle.secret.children) >= 2
    assert set(puzzle.dataset.names) == set(network.variables) - {puzzle.secret.name}


def test_that_an_easy_puzzle_can_be_read_off_its_pag() -> None:
    solved = 0
    for seed in range(1, 7):
        puzzle = posed(PuzzleChoice("random", "easy", seed))
        pairs = [{edge.first, edge.second} for edge in puzzle.pag.edges() if edge.is_bidirected]
        solved += pairs == [set(puzzle.puzzle.secret.children)]
    assert solved >= 5


def test_that_the_program_answers_by_a_search_of_the_pag_and_by_refine() -> None:
    puzzle = posed(PuzzleChoice("random", "easy", 2))
    answers = [event for event in answer_puzzle(puzzle) if isinstance(event, ProgramAnswer)]
    assert [answer.search for answer in answers] == ["ilc-v", "refine"]
    assert all(answer.is_complete for answer in answers)
    assert set(answers[0].best_guess(puzzle.puzzle.secret.children)) == set(puzzle.puzzle.secret.children)


def test_that_a_stopped_search_gives_no_answer() -> None:
    puzzle = posed(PuzzleChoice("random", "easy", 2))
    looks = iter(range(1_000_000))
    control = RunControl(lambda: next(looks) >= 30)
    answers = list[object]()
    with pytest.raises(StopRequested):
        answers.extend(answer_puzzle(puzzle, control=control))
    assert not any(isinstance(event, ProgramAnswer) for event in answers)


@pytest.mark.parametrize(
    ("guess", "overlap", "points"), [("AB", 1.0, 10), ("A", 0.5, 5), ("ABC", 2 / 3, 7), ("CD", 0.0, 0), ("", 0.0, 0)]
)
def test_that_points_follow_the_overlap(guess: str, overlap: float, points: int) -> None:
    score = score_guess(guess, ("A", "B"))
    assert score.overlap == pytest.approx(overlap)
    assert score.points == points
    assert set(score.right) | set(score.missed) == {"A", "B"}


def test_that_the_nearest_of_several_answers_counts() -> None:
    answer = ProgramAnswer("refine", (("A", "C"), ("A", "B", "C"), ("D", "E")), True)
    assert answer.best_guess(("A", "B")) == ("A", "B", "C")
    assert ProgramAnswer("refine", (), True).best_guess(("A", "B")) == ()


def test_that_unknown_choices_are_refused() -> None:
    with pytest.raises(OptionError, match="no example 'atlantis'"):
        PuzzleChoice("atlantis")
    with pytest.raises(OptionError, match="no difficulty 'brutal'"):
        PuzzleChoice("random", "brutal")  # type: ignore[arg-type]
