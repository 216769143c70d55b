"""Fits of models from their posteriors, and the climb that takes turns with them (structural EM)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.graph.bits import bits
from latconf_core.knowledge.bound import BoundKnowledge, nothing_bound
from latconf_core.model.bit_dag import Hidden
from latconf_core.model.component import Component, plain_families, split_latents
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.local_climb import Surroundings, climb_around
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.search.refining.soft_scores import SoftScores
from latconf_core.search.refining.warm_fits import WarmFits
from latconf_core.structure.parent_tree import ParentTree

REFIT_GAIN = 0.02  # nats; less ends a climb
QUICK, USUAL, LONG = 12, 40, 400  # steps of a fit at most
MAX_JOINT = 48  # states of latents that share children


class Fitting:
    """Models on one dataset.

    known : what binds: a model that it rules out scores −∞
    choices : the tree of parents of each variable, for searches over orders where no latent is above it
    """

    def __init__(
        self,
        scorer: Scorer,
        *,
        max_states: int,
        checkpoint: Callable[[], None],
        known: BoundKnowledge | None = None,
    ) -> None:
        self.scorer = scorer
        self.known = nothing_bound(scorer.dataset.names) if known is None else known
        self.soft = SoftScores(scorer, known)
        self.fits = WarmFits(scorer, self.soft)
        self.checkpoint = checkpoint
        self.n_variables = scorer.dataset.n_variables
        self.max_states = max_states
        self.choices = {v: ParentTree(v) for v in range(self.n_variables)}
        self._known = scorer.known.at_posteriors

    def fit_latents(self, parents: tuple[int, ...], latents: Sequence[Hidden]) -> Scored:
        """A DAG whose latents the scorer fits, in the order given."""
        fitted = [SoftLatent(latent.children, np.empty((1, latent.n_states))) for latent in latents]
        if not self._allows(parents, latents):
            return Scored(SoftModel(parents, tuple(fitted)), -inf)
        for component, group in SoftModel(parents, tuple(fitted)).components():
            reading = self.fits.own(component)
            self._keep(fitted, component, group, reading.fit.p_elbo, reading.posteriors)
        return self._sum(SoftModel(parents, tuple(fitted)))

    def _keep(
        self,
        latents: list[SoftLatent],
        component: Component,
        group: Sequence[int],
        p_elbo: float,
        posteriors: Sequence[FloatArray],
    ) -> None:
        """Give latents, by their places, the posteriors of a fit, and remember what it is worth there."""
        for k, q in zip(group, posteriors):
            latents[k] = latents[k].at(q)
        self._known[component, tuple(latents[k].number for k in group)] = p_elbo

    def _sum(self, model: SoftModel) -> Scored:
        """A model whose components are known at its posteriors, with its score."""
        plain = sum(self.soft.plain(v, mask) for v, mask in plain_families(*model.dag))
        components = sum(
            self._known[component, tuple(model.latents[k].number for k in group)]
            for component, group in model.components()
        )
        return Scored(model, plain + components)

    def refit(
        self, model: SoftModel, *, most: int = USUAL, is_full: bool = False, by_moves: int | None = None
    ) -> Scored:
        """The model with its latents fitted from their posteriors; those that nothing changed for keep theirs.

        by_moves : the place of a latent whose fit, and that of those it shares children with, goes on by moves out of
            local optima
        """
        if not self._allows(model.parents, model.latents):
            return Scored(model, -inf)
        latents = list(model.latents)
        for component, group in model.components():
            known = self._known.get((component, tuple(latents[k].number for k in group)))
            moves = by_moves in group
            if known is not None and not is_full and not moves:
                continue
            members = [latents[k] for k in group]
            p_elbo, posteriors = self._fit(component, members, most=most, is_full=is_full, by_moves=moves)
            if known is None or p_elbo > known + REFIT_GAIN:
                self._keep(latents, component, group, p_elbo, posteriors)
        return self._sum(SoftModel(model.parents, tuple(latents)))

    def _fit(
        self, component: Component, members: Sequence[SoftLatent], *, most: int, is_full: bool, by_moves: bool
    ) -> tuple[float, list[FloatArray]]:
        """What a component is worth from the posteriors of its latents on, and where these end."""
        posteriors = [latent.q for latent in members]
        if is_full:
            reading = self.fits.full(component, posteriors, most=LONG)
        else:
            reading = self.fits.from_posteriors(component, posteriors, most=most, by_moves=by_moves)
        return reading.fit.p_elbo, reading.posteriors

    def _allows(self, parents: Sequence[int], latents: Sequence[Hidden | SoftLatent]) -> bool:
        return not self.known.binds or self.known.allows_dag(parents, [latent.children for latent in latents])

    def start(
        self,
        parents: tuple[int, ...],
        children: int,
        *,
        n_states: int,
        n_starts: int,
        seed: int = 0,
        by_moves: bool = False,
    ) -> SoftLatent:
        """A latent on its own over some children, by a light fit, and moves out of its optimum where asked for."""
        ((component, _),) = split_latents(parents, (Hidden(children, n_states),))
        reading = self.fits.light(component, n_starts=n_starts, seed=seed, by_moves=by_moves)
        return SoftLatent(children, reading.posteriors[0])

    def climb(
        self, present: Scored, around: int, *, focus: int | None = None, rounds: int = 6, most: int = USUAL
    ) -> Scored:
        """Climb with the posteriors held, fit, and again while the score rises; never below where it began."""
        for _ in range(rounds):
            self.checkpoint()
            reach = around if focus is None else around | present.model.latents[focus].children
            where = Surroundings(reach, present.model.zone(reach), focus)
            climbed = climb_around(present.model, self.soft, where, checkpoint=self.checkpoint)
            again = self.refit(climbed, most=most)
            if again.score <= present.score + REFIT_GAIN:
                return again if again.score > present.score else present
            present = again
        return present

    def split_states(self, present: Scored, index: int, *, may_change: bool) -> Scored:
        """One state more of a latent, by splitting a heavy one or by a new start, while it pays."""
        while present.model.latents[index].n_states < self.max_states and self._has_room(present.model, index):
            latent = present.model.latents[index]
            trials = [
                self.refit(present.model.with_latent(index, more_state))
                for more_state in self._with_more_states(present, index)
            ]
            best = max(trials, key=lambda scored: scored.score)
            best = self.climb(best, latent.children, focus=index if may_change else None, rounds=3)
            if best.score <= present.score + REFIT_GAIN:
                break
            present = best
        return present

    def _has_room(self, model: SoftModel, index: int) -> bool:
        component = next(part for part, places in model.components() if index in places)
        n_states = model.latents[index].n_states
        return component.n_joint_states // n_states * (n_states + 1) <= MAX_JOINT

    def _with_more_states(self, present: Scored, index: int) -> list[SoftLatent]:
        latent = present.model.latents[index]
        rng = np.random.default_rng(latent.n_states)
        more_states = []
        for state in np.argsort(-(self.soft.weights @ latent.q))[:3]:
            share = rng.uniform(0.2, 0.8, size=len(latent.q))
            q = np.concatenate([latent.q, (latent.q[:, state] * share)[:, None]], axis=1)
            q[:, state] *= 1 - share
            more_states.append(SoftLatent(latent.children, q))
        more_states.append(
            self.start(present.model.parents, latent.children, n_states=latent.n_states + 1, n_starts=16)
        )
        return more_states

    def merge_states(self, present: Scored, index: int) -> Scored:
        """One state less of a latent, by merging the lightest into another, while it pays."""
        while (n_states := present.model.latents[index].n_states) > 2:
            latent = present.model.latents[index]
            lightest = int(np.argmin(self.soft.weights @ latent.q))
            trials = []
            for other in range(n_states):
                if other != lightest:
                    q = latent.q.copy()
                    q[:, other] += q[:, lightest]
                    soft_latent = SoftLatent(latent.children, np.ascontiguousarray(np.delete(q, lightest, axis=1)))
                    trials.append(self.refit(present.model.with_latent(index, soft_latent)))
            best = max(trials, key=lambda scored: scored.score)
            if best.score <= present.score:
                break
            present = best
        return present

    def remove(self, present: Scored, index: int) -> Scored:
        """The model without a latent, the edges around its children chosen anew."""
        children = present.model.latents[index].children
        return self.climb(self.refit(present.model.without_latent(index)), children)


def without_inside(parents: tuple[int, ...], children: int, required: Sequence[int]) -> tuple[int, ...]:
    """The parents with no edge among some variables but those that are required."""
    families = enumerate(zip(parents, required))
    return tuple(mask & ~(children & ~kept) if children >> v & 1 else mask for v, (mask, kept) in families)


def strongest_forest(
    soft: SoftScores, parents: tuple[int, ...], children: int, required: Sequence[int]
) -> tuple[int, ...]:
    """The parents with only a forest of the strongest edges left among some variables, and those that are required."""
    free = list(without_inside(parents, children, required))
    inside = [
        (soft.plain(b, free[b] | 1 << a) - soft.plain(b, free[b]), a, b)
        for b in bits(children)
        for a in bits(parents[b] & children)
    ]
    tree = {v: 1 << v for v in bits(children)}
    for gain, a, b in sorted(inside, reverse=True):
        if gain > 0 and not tree[a] >> b & 1 and not free[b] & children:
            joined = tree[a] | tree[b]
            for v in bits(joined):
                tree[v] = joined
            free[b] |= 1 << a
    return tuple(free)
