"""FCI and its conservative and majority variants (Spirtes et al.; Zhang 2008; Colombo and Maathuis 2014)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from latconf_core.pag.events import PagEvent, PhaseStarted
from latconf_core.pag.learners.colliders import (
    TripleClassifier,
    orientation_by_sepsets,
    plain_colliders,
    put_colliders,
    put_knowledge,
)
from latconf_core.pag.learners.kept_apart import separate_kept_apart
from latconf_core.pag.learners.learner import TESTING, Learner, Learning
from latconf_core.pag.learners.possible_dsep import search_possible_dsep
from latconf_core.pag.learners.skeleton import learn_skeleton
from latconf_core.pag.learners.work import Work
from latconf_core.pag.rules.mark_sets import Marks
from latconf_core.pag.rules.orientation import Orientation, Triple, orient

COLLIDERS = (
    "Colliders: check every a - b - c whose ends are not adjacent. If b is not in the set that separates a "
    "and c, both edges get an arrowhead at b."
)
OPENED = (
    "Colliders: check every a - b - c whose ends are not adjacent. If b is not in the set that separates a and c, and "
    "they depend given b too, both edges get an arrowhead at b."
)
POSSIBLE_DSEP = ("possible_dsep", "possible_dsep_size", "possible_dsep_tests")


def learn_fci(work: Work) -> Learning:
    """FCI; returns the oriented marks."""
    return _learn(work, None)


def learn_cfci(work: Work) -> Learning:
    """Conservative FCI; returns the oriented marks."""
    return _learn(work, TripleClassifier(work, is_majority=False))


def learn_mfci(work: Work) -> Learning:
    """FCI by majority; returns the oriented marks."""
    return _learn(work, TripleClassifier(work, is_majority=True))


def _learn(work: Work, classifier: TripleClassifier | None) -> Learning:
    yield from learn_skeleton(work)
    if work.options.possible_dsep:
        marks = work.circles()
        # These arrowheads only steer the search; those that last are told below.
        deque(_orient_colliders(work, marks, classifier), maxlen=0)
        yield from search_possible_dsep(work, marks)
    separate_kept_apart(work, work.adjacent)
    marks = work.circles()
    yield PhaseStarted("colliders", say_colliders(work) if classifier is None else COLLIDERS)
    yield from put_knowledge(work, marks)
    yield from _orient_colliders(work, marks, classifier)
    yield from orient_by_rules(work, orientation_by_sepsets(work, marks))
    return marks


def say_colliders(work: Work) -> str:
    """What the step of colliders does, where the recorded sets decide."""
    return OPENED if work.data is not None and work.options.checked_colliders else COLLIDERS


def _orient_colliders(work: Work, marks: Marks, classifier: TripleClassifier | None) -> Iterator[PagEvent]:
    colliders: list[Triple]
    if classifier is None:
        colliders = plain_colliders(work, marks)
    else:
        colliders = yield from classifier.classify(marks)
    yield from put_colliders(work, marks, colliders, None if classifier is None else classifier.counts)


def orient_by_rules(work: Work, state: Orientation) -> Iterator[PagEvent]:
    """Run the orientation rules and tell every change."""
    rules = "R1-R4 and R8-R10" if work.options.complete_rules else "R1-R4"
    yield PhaseStarted("orientation", f"Rules: apply {rules} until no mark changes.")
    for change in orient(state, complete=work.options.complete_rules):
        work.control.checkpoint()
        yield work.mark_changed(change)
    work.keep_refused(state)


FCI = Learner(
    "fci",
    "FCI",
    "Tests independence; the reference method.",
    (*TESTING, "stable_skeleton", "complete_rules", "checked_colliders", *POSSIBLE_DSEP),
    learn_fci,
)
CFCI = Learner(
    "cfci",
    "cFCI",
    "Like FCI; a collider only if all separating sets agree.",
    (*TESTING, "stable_skeleton", "complete_rules", *POSSIBLE_DSEP, "collider_tests"),
    learn_cfci,
)
MFCI = Learner(
    "mfci",
    "mFCI",
    "Like FCI; a collider if most separating sets agree.",
    (*TESTING, "stable_skeleton", "complete_rules", *POSSIBLE_DSEP, "collider_tests"),
    learn_mfci,
)
