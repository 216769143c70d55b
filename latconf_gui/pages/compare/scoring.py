"""What comparisons are worth, computed beside the window: the pair that is looked at first, then all the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from latconf_core.comparison.compare import PairComparison, compare_pair
from latconf_core.comparison.numbers import Numbers, describe_subject
from latconf_core.comparison.parts import NO_SCORES, kept_scores
from latconf_core.comparison.subject import Subject, View
from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.errors import LatconfError
from latconf_core.options.scoring import VbemOptions
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.pages.scoring_job import ScoringJob

if TYPE_CHECKING:
    from latconf_core.score.scorer import Scorer


@dataclass(frozen=True, eq=False)
class Question:
    """What is to be computed.

    subjects : all, the reference first
    shown : the place of the one that is looked at
    results : whose scores are taken as they were reported
    against : who the others are measured against, where that is not the reference
    """

    subjects: tuple[Subject, ...]
    shown: int
    view: View | None
    dataset: Dataset | None
    options: VbemOptions
    results: tuple[SearchResult, ...] = ()
    against: Subject | None = None


@dataclass(frozen=True, eq=False)
class Described:
    """One graph in numbers."""

    subject: Subject
    numbers: Numbers


@dataclass(frozen=True, eq=False)
class Measured:
    """Every graph against the reference or the truth; those that cannot be compared with it are left out."""

    pairs: tuple[PairComparison, ...]


class CompareScoring(ScoringJob):
    """`answered` carries PairComparison, Described and Measured values as they come; a new question ends the last."""

    def ask_for_scores(self, question: Question) -> None:
        """Answer this next; what was asked before is given up."""
        self.ask_for_answers(lambda control: self._answer(question, control))

    def _answer(self, question: Question, control: RunControl) -> Iterator[object]:
        scorer: Scorer | None = None
        kept = NO_SCORES
        if question.dataset is not None:
            scorer = self.scorer_for(question.dataset, question.options, control)
            kept = kept_scores(question.results, scorer)
        first, shown = question.subjects[0], question.subjects[question.shown]
        if scorer is not None and question.shown:
            own_scorer = _scorer_for(scorer, first, shown)
            yield compare_pair(first, shown, scorer=own_scorer, view=question.view, kept=kept)
        order = dict.fromkeys((shown, first, *question.subjects))
        for subject in order:
            control.checkpoint()
            yield Described(subject, describe_subject(subject, _scorer_for(scorer, subject), kept))
        yield Measured(tuple(_measure_all(question, control)))


def _scorer_for(scorer: Scorer | None, *subjects: Subject) -> Scorer | None:
    """The scorer, where these are DAGs on its data."""
    if scorer is None or any(
        subject.dag is None or set(subject.nodes) != set(scorer.dataset.names) for subject in subjects
    ):
        return None
    return scorer


def _measure_all(question: Question, control: RunControl) -> Iterator[PairComparison]:
    reference = question.against or question.subjects[0]
    others: Sequence[Subject] = question.subjects if question.against is not None else question.subjects[1:]
    for other in others:
        control.checkpoint()
        try:
            yield compare_pair(reference, other, view=question.view)
        except LatconfError:  # the page says so when it is looked at
            continue
