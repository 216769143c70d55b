"""Predict, then reveal: what a learner does next, as a person guesses it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from latconf_core.graph.marks import Mark
from latconf_core.pag.events import GraphStarted, PagLearned, PhaseStarted
from latconf_core.pag.replay import Replay
from latconf_core.wording.step_texts import step_title


@dataclass(frozen=True)
class Guess:
    """An edge that changes, or one of its ends; without a pair, that nothing more changes in this part of the work.

    pair : the two nodes, in any order
    node : the end whose mark changes; None for the edge as a whole
    """

    pair: tuple[str, str] | None = None
    node: str | None = None


@dataclass(frozen=True)
class GuessVerdict:
    """Whether a guess was right, and a sentence about it."""

    is_right: bool
    text: str


def question(replay: Replay, step: int) -> str:
    """What is asked before the step after this one; "" at the end."""
    if step >= replay.last:
        return ""
    part = next((e.text for e in reversed(replay.events[: step + 1]) if isinstance(e, PhaseStarted)), "")
    name = part.partition(":")[0].lower()
    return f"Which edge or mark changes next{f' ({name})' if name else ''}?"


def first_question(replay: Replay, step: int) -> int:
    """The step at which the next question is asked: where a part begins, after it was said what it does."""
    while step < replay.last and _is_new_part(replay, step) and _is_new_part(replay, step + 1):
        step += 1
    return step


def judge_guess(replay: Replay, step: int, guess: Guess) -> GuessVerdict:
    """Whether the guess is among what changes next in this part; the order within a part does not count."""
    coming = list(_coming(replay, step))
    if guess.pair is None:
        if not coming:
            return GuessVerdict(True, "Right: no more changes in this phase.")
        return GuessVerdict(False, f"Not yet: {_said(replay, coming[0])}.")
    for later in coming:
        if _matches(replay, later, guess):
            when = "" if later == coming[0] else f" It comes in step {later + 1}; other changes come first."
            return GuessVerdict(True, f"Right.{when}")
    if not coming:
        return GuessVerdict(False, "No: nothing more changes in this phase.")
    is_near = any(_matches(replay, later, Guess(guess.pair)) for later in coming)
    hint = "That edge changes, but at its other end" if is_near else "That does not change in this phase"
    return GuessVerdict(False, f"No. {hint}; next: {_said(replay, coming[0])}.")


def _said(replay: Replay, step: int) -> str:
    return step_title(replay.events[step])


def _is_new_part(replay: Replay, step: int) -> bool:
    return isinstance(replay.events[step], PhaseStarted | GraphStarted)


def _coming(replay: Replay, step: int) -> Iterator[int]:
    """The steps after this one that change something, until the next part begins."""
    for later in range(step + 1, len(replay)):
        if isinstance(replay.events[later], PhaseStarted | GraphStarted | PagLearned):
            return
        if replay.n_changes(later):
            yield later


def _matches(replay: Replay, step: int, guess: Guess) -> bool:
    changes = [c for c in replay.changes(step) if guess.pair is not None and {c.node, c.other} == set(guess.pair)]
    is_whole = any(Mark.NONE in (change.before, change.after) for change in changes)
    return bool(changes) and (guess.node is None or is_whole or any(c.node == guess.node for c in changes))
