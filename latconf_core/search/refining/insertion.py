"""Puts a hidden cause over some variables into a model: several starts, each improved by local structural EM."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, prod
from typing import Literal

from latconf_core.graph.bits import bits
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.search.refining.fitting import MAX_JOINT, QUICK, Fitting, strongest_forest, without_inside
from latconf_core.search.refining.local_climb import MAX_PARENTS
from latconf_core.search.refining.reordering import reorder
from latconf_core.search.refining.soft_model import Scored, SoftModel

MOST_LOOKS = 2  # children that joined or left give a set that deserves starts of its own
WITHIN = 60.0  # nats below the model without it; a start further down is given up


@dataclass(frozen=True)
class Start:
    """How an insertion begins.

    inside : the edges among the children that stay
    """

    inside: Literal["none", "forest", "all"]
    n_states: int
    n_starts: int
    seed: int = 0


def quick_starts(n_children: int) -> list[Start]:
    """What every candidate gets."""
    if n_children == 2:
        return [Start("none", 2, 6)]
    return [Start("none", 2, 10), Start("none", 3, 10)]


def thorough_starts(n_children: int) -> list[Start]:
    """What the most promising candidates get besides."""
    if n_children == 2:
        return [Start("none", 2, 16, 1), Start("none", 3, 16, 1), Start("all", 2, 16, 1)]
    starts = [Start("forest", 2, 16, 1), Start("all", 2, 16, 1), Start("none", 2, 32, 1), Start("none", 3, 48, 1)]
    if n_children > 3:
        starts += [Start("forest", 3, 32, 1), Start("none", 4, 64, 1), Start("none", 3, 48, 2), Start("none", 4, 64, 2)]
    return starts


class Insertion:
    """Insertions into models of one dataset."""

    def __init__(self, fitting: Fitting) -> None:
        self._fitting = fitting

    def quick(self, base: Scored, children: int, *, is_far: bool = False) -> Scored | None:
        """A first look at a latent over some children; None where it is far below the model without."""
        starts = quick_starts(children.bit_count())[: 1 if is_far else None]
        return self._best(base, children, starts, rounds=2, most=QUICK)

    def thorough(self, base: Scored, children: int, first: Scored | None) -> Scored | None:
        """More starts, longer climbs and more states, from what a first look found too."""
        best = first
        for _ in range(MOST_LOOKS):
            best = self._best(base, children, thorough_starts(children.bit_count()), rounds=6, first=best)
            if best is None or best.score < base.score - WITHIN / 4:
                return best
            reached = best.model.latents[-1].children
            if reached == children:
                break
            children = reached
        assert best is not None
        index = len(best.model.latents) - 1
        best = self._fitting.climb(best, best.model.latents[index].children, focus=index)
        return self._fitting.split_states(best, index, may_change=True)

    def held(self, base: Scored, latent: SoftLatent) -> Scored | None:
        """The best model with a latent whose children stay as they are, from its posterior and from new starts."""
        fitting, children, required = self._fitting, latent.children, self._fitting.known.required
        starts = [*quick_starts(children.bit_count()), *thorough_starts(children.bit_count())]
        starts = [start for start in starts if start.n_states <= latent.n_states + 1]
        bare = without_inside(base.model.parents, children, required)
        trials = [self._begin(base, children, SoftLatent(children, latent.q), bare)]
        trials += [trial for start in starts if (trial := self._started(base, children, start)) is not None]
        best: Scored | None = None
        for trial in trials:
            climbed = fitting.climb(trial, children)
            best = climbed if best is None or climbed.score > best.score else best
        if best is None:
            return None
        best = max(best, reorder(fitting, best.model), key=lambda scored: scored.score)
        return fitting.split_states(best, len(best.model.latents) - 1, may_change=False)

    def _best(
        self,
        base: Scored,
        children: int,
        starts: list[Start],
        *,
        rounds: int,
        most: int = 40,
        first: Scored | None = None,
    ) -> Scored | None:
        best = first
        for start in starts:
            self._fitting.checkpoint()
            trial = self._started(base, children, start)
            if trial is None:
                continue
            trial = self._fitting.climb(trial, children, rounds=1 if most == QUICK else 3, most=most)
            if trial.score < base.score - WITHIN:
                continue
            trial = self._fitting.climb(trial, children, focus=len(trial.model.latents) - 1, rounds=rounds, most=most)
            if best is None or trial.score > best.score:
                best = trial
        return best

    def _started(self, base: Scored, children: int, start: Start) -> Scored | None:
        """The model with a new latent as a start has it; None where a table or a posterior would be too large."""
        fitting = self._fitting
        if start.n_states > fitting.max_states:
            return None
        parents = base.model.parents
        if start.inside == "none":
            parents = without_inside(parents, children, fitting.known.required)
        elif start.inside == "forest":
            parents = strongest_forest(fitting.soft, parents, children, fitting.known.required)
        kept = [latent for latent in base.model.latents if latent.children & ~children]
        touched = [latent for latent in kept if latent.children & children]
        if prod(latent.n_states for latent in touched) * start.n_states > MAX_JOINT:
            return None
        if any(
            parents[v].bit_count() + sum(latent.children >> v & 1 for latent in kept) >= MAX_PARENTS
            for v in bits(children)
        ):
            return None
        latent = fitting.start(parents, children, n_states=start.n_states, n_starts=start.n_starts, seed=start.seed)
        return self._begin(base, children, latent, parents)

    def _begin(self, base: Scored, children: int, latent: SoftLatent, parents: tuple[int, ...]) -> Scored:
        """Latents inside the children are absorbed."""
        kept = tuple(latent for latent in base.model.latents if latent.children & ~children)
        return Scored(SoftModel(parents, (*kept, latent)), -inf)
