"""Models whose families are tables or, of ordered variables, cumulative logits, whichever scores higher.

What a hidden cause gains over tables may be what an order gains over tables. So its model and the DAG without it are
compared once more where both may use either form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
from scipy.special import digamma, logsumexp, ndtr, ndtri

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.families.ordinal.ordinal_families import OrdinalFamilies, OrdinalFit, factor_part
from latconf_core.graph.bits import bits
from latconf_core.model.component import Component
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import REFIT_GAIN, Fitting
from latconf_core.search.refining.soft_model import union
from latconf_core.search.refining.soft_scores import MAX_SCORES, SoftScores

MOST_ROUNDS = 40  # of EM; a start from a posterior that was fitted to tables settles in ten to twenty


@dataclass(frozen=True, eq=False)
class NormalLatent(SoftLatent):
    """A latent number with a standard normal distribution, at the points of a grid; children take it as a score.

    anchor : the child of which it is the exact value, cut where its states are; −1 for none
    """

    anchor: int = -1


GRID: FloatArray = np.linspace(-2.8, 2.8, 15)  # 0.4 apart: a cell is narrower than what noise of a child blurs
_EDGES = np.concatenate([[-np.inf], (GRID[1:] + GRID[:-1]) / 2, [np.inf]])
GRID_SHARES: FloatArray = np.diff(ndtr(_EDGES))
LEAST_SHARE = 1e-6  # of an interval in a cell of the grid


class OrderedScores(SoftScores):
    """Family scores of which those of ordered variables are the better of table and cumulative logit."""

    def __init__(self, scorer: Scorer, tables: SoftScores) -> None:
        """`tables` scores tables; what it says is impossible is so here."""
        super().__init__(scorer)
        self.ordinal = OrdinalFamilies(scorer.dataset, price=scorer.priors.prices.of_family)
        self._tables = tables

    def plain(self, child: int, parents: int) -> float:
        table = self._tables.plain(child, parents)
        return table if table == -np.inf else max(table, self.ordinal.log_score(child, parents))

    def plain_row(self, child: int, parents: int) -> FloatArray | None:
        return None

    def may_share(self, children: int) -> bool:
        return self._tables.may_share(children)

    def family(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> float:
        if not latents:
            return self.plain(child, parents)
        key = (child, parents, *(latent.number for latent in latents))
        score = self._known.get(key)
        if score is None:
            if len(self._known) >= MAX_SCORES:
                self._known.clear()
            score = self._known[key] = self._better_form(child, parents, latents)[0]
        return score

    def own(self, latent: SoftLatent) -> float:
        if not isinstance(latent, NormalLatent):
            return super().own(latent)
        safe = np.where(latent.q > 0, latent.q, 1.0)
        price = float(self._families.priors.prices.of_latent(latent.children.bit_count()))
        return float(self.weights @ (latent.q * (np.log(GRID_SHARES) - np.log(safe))).sum(axis=1)) - price

    def _better_form(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> tuple[float, OrdinalFit | None]:
        """The score of a family with latents, and its cumulative logit; None where a table is better."""
        table = -np.inf
        if not any(isinstance(latent, NormalLatent) for latent in latents):
            table = self._tables.family(child, parents, latents)
            if table == -np.inf:  # impossible, or too large
                return table, None
        elif any(isinstance(latent, NormalLatent) and latent.anchor == child for latent in latents):
            alone = len(latents) == 1 and not parents
            return (self._anchored(child, latents[0]) if alone else -np.inf), None
        elif self._tables.plain(child, parents) == -np.inf or not all(map(self._may_be, latents)):
            return -np.inf, None
        fit = self._fit_logit(child, parents, latents)
        return (table, None) if fit is None or fit.score <= table else (fit.score, fit)

    def _may_be(self, latent: SoftLatent) -> bool:
        return self._tables.may_share(latent.children)

    def _fit_logit(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> OrdinalFit | None:
        has_normal = any(isinstance(latent, NormalLatent) for latent in latents)
        if not self.ordinal.takes(child, parents) and not (has_normal and self.dataset.n_states[child] == 2):
            return None
        parts = [
            GRID[:, None] if isinstance(latent, NormalLatent) else factor_part(latent.n_states) for latent in latents
        ]
        return self.ordinal.fit(child, parents, mass=self._mass(latents), latent_parts=parts)

    def _anchored(self, child: int, latent: SoftLatent) -> float:
        """The score of a variable that is cut from a latent, where its intervals are paid for as without parents."""
        counts = np.bincount(self.columns[child], weights=self.weights, minlength=self.dataset.n_states[child])
        seen = counts[counts > 0]
        fits = float(seen @ np.log(seen / seen.sum()))
        expected = float(self.weights @ (latent.q * self.anchored_logs(child)).sum(axis=1))
        return self._tables.plain(child, 0) - fits + expected

    def anchored_logs(self, child: int) -> FloatArray:
        """The log probability of every counted row at each point of the grid, where the child is cut from that."""
        counts = np.bincount(self.columns[child], weights=self.weights, minlength=self.dataset.n_states[child])
        points = ndtri(np.clip(np.cumsum(counts)[:-1] / counts.sum(), 0.0, 1.0))
        below = np.concatenate([np.zeros((1, len(GRID))), _shares_below(points), np.ones((1, len(GRID)))])
        logs: FloatArray = np.log(np.maximum(np.diff(below, axis=0), LEAST_SHARE))
        log: FloatArray = logs[self.columns[child]]
        return log

    def row_logs(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> _RowLogs:
        """The score of the better form of a family, and what it expects of every counted row."""
        score, fit = self._better_form(child, parents, latents)
        if score == -np.inf:
            return _RowLogs(score, np.zeros((len(self.codes), prod(latent.n_states for latent in latents))))
        if fit is not None:
            return _RowLogs(score, self._logit_logs(child, parents, latents, fit))
        if any(isinstance(latent, NormalLatent) for latent in latents):
            return _RowLogs(score, self.anchored_logs(child))
        return _RowLogs(score, self._table_logs(child, parents, latents))

    def _logit_logs(self, child: int, parents: int, latents: Sequence[SoftLatent], fit: OrdinalFit) -> FloatArray:
        keys, levels = self._configurations(parents)
        states = [latent.n_states for latent in latents]
        joint = np.stack(np.unravel_index(np.arange(prod(states)), states), axis=1)
        rows = np.concatenate([np.repeat(levels, len(joint), axis=0), np.tile(joint, (len(levels), 1))], axis=1)
        logs = fit.log_probabilities(np.ascontiguousarray(rows)).reshape(len(levels), len(joint), -1)
        state_of = np.zeros(self.dataset.n_states[child], dtype=np.int64)
        state_of[fit.seen] = np.arange(len(fit.seen))
        log: FloatArray = logs[keys, :, state_of[self.columns[child]]]
        return log

    def _mass(self, latents: Sequence[SoftLatent]) -> FloatArray:
        """The weight of every row in each joint state of some latents."""
        mass: FloatArray = self.weights[:, None] * latents[0].q
        for other in latents[1:]:
            mass = (mass[:, :, None] * other.q[:, None, :]).reshape(len(mass), -1)
        return mass

    def _table_logs(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> FloatArray:
        keys, levels = self._configurations(parents)
        n_states, mass = self.dataset.n_states[child], self._mass(latents)
        cells = keys * n_states + self.columns[child]
        counts: FloatArray = np.stack(
            [
                np.bincount(cells, weights=mass[:, k], minlength=len(levels) * n_states).reshape(-1, n_states)
                for k in range(mass.shape[1])
            ],
            axis=1,
        )
        states = [*(self.dataset.n_states[v] for v in bits(parents)), *(latent.n_states for latent in latents)]
        counts = counts + self._families.priors.observed(child, states)
        logs = digamma(counts) - digamma(counts.sum(axis=2, keepdims=True))
        log: FloatArray = logs[keys, :, self.columns[child]]
        return log

    def _configurations(self, parents: int) -> tuple[IntArray, IntArray]:
        """Which configuration of some parents each counted row has, and the states of the parents in each."""
        columns = list(bits(parents))
        if not columns:
            return np.zeros(len(self.codes), dtype=np.int64), np.zeros((1, 0), dtype=np.int64)
        cards = [self.dataset.n_states[column] for column in columns]
        keys = np.ravel_multi_index(tuple(self.columns[column] for column in columns), cards)
        seen, places = np.unique(keys, return_inverse=True)
        return places.astype(np.int64), np.stack(np.unravel_index(seen, cards), axis=1).astype(np.int64)


def _shares_below(points: FloatArray) -> FloatArray:
    """Of every cell of the grid the share that lies below each of some points, (n_points, n_cells)."""
    shares = (ndtr(points)[:, None] - ndtr(_EDGES[:-1])) / GRID_SHARES
    clipped: FloatArray = np.clip(shares, 0.0, 1.0)
    return clipped


class _RowLogs(NamedTuple):
    """The score of a family, and the expected log probability of every counted row in each joint state of its latents.

    logs : (n_rows, n_joint)
    """

    score: float
    logs: FloatArray


class OrderedFitting(Fitting):
    """Fits of models whose families are of either form; latents that share children have independent posteriors."""

    soft: OrderedScores

    def __init__(self, tables: Fitting) -> None:
        """`tables` fits models whose families are all tables."""
        super().__init__(
            tables.scorer,
            max_states=tables.max_states,
            checkpoint=lambda: tables.checkpoint(),
            known=tables.known,
        )
        self.soft = OrderedScores(tables.scorer, tables.soft)
        self._known = {}  # not those of tables

    def _fit(
        self, component: Component, members: Sequence[SoftLatent], *, most: int, is_full: bool, by_moves: bool
    ) -> tuple[float, list[FloatArray]]:
        parents = dict(zip(bits(union(latent.children for latent in members)), component.parents))
        best, latents = -np.inf, list(members)
        kept = latents
        for _ in range(min(most, MOST_ROUNDS)):
            self.checkpoint()
            families = {v: self._family(v, mask, latents) for v, mask in parents.items()}
            score = sum(self.soft.own(latent) for latent in latents) + sum(latent.score for latent in families.values())
            if score <= best + REFIT_GAIN:
                break
            best, kept = score, latents
            latents = self._update(latents, families)
        return best, [latent.q for latent in kept]

    def _family(self, child: int, parents: int, latents: Sequence[SoftLatent]) -> _RowLogs:
        return self.soft.row_logs(child, parents, [latent for latent in latents if latent.children >> child & 1])

    def _update(self, latents: list[SoftLatent], families: dict[int, _RowLogs]) -> list[SoftLatent]:
        """The latents at better posteriors, one after the other."""
        latents = list(latents)
        for k, latent in enumerate(latents):
            prior = self.soft.weights @ latent.q + 1.0
            is_normal = isinstance(latent, NormalLatent)
            log_shares = np.log(GRID_SHARES) if is_normal else digamma(prior) - digamma(prior.sum())
            logs = np.tile(log_shares, (len(latent.q), 1))
            for child, family in families.items():
                if latent.children >> child & 1:
                    logs += _expect(family.logs, latents, k, child)
            q = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
            latents[k] = latent.at(np.ascontiguousarray(q))
        return latents


def _expect(logs: FloatArray, latents: Sequence[SoftLatent], index: int, child: int) -> FloatArray:
    """What a family expects by the states of one of its latents, the others at their posteriors."""
    above = [k for k, latent in enumerate(latents) if latent.children >> child & 1]
    table = logs.reshape(len(logs), *(latents[k].n_states for k in above))
    for axis in reversed(range(len(above))):
        if above[axis] != index:
            shape = [len(logs)] + [1] * len(above[: axis + 1])
            shape[axis + 1] = -1
            q = latents[above[axis]].q.reshape(*shape, *([1] * (table.ndim - 2 - axis)))
            table = (table * q).sum(axis=axis + 1)
    return table
