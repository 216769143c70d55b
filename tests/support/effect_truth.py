"""Exact joint distributions of small networks as one array, and what do() makes of them in a DAG."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import reduce

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import LatentDag


def random_network(rng: np.random.Generator, dag: LatentDag, *, most_states: int = 3) -> BayesNet:
    """Random tables on a DAG, no cell near zero."""
    names = dag.topological_order
    latents = {latent.name: latent.n_states for latent in dag.latents}
    states = {name: latents.get(name, int(rng.integers(2, most_states + 1))) for name in names}
    cpts = []
    for name in names:
        parents = dag.parents_with_latents[name]
        table = rng.dirichlet([1.5] * states[name], size=[states[p] for p in parents]) * 0.9 + 0.1 / states[name]
        cpts.append(Cpt(name, [f"s{k}" for k in range(states[name])], parents, table))
    return BayesNet(cpts, latents=list(latents))


def on_axes(table: FloatArray, names: Sequence[str], axes: Sequence[str]) -> FloatArray:
    """A table over some variables with an axis of length one for each other variable."""
    order = [names.index(name) for name in axes if name in names]
    shape = iter(np.transpose(table, order).shape)
    return np.transpose(table, order).reshape([next(shape) if name in names else 1 for name in axes])


def joint_of(network: BayesNet) -> FloatArray:
    """P over all variables, in the order of the network."""
    axes = network.variables
    tables = [on_axes(cpt.table, [*cpt.parents, name], axes) for name, cpt in network.cpts.items()]
    return np.asarray(reduce(np.multiply, tables))


def conditional(joint: FloatArray, axes: Sequence[str], child: str, parents: Collection[str]) -> FloatArray:
    """P(child | parents) with an axis for every variable."""
    others = tuple(i for i, name in enumerate(axes) if name != child and name not in parents)
    both = joint.sum(axis=others, keepdims=True)
    return np.asarray(both / both.sum(axis=axes.index(child), keepdims=True))


def after_do(
    joint: FloatArray, axes: Sequence[str], parents: Mapping[str, Collection[str]], do: Mapping[str, int]
) -> FloatArray:
    """The joint distribution after do() in a DAG that this distribution factorises over: the truncated product."""
    kept = [conditional(joint, axes, name, parents[name]) for name in axes if name not in do]
    product = reduce(np.multiply, [np.ones([1] * len(axes)), *kept])
    product = np.broadcast_to(product, joint.shape).copy()
    for name, state in do.items():
        index = axes.index(name)
        holds = np.arange(joint.shape[index]) == state
        product = product * holds.reshape([-1 if i == index else 1 for i in range(len(axes))])
    return product


def marginal(joint: FloatArray, axes: Sequence[str], names: Sequence[str]) -> FloatArray:
    """The distribution of some variables, in their order."""
    summed = joint.sum(axis=tuple(i for i, name in enumerate(axes) if name not in names))
    left = [name for name in axes if name in names]
    return np.asarray(np.transpose(summed, [left.index(name) for name in names]))
