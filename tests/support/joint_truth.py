"""Probabilities by enumeration: the whole joint table of a small network, summed as the definitions say.

Nothing here uses the code under test.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import BayesNet, Cpt


def random_network(rng: np.random.Generator, n_observed: int, n_latents: int, *, zeros: float = 0.0) -> BayesNet:
    """Latents first, each a root or the child of a latent; tables drawn evenly, some entries 0 where asked for."""
    names = [f"L{i}" for i in range(n_latents)] + [f"<b>X {i}</b> = ü" for i in range(n_observed)]
    states = {name: [f"s={k} %" for k in range(int(rng.integers(2, 4)))] for name in names}
    cpts = []
    for i, name in enumerate(names):
        above = [other for other in names[:i] if rng.random() < 0.45][:3]
        shape = [len(states[other]) for other in (*above, name)]
        table = rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])
        table = np.where(rng.random(table.shape) < zeros, 0.0, table)
        table[..., 0] += table.sum(axis=-1) == 0
        cpts.append(Cpt(name, states[name], above, table / table.sum(axis=-1, keepdims=True)))
    order = rng.permutation(len(cpts))
    return BayesNet([cpts[i] for i in order], latents=names[:n_latents])


def joint_table(network: BayesNet, do: Mapping[str, int] | None = None) -> FloatArray:
    """P(all variables) with an axis for each in the network's order; a variable that is set has one state."""
    axis = {name: i for i, name in enumerate(network.variables)}
    joint = np.ones([len(network.states(name)) for name in network.variables])
    for name, cpt in network.cpts.items():
        parents, table = cpt.parents, cpt.table
        if do is not None and name in do:
            parents, table = (), np.eye(len(cpt.states))[do[name]]
        inside = [axis[other] for other in (*parents, name)]
        shape = [joint.shape[i] if i in inside else 1 for i in range(joint.ndim)]
        joint = joint * np.transpose(table, np.argsort(inside)).reshape(shape)
    return joint


def marginals_by_summing(
    network: BayesNet, see: Mapping[str, int], do: Mapping[str, int]
) -> tuple[dict[str, FloatArray], float]:
    """The distribution of every variable given what is seen after the cuts, and the probability of seeing it."""
    joint = joint_table(network, do)
    axis = {name: i for i, name in enumerate(network.variables)}
    for name, state in see.items():
        keep = np.zeros(joint.shape[axis[name]])
        keep[state] = 1.0
        joint = joint * keep.reshape([-1 if i == axis[name] else 1 for i in range(joint.ndim)])
    total = float(joint.sum())
    if total == 0:
        return {}, 0.0
    others = {name: tuple(i for i in axis.values() if i != axis[name]) for name in axis}
    return {name: joint.sum(axis=others[name]) / total for name in axis}, total
