"""Training by Adam with a falling step, a KL term that comes in slowly, and an early end by other rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

import jax
import jax.numpy as jnp

BETAS, EPSILON = (0.9, 0.999), 1e-8
FIRST_STEP, LAST_STEP = 1e-3, 1e-4
WEIGHT_DECAY, MOST_GRADIENT = 1e-4, 5.0
WARM_UP = 0.2  # of the epochs, while the weight of the KL term rises from 0 to 1
PATIENCE = 20  # epochs without a better bound on other rows
BATCHES_AT_ONCE = 15  # between two looks at the control
MANY_ROWS = 5_000

Loss = Callable[[Any, Any, Any, Any], Any]  # parameters, codes, key, weight of KL → nats per row
Measure = Callable[[Any, Any], Any]  # parameters, key → bound on other rows


@dataclass
class Trained:
    """The best parameters so far and their bound on other rows."""

    parameters: Any
    bound: float = -inf


def train(
    loss: Loss, start: Any, codes: Any, measure: Measure, *, max_epochs: int, key: Any, checkpoint: Callable[[], None]
) -> Iterator[tuple[int, Trained]]:
    """Every epoch with the best so far; ends when other rows have not gained for a while."""
    batch = 256 if len(codes) >= MANY_ROWS else 128
    batch = min(batch, len(codes))
    n_batches = len(codes) // batch
    step = _make_step(loss, n_steps=max_epochs * n_batches)
    state = (start, *(jax.tree.map(jnp.zeros_like, start) for _ in range(2)), jnp.zeros((), jnp.int32))
    best, since, rows = Trained(start), 0, jnp.asarray(codes)
    measured = jax.jit(measure)
    for epoch in range(max_epochs):
        key, of_order, of_draws, of_measure = jax.random.split(key, 4)
        weight = min(1.0, (epoch + 1) / max(WARM_UP * max_epochs, 1.0))
        order = jax.random.permutation(of_order, len(codes))[: n_batches * batch].reshape(n_batches, batch)
        keys = jax.random.split(of_draws, n_batches)
        for first in range(0, n_batches, BATCHES_AT_ONCE):
            checkpoint()
            part = slice(first, first + BATCHES_AT_ONCE)
            state = step(state, rows, order[part], keys[part], weight)
        bound = float(measured(state[0], of_measure))
        if bound > best.bound and weight >= 1.0:
            best, since = Trained(state[0], bound), 0
        elif weight >= 1.0:
            since += 1
        yield epoch + 1, best if best.bound > -inf else Trained(state[0], bound)
        if since >= PATIENCE:
            return


def _make_step(loss: Loss, *, n_steps: int) -> Any:
    """Some batches at once, compiled once per number of them."""

    def one(state: Any, given: tuple[Any, Any], rows: Any, weight: Any) -> tuple[Any, None]:
        chosen, key = given
        parameters, first, second, count = state
        gradient = jax.grad(loss)(parameters, rows[chosen], key, weight)
        norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
        gradient = jax.tree.map(lambda slope: slope * jnp.minimum(1.0, MOST_GRADIENT / (norm + EPSILON)), gradient)
        first = jax.tree.map(lambda m, g: BETAS[0] * m + (1 - BETAS[0]) * g, first, gradient)
        second = jax.tree.map(lambda v, g: BETAS[1] * v + (1 - BETAS[1]) * g**2, second, gradient)
        count = count + 1
        share = jnp.minimum(count / n_steps, 1.0)
        size = LAST_STEP + 0.5 * (FIRST_STEP - LAST_STEP) * (1 + jnp.cos(jnp.pi * share))

        def move(value: Any, m: Any, v: Any) -> Any:
            by = (m / (1 - BETAS[0] ** count)) / (jnp.sqrt(v / (1 - BETAS[1] ** count)) + EPSILON)
            return value - size * (by + (WEIGHT_DECAY * value if value.ndim > 1 else 0.0))

        return (jax.tree.map(move, parameters, first, second), first, second, count), None

    @jax.jit
    def step(state: Any, rows: Any, order: Any, keys: Any, weight: Any) -> Any:
        return jax.lax.scan(lambda slope, given: one(slope, given, rows, weight), state, (order, keys))[0]

    return step
