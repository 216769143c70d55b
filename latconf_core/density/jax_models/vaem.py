"""VAEM (Ma et al. 2020): an autoencoder per variable, then one of their codes: h → codes → variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from latconf_core.density.jax_models import layers
from latconf_core.density.jax_models.vae import size_of

CODE = 2  # dimensions of the code of a variable
CODE_HIDDEN, HIDDEN = 16, 64
KL_WEIGHT = 0.1  # of the first stage: at 1 the codes may say nothing, and the second stage would learn noise
LEAST_SCALE, MOST_SCALE = 0.05, 1.0


@dataclass(frozen=True)
class Codes:
    """The first stage: every variable by itself, all at once."""

    space: layers.StateSpace

    def start(self, key: Any) -> Any:
        """Random parameters, an axis for the variables in front."""
        n, most = self.space.n_variables, self.space.most
        shapes = ((n, most, CODE_HIDDEN), (n, CODE_HIDDEN, 2 * CODE), (n, CODE, most))
        keys = jax.random.split(key, len(shapes))
        drawn = [np.sqrt(2 / (shape[1] + shape[2])) * jax.random.normal(key, shape) for key, shape in zip(keys, shapes)]
        return [(weights, jnp.zeros((n, weights.shape[2]))) for weights in drawn]

    def encode(self, parameters: Any, codes: Any) -> tuple[Any, Any]:
        """Mean and log-variance of the code of every variable, (…, n_variables, CODE)."""
        (first, bias), (second, other), _ = parameters
        hidden = jnp.tanh(jnp.einsum("...vk,vkh->...vh", self.space.padded(codes), first) + bias)
        return layers.split_gaussian(jnp.einsum("...vh,vhc->...vc", hidden, second) + other)

    def log_probability(self, parameters: Any, z: Any, codes: Any) -> Any:
        """Of rows given the codes of their variables."""
        weights, bias = parameters[2]
        logits = jnp.einsum("...vc,vck->...vk", z, weights) + bias
        return self.space.padded_log_probability(logits, codes)

    def loss(self, parameters: Any, codes: Any, key: Any, kl_weight: Any) -> Any:
        """The negative bound per row with a light KL term."""
        mean, log_variance = self.encode(parameters, codes)
        z = layers.draw_gaussian(key, mean, log_variance)
        kl = layers.kl_to_standard(mean, log_variance).sum(axis=-1)
        return (KL_WEIGHT * kl_weight * kl - self.log_probability(parameters, z, codes)).mean()


@dataclass(frozen=True)
class Vaem:
    """Both stages."""

    codes: Codes
    n_latent: int

    @classmethod
    def of(cls, n_states: Sequence[int]) -> Vaem:
        """A model of the size that fits the number of variables."""
        return cls(Codes(layers.StateSpace(n_states)), size_of(len(n_states))[0] + 2)

    @property
    def n_codes(self) -> int:
        return CODE * self.codes.space.n_variables

    def start(self, key: Any) -> Any:
        """Random parameters of the second stage."""
        of_encoder, of_decoder = jax.random.split(key)
        width = self.n_codes + self.codes.space.width
        return {
            "encoder": layers.make_layers(of_encoder, (width, HIDDEN, 2 * self.n_latent)),
            "decoder": layers.make_layers(of_decoder, (self.n_latent, HIDDEN, self.n_codes)),
            "scale": jnp.zeros(self.n_codes),
        }

    def encode(self, parameters: Any, z: Any, codes: Any) -> tuple[Any, Any]:
        """Mean and log-variance of h given codes and rows."""
        seen = jnp.concatenate([z.reshape(*z.shape[:-2], -1), self.codes.space.one_hot(codes)], axis=-1)
        return layers.split_gaussian(layers.apply_layers(parameters["encoder"], seen))

    def log_codes(self, parameters: Any, z: Any, h: Any) -> Any:
        """log p(z | h)."""
        mean = layers.apply_layers(parameters["decoder"], h)
        # Not clipped: at a bound a clipped scale has no gradient that would lead back.
        scale = LEAST_SCALE + (MOST_SCALE - LEAST_SCALE) * jax.nn.sigmoid(parameters["scale"])
        flat = z.reshape(*z.shape[:-2], -1)
        return layers.log_gaussian(flat, mean, jnp.broadcast_to(2 * jnp.log(scale), mean.shape))

    def loss(self, parameters: Any, first: Any, codes: Any, key: Any, kl_weight: Any) -> Any:
        """The negative bound of the codes per row, the first stage as it is."""
        of_codes, of_h = jax.random.split(key)
        z = layers.draw_gaussian(of_codes, *self.codes.encode(first, codes))
        mean, log_variance = self.encode(parameters, z, codes)
        h = layers.draw_gaussian(of_h, mean, log_variance)
        return (kl_weight * layers.kl_to_standard(mean, log_variance) - self.log_codes(parameters, z, h)).mean()

    def log_weights(self, parameters: Any, first: Any, codes: Any, key: Any, n_draws: int) -> Any:
        """log p(x, z, h) − log q(z, h | x) of draws of codes and h, (n_draws, n_rows)."""
        of_z = self.codes.encode(first, codes)

        def draw(draw_key: Any) -> Any:
            of_codes, of_h = jax.random.split(draw_key)
            z = layers.draw_gaussian(of_codes, *of_z)
            of_h_given = self.encode(parameters, z, codes)
            h = layers.draw_gaussian(of_h, *of_h_given)
            joint = layers.log_gaussian(h, jnp.zeros_like(h), jnp.zeros_like(h)) + self.log_codes(parameters, z, h)
            joint += self.codes.log_probability(first, z, codes)
            return joint - layers.log_gaussian(z, *of_z).sum(axis=-1) - layers.log_gaussian(h, *of_h_given)

        return jax.vmap(draw)(jax.random.split(key, n_draws))
