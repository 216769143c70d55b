"""How well a network with latents foresees rows that it was not fitted on: exact, latents summed out.

Rule for states: what occurs in the other table alone is declared before the tables are fitted. It has then the prior
mean of a state that was never seen, 1 / (rows + states) with the empirical prior, so that nothing is impossible; so
has every parent configuration that was never seen the prior mean of its child.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod, sqrt

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_groups import latent_groups
from latconf_core.data.column_order import ColumnOrder
from latconf_core.data.dataset import Dataset
from latconf_core.data.distinct_rows import distinct_rows
from latconf_core.errors import DataError, GraphError
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

NUMBERS_AT_ONCE = 1 << 20  # of the largest table while latents are summed out: some milliseconds
MOST_PER_ROW = 1 << 22  # joint states that one row may need at a time


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The log-likelihood of rows that the model was not fitted on, in nats.

    standard_error : of the mean over rows; None for a single row
    of_distinct : (n_distinct,) of each distinct row of the table
    """

    total: float
    n_rows: int
    standard_error: float | None
    of_distinct: FloatArray

    @property
    def per_row(self) -> float:
        return self.total / self.n_rows


@dataclass(frozen=True, eq=False)
class Factor:
    """Logs of a table for every distinct row: the first axis, then one per latent."""

    latents: tuple[str, ...]
    logs: FloatArray


def held_out(
    dag: LatentDag, train: Dataset, test: Dataset, *, options: VbemOptions, control: RunControl | None = None
) -> HeldOut:
    """Fit the tables of a DAG on some rows, and give the log-likelihood of others at the posterior means."""
    return measure(fit_network(dag, train, [test], options=options, control=control), test, control=control)


def fit_network(
    dag: LatentDag,
    train: Dataset,
    others: Sequence[Dataset],
    *,
    options: VbemOptions,
    control: RunControl | None = None,
) -> BayesNet:
    """The posterior means of a DAG's tables on some rows, every state of the other tables declared."""
    for other in others:
        train = declare_states(train, other)
    return Scorer(train, options, control=control).posterior(dag).network()


def measure(network: BayesNet, dataset: Dataset, *, control: RunControl | None = None) -> HeldOut:
    """The log-likelihood of all rows of a table, and how sure its mean is."""
    if not dataset.n_rows:
        raise DataError("there are no rows to foresee; give a table with at least one")
    logs = row_log_likelihoods(network, dataset, control=control)
    counts = dataset.distinct.counts
    total, n_rows = float(counts @ logs), dataset.n_rows
    if n_rows < 2 or not np.isfinite(total):
        return HeldOut(total, n_rows, None, logs)
    spread = float(counts @ (logs - total / n_rows) ** 2) / (n_rows - 1)
    return HeldOut(total, n_rows, sqrt(spread / n_rows), logs)


def row_log_likelihoods(network: BayesNet, dataset: Dataset, *, control: RunControl | None = None) -> FloatArray:
    """The log probability of each distinct row, (n_distinct,), every latent summed out exactly.

    Columns that the network lacks are passed over. Minus infinity only where a table that was given, not learned,
    has a zero.
    """
    control = RunControl() if control is None else control
    dataset.find_distinct(control)
    codes = _codes_in(network, dataset)
    logs = np.zeros(len(dataset.distinct.counts))
    groups = latent_groups(network)
    in_a_group = {name for _, families in groups for name in families}
    for name, cpt in network.cpts.items():
        if name not in in_a_group:
            control.checkpoint()
            logs += _logs(cpt.table[tuple(codes[own] for own in (*cpt.parents, name))])
    for latents, families in groups:
        logs += _of_group(network, codes, latents, families, control=control)
    return logs


def declare_states(dataset: Dataset, other: Dataset) -> Dataset:
    """The data with every state declared that another table of the same variables has besides."""
    missing = [name for name in dataset.names if name not in other.index]
    if missing:
        raise DataError(f"the other table has no column {missing[0]!r}; give one with the same variables")
    states = [
        (*own, *(state for state in other.states[other.index[name]] if state not in set(own)))
        for name, own in zip(dataset.names, dataset.states)
    ]
    if states == list(dataset.states):
        return dataset
    return Dataset(dataset.names, states, dataset.codes, ordered=_still_ordered(dataset, states))


def _still_ordered(dataset: Dataset, states: Sequence[Sequence[str]]) -> dict[str, ColumnOrder]:
    """The orders of variables that got no further states, whose place is not known."""
    return {
        name: dataset.ordered[name]
        for name, own, before in zip(dataset.names, states, dataset.states)
        if name in dataset.ordered and len(own) == len(before)
    }


