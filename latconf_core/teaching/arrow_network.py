"""A Bayesian network for arrows that somebody drew: tables in which every cause makes a difference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.errors import GraphError

STATES = ("no", "yes")
STRONG = (1.0, 1.7)  # the least and the greatest difference that a cause makes, in log odds either way
MODERATE = (0.6, 1.1)
BASE = 0.4  # log odds, either way, with which no cause has to do
MOST_CAUSES = 12  # of one variable: its table has two to the power of these rows


def network_of_arrows(
    nodes: Sequence[str],
    edges: Sequence[tuple[str, str]],
    *,
    rng: np.random.Generator,
    hidden: Sequence[str] = (),
    strength: tuple[float, float] = STRONG,
) -> BayesNet:
    """Variables with two states each, in which every cause raises or lowers the odds of its effect.

    The causes of one effect add up in log odds, so that no two of them cancel.
    """
    parents: dict[str, list[str]] = {name: [] for name in nodes}
    for cause, effect in edges:
        parents[effect].append(cause)
    for name, causes in parents.items():
        if len(causes) > MOST_CAUSES:
            raise GraphError(f"{name!r} has {len(causes)} causes; data can be drawn for at most {MOST_CAUSES}")
    tables = [Cpt(name, STATES, causes, _table(len(causes), strength, rng)) for name, causes in parents.items()]
    return BayesNet(tables, latents=hidden)


def _table(n_causes: int, strength: tuple[float, float], rng: np.random.Generator) -> FloatArray:
    """P(effect | causes), (2 for each cause…, 2)."""
    log_odds = np.full((2,) * n_causes, rng.uniform(-BASE, BASE))
    for axis in range(n_causes):
        difference = rng.uniform(*strength) * rng.choice((-1.0, 1.0))
        shape = [1] * n_causes
        shape[axis] = 2
        log_odds = log_odds + np.array((-difference, difference)).reshape(shape)
    yes = 1.0 / (1.0 + np.exp(-log_odds))
    return np.stack([1.0 - yes, yes], axis=-1)
