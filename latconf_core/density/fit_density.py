"""Fits a density baseline to data and says how likely other rows are under it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.control import Progress, RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.density.baselines import DENSITIES
from latconf_core.errors import DataError, OptionError
from latconf_core.options.checks import at_least, one_of

if TYPE_CHECKING:
    from latconf_core.density.jax_models.density import Density

VALIDATION_SHARE, LEAST_VALIDATION = 0.1, 50
NOT_CONVERGED = 0.05  # nats per row that a tenth of the draws may be off
NO_JAX = "VAE and VAEM need the package jax; install it with: pip install 'latconf[density]'"


@dataclass(frozen=True)
class DensityOptions:
    """How a baseline is trained and measured.

    n_seeds : trainings from different starts, of which the best by validation is kept
    n_draws : of importance weights per row; more bring the bound nearer to the likelihood
    decoder : "linear" leaves the hidden layer of the VAE's decoder out
    """

    max_epochs: int = 200
    n_seeds: int = 3
    n_draws: int = 1000
    seed: int = 0
    decoder: str = "tanh"

    def __post_init__(self) -> None:
        at_least("epochs", self.max_epochs, 1)
        at_least("number of starts", self.n_seeds, 1)
        at_least("draws per row", self.n_draws, 10)
        at_least("seed", self.seed, 0)
        one_of("decoder", self.decoder, ("tanh", "linear"))


@dataclass(frozen=True, eq=False)
class DensityFitted:
    """The end of a training.

    bound : nats per row of the rows it was trained on; no prior over parameters is integrated out, so that it is
        comparable with no p-ELBO
    notes : what makes it less sure, a sentence each
    """

    method: str
    density: Density
    bound: float
    n_parameters: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class DensityBound:
    """A lower bound on the log-likelihood of rows, in nats per row.

    change : what the last nine tenths of the draws added
    """

    per_row: float
    standard_error: float
    change: float

    @property
    def has_converged(self) -> bool:
        return self.change <= NOT_CONVERGED


def fit_density(
    dataset: Dataset,
    method: str,
    *,
    options: DensityOptions | None = None,
    control: RunControl | None = None,
) -> Iterator[Progress | DensityFitted]:
    """The progress of a training, and last what came of it."""
    if method not in DENSITIES:
        raise OptionError(f"there is no density {method!r}; choose one of {', '.join(DENSITIES)}")
    if not dataset.is_complete:
        raise DataError(
            f"{method} cannot handle missing cells; choose what to do with them (missing: drop, state or most-frequent)"
        )
    options, control = options or DensityOptions(), control or RunControl()
    models = load_models()
    train, validation = _split(dataset, options.seed)
    best: Any = None
    for number in range(options.n_seeds):
        model = models.make(method, dataset.n_states, options.decoder, seed=options.seed + number)
        for epoch, bound in model.train(train, validation, options.max_epochs, control.checkpoint):
            done, total = number * options.max_epochs + epoch, options.n_seeds * options.max_epochs
            text = f"{DENSITIES[method].title}: start {number + 1} of {options.n_seeds}, {bound:.3f} nats per row"
            yield Progress(done, total, text)
        if best is None or model.validation_bound > best.validation_bound:
            best = model
    bound = measure_density(best, dataset, options=options, control=control).per_row
    yield DensityFitted(method, best, bound, best.n_parameters, best.notes(dataset))


def measure_density(
    density: Density, dataset: Dataset, *, options: DensityOptions | None = None, control: RunControl | None = None
) -> DensityBound:
    """The importance-weighted bound of rows (Burda et al.), each different row once."""
    options, control = options or DensityOptions(), control or RunControl()
    distinct = dataset.distinct
    few, all_draws = density.row_bounds(distinct.codes, options.n_draws, options.seed, control.checkpoint)
    mean, error = _mean(all_draws, distinct.counts)
    return DensityBound(mean, error, mean - _mean(few, distinct.counts)[0])


def _mean(values: FloatArray, counts: Any) -> tuple[float, float]:
    n_rows = int(counts.sum())
    mean = float((values * counts).sum() / n_rows)
    variance = float((counts * (values - mean) ** 2).sum() / max(n_rows - 1, 1))
    return mean, float(np.sqrt(variance / n_rows))


def _split(dataset: Dataset, seed: int) -> tuple[Any, Any]:
    """Codes to train on, and a tenth to stop by."""
    n_rows = dataset.n_rows
    n_validation = min(max(round(VALIDATION_SHARE * n_rows), LEAST_VALIDATION), n_rows // 2)
    if n_validation < 1:
        raise DataError(f"the data have {n_rows} rows; a density needs at least two")
    order = np.random.default_rng(seed).permutation(n_rows)
    codes = dataset.codes.astype(np.int32)
    return codes[order[n_validation:]], codes[order[:n_validation]]


def check_installed() -> None:
    """Refuse to go on without jax: OptionError says how to get it."""
    if find_spec("jax") is None:
        raise OptionError(NO_JAX)


def load_models() -> Any:
    """The room that uses jax, on the processor alone; OptionError where jax is not installed."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        from latconf_core.density.jax_models import density
    except ImportError:
        raise OptionError(NO_JAX) from None
    return density
