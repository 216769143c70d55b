"""What "Guess the hidden" says: the task, the score, and what the program's own searches found."""

from __future__ import annotations

from collections.abc import Collection

from latconf_core.phrases import counted, list_names
from latconf_core.teaching.sampled.hidden_puzzle import FULL_POINTS, GuessScore, ProgramAnswer, Puzzle, score_guess

INTRODUCTION = (
    "One variable, a cause of at least two of those shown, was not measured. Which ones does it cause? Look "
    "at the PAG, learned from the rows, and at the counts of any two variables. Click the variables you "
    "suspect or tick them in the list, then press Reveal."
)
HINTS = (
    "First look for A <-> B: neither causes the other, so they share a hidden cause. A group of variables "
    "that are all adjacent may share one hidden cause. Circles allow more than one answer, and a small "
    "sample may mislead the learner."
)
POSING = "Rows are being drawn and a PAG is being learned…"


def marked_sentence(marked: Collection[str]) -> str:
    """What is marked so far."""
    if not marked:
        return "No variable is marked yet."
    if len(marked) == 1:
        return f"You have marked {list_names(marked)}; a hidden common cause has at least two children."
    return f"Your guess: the hidden variable causes {list_names(marked)}."


def score_sentence(puzzle: Puzzle, score: GuessScore) -> str:
    """The truth, and how near the guess was."""
    truth = f"The hidden variable is {puzzle.secret.name}; it causes {list_names(puzzle.secret.children)}."
    if score.points == FULL_POINTS and not score.wrong and not score.missed:
        return f"{truth} You found all of it: {FULL_POINTS} points."
    parts = [f"{list_names(score.right)} right" if score.right else "none right"]
    parts += [f"{list_names(score.wrong)} wrong"] if score.wrong else []
    parts += [f"{list_names(score.missed)} missed"] if score.missed else []
    return f"{truth} Your guess: {'; '.join(parts)}. {counted(score.points, 'point')} of {FULL_POINTS}."


def answer_sentence(answer: ProgramAnswer, children: Collection[str]) -> str:
    """What a search of the program said, scored as a guess."""
    guess = answer.best_guess(children)
    ended = "" if answer.is_complete else ", before its time limit"
    if not guess:
        return f"{answer.title} found no hidden cause{ended}: 0 points."
    points = score_guess(guess, children).points
    others = len(answer.children) - 1
    more = f" (and {counted(others, 'other hidden cause')})" if others else ""
    return f"{answer.title} found a hidden cause of {list_names(guess)}{more}{ended}: {counted(points, 'point')}."


def total_sentence(points: int, rounds: int) -> str:
    """All that was collected."""
    if not rounds:
        return f"Each puzzle is worth up to {FULL_POINTS} points."
    return f"So far: {counted(points, 'point')} in {counted(rounds, 'puzzle')}."
