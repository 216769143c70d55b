"""Where formulas take their probabilities from: the rows of a table, or the joint distribution of a fitted network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.dataset import MISSING, Dataset
from latconf_core.effects.expressions import MAX_CELLS, Names
from latconf_core.errors import DataError, OptionError
from latconf_core.inference.asking import InferenceEngine


class RowShares:
    """Shares of the rows of a table that have nothing missing among some variables.

    codes : (n_distinct, n_names) of the distinct rows over them
    counts : (n_distinct,) how often each occurs
    """

    def __init__(self, names: Names, states: Mapping[str, int], codes: IntArray, counts: FloatArray) -> None:
        self.names, self.states, self.codes, self.counts = names, dict(states), codes, counts
        self._column = {name: i for i, name in enumerate(names)}

    @classmethod
    def of(cls, dataset: Dataset, names: Iterable[str]) -> RowShares:
        """The shares over these variables; DataError where a variable or every complete row is missing."""
        chosen = tuple(dict.fromkeys(names))
        for name in chosen:
            if name not in dataset.names:
                raise DataError(f"the table has no column {name!r}; give the table that the model was learned from")
        columns = [dataset.names.index(name) for name in chosen]
        rows = np.asarray(dataset.rows)[:, columns].astype(np.int64)
        weights = np.ones(len(rows)) if dataset.weights is None else np.asarray(dataset.weights, dtype=np.float64)
        complete = (rows != MISSING).all(axis=1)
        if not complete.any():
            raise DataError("no row has a value in all columns of the formula; treat missing cells first")
        distinct, group = np.unique(rows[complete], axis=0, return_inverse=True)
        counts = np.bincount(group.ravel(), weights=weights[complete], minlength=len(distinct)).astype(np.float64)
        states = {name: len(dataset.states[column]) for name, column in zip(chosen, columns)}
        return cls(chosen, states, distinct, counts)

    @property
    def n_rows(self) -> float:
        return float(self.counts.sum())

    def drawn_anew(self, rng: np.random.Generator) -> RowShares:
        """As many rows drawn with replacement."""
        n = round(self.n_rows)
        counts = rng.multinomial(n, self.counts / self.counts.sum()).astype(np.float64)
        return RowShares(self.names, self.states, self.codes, counts)

    def marginal(self, names: Names) -> FloatArray:
        """P(names), an axis for each."""
        shape = tuple(self.states[name] for name in names)
        if prod(map(float, shape)) > MAX_CELLS:
            raise OptionError(
                f"the formula needs a table of {prod(map(float, shape)):,.0f} cells; ask a DAG with fewer edges"
            )
        if not names:
            return np.ones(())
        keys = np.ravel_multi_index([self.codes[:, self._column[name]] for name in names], shape)
        counts = np.bincount(keys, weights=self.counts, minlength=prod(shape))
        return np.asarray(counts.reshape(shape) / self.counts.sum())


def align_to_network(dataset: Dataset, network: BayesNet) -> Dataset:
    """The measured variables of a network as columns of a table, codes by the network's states; DataError where not."""
    columns, names = [], [name for name in network.variables if name not in network.latents]
    for name in names:
        if name not in dataset.names:
            raise DataError(f"the table has no column {name!r}; give the table that the model was learned from")
        column = dataset.names.index(name)
        known = {state: code for code, state in enumerate(network.states(name))}
        odd = [state for state in dataset.states[column] if state not in known]
        if odd:
            raise DataError(f"{name!r} has the state {odd[0]!r}, which is unknown to the model; give the model's table")
        codes = np.array([*(known[state] for state in dataset.states[column]), MISSING])  # the last for missing cells
        columns.append(codes[np.asarray(dataset.rows)[:, column].astype(np.int64)])
    states = [network.states(name) for name in names]
    return Dataset(names, states, np.stack(columns, axis=1), dataset.weights)


class FittedShares:
    """The joint distribution of the measured variables of a network, its latents summed out."""

    def __init__(self, engine: InferenceEngine, control: RunControl | None = None) -> None:
        self._engine, self._control = engine, control
        self._known: dict[Names, FloatArray] = {}

    def marginal(self, names: Names) -> FloatArray:
        """P(names), an axis for each."""
        if names not in self._known:
            self._known[names] = self._engine.joint(names, control=self._control)
        return self._known[names]
