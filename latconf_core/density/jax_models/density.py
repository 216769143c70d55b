"""A density that is trained on codes and gives bounds on the log-likelihood of rows: VAE or VAEM."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.data.dataset import Dataset
from latconf_core.density.jax_models.training import train
from latconf_core.density.jax_models.vae import Vae
from latconf_core.density.jax_models.vaem import Vaem

DRAWS_AT_ONCE, ROWS_AT_ONCE = 100, 256
VALIDATION_DRAWS = 50
LEAST_SHARE = 0.5  # of a variable's entropy that its code should carry

Checkpoint = Callable[[], None]
Epochs = Iterator[tuple[int, float]]  # the number of each, and the best bound on other rows so far


def make(method: str, n_states: Sequence[int], decoder: str, *, seed: int) -> Density:
    """A density that is not trained yet."""
    return (
        VaemDensity(n_states, seed) if method == "vaem" else VaeDensity(n_states, seed, is_linear=decoder == "linear")
    )


class Density:
    """What both have in common: trained parameters, and bounds by importance weights."""

    parameters: Any = None
    validation_bound: float = -inf

    def train(self, codes: Any, validation: Any, max_epochs: int, checkpoint: Checkpoint) -> Epochs:
        """Every epoch with the bound that other rows have reached."""
        raise NotImplementedError

    def log_weights(self, parameters: Any, codes: Any, key: Any, n_draws: int) -> Any:
        """Logs of importance weights, (n_draws, n_rows)."""
        raise NotImplementedError

    def notes(self, dataset: Dataset) -> tuple[str, ...]:
        """What makes it less sure."""
        return ()

    @property
    def n_parameters(self) -> int:
        return sum(int(leaf.size) for leaf in jax.tree.leaves(self.parameters))

    def row_bounds(self, codes: Any, n_draws: int, seed: int, checkpoint: Checkpoint) -> tuple[FloatArray, FloatArray]:
        """The bound of every row with a tenth of the draws, and with all of them."""
        weigh = jax.jit(self.log_weights, static_argnums=3)
        key, few, total = jax.random.PRNGKey(seed), [], []
        tenth = max(n_draws // 10, 1)
        for first in range(0, len(codes), ROWS_AT_ONCE):
            rows = jnp.asarray(np.asarray(codes[first : first + ROWS_AT_ONCE], dtype=np.int32))
            key, draw_key = jax.random.split(key)
            weigh_rows = partial(weigh, self.parameters, rows)
            early, late = _sum_draws(weigh_rows, draw_key, n_draws, tenth, checkpoint)
            few.append(early)
            total.append(late)
        return np.concatenate(few), np.concatenate(total)

    def _validation(self, rows: Any) -> Callable[[Any, Any], Any]:
        given = jnp.asarray(rows)

        def bound(parameters: Any, key: Any) -> Any:
            logs = self.log_weights(parameters, given, key, VALIDATION_DRAWS)
            return (jax.nn.logsumexp(logs, axis=0) - jnp.log(VALIDATION_DRAWS)).mean()

        return bound


def _sum_draws(
    weigh: Callable[[Any, int], Any], key: Any, n_draws: int, tenth: int, checkpoint: Checkpoint
) -> tuple[FloatArray, FloatArray]:
    """log of the mean weight after a tenth of the draws, and after all."""
    sums: list[FloatArray] = []
    early: FloatArray | None = None
    done = 0
    while done < n_draws:
        checkpoint()
        count = min(DRAWS_AT_ONCE, (tenth if done < tenth else n_draws) - done)
        key, draw_key = jax.random.split(key)
        sums.append(np.asarray(jax.nn.logsumexp(weigh(draw_key, count), axis=0), dtype=np.float64))
        done += count
        if done == tenth:
            early = np.logaddexp.reduce(sums) - np.log(done)
    late = np.logaddexp.reduce(sums) - np.log(done)
    return late if early is None else early, late


class VaeDensity(Density):
    """The variational autoencoder."""

    def __init__(self, n_states: Sequence[int], seed: int, *, is_linear: bool = False) -> None:
        self.model = Vae.of(n_states, is_linear=is_linear)
        self._key = jax.random.PRNGKey(seed)

    def log_weights(self, parameters: Any, codes: Any, key: Any, n_draws: int) -> Any:
        return self.model.log_weights(parameters, codes, key, n_draws)

    def train(self, codes: Any, validation: Any, max_epochs: int, checkpoint: Checkpoint) -> Epochs:
        of_start, of_training = jax.random.split(self._key)
        for epoch, best in train(
            self.model.loss,
            self.model.start(of_start, codes),
            codes,
            self._validation(validation),
            max_epochs=max_epochs,
            key=of_training,
            checkpoint=checkpoint,
        ):
            self.parameters, self.validation_bound = best.parameters, best.bound
            yield epoch, best.bound


class VaemDensity(Density):
    """VAEM; its first stage stays as it is while the second is trained."""

    def __init__(self, n_states: Sequence[int], seed: int) -> None:
        self.model = Vaem.of(n_states)
        self._key = jax.random.PRNGKey(seed)

    def log_weights(self, parameters: Any, codes: Any, key: Any, n_draws: int) -> Any:
        return self.model.log_weights(parameters["second"], parameters["first"], codes, key, n_draws)

    def train(self, codes: Any, validation: Any, max_epochs: int, checkpoint: Checkpoint) -> Epochs:
        keys = jax.random.split(self._key, 4)
        stage, rows = self.model.codes, jnp.asarray(validation)
        first = stage.start(keys[0])

        def gain(parameters: Any, key: Any) -> Any:
            return -stage.loss(parameters, rows, key, 1.0)

        for _, best in train(
            stage.loss, first, codes, gain, max_epochs=max(max_epochs // 2, 1), key=keys[1], checkpoint=checkpoint
        ):
            first = best.parameters

        def loss(parameters: Any, batch: Any, key: Any, kl_weight: Any) -> Any:
            return self.model.loss(parameters, first, batch, key, kl_weight)

        whole = self._validation(validation)
        for epoch, best in train(
            loss,
            self.model.start(keys[2]),
            codes,
            lambda parameters, key: whole({"first": first, "second": parameters}, key),
            max_epochs=max_epochs,
            key=keys[3],
            checkpoint=checkpoint,
        ):
            self.parameters = {"first": first, "second": best.parameters}
            self.validation_bound = best.bound
            yield epoch, best.bound

    def code_information(self, dataset: Dataset) -> FloatArray:
        """The mean KL of the code of every variable, in nats."""
        from latconf_core.density.jax_models.layers import kl_to_standard

        distinct = dataset.distinct
        of_rows = kl_to_standard(*self.model.codes.encode(self.parameters["first"], distinct.codes.astype(np.int32)))
        shares = distinct.counts / distinct.counts.sum()
        return np.asarray((np.asarray(of_rows) * shares[:, None]).sum(axis=0), dtype=np.float64)

    def notes(self, dataset: Dataset) -> tuple[str, ...]:
        """Variables whose code says too little of them for the second stage to learn from."""
        carried = self.code_information(dataset)
        poor = []
        for name, is_carried in zip(dataset.names, carried):
            shares = dataset.counts(name) / dataset.n_rows
            entropy = float(-(shares[shares > 0] * np.log(shares[shares > 0])).sum())
            poor += [name] if is_carried <= LEAST_SHARE * entropy else []
        return (f"the codes of {', '.join(poor[:5])} carry little information",) if poor else ()
