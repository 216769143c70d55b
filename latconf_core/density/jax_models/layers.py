"""Small networks as lists of weights, Gaussians, and variables of different numbers of states side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Parameters = Any  # nested lists and dicts of arrays
LEAST_LOG_VARIANCE, MOST_LOG_VARIANCE = -8.0, 4.0
NEVER = -1e9  # the logit of a state that a variable does not have


def make_layers(key: Any, widths: Sequence[int]) -> list[tuple[Any, Any]]:
    """Weights of a network with these widths (Glorot), biases zero."""
    keys = jax.random.split(key, max(len(widths) - 1, 1))
    layers = []
    for layer_key, before, after in zip(keys, widths, widths[1:]):
        scale = np.sqrt(2.0 / (before + after))
        layers.append((scale * jax.random.normal(layer_key, (before, after)), jnp.zeros(after)))
    return layers


def apply_layers(layers: Sequence[tuple[Any, Any]], values: Any) -> Any:
    """What the network makes of values; tanh between its layers."""
    for weights, bias in layers[:-1]:
        values = jnp.tanh(values @ weights + bias)
    weights, bias = layers[-1]
    return values @ weights + bias


def split_gaussian(values: Any) -> tuple[Any, Any]:
    """Mean and log-variance, the latter kept within bounds."""
    mean, log_variance = jnp.split(values, 2, axis=-1)
    return mean, jnp.clip(log_variance, LEAST_LOG_VARIANCE, MOST_LOG_VARIANCE)


def draw_gaussian(key: Any, mean: Any, log_variance: Any) -> Any:
    """One draw of each, through which gradients pass."""
    return mean + jnp.exp(0.5 * log_variance) * jax.random.normal(key, mean.shape)


def kl_to_standard(mean: Any, log_variance: Any) -> Any:
    """KL to N(0, I), summed over the last axis."""
    return 0.5 * (jnp.exp(log_variance) + mean**2 - 1 - log_variance).sum(axis=-1)


def log_gaussian(values: Any, mean: Any, log_variance: Any) -> Any:
    """Log-density of independent Gaussians, summed over the last axis."""
    squared = (values - mean) ** 2 * jnp.exp(-log_variance)
    return -0.5 * (squared + log_variance + jnp.log(2 * jnp.pi)).sum(axis=-1)


class StateSpace:
    """Variables with their numbers of states: codes to one-hot columns, and logits to log-probabilities."""

    def __init__(self, n_states: Sequence[int]) -> None:
        self.n_states = tuple(n_states)
        self.n_variables, self.most = len(self.n_states), max(self.n_states)
        self.width = sum(self.n_states)
        starts = np.cumsum([0, *self.n_states[:-1]])
        self.columns = np.full((self.n_variables, self.most), self.width)  # the last place is never filled
        for variable, (start, count) in enumerate(zip(starts, self.n_states)):
            self.columns[variable, :count] = start + np.arange(count)
        self.is_state = self.columns < self.width

    def padded(self, codes: Any) -> Any:
        """One-hot, (…, n_variables, most)."""
        return jax.nn.one_hot(codes, self.most)

    def one_hot(self, codes: Any) -> Any:
        """One-hot columns side by side, (…, width)."""
        return self.padded(codes)[..., self.is_state]

    def log_probability(self, logits: Any, codes: Any) -> Any:
        """Of rows under logits (…, width), summed over the variables."""
        places = jnp.concatenate([logits, jnp.full((*logits.shape[:-1], 1), NEVER)], axis=-1)
        return self.padded_log_probability(places[..., self.columns], codes)

    def padded_log_probability(self, logits: Any, codes: Any) -> Any:
        """The same for logits (…, n_variables, most)."""
        logs = jax.nn.log_softmax(jnp.where(self.is_state, logits, NEVER), axis=-1)
        return jnp.take_along_axis(logs, codes[..., None], axis=-1)[..., 0].sum(axis=-1)

    def log_frequencies(self, codes: Any) -> Any:
        """Logs of the shares of the states, one row added to each, (width,)."""
        counts = [np.bincount(codes[:, v], minlength=count) + 1.0 for v, count in enumerate(self.n_states)]
        return jnp.asarray(np.concatenate([np.log(count / count.sum()) for count in counts]))