def _codes_in(network: BayesNet, dataset: Dataset) -> dict[str, IntArray]:
    """The distinct rows in the network's numbers of states, one array per observed variable."""
    found = {}
    for name in network.variables:
        if name in network.latents:
            continue
        if name not in dataset.index:
            raise DataError(f"the table has no column {name!r}, which the model has; give one with all its variables")
        column = dataset.index[name]
        place = {state: number for number, state in enumerate(network.states(name))}
        number_of = np.array([place.get(state, -1) for state in dataset.states[column]], dtype=np.int64)
        codes = number_of[dataset.distinct.codes[:, column]]
        if (codes < 0).any():
            unknown = dataset.states[column][int(dataset.distinct.codes[int(np.argmin(codes)), column])]
            raise DataError(
                f"{name!r} has the state {unknown!r}, which the model does not know; fit the model with that state "
                "declared, or leave these rows out"
            )
        found[name] = codes
    return found


def _of_group(
    network: BayesNet,
    codes: dict[str, IntArray],
    latents: Sequence[str],
    families: Sequence[str],
    *,
    control: RunControl,
) -> FloatArray:
    """The log probability of what a group of latents and its children add, for every distinct row of the data."""
    members = [network.cpts[name] for name in families]
    seen = sorted({own for cpt in members for own in (*cpt.parents, cpt.variable)} - set(latents))
    n_states = {name: len(network.states(name)) for name in (*seen, *latents)}
    if not seen:  # latents without observed children: their tables sum to one
        return np.zeros(1)
    table = np.stack([codes[name] for name in seen], axis=1)
    rows = distinct_rows(np.asfortranarray(table, dtype=np.uint16), [n_states[name] for name in seen], control=control)
    order, largest = _elimination_order([_latents_of(cpt, latents) for cpt in members], latents, n_states)
    if largest > MOST_PER_ROW:
        raise GraphError(
            f"summing out {len(latents)} latents takes {largest:,} numbers per row; remove some latents or states"
        )
    step = max(1, NUMBERS_AT_ONCE // largest)
    found = np.empty(len(rows.counts))
    for first in range(0, len(found), step):
        control.checkpoint()
        own = dict(zip(seen, rows.codes[first : first + step].T.astype(np.int64)))
        found[first : first + step] = _sum_out([_factor(cpt, own, latents) for cpt in members], order)
    return found[rows.of_row]


def _latents_of(cpt: Cpt, latents: Sequence[str]) -> frozenset[str]:
    return frozenset(own for own in (*cpt.parents, cpt.variable) if own in latents)


def _factor(cpt: Cpt, codes: dict[str, IntArray], latents: Sequence[str]) -> Factor:
    """A table at the observed states of each row, its latents left open."""
    axes = (*cpt.parents, cpt.variable)
    hidden = tuple(name for name in axes if name in latents)
    first = [place for place, name in enumerate(axes) if name not in latents]
    table = np.transpose(cpt.table, [*first, *(axes.index(name) for name in hidden)])
    if not first:
        return Factor(hidden, _logs(table)[None])
    return Factor(hidden, _logs(table[tuple(codes[axes[place]] for place in first)]))


def _elimination_order(
    families: Iterable[frozenset[str]], latents: Sequence[str], n_states: dict[str, int]
) -> tuple[list[str], int]:
    """The latents in the order in which they are summed out, the smallest table first, and the largest table."""
    scopes, left, order, largest = set(families), set(latents), [], 1

    def joined(latent: str) -> frozenset[str]:
        return frozenset().union(*(scope for scope in scopes if latent in scope))

    while left:
        sizes = {latent: prod(n_states[name] for name in joined(latent)) for latent in left}
        latent = min(left, key=lambda name: (sizes[name], name))
        largest = max(largest, sizes[latent])
        scope = joined(latent) - {latent}
        scopes = {one for one in scopes if latent not in one} | {scope}
        left.remove(latent)
        order.append(latent)
    return order, largest


def _sum_out(factors: list[Factor], order: Sequence[str]) -> FloatArray:
    """The log of the sum over all latents of the product of the factors, for every row."""
    for latent in order:
        own = [factor for factor in factors if latent in factor.latents]
        scope = tuple(dict.fromkeys(name for factor in own for name in factor.latents if name != latent))
        total: FloatArray = np.zeros(1)
        for factor in own:
            total = total + _spread(factor, (*scope, latent))
        factors = [factor for factor in factors if latent not in factor.latents]
        factors.append(Factor(scope, np.logaddexp.reduce(total, axis=-1)))
    result: FloatArray = np.zeros(1)
    for factor in factors:
        result = result + factor.logs
    return result


def _spread(factor: Factor, scope: Sequence[str]) -> FloatArray:
    """The factor with an axis for every latent of the scope, one long where it does not depend on it."""
    present = [name for name in scope if name in factor.latents]
    logs = np.transpose(factor.logs, [0, *(1 + factor.latents.index(name) for name in present)])
    places = [1 + place for place, name in enumerate(scope) if name not in factor.latents]
    return np.expand_dims(logs, places)


def _logs(table: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(table))
