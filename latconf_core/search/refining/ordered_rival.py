"""What a latent gains where ordered variables may have cumulative logits in place of tables, with it and without it."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from threading import Lock
from typing import NamedTuple

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.families.objectives import LEAST_CLAIM
from latconf_core.graph.bits import bits
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.search.refining.fitting import Fitting, without_inside
from latconf_core.search.refining.insertion import Insertion
from latconf_core.search.refining.ordered_fitting import GRID, GRID_SHARES, NormalLatent, OrderedFitting
from latconf_core.search.refining.reordering import reorder
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.structure.best_dag import best_of, reach_best

MOST_CHANGES = 2  # of children, before a set is given up
LEAST_CHILDREN = 3  # of a hidden number: two have one correlation, which an edge explains


class OrderedGain(NamedTuple):
    """What a latent gains in nats, and the child of which it may be the exact value; None where edges are nearer."""

    nats: float
    proxy: int | None = None


class OrderedRival:
    """The best DAG without latents whose families are of either form, looked for when it is first asked for."""

    def __init__(self, tables: Fitting) -> None:
        """`tables` fits models whose families are all tables."""
        self._is_ordered = tables.soft.dataset.is_ordered
        self._tables = tables
        self._guard = Lock()
        self._known: tuple[OrderedFitting, Scored] | None = None

    def concerns(self, latent: SoftLatent) -> bool:
        """Whether some child of a latent is ordered."""
        return any(self._is_ordered[child] for child in bits(latent.children))

    def gain(self, latent: SoftLatent, beside: Sequence[SoftLatent] = ()) -> OrderedGain:
        """What a latent with these children gains, in nats; beside others where those pay here, too."""
        fitting, rival = self._find()
        for other in beside:
            tried = self._best_with(rival, other)
            if tried is not None and tried.score > rival.score:
                rival = tried
        best = self._best_with(rival, latent)
        if best is None:
            return OrderedGain(-inf)
        places = [k for k, other_latent in enumerate(best.model.latents) if other_latent.children == latent.children]
        without = fitting.remove(best, places[-1])
        over_edges = best.score - max(rival.score, without.score)
        if over_edges < LEAST_CLAIM:
            return OrderedGain(over_edges)
        proxies = {child: self._exact_value(rival, latent.children, child) for child in self._proxies(latent)}
        nearest = max(proxies, key=lambda child: proxies[child], default=None)
        if nearest is None or best.score - proxies[nearest] >= over_edges:
            return OrderedGain(over_edges)
        return OrderedGain(best.score - proxies[nearest], nearest)

    def nearer_children(self, latent: SoftLatent) -> int | None:
        """Children near those of a latent over which a number gains what a claim needs; None where none are known.

        Tables see a number of few states, so that the set they come to may be a child off.
        """
        fitting, rival = self._find()
        children, reached = latent.children, -inf
        for _ in range(MOST_CHANGES):
            near = [children ^ 1 << v for v in range(fitting.n_variables)]
            scores = {mask: self._with_number(rival, mask) for mask in near if mask.bit_count() >= LEAST_CHILDREN}
            nearest = max(scores, key=lambda mask: scores[mask], default=0)
            if not scores or scores[nearest] <= reached:
                return None
            children, reached = nearest, scores[nearest]
            if reached >= rival.score + LEAST_CLAIM:
                return children
        return None

    def _with_number(self, base: Scored, children: int) -> float:
        """The score of a model with a hidden number over some children, no edges among them at first."""
        if not self._tables.soft.may_share(children):
            return -inf
        normal = NormalLatent(children, self._guess(children))
        return self._climb(base, normal, self._starts(base, children)[0]).score

    def _proxies(self, latent: SoftLatent) -> list[int]:
        return [child for child in bits(latent.children) if self._is_ordered[child]]

    def _best_with(self, base: Scored, latent: SoftLatent) -> Scored | None:
        """The best model with a latent more, of a few states or a number."""
        fitting, _ = self._find()
        trials = [trial for trial in (Insertion(fitting).held(base, latent),) if trial is not None]
        normal = NormalLatent(latent.children, self._guess(latent.children))
        trials += [self._climb(base, normal, mask) for mask in self._starts(base, latent.children)]
        return max(trials, key=lambda scored: scored.score, default=None)

    def _exact_value(self, base: Scored, children: int, anchor: int) -> float:
        """The score of the best model in which the latent is the exact value of a child."""
        fitting, _ = self._find()
        logs = fitting.soft.anchored_logs(anchor) + np.log(GRID_SHARES)
        q = np.exp(logs - logs.max(axis=1, keepdims=True))
        q /= q.sum(axis=1, keepdims=True)
        near = SoftModel(base.model.parents).adjacent()[anchor]
        scores = []
        for below in {children, near | 1 << anchor, children | near}:
            if below.bit_count() > 1:
                latent = NormalLatent(below, q, anchor=anchor)
                for mask in self._starts(base, below):
                    free = tuple(0 if v == anchor else upper for v, upper in enumerate(mask))
                    scores.append(self._climb(base, latent, free).score)
        return max(scores, default=-inf)

    def _starts(self, base: Scored, children: int) -> list[tuple[int, ...]]:
        required = self._tables.known.required
        return [without_inside(base.model.parents, children, required), base.model.parents]

    def _climb(self, base: Scored, latent: NormalLatent, parents: tuple[int, ...]) -> Scored:
        fitting, _ = self._find()
        kept = tuple(other_latent for other_latent in base.model.latents if other_latent.children & ~latent.children)
        begun = fitting.refit(SoftModel(parents, (*kept, latent)))  # else edges make up for a posterior that is a guess
        climbed = fitting.climb(begun, latent.children)
        return max(climbed, reorder(fitting, climbed.model), key=lambda scored: scored.score)

    def _guess(self, children: int) -> FloatArray:
        """A posterior near what the children have in common: their first principal component."""
        fitting, _ = self._find()
        soft = fitting.soft
        columns = soft.columns[list(bits(children))].astype(np.float64).T
        share = soft.weights / soft.weights.sum()
        columns = columns - share @ columns
        columns /= np.sqrt(np.maximum(share @ columns**2, 1e-12))
        _, vectors = np.linalg.eigh((columns * share[:, None]).T @ columns)
        values = columns @ vectors[:, -1]
        values /= np.sqrt(max(float(share @ values**2), 1e-12))
        logs = -((GRID - 0.8 * values[:, None]) ** 2) / 0.8
        q = np.exp(logs - logs.max(axis=1, keepdims=True))
        guess: FloatArray = q / q.sum(axis=1, keepdims=True)
        return guess

    def _find(self) -> tuple[OrderedFitting, Scored]:
        with self._guard:
            if self._known is None:
                fitting = OrderedFitting(self._tables)
                best = best_of(
                    reach_best(
                        fitting.n_variables,
                        fitting.soft.plain,
                        seed=fitting.scorer.options.seed,
                        checkpoint=fitting.checkpoint,
                        known=fitting.known,
                    )
                )
                self._known = fitting, Scored(SoftModel(best.parents), best.score)
            return self._known
