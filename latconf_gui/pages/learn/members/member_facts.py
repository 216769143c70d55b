"""The DAG and the score of members, computed beside the window: those that are seen first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.teaching.members import PagMembers
from latconf_gui.background.latest_job import LatestJob

if TYPE_CHECKING:
    from latconf_core.score.scorer import Scorer


@dataclass(frozen=True, eq=False)
class MemberFacts:
    """The DAG with the fewest latents of a member, and its score where there are data."""

    number: int
    dag: LatentDag
    p_elbo: float | None


class MemberScoring(QObject):
    """`answered` carries MemberFacts as they come; asking again gives up what was asked before."""

    answered = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job = LatestJob(self)
        self._job.answered.connect(self.answered)
        self._job.failed.connect(self.failed)
        self._scorer: Scorer | None = None  # the last one: what it knows is taken over

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy

    def ask(self, members: PagMembers, numbers: Sequence[int], dataset: Dataset | None) -> None:
        """The facts of these members, in this order."""
        self._job.ask_for_answers(lambda control: self._answer(members, numbers, dataset, control))

    def forget(self) -> None:
        """Want no answer any more."""
        self._job.forget()

    def stop(self) -> None:
        """Want no answer, and return when nothing runs."""
        self._job.stop()

    def _answer(
        self, members: PagMembers, numbers: Sequence[int], dataset: Dataset | None, control: RunControl
    ) -> Iterator[MemberFacts]:
        scorer = None if dataset is None else self._scorer_for(dataset, control)
        for number in numbers:
            control.checkpoint()
            dag = members.dag(number, control=control)
            yield MemberFacts(number, dag, None if scorer is None else scorer.score(dag).p_elbo)

    def _scorer_for(self, dataset: Dataset, control: RunControl) -> Scorer:
        from latconf_core.score.scorer import Scorer

        scorer, last = Scorer(dataset, VbemOptions(), control=control), self._scorer
        if last is not None and last.dataset is dataset:
            scorer.known = last.known
        self._scorer = scorer
        return scorer
