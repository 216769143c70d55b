"""Everything that can be said of one effect: in this DAG, over its class and its PAG, from rows, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import mag_of_admg, project_out
from latconf_core.data.dataset import Dataset
from latconf_core.effects.class_range import SAME, adjusted_answer, is_same_choice, parent_choices
from latconf_core.effects.distributions import FittedShares, RowShares, align_to_network
from latconf_core.effects.effect_question import EffectQuestion, Ends, Pair, ends_of
from latconf_core.effects.expressions import Distribution, Expression
from latconf_core.effects.pag_range import PagRange, range_over_pag, ways_in_pag
from latconf_core.effects.plug_in import N_DRAWS, OnDraw, PlugIn, ignore_draws, plug_in, value_of
from latconf_core.effects.refits import ask_pair, fitted_interval, state_positions
from latconf_core.effects.routes import Identified, identify_effect
from latconf_core.effects.strength import Strength, common_latents, hidden_strength
from latconf_core.graph.bits import BitGraph, bits
from latconf_core.graph.mixed import MixedGraph
from latconf_core.inference.adjustment import CausalGraph, Names
from latconf_core.inference.asking import InferenceEngine
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.pag.validity import pag_of_mag

Value = Callable[[Expression], Pair | None]


@dataclass(frozen=True)
class ClassPairs:
    """The answers of all DAGs that fit as well.

    ends : the least and the greatest of each number
    n_choices, is_complete, n_undefined : as of `AnswerRange`
    """

    ends: Ends
    n_choices: int
    is_complete: bool
    n_undefined: int

    @property
    def is_same(self) -> bool:
        """Whether every equally good DAG gives the same answer."""
        return self.is_complete and not self.n_undefined and all(high - low <= SAME for low, high in self.ends)

    def to_json(self) -> dict[str, Any]:
        """The range, and what it is over."""
        return {
            "range": self.ends.to_json(),
            "choices": self.n_choices,
            "complete": self.is_complete,
            "undefined": self.n_undefined,
            "same": self.is_same,
        }


@dataclass(frozen=True)
class EffectAnswer:
    """What one effect is.

    in_dag : in this DAG by its fitted tables, hidden causes included; `interval` is of it
    over_class : over the DAGs that fit as well
    identified : whether measured variables suffice in this DAG, and by which formula
    plug_in : the formula on the rows of a table; None without a table or a formula
    rests_on : the hidden causes whose fitted tables the answer needs, where measured variables do not suffice
    over_pag : without relying on hidden causes, from the rows where there are any
    strength : None where the effect has no common hidden cause to compare with, and no risk
    """

    question: EffectQuestion
    in_dag: Pair
    over_class: ClassPairs
    identified: Identified
    plug_in: PlugIn | None
    rests_on: Names
    over_pag: PagRange
    strength: Strength | None
    interval: Ends | None = None

    def to_json(self) -> dict[str, Any]:
        """Everything by name; sentences are added by who words them."""
        return {
            **self.question.to_json(),
            "in_this_dag": self.in_dag.to_json(),
            "interval": None if self.interval is None else self.interval.to_json(),
            "over_class": self.over_class.to_json(),
            **self.identified.to_json(),
            "plug_in": None if self.plug_in is None else self.plug_in.to_json(),
            "rests_on": list(self.rests_on),
            "over_pag": self.over_pag.to_json(),
            "strength": None if self.strength is None else self.strength.to_json(),
        }


def answer_effect(
    engine: InferenceEngine,
    question: EffectQuestion,
    *,
    data: Dataset | None = None,
    knowledge: Knowledge = NO_KNOWLEDGE,
    n_draws: int = N_DRAWS,
    seed: int = 0,
    control: RunControl | None = None,
    on_draw: OnDraw = ignore_draws,
) -> EffectAnswer:
    """All that a model and, where given, the table it was learned from say of an effect.

    n_draws : of the bootstrap; 0 for no intervals
    on_draw : told after each of them
    """
    network = engine.network
    question.check(network)
    identified = identify_effect(network, question.cause, question.effect, control=control)
    distribution: Distribution = FittedShares(engine, control)
    states = state_positions(network, question)
    if data is not None:
        data = align_to_network(data, network)
        distribution = RowShares.of(data, data.names)
    plugged = None
    if data is not None and identified.expression is not None:
        plugged = plug_in(
            identified.expression, question, data, n_draws=n_draws, seed=seed, control=control, on_draw=on_draw
        )
    rests_on = () if identified.is_identified else common_latents(network, question.cause, question.effect)
    interval = None
    if data is not None and n_draws and plugged is None:
        interval = fitted_interval(
            network, question, data, n_draws=n_draws, seed=seed, control=control, on_draw=on_draw
        )

    def value(expression: Expression) -> Pair | None:
        return value_of(expression, question, distribution, states)[0]

    ways = ways_in_pag(pag_of_network(network), question.cause, question.effect, control=control)
    return EffectAnswer(
        question,
        ask_pair(network, question, control=control),
        pairs_over_class(engine, question, knowledge=knowledge, seed=seed, control=control),
        identified,
        plugged,
        rests_on,
        range_over_pag(ways, question.cause, question.effect, value),
        _strength(engine, question, value, control),
        interval,
    )


def pairs_over_class(
    engine: InferenceEngine,
    question: EffectQuestion,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
    seed: int = 0,
    control: RunControl | None = None,
) -> ClassPairs:
    """The least and the greatest answer over the DAGs that fit as well."""
    cause = question.cause
    choices, is_complete = parent_choices(engine.network, (cause,), knowledge=knowledge, seed=seed, control=control)
    given = {cause: engine.network.cpts[cause].parents}
    answers = [engine.ask({}, {cause: state}, control=control) for state in (question.first, question.second)]
    pairs = [Pair(*(answer[question.effect][question.state] for answer in answers))]
    index = engine.network.states(question.effect).index(question.state)
    n_undefined = 0
    for parents in choices:
        if is_same_choice(parents, given):
            continue
        shares = [adjusted_answer(engine, answer, parents, control=control) for answer in answers]
        known = [float(share[question.effect][index]) for share in shares if share is not None]
        if len(known) == 2:
            pairs.append(Pair(*known))
        else:
            n_undefined += 1
    return ClassPairs(ends_of(pairs), len(pairs) + n_undefined, is_complete, n_undefined)


def pag_of_network(network: BayesNet) -> MixedGraph:
    """What the independences of a network among its measured variables determine."""
    dag = CausalGraph.of(network)
    whole, kept = project_out(dag.graph, dag.observed), list(bits(dag.observed))
    position_of = {node: i for i, node in enumerate(kept)}

    def among_kept(masks: tuple[int, ...]) -> list[int]:
        return [sum(1 << position_of[other] for other in bits(masks[node])) for node in kept]

    nodes = tuple(whole.nodes[node] for node in kept)
    graph = BitGraph(nodes, among_kept(whole.parents), among_kept(whole.children), among_kept(whole.spouses))
    return pag_of_mag(mag_of_admg(graph))


def _strength(
    engine: InferenceEngine, question: EffectQuestion, value: Value, control: RunControl | None
) -> Strength | None:
    """The risk ratio adjusted for measured variables alone, and each common hidden cause beside it."""
    network = engine.network
    measured = [name for name in network.variables if name not in network.latents]
    edges = [edge for edge in network.edges if not network.latents & set(edge)]
    adjusted = identify_effect(LatentDag(measured, edges), question.cause, question.effect, control=control)
    pair: Pair | None = None if adjusted.expression is None else value(adjusted.expression)
    if pair is None or not adjusted.adjustment.is_cause or max(pair) <= 0:
        return None
    latents = tuple(
        hidden_strength(engine, question, latent, is_swapped=pair.second > pair.first, control=control)
        for latent in common_latents(network, question.cause, question.effect)
    )
    return Strength(pair.ratio, adjusted.by, latents)
