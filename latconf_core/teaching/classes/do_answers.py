"""What do() answers in each DAG of a class, from one joint distribution that all of them fit exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.errors import GraphError
from latconf_core.teaching.arrow_network import network_of_arrows
from latconf_core.teaching.classes.dag_members import DagMembers
from latconf_core.teaching.drawn_dag import DrawnDag

MOST_ASKED = 12  # variables whose joint distribution is written out
NETWORK_SEED = 1
YES = 1  # the place of the state that is set and asked for


@dataclass(frozen=True, eq=False)
class DoGroup:
    """Members in which the cause has the same parents, and so do() the same answer."""

    parents: tuple[str, ...]
    members: tuple[int, ...]
    answer: float


@dataclass(frozen=True, eq=False)
class DoAnswers:
    """P(effect = yes | do(cause = yes)) in every member, from one joint distribution that all of them fit exactly.

    seen : P(effect = yes | cause = yes), which needs no arrows
    """

    cause: str
    effect: str
    before: float
    seen: float
    groups: tuple[DoGroup, ...]

    @property
    def least(self) -> float:
        return min(group.answer for group in self.groups)

    @property
    def greatest(self) -> float:
        return max(group.answer for group in self.groups)


def ask_members(joint: FloatArray, members: DagMembers, *, cause: str, effect: str) -> DoAnswers:
    """What do() answers in each member: the joint distribution adjusted for the parents that the cause has there.

    joint : the axes are the nodes of the members in their order
    """
    names = members.members[0].nodes
    groups: dict[tuple[str, ...], list[int]] = {}
    for index, member in enumerate(members.members):
        parents = tuple(name for name in names if (name, cause) in member.edges)
        groups.setdefault(parents, []).append(index)
    x, y = names.index(cause), names.index(effect)
    pair = joint.sum(axis=tuple(axis for axis in range(joint.ndim) if axis not in (x, y)))
    pair = pair if x < y else pair.T
    answers = [
        DoGroup(parents, tuple(places), _adjusted(joint, x, y, [names.index(name) for name in parents]))
        for parents, places in groups.items()
    ]
    seen = float(pair[YES, YES] / pair[YES].sum())
    return DoAnswers(cause, effect, float(pair[:, YES].sum()), seen, tuple(answers))


def joint_of(dag: DrawnDag) -> FloatArray:
    """A joint distribution with the conditional independences of the DAG; its axes are the nodes."""
    if len(dag.nodes) > MOST_ASKED:
        raise GraphError(f"do() is answered for at most {MOST_ASKED} variables here; choose a smaller graph")
    network = network_of_arrows(dag.nodes, dag.edges, rng=np.random.default_rng(NETWORK_SEED))
    return _joint(network, dag.nodes)


def _joint(network: BayesNet, names: Sequence[str]) -> FloatArray:
    """P of every combination of states, (2, …, 2)."""
    joint = np.ones((2,) * len(names))
    for name in names:
        cpt = network.cpts[name]
        axes = [names.index(member) for member in (*cpt.parents, name)]
        order = np.argsort(axes)
        shape = [2 if axis in axes else 1 for axis in range(len(names))]
        joint = joint * cpt.table.transpose(order).reshape(shape)
    return joint


def _adjusted(joint: FloatArray, x: int, y: int, parents: Sequence[int]) -> float:
    """P(y = yes | do(x = yes)) where these are the parents of x: the sum over them of P(y | x, them) P(them)."""
    if y in parents:  # an effect that is a cause of what is set stays as it was
        return float(np.moveaxis(joint, y, 0)[YES].sum())
    kept = [*parents, x, y]
    table = joint.sum(axis=tuple(axis for axis in range(joint.ndim) if axis not in kept))
    order = [sorted(kept).index(axis) for axis in kept]
    table = table.transpose(order)
    weights = table.sum(axis=(-1, -2))
    at_yes = table[..., YES, :]
    return float((weights * at_yes[..., YES] / at_yes.sum(axis=-1)).sum())
