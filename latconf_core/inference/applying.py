"""A model applied to a table: the log-likelihood of each row and the posterior of each latent, exactly.

Whatever a row lacks is summed out. Rows that lack the same cells are computed together; where too few do, rows that
lack different cells are computed together too, and each says by a factor of zeros and ones what it knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from latconf_core.arrays import FloatArray, IndexArray, IntArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.data.dataset import MISSING, Dataset
from latconf_core.data.distinct_rows import distinct_rows
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.raw_table import RawTable
from latconf_core.data.reading.frames import make_frame, raw_of_frame
from latconf_core.data.watch import OnProgress, Watch
from latconf_core.errors import GraphError
from latconf_core.inference.new_rows import NewRows, encode_rows
from latconf_core.inference.summing_out import (
    NUMBERS_AT_ONCE,
    Factor,
    elimination_order,
    evidence_factor,
    log_table,
    make_factor,
    sum_out,
)

if TYPE_CHECKING:
    import pandas as pd

Table: TypeAlias = "RawTable | Dataset | pd.DataFrame"

MANY_ALIKE = 256  # distinct rows that lack the same cells are worth a computation of their own
MOST_TOGETHER = 1 << 13  # numbers per row up to which rows that lack different cells are computed together
MOST_PER_ROW = 1 << 22  # numbers that one row may need at a time
ROWS_AT_ONCE = 1 << 16  # between two looks at the control


@dataclass(frozen=True, eq=False)
class Applied:
    """What a model says of the rows of a table, in nats.

    of_distinct : (n_distinct,) the log-likelihood of each distinct row; −∞ for one that the model rules out
    posteriors_of_distinct : per latent (n_distinct, n_states); NaN in rows that the model rules out
    distinct : (n_given,) which distinct row each row of the table is
    """

    network: BayesNet
    rows: NewRows
    of_distinct: FloatArray
    posteriors_of_distinct: Mapping[str, FloatArray]
    distinct: IndexArray

    @property
    def n_rows(self) -> float:
        return self.rows.n_rows

    @cached_property
    def log_likelihoods(self) -> FloatArray:
        """The log-likelihood of each row of the table, (n_given,)."""
        return self.of_distinct[self.distinct]

    @cached_property
    def n_impossible(self) -> int:
        """Rows of the table that the model rules out."""
        return int(np.count_nonzero(np.isneginf(self.log_likelihoods)))

    @cached_property
    def log_likelihood(self) -> float:
        """Of all rows together, each as often as it occurs."""
        weights = self.rows.weights
        return float(self.log_likelihoods.sum() if weights is None else self.log_likelihoods @ weights)

    @property
    def per_row(self) -> float:
        return self.log_likelihood / self.n_rows

    @property
    def standard_error(self) -> float | None:
        """Of the mean over rows; None for a single row, and where the model rules a row out."""
        if self.n_rows < 2 or self.n_impossible:
            return None
        squares = (self.log_likelihoods - self.per_row) ** 2
        total = float(squares.sum() if self.rows.weights is None else squares @ self.rows.weights)
        return sqrt(total / (self.n_rows - 1) / self.n_rows)

    def posterior(self, latent: str) -> FloatArray:
        """The probability of each state of a latent in each row of the table, (n_given, n_states)."""
        if latent not in self.posteriors_of_distinct:
            raise GraphError(f"the model has no hidden cause {latent!r}")
        return self.posteriors_of_distinct[latent][self.distinct]

    def to_pandas(self) -> pd.DataFrame:
        """A row per row of the table: its log-likelihood, and the probability of each state of each latent."""
        columns: dict[str, Any] = {"log_likelihood": self.log_likelihoods}
        for latent in self.posteriors_of_distinct:
            shares = self.posterior(latent)
            columns |= {f"{latent}={state}": shares[:, k] for k, state in enumerate(self.network.states(latent))}
        return make_frame(columns)

    def to_json(self) -> dict[str, Any]:
        """The sums, and what the model had to do without; null where the model rules a row out."""
        is_possible = isfinite(self.log_likelihood)
        rows = self.rows
        return {
            "rows": self.n_rows,
            "log_likelihood": self.log_likelihood if is_possible else None,
            "per_row": self.per_row if is_possible else None,
            "standard_error": self.standard_error,
            "impossible_rows": self.n_impossible,
            "missing_cells": rows.n_missing,
            "unknown_states": [
                {"variable": each.variable, "state": each.state, "rows": each.n_rows} for each in rows.unknown
            ],
            "absent": list(rows.absent),
            "passed_over": list(rows.passed_over),
            "into_intervals": list(rows.into_intervals),
            "latents": list(self.posteriors_of_distinct),
        }


def apply_network(
    network: BayesNet,
    table: Table,
    *,
    preparation: Preparation | None = None,
    control: RunControl | None = None,
    on_progress: OnProgress | None = None,
) -> Applied:
    """The log-likelihood of every row of a table and the posterior of every latent in it.

    States that the model does not know and cells that are missing are summed out, and so are measured variables that
    the table lacks; columns that the model does not need are passed over.
    """
    control = control or RunControl()
    cells = table if isinstance(table, (RawTable, Dataset)) else raw_of_frame(table)
    rows = encode_rows(network, cells, preparation=preparation, control=control)
    n_states = [len(network.states(name)) + 1 for name in rows.names]
    shifted = np.asfortranarray(rows.codes - MISSING, dtype=np.uint16)
    distinct = distinct_rows(shifted, n_states, control=control)
    codes = distinct.codes.astype(np.int64) + MISSING
    latents = [name for name in network.variables if name in network.latents]
    logs = np.empty(len(codes))
    posteriors = {name: np.empty((len(codes), len(network.states(name)))) for name in latents}
    watch, n_done = Watch(control, on_progress), 0
    for bundle in _bundles(network, rows.names, codes, control):
        model = _OpenModel(network, bundle.hidden, bundle.partly_known)
        for chosen in _pieces(bundle.rows, model.numbers_per_row):
            known = {name: codes[chosen, index] for index, name in enumerate(rows.names)}
            logs[chosen], shares = model.answer(known, len(chosen))
            for name, share in shares.items():
                posteriors[name][chosen] = share
            n_done += len(chosen)
            watch.step(n_done, len(codes), "applying the model")
    return Applied(network, rows, logs, posteriors, distinct.of_row)


@dataclass(frozen=True, eq=False)
class _Bundle:
    """Distinct rows that are computed together.

    hidden : measured variables that some of them lack
    partly_known : those among them that others of these rows have
    """

    rows: IndexArray
    hidden: frozenset[str]
    partly_known: frozenset[str]


def _bundles(network: BayesNet, names: Sequence[str], codes: IntArray, control: RunControl) -> Iterator[_Bundle]:
    """All rows, those that lack the same cells together; what few lack alike is put together where that is cheap."""
    lacking = np.asfortranarray(codes == MISSING, dtype=np.uint8)
    patterns = distinct_rows(lacking, [2] * len(names), control=control)
    order = np.argsort(patterns.of_row, kind="stable")
    ends = np.cumsum(patterns.counts)
    few: list[IndexArray] = []
    for pattern, first, end in zip(patterns.codes, ends - patterns.counts, ends):
        control.checkpoint()
        rows = order[first:end]
        if len(rows) >= MANY_ALIKE or not pattern.any():
            yield _Bundle(rows, _named(names, pattern), frozenset())
        else:
            few.append(rows)
    if not few:
        return
    together = np.concatenate(few)
    hidden = _named(names, np.any(lacking[together], axis=0).tolist())
    if _OpenModel(network, hidden, hidden).numbers_per_row <= MOST_TOGETHER:
        everywhere = _named(names, np.all(lacking[together], axis=0).tolist())
        yield _Bundle(together, hidden, hidden - everywhere)
    else:
        yield from (_Bundle(rows, _named(names, lacking[rows[0]]), frozenset()) for rows in few)


def _named(names: Sequence[str], chosen: Iterable[object]) -> frozenset[str]:
    return frozenset(name for name, is_chosen in zip(names, chosen) if is_chosen)


def _pieces(rows: IndexArray, numbers_per_row: int) -> Iterator[IndexArray]:
    step = max(1, min(ROWS_AT_ONCE, NUMBERS_AT_ONCE // numbers_per_row))
    return (rows[first : first + step] for first in range(0, len(rows), step))


@dataclass(frozen=True, eq=False)
class _Group:
    """Hidden variables that share families: what is summed out together, and in which order."""

    tables: tuple[Cpt, ...]
    hidden: frozenset[str]
    order: tuple[str, ...]


class _OpenModel:
    """A network for rows that lack some measured variables.

    Hidden variables below which nothing is known change nothing and are left out, unless a latent is asked for.
    """

    def __init__(self, network: BayesNet, lacking: frozenset[str], partly_known: frozenset[str]) -> None:
        self._network = network
        self._partly_known = partly_known
        hidden = (lacking | network.latents) - _barren(network, lacking - partly_known)
        left_out = (lacking | network.latents) - hidden
        tables = [cpt for name, cpt in network.cpts.items() if name not in left_out]
        self._known = [cpt for cpt in tables if not hidden.intersection((*cpt.parents, cpt.variable))]
        n_states = {name: len(network.states(name)) for name in network.variables}
        self._groups: list[_Group] = []
        self.numbers_per_row = 1
        for members in _connected(tables, hidden):
            scopes = [hidden.intersection((*cpt.parents, cpt.variable)) for cpt in members]
            variables: frozenset[str] = frozenset().union(*scopes)
            order, largest = elimination_order(scopes, variables, n_states)
            self.numbers_per_row = max(self.numbers_per_row, largest)
            self._groups.append(_Group(tuple(members), variables, tuple(order)))

    def answer(self, codes: Mapping[str, IntArray], n_rows: int) -> tuple[FloatArray, dict[str, FloatArray]]:
        """The log-likelihood of each row and the posterior of each latent.

        codes : (n_rows,) per measured variable
        """
        if self.numbers_per_row > MOST_PER_ROW:
            raise GraphError(
                f"a row with missing cells takes {self.numbers_per_row:,} numbers in this model; "
                "leave out rows that lack many cells"
            )
        logs: FloatArray = np.zeros(n_rows)
        for cpt in self._known:
            logs += log_table(cpt.table[tuple(codes[name] for name in (*cpt.parents, cpt.variable))])
        shares: dict[str, FloatArray] = {}
        for group in self._groups:
            factors = self._factors(group, codes)
            logs = logs + sum_out(factors, group.order).logs
            for latent in sorted(group.hidden & self._network.latents):
                others = [name for name in group.order if name != latent]
                shares[latent] = _normalise(sum_out(factors, others).logs, n_rows)
        return logs, shares

    def _factors(self, group: _Group, codes: Mapping[str, IntArray]) -> list[Factor]:
        factors = [make_factor(cpt, codes, group.hidden) for cpt in group.tables]
        for name in sorted(group.hidden & self._partly_known):
            factors.append(evidence_factor(name, codes[name], len(self._network.states(name))))
        return factors


def _normalise(logs: FloatArray, n_rows: int) -> FloatArray:
    """Probabilities from their unnormalised logs; NaN where all are −∞."""
    total = np.logaddexp.reduce(logs, axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        shares: FloatArray = np.exp(logs - total)
    return np.broadcast_to(shares, (n_rows, shares.shape[-1]))


def _barren(network: BayesNet, unknown: frozenset[str]) -> frozenset[str]:
    """Unknown variables, none of them latent, all of whose descendants are unknown too."""
    children: dict[str, list[str]] = {name: [] for name in network.variables}
    for parent, child in network.edges:
        children[parent].append(child)
    barren: set[str] = set()
    for name in reversed(network.topological_order):
        if name in unknown and barren.issuperset(children[name]):
            barren.add(name)
    return frozenset(barren)


def _connected(tables: Sequence[Cpt], hidden: frozenset[str]) -> list[list[Cpt]]:
    """The tables with hidden variables, those that share some together."""
    groups: list[tuple[frozenset[str], list[Cpt]]] = []
    for cpt in tables:
        scope = hidden.intersection((*cpt.parents, cpt.variable))
        if not scope:
            continue
        joined = [group for group in groups if group[0] & scope]
        groups = [group for group in groups if not group[0] & scope]
        members = [member for _, members in joined for member in members]
        groups.append((scope.union(*(names for names, _ in joined)), [*members, cpt]))
    return [members for _, members in groups]
