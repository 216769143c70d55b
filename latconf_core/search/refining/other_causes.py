"""What other hidden causes say of the latents of a model: they explain more, or one pays only beside them.

A latent over two effects of a hidden cause of six pays over every DAG without latents, because there is a hidden cause;
but it is not this one. So a latent that pays is let go where Refine leads it: variables join and leave, its states
change, it is begun anew and parted. Where the model gets better and nothing like the latent is left in it, the latent
must pay beside what it became. What those that pay became is where the companion of the others begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from latconf_core.families.objectives import LEAST_CLAIM
from latconf_core.model.bit_dag import children_of
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.judging import Judge, Judgement, better
from latconf_core.search.refining.refiner import Refiner
from latconf_core.search.refining.side_by_side import SideBySide
from latconf_core.search.refining.soft_model import Scored

LEAST_SHARED = 0.5  # of the children of both together; two latents that share less are different ones


class OtherCauses:
    """Judges the latents of one model again.

    present : the model
    judged : what each of its latents is worth so far
    """

    def __init__(
        self, judge: Judge, present: Scored, judged: Sequence[Judgement], *, fitting: Fitting, threads: SideBySide
    ) -> None:
        self.judged = list(judged)
        self._judge = judge
        self._present = present
        self._fitting = fitting
        self._threads = threads
        self._reached: dict[int, Scored] = {}  # what latents became, by their places

    def judge_again(self) -> Iterator[int]:
        """The places of latents that are judged in another way than before; the last word on each comes last."""
        paying = [index for index, judgement in enumerate(self.judged) if judgement.support >= LEAST_CLAIM]
        for number in range(len(self.judged)):
            yield from self._judge_over_better(number)
        for number in self._judge_beside(paying):
            yield number
            yield from self._judge_over_better(number)

    def _judge_over_better(self, index: int) -> Iterator[int]:
        """Judge a latent beside others that explain more than it does, again whenever better ones are found."""
        judgement, latent = self.judged[index], self._present.model.latents[index]
        if judgement.best is None or judgement.density < 0:
            return
        least = judgement.best.score + LEAST_CLAIM
        for rival in self._shapes(index, judgement.best):
            if rival.score >= least and not any(is_like(latent, other) for other in rival.model.latents):
                least = rival.score + LEAST_CLAIM
                self.judged[index] = self._judge.judge_over(rival, latent, judgement)
                yield index

    def _shapes(self, index: int, best: Scored) -> Iterator[Scored]:
        """What a latent becomes, step by step; of one that is a part of what another became, only that."""
        children = self._present.model.latents[index].children
        for known in self._reached.values():
            if any(not children & ~latent.children for latent in known.model.latents):
                yield known
                return
        refiner = Refiner(self._fitting, best, run_all=self._threads.run_all)
        for reached in refiner.improve(best):
            best = max(best, reached, key=lambda scored: scored.score)
            yield best
        self._reached[index] = best

    def _judge_beside(self, paying: Sequence[int]) -> Iterator[int]:
        """Judge those that do not pay alone beside what Refine makes of those that do.

        A model above the best DAG without latents needs no other companion than itself, which it was judged beside.
        """
        latents, reference = self._present.model.latents, self._judge.reference
        left = [
            position
            for position in range(len(latents))
            if position not in paying and self.judged[position].better_by is None
        ]
        if not paying or not left or self._present.score >= reference.score + LEAST_CLAIM:
            return
        companion = self._grow(paying)
        near = companion.model.zone(children_of(companion.model.dag.latents))
        left = [position for position in left if latents[position].children & near]  # others it leaves as they were
        tasks = [partial(self._judge.judge_beside, companion, latents[position]) for position in left]
        for index, judgement in zip(left, self._threads.run_all(tasks)):
            before, self.judged[index] = self.judged[index], better(self.judged[index], judgement)
            if self.judged[index] is not before:
                yield index

    def _grow(self, paying: Sequence[int]) -> Scored:
        """What Refine makes of some latents together, from the best that it made of one; all that is left pays."""
        became = [self._reached[index] for index in paying if index in self._reached]
        start = max([self._judge.reference, *became], key=lambda scored: scored.score)
        groups = [self._present.model.latents[index].children for index in paying]
        refiner = Refiner(self._fitting, start, more_candidates=groups, only=True, run_all=self._threads.run_all)
        for _ in refiner.refine():
            self._fitting.checkpoint()
        return self._judge.without_idle(refiner.present)


def is_like(soft_latent: SoftLatent, other: SoftLatent) -> bool:
    """Whether two latents have at least half of the children of both together in common."""
    shared, either = soft_latent.children & other.children, soft_latent.children | other.children
    return shared.bit_count() >= LEAST_SHARED * either.bit_count()
