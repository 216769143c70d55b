"""The DAG and the score of members, computed beside the window: those that are seen first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.teaching.members import PagMembers
from latconf_gui.pages.scoring_job import ScoringJob


@dataclass(frozen=True, eq=False)
class MemberFacts:
    """The DAG with the fewest latents of a member, and its score where there are data."""

    number: int
    dag: LatentDag
    p_elbo: float | None


class MemberScoring(ScoringJob):
    """`answered` carries MemberFacts as they come; asking again gives up what was asked before."""

    def ask_for_facts(self, members: PagMembers, numbers: Sequence[int], dataset: Dataset | None) -> None:
        """The facts of these members, in this order."""
        self.ask_for_answers(lambda control: self._answer(members, numbers, dataset, control))

    def _answer(
        self, members: PagMembers, numbers: Sequence[int], dataset: Dataset | None, control: RunControl
    ) -> Iterator[MemberFacts]:
        scorer = None if dataset is None else self.scorer_for(dataset, VbemOptions(), control)
        for number in numbers:
            control.checkpoint()
            dag = members.dag(number, control=control)
            yield MemberFacts(number, dag, None if scorer is None else scorer.score(dag).p_elbo)
