"""How well a network with latents foresees rows that it was not fitted on: exact, latents summed out.

Rule for states: what occurs in the other table alone is declared before the tables are fitted. It has then the prior
mean of a state that was never seen, 1 / (rows + states) with the empirical prior, so that nothing is impossible; so
has every parent configuration that was never seen the prior mean of its child.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

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
from latconf_core.inference.summing_out import NUMBERS_AT_ONCE, elimination_order, log_table, make_factor, sum_out
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

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
        raise DataError("there are no rows to predict; give a table with at least one")
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
            logs += log_table(cpt.table[tuple(codes[member] for member in (*cpt.parents, name))])
    for latents, families in groups:
        logs += _of_group(network, codes, latents, families, control=control)
    return logs


def declare_states(dataset: Dataset, other: Dataset) -> Dataset:
    """The data with every state declared that another table of the same variables has besides."""
    missing = [name for name in dataset.names if name not in other.index]
    if missing:
        raise DataError(f"the other table has no column {missing[0]!r}; give one with the same variables")
    states = [
        (*states, *(state for state in other.states[other.index[name]] if state not in set(states)))
        for name, states in zip(dataset.names, dataset.states)
    ]
    if states == list(dataset.states):
        return dataset
    return Dataset(dataset.names, states, dataset.codes, ordered=_still_ordered(dataset, states))


def _still_ordered(dataset: Dataset, states: Sequence[Sequence[str]]) -> dict[str, ColumnOrder]:
    """The orders of variables that got no further states, whose place is not known."""
    return {
        name: dataset.ordered[name]
        for name, state, before in zip(dataset.names, states, dataset.states)
        if name in dataset.ordered and len(state) == len(before)
    }


def _codes_in(network: BayesNet, dataset: Dataset) -> dict[str, IntArray]:
    """The distinct rows in the network's numbers of states, one array per observed variable."""
    result = {}
    for name in network.variables:
        if name in network.latents:
            continue
        if name not in dataset.index:
            raise DataError(f"the table has no column {name!r}, which the model has; give one with all its variables")
        column = dataset.index[name]
        position_of = {state: number for number, state in enumerate(network.states(name))}
        number_of = np.array([position_of.get(state, -1) for state in dataset.states[column]], dtype=np.int64)
        codes = number_of[dataset.distinct.codes[:, column]]
        if (codes < 0).any():
            unknown = dataset.states[column][int(dataset.distinct.codes[int(np.argmin(codes)), column])]
            raise DataError(
                f"{name!r} has the state {unknown!r}, which is unknown to the model; fit the model with that "
                "state declared, or remove these rows"
            )
        result[name] = codes
    return result


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
    seen = sorted({codes for cpt in members for codes in (*cpt.parents, cpt.variable)} - set(latents))
    n_states = {name: len(network.states(name)) for name in (*seen, *latents)}
    if not seen:  # latents without observed children: their tables sum to one
        return np.zeros(1)
    table = np.stack([codes[name] for name in seen], axis=1)
    rows = distinct_rows(np.asfortranarray(table, dtype=np.uint16), [n_states[name] for name in seen], control=control)
    order, largest = elimination_order([_latents_of(cpt, latents) for cpt in members], latents, n_states)
    hidden = frozenset(latents)
    if largest > MOST_PER_ROW:
        raise GraphError(
            f"summing out {len(latents)} latents takes {largest:,} numbers per row; remove some latents or states"
        )
    step = max(1, NUMBERS_AT_ONCE // largest)
    logs = np.empty(len(rows.counts))
    for first in range(0, len(logs), step):
        control.checkpoint()
        columns = dict(zip(seen, rows.codes[first : first + step].T.astype(np.int64)))
        logs[first : first + step] = sum_out([make_factor(cpt, columns, hidden) for cpt in members], order).logs
    return logs[rows.of_row]


def _latents_of(cpt: Cpt, latents: Sequence[str]) -> frozenset[str]:
    return frozenset(member for member in (*cpt.parents, cpt.variable) if member in latents)
