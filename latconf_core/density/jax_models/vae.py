"""A variational autoencoder of discrete variables (Kingma and Welling): z ~ N(0, I), each variable given z."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from latconf_core.density.jax_models import layers

SIZES = ((8, 2, 32), (20, 4, 64))  # up to so many variables: dimensions of z, units of a hidden layer
LARGEST_SIZE = (8, 128)


def size_of(n_variables: int) -> tuple[int, int]:
    """Dimensions of z and units of the hidden layers."""
    return next(((latent, hidden) for most, latent, hidden in SIZES if n_variables <= most), LARGEST_SIZE)


@dataclass(frozen=True)
class Vae:
    """The model without its parameters."""

    space: layers.StateSpace
    n_latent: int
    n_hidden: int
    is_linear: bool = False

    @classmethod
    def of(cls, n_states: Sequence[int], *, is_linear: bool = False) -> Vae:
        """A model of the size that fits the number of variables."""
        return cls(layers.StateSpace(n_states), *size_of(len(n_states)), is_linear)

    def start(self, key: Any, codes: Any) -> Any:
        """Parameters to begin with: a random encoder, and a decoder that gives the frequencies whatever z is."""
        of_encoder, of_decoder = jax.random.split(key)
        encoder = layers.make_layers(of_encoder, (self.space.width, self.n_hidden, 2 * self.n_latent))
        widths = (
            (self.n_latent, self.space.width) if self.is_linear else (self.n_latent, self.n_hidden, self.space.width)
        )
        decoder = layers.make_layers(of_decoder, widths)
        weights, _ = decoder[-1]
        return {"encoder": encoder, "decoder": [*decoder[:-1], (0 * weights, self.space.log_frequencies(codes))]}

    def encode(self, parameters: Any, codes: Any) -> tuple[Any, Any]:
        """Mean and log-variance of z given rows."""
        return layers.split_gaussian(layers.apply_layers(parameters["encoder"], self.space.one_hot(codes)))

    def loss(self, parameters: Any, codes: Any, key: Any, kl_weight: Any) -> Any:
        """The negative bound per row, with one draw of z."""
        mean, log_variance = self.encode(parameters, codes)
        z = layers.draw_gaussian(key, mean, log_variance)
        logs = self.space.log_probability(layers.apply_layers(parameters["decoder"], z), codes)
        return (kl_weight * layers.kl_to_standard(mean, log_variance) - logs).mean()

    def log_weights(self, parameters: Any, codes: Any, key: Any, n_draws: int) -> Any:
        """log p(x, z) − log q(z | x) of draws of z, (n_draws, n_rows)."""
        mean, log_variance = self.encode(parameters, codes)

        def draw(draw_key: Any) -> Any:
            z = layers.draw_gaussian(draw_key, mean, log_variance)
            logs = self.space.log_probability(layers.apply_layers(parameters["decoder"], z), codes)
            prior = layers.log_gaussian(z, jnp.zeros_like(z), jnp.zeros_like(z))
            return logs + prior - layers.log_gaussian(z, mean, log_variance)

        return jax.vmap(draw)(jax.random.split(key, n_draws))
