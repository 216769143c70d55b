"""What a hidden cause gains on rows left out of the fit: tables refitted on the other rows, the structure kept.

The structure was chosen on all rows, so that this is optimistic: it can speak against a hidden cause, not for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Protocol

import numpy as np

from latconf_core.arrays import FloatArray, IntArray, WeightArray
from latconf_core.counts.families import counting_table
from latconf_core.data.completed_dataset import CompletedDataset
from latconf_core.data.dataset import Dataset
from latconf_core.errors import GraphError
from latconf_core.inference.held_out import row_log_likelihoods
from latconf_core.json_form import decode_finite
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.model.component import Component
from latconf_core.score.layout_rows import find_layout_rows, start_at
from latconf_core.score.naming import split, to_dag
from latconf_core.score.scorer import Scorer
from latconf_core.score.warm_fit import fit_from

N_FOLDS = 5
LEAST_ROWS = 10  # two per fold; fewer say nothing
LEAST_FRACTION = 1e-9  # of a row that is left out
MOST_EVALUATIONS = 400  # of a refit, which begins near its end


class KnownLatent(Protocol):
    """A latent with its posterior on the rows that are counted."""

    @property
    def children(self) -> int: ...

    @property
    def q(self) -> FloatArray: ...


class KnownModel(Protocol):
    """The parents of every variable as bits, and latents with their posteriors."""

    @property
    def parents(self) -> tuple[int, ...]: ...

    @property
    def latents(self) -> Sequence[KnownLatent]: ...


@dataclass(frozen=True)
class HeldOutGain:
    """Nats that a model gains over another per row left out of the fit; the standard error is paired by row."""

    per_row: float
    standard_error: float

    def to_json(self) -> dict[str, Any]:
        return {"per_row": self.per_row, "standard_error": self.standard_error}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> HeldOutGain:
        """The gain that `to_json` gave."""
        return cls(decode_finite(content["per_row"]), decode_finite(content["standard_error"]))


def measure_held_out_gain(scorer: Scorer, model: KnownModel, rival: KnownModel) -> HeldOutGain | None:
    """What a model gains over a rival on rows left out, a fold at a time.

    None for few rows, and where summing out the latents takes too much memory. Every fit begins at the posterior of
    the whole data.
    """
    dataset = scorer.dataset
    if dataset.n_rows < LEAST_ROWS:
        return None
    codes, counted = counting_table(dataset)
    counts = counted if len(counted) else np.ones(len(codes), dtype=np.int64)
    rows = dataset.with_rows(codes)
    first = second = 0.0
    try:
        for left_out in _folds(dataset, counts, rng=np.random.default_rng(scorer.options.seed)):
            kept = _left(counts, left_out)
            gains = _row_logs(scorer, model, rows, kept) - _row_logs(scorer, rival, rows, kept)
            first += float(left_out @ gains)
            second += float(left_out @ gains**2)
    except GraphError:
        return None
    n_rows = dataset.n_rows
    mean = first / n_rows
    return HeldOutGain(mean, sqrt(max(second / n_rows - mean**2, 0.0) / (n_rows - 1)))


def _left(counts: WeightArray, left_out: WeightArray) -> WeightArray:
    """How often each row is kept; what is left of fractions by rounding is nothing."""
    kept = counts - left_out
    return kept if np.issubdtype(kept.dtype, np.integer) else np.where(kept > LEAST_FRACTION * counts, kept, 0.0)


def _folds(dataset: Dataset, counts: WeightArray, *, rng: np.random.Generator) -> Iterator[WeightArray]:
    """How many of each counted row each fold leaves out; every row is left out once, with all its completions."""
    if isinstance(dataset, CompletedDataset):
        yield from map(dataset.weigh, _deal(dataset.sources, rng=rng))
    else:
        yield from _deal(counts, rng=rng)


def _deal(counts: WeightArray, *, rng: np.random.Generator) -> Iterator[IntArray]:
    """How many of each row each fold leaves out."""
    fold_of_row = rng.permutation(int(counts.sum())) % N_FOLDS
    counted_row = np.repeat(np.arange(len(counts)), counts.astype(np.int64))
    for fold in range(N_FOLDS):
        yield np.bincount(counted_row[fold_of_row == fold], minlength=len(counts))


def _row_logs(scorer: Scorer, model: KnownModel, rows: Dataset, kept: WeightArray) -> FloatArray:
    """The log probability of every counted row by the tables that the rows kept give.

    kept : how often each occurs among those
    """
    data = Dataset(rows.names, rows.states, rows.rows, kept)
    training = scorer.on(data)
    hidden = tuple(Hidden(latent.children, latent.q.shape[1]) for latent in model.latents)
    dag = to_dag(BitDag(model.parents, hidden), rows.names)
    for component in split(dag, training.dataset).components:
        _fit_from_whole(training, component, _posteriors(model, component, np.flatnonzero(kept)))
    network = training.posterior(dag).network()
    logs = row_log_likelihoods(network, rows, control=scorer.control)
    return np.asarray(logs[rows.distinct.of_row])


def _fit_from_whole(training: Scorer, component: Component, posteriors: Sequence[FloatArray]) -> None:
    """Give a scorer of the kept rows the fit that begins at the posteriors of the whole data."""
    codes, counts = training.dataset.rows, np.asarray(training.dataset.weights)
    layout = training.layout(component)
    columns = np.ascontiguousarray(codes.T, dtype=np.int64)
    layout_rows = find_layout_rows(layout, columns, training.dataset.n_states)
    start = start_at(layout, posteriors, layout_rows, weights=counts.astype(np.float64))
    training.known.components[component] = fit_from(layout, start, most=MOST_EVALUATIONS, control=training.control)


def _posteriors(model: KnownModel, component: Component, kept: IntArray) -> list[FloatArray]:
    """The posteriors of the latents of a component, in its order, on the rows that are kept."""
    left = list(model.latents)
    chosen = []
    for hidden in component.latents:
        latent = next(
            latent for latent in left if (latent.children, latent.q.shape[1]) == (hidden.children, hidden.n_states)
        )
        left.remove(latent)
        chosen.append(latent.q[kept])
    return chosen
