"""By which way an effect can be computed from measured variables: adjustment, front door, a longer formula, or none.

The shortest formula is taken: where several are right, they agree in a distribution that the DAG has.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Any

from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import project_out
from latconf_core.effects.expressions import Expression, Probability, Sum, formula_text
from latconf_core.effects.identification import identify
from latconf_core.graph.bits import BitGraph, bits, closure
from latconf_core.graph.separation import connected_nodes
from latconf_core.inference.adjustment import Adjustment, CausalGraph, Names, adjust_in_dag, causal_nodes

MOST_MEDIATORS = 2  # variables of a front door that are looked for together


class Route(Enum):
    """How P(effect | do(cause)) comes from what is measured."""

    NO_EFFECT = "no effect"
    AS_SEEN = "as seen"
    BACK_DOOR = "back door"
    FRONT_DOOR = "front door"
    GENERAL = "general"
    NOT_IDENTIFIED = "not identified"


@dataclass(frozen=True)
class Identified:
    """Whether an effect can be computed from measured variables in a DAG, and how.

    by : what is adjusted for, or the mediators of a front door
    expression : with cause and effect free; None where there is none
    adjustment : what the DAG says of adjustment, latents that would have to be measured among it
    """

    cause: str
    effect: str
    route: Route
    by: Names
    expression: Expression | None
    adjustment: Adjustment

    @property
    def is_identified(self) -> bool:
        return self.expression is not None

    @property
    def formula(self) -> str:
        """P(y | do(x)) and what it is; empty where there is no formula."""
        if self.expression is None:
            return ""
        return f"P({self.effect} | do({self.cause})) = {formula_text(self.expression)}"

    def to_json(self) -> dict[str, Any]:
        """The route by its name, and the formula; null where there is none."""
        return {
            "identified": self.is_identified,
            "route": self.route.value,
            "by": list(self.by),
            "formula": self.formula or None,
        }


def identify_effect(
    given: LatentDag | BayesNet, cause: str, effect: str, *, control: RunControl | None = None
) -> Identified:
    """The shortest way from measured variables to the effect in this DAG."""
    adjustment = adjust_in_dag(given, cause, effect, control=control)
    dag = CausalGraph.of(given)
    ends = dag.ends(cause, effect)

    def found(route: Route, by: Names, expression: Expression | None) -> Identified:
        return Identified(cause, effect, route, by, expression, adjustment)

    if not adjustment.is_cause:
        return found(Route.NO_EFFECT, (), Probability((effect,)))
    if adjustment.sets:
        by = adjustment.sets[0]
        seen = Probability((effect,), (cause, *by))
        if not by:
            return found(Route.AS_SEEN, (), seen)
        return found(Route.BACK_DOOR, by, Sum(by, (Probability(by), seen)))
    mediators = front_door(dag, ends, control=control)
    if mediators:
        return found(Route.FRONT_DOOR, mediators, _front_door_formula(cause, mediators, effect))
    expression = identify(project_out(dag.graph, dag.observed), *ends)
    return found(Route.NOT_IDENTIFIED if expression is None else Route.GENERAL, (), expression)


def _front_door_formula(cause: str, mediators: Names, effect: str) -> Expression:
    inside = Sum((cause,), (Probability((cause,)), Probability((effect,), (cause, *mediators))))
    return Sum(mediators, (Probability(mediators, (cause,)), inside))


def front_door(dag: CausalGraph, ends: tuple[int, int], *, control: RunControl | None = None) -> Names:
    """The fewest measured variables that satisfy Pearl's front-door criterion; empty where none were found.

    They lie on all directed paths, no back-door path leads from the cause to them, and the cause blocks those from
    them to the effect.
    """
    control = control or RunControl()
    cause, effect = ends
    graph = dag.graph
    candidates = list(bits(causal_nodes(graph.children, ends) & dag.observed & ~(1 << effect)))
    for size in range(1, MOST_MEDIATORS + 1):
        for some in combinations(candidates, size):
            control.checkpoint()
            mask = sum(1 << node for node in some)
            around = [0 if mask >> v & 1 else below & ~mask for v, below in enumerate(graph.children)]
            if closure(around, 1 << cause) >> effect & 1:
                continue
            if connected_nodes(without_arrows_out_of(graph, 1 << cause), cause, 0) & mask:
                continue
            cut = without_arrows_out_of(graph, mask)
            if not any(connected_nodes(cut, node, 1 << cause) >> effect & 1 for node in some):
                return graph.names(mask)
    return ()


def without_arrows_out_of(graph: BitGraph, nodes: int) -> BitGraph:
    """The graph without the arrows out of some nodes: what still joins them with others is back-door paths."""
    parents = [above & ~nodes for above in graph.parents]
    children = [0 if nodes >> v & 1 else below for v, below in enumerate(graph.children)]
    return BitGraph(graph.nodes, parents, children, graph.spouses)
