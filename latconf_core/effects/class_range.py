"""What do() answers in all DAGs that fit as well: the least and the greatest probability of every state.

With the joint distribution fixed, the answer of do(X) depends on the parents of X alone (Maathuis, Kalisch and
Bühlmann 2009; Perković, Kalisch and Maathuis 2017 where some arrows are known). So the possible parent sets of X are
listed, and each is adjusted for exactly: P(. | do(x)) is the joint distribution times 1 / P(x | parents), where x.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.determined.arrows import known_class
from latconf_core.graph.mpdag import Mpdag
from latconf_core.inference.adjustment import CausalGraph
from latconf_core.inference.asking import Answer, InferenceEngine
from latconf_core.inference.junction_tree import JunctionTree
from latconf_core.inference.question import NOTHING
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge

MOST_CHOICES = 200  # of parents that are tried; more are drawn
SAME = 1e-9  # by which answers differ that are equal: what rounding leaves
Choice = tuple[int, ...]  # the parents of each variable that is set, as bits
NamedChoice = Mapping[str, Sequence[str]]  # the same by name


@dataclass(frozen=True, eq=False)
class AnswerRange:
    """An answer of one DAG, with the least and the greatest of all that fit as well.

    n_choices : different parents of what is set, those of this DAG among them
    is_complete : whether all of them were tried; else the range is at least this wide
    n_undefined : choices under which the answer needs a state that never occurs
    """

    answer: Answer
    least: Mapping[str, FloatArray]
    greatest: Mapping[str, FloatArray]
    n_choices: int
    is_complete: bool
    n_undefined: int = 0

    @property
    def width(self) -> float:
        """The largest difference between two equally good DAGs, over all states of all variables."""
        return max((float((self.greatest[name] - value).max()) for name, value in self.least.items()), default=0.0)

    @property
    def is_same(self) -> bool:
        """Whether every equally good DAG gives the same answer."""
        return self.is_complete and not self.n_undefined and self.width <= SAME

    def of(self, variable: str) -> dict[str, tuple[float, float]]:
        """The least and the greatest probability of each state of a variable."""
        states = self.answer.network.states(variable)
        return dict(zip(states, zip(self.least[variable].tolist(), self.greatest[variable].tolist())))

    def to_json(self) -> dict[str, Any]:
        """The range by variable and state, and what it is over."""
        return {
            "choices": self.n_choices,
            "complete": self.is_complete,
            "undefined": self.n_undefined,
            "same": self.is_same,
            "range": {name: {state: list(ends) for state, ends in self.of(name).items()} for name in self.least},
        }


def range_over_class(
    engine: InferenceEngine,
    see: Mapping[str, str] = NOTHING,
    do: Mapping[str, str] = NOTHING,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
    seed: int = 0,
    control: RunControl | None = None,
) -> AnswerRange:
    """The answer of a network, and its range over the DAGs that fit as well."""
    control = control or RunControl()
    answer = engine.ask(see, do, control=control)
    if not do:
        return AnswerRange(answer, answer.probabilities, answer.probabilities, 1, True)
    network = engine.network
    choices, is_complete = parent_choices(network, tuple(do), knowledge=knowledge, seed=seed, control=control)
    given = {name: network.cpts[name].parents for name in do}
    answers = [answer.probabilities]
    n_undefined = 0
    for parents in choices:
        if not is_same_choice(parents, given):
            other = adjusted_answer(engine, answer, parents, control=control)
            answers += [] if other is None else [other]
            n_undefined += other is None
    stacked = {name: np.stack([answer[name] for answer in answers]) for name in network.variables}
    return AnswerRange(
        answer,
        {name: value.min(axis=0) for name, value in stacked.items()},
        {name: value.max(axis=0) for name, value in stacked.items()},
        len(choices) + (not any(is_same_choice(parents, given) for parents in choices)),
        is_complete,
        n_undefined,
    )


def parent_choices(
    network: BayesNet,
    names: Sequence[str],
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
    seed: int = 0,
    control: RunControl | None = None,
) -> tuple[list[NamedChoice], bool]:
    """What the parents of these variables can be together in DAGs that fit as well, and whether that is all."""
    dag = CausalGraph.of(network)
    members = known_class(dag.graph, dag.hidden, knowledge)
    nodes = [dag.graph.nodes.index(name) for name in names]
    rng = np.random.default_rng(seed)
    choices, is_complete = list_choices(members, nodes, rng=rng, control=control or RunControl())
    named: list[NamedChoice] = [
        {name: dag.graph.names(above) for name, above in zip(names, choice)} for choice in choices
    ]
    return named, is_complete


def is_same_choice(named_choice: NamedChoice, other: NamedChoice) -> bool:
    """Whether two give each variable the same parents."""
    return all(set(named_choice[name]) == set(parents) for name, parents in other.items())


def list_choices(
    members: Mpdag, nodes: Sequence[int], *, rng: np.random.Generator, control: RunControl
) -> tuple[list[Choice], bool]:
    """What the parents of these nodes can be together, and whether that is all; drawn where there are too many."""
    listed = list(islice(_all_choices(members, nodes, control), MOST_CHOICES + 1))
    if len(listed) <= MOST_CHOICES:
        return listed, True
    return list(dict.fromkeys(_draw_choice(members, nodes, rng, control) for _ in range(MOST_CHOICES))), False


def _all_choices(members: Mpdag, nodes: Sequence[int], control: RunControl) -> Iterator[Choice]:
    if not nodes:
        yield ()
        return
    for parents, narrower in members.parent_sets(nodes[0]):
        control.checkpoint()
        yield from ((parents, *rest) for rest in _all_choices(narrower, nodes[1:], control))


def _draw_choice(members: Mpdag, nodes: Sequence[int], rng: np.random.Generator, control: RunControl) -> Choice:
    chosen = []
    for node in nodes:
        control.checkpoint()
        sets = list(islice(members.parent_sets(node), MOST_CHOICES))
        parents, members = sets[int(rng.integers(len(sets)))]
        chosen.append(parents)
    return tuple(chosen)


def adjusted_answer(
    engine: InferenceEngine, answer: Answer, parents: NamedChoice, *, control: RunControl | None = None
) -> Mapping[str, FloatArray] | None:
    """The distribution of every variable where the variables that are set have these parents; None where undefined.

    A switch below each variable and its parents is on with a probability in proportion to 1 / P(x | parents); given
    that all are on and x holds, the network answers as after do(x).
    """
    (control or RunControl()).checkpoint()
    network, question = engine.network, answer.question
    switches = []
    for number, (name, above) in enumerate(parents.items()):
        joint = engine.joint((*above, name), control=control)
        inverse = _inverse_propensity(joint[..., network.states(name).index(question.do[name])], joint.sum(axis=-1))
        if inverse is None:
            return None
        switches.append(_switch(network, f"{number}", above, inverse))
    switched = BayesNet((*network.cpts.values(), *switches), name=network.name, latents=network.latents)
    see, do = question.codes(network)
    evidence = {**see, **do, **{cpt.variable: 1 for cpt in switches}}
    tree = JunctionTree(switched)
    if tree.log_probability(evidence, control=control) == -math.inf:
        return None
    shares = tree.marginals(evidence, control=control)
    return {name: shares[name] for name in network.variables}


def _inverse_propensity(with_state: FloatArray, parents: FloatArray) -> FloatArray | None:
    """1 / P(x | parents) up to a factor, at most 1; None where x never occurs beside parents that do."""
    if np.any((with_state <= 0) & (parents > 0)):
        return None
    inverse = np.divide(parents, with_state, out=np.zeros_like(parents), where=with_state > 0)
    return np.asarray(inverse / inverse.max())


def _switch(network: BayesNet, number: str, above: Sequence[str], on: FloatArray) -> Cpt:
    name = f"switch {number}"
    while name in network.cpts:
        name += "'"
    return Cpt(name, ("off", "on"), above, np.stack([1 - on, on], axis=-1))
