"""Adjustment sets: which measured variables to hold fixed so that seeing a cause tells what setting it would do.

The generalised adjustment criterion (Perković, Textor, Kalisch and Maathuis 2018), for one cause and one effect:
in a DAG with latents here, in a PAG in `adjustment_in_pag`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, Literal

from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import graph_of_dag
from latconf_core.errors import GraphError, OptionError
from latconf_core.graph.bits import BitGraph, bits, closure
from latconf_core.graph.marks import Edge
from latconf_core.graph.separation import connected_nodes
from latconf_core.inference.minimal_separators import can_separate, minimal_separators
from latconf_core.inference.question import check_variable

MOST_SETS = 50
MOST_TRIALS = 2000  # sets of latents of which it is asked whether measuring them would do

Kind = Literal["DAG", "PAG"]
Names = tuple[str, ...]


@dataclass(frozen=True)
class Adjustment:
    """What there is to hold fixed, and what not to.

    is_cause : a directed path leads from cause to effect; in a PAG, one may
    sets : the minimal sets of measured variables, the smallest first; at most MOST_SETS
    forbidden : variables that no set may hold, since the effect passes through them or they come after it
    to_measure : where there is no set, each smallest group of latents that would have to be measured
    not_amenable : edges of a PAG that leave open whether the effect passes them, or a hidden cause beside them
    """

    kind: Kind
    cause: str
    effect: str
    is_cause: bool
    sets: tuple[Names, ...] = ()
    truncated: bool = False
    forbidden: Names = ()
    to_measure: tuple[Names, ...] = ()
    not_amenable: tuple[Edge, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Everything, edges as `["A", "o->", "B"]`."""
        return {
            "graph": self.kind,
            "cause": self.cause,
            "effect": self.effect,
            "is_cause": self.is_cause,
            "sets": [list(names) for names in self.sets],
            "truncated": self.truncated,
            "forbidden": list(self.forbidden),
            "to_measure": [list(names) for names in self.to_measure],
            "not_amenable": [edge.to_json() for edge in self.not_amenable],
        }


@dataclass(frozen=True)
class CausalGraph:
    """A DAG with the variables that are measured."""

    graph: BitGraph
    observed: int  # bits

    @classmethod
    def of(cls, given: LatentDag | BayesNet) -> CausalGraph:
        """Of a DAG with latents or a network."""
        if isinstance(given, LatentDag):
            return cls(BitGraph.from_graph(graph_of_dag(given)), (1 << len(given.nodes)) - 1)
        names = given.variables
        index = {name: i for i, name in enumerate(names)}
        parents, children = [0] * len(names), [0] * len(names)
        for parent, child in given.edges:
            parents[index[child]] |= 1 << index[parent]
            children[index[parent]] |= 1 << index[child]
        observed = sum(1 << i for name, i in index.items() if name not in given.latents)
        return cls(BitGraph(names, parents, children, [0] * len(names)), observed)

    @property
    def hidden(self) -> int:
        """The latents, as bits."""
        return (1 << len(self.graph.nodes)) - 1 & ~self.observed

    def ends(self, cause: str, effect: str) -> tuple[int, int]:
        """The positions of two measured variables; OptionError where they are none, or the same."""
        for name in (cause, effect):
            check_variable(name, self.graph.nodes)
            if not self.observed >> self.graph.nodes.index(name) & 1:
                raise OptionError(f"{name!r} is hidden; choose a measured variable")
        if cause == effect:
            raise OptionError(f"{cause!r} cannot be cause and effect at once; choose two variables")
        return self.graph.nodes.index(cause), self.graph.nodes.index(effect)


def adjust_in_dag(
    given: LatentDag | BayesNet, cause: str, effect: str, *, control: RunControl | None = None
) -> Adjustment:
    """The minimal adjustment sets of a DAG with latents; only measured variables are in them."""
    dag = CausalGraph.of(given)
    ends = dag.ends(cause, effect)
    graph = dag.graph
    causal = causal_nodes(graph.children, ends)
    forbidden = closure(graph.children, causal)
    back_door = without_causal_edges(graph, ends[0], causal)
    allowed = dag.observed & ~forbidden & ~(1 << ends[0] | 1 << ends[1])
    sets, truncated = named_sets(back_door, ends, allowed, control=control)
    hidden = ~dag.observed & ~forbidden & ((1 << len(graph.nodes)) - 1)
    return Adjustment(
        "DAG",
        cause,
        effect,
        bool(causal),
        sets,
        truncated,
        graph.names(forbidden & dag.observed & ~(1 << ends[1])),
        () if sets or not causal else _to_measure(back_door, ends, allowed, hidden),
    )


def is_adjustment_set(given: LatentDag | BayesNet, cause: str, effect: str, names: Collection[str]) -> bool:
    """Whether holding exactly these measured variables fixed tells what setting the cause does to the effect."""
    dag = CausalGraph.of(given)
    ends = dag.ends(cause, effect)
    chosen = set_bits(dag.graph, names)
    if chosen & ~dag.observed or chosen & (1 << ends[0] | 1 << ends[1]):
        return False
    causal = causal_nodes(dag.graph.children, ends)
    if chosen & closure(dag.graph.children, causal):
        return False
    back_door = without_causal_edges(dag.graph, ends[0], causal)
    return not connected_nodes(back_door, ends[0], chosen) >> ends[1] & 1


def set_bits(graph: BitGraph, names: Iterable[str]) -> int:
    """Names as bits."""
    for name in names:
        if name not in graph.nodes:
            raise GraphError(f"{name!r} is not a node of the graph")
    return sum(1 << graph.nodes.index(name) for name in set(names))


def causal_nodes(children: list[int] | tuple[int, ...], ends: tuple[int, int]) -> int:
    """The nodes other than the cause on the directed paths from it to the effect that do not return to it."""
    first, second = ends
    away = [mask & ~(1 << first) if node != first else 0 for node, mask in enumerate(children)]
    after = closure(away, children[first] & ~(1 << first))
    return sum(1 << node for node in bits(after) if closure(away, 1 << node) >> second & 1)


def without_causal_edges(graph: BitGraph, cause: int, causal: int) -> BitGraph:
    """The graph without the first edges of the causal paths: what joins cause and effect there is bias."""
    cut = graph.children[cause] & causal
    parents = [mask & ~(1 << cause) if cut >> node & 1 else mask for node, mask in enumerate(graph.parents)]
    children = [mask & ~cut if node == cause else mask for node, mask in enumerate(graph.children)]
    return BitGraph(graph.nodes, parents, children, graph.spouses)


def named_sets(
    graph: BitGraph, ends: tuple[int, int], allowed: int, *, control: RunControl | None = None
) -> tuple[tuple[Names, ...], bool]:
    """The minimal separating sets by name, the smallest first, and whether there are more."""
    separators = list(islice(minimal_separators(graph, ends, allowed, control=control), MOST_SETS + 1))
    shown = sorted(separators[:MOST_SETS], key=lambda mask: (mask.bit_count(), list(bits(mask))))
    return tuple(graph.names(mask) for mask in shown), len(separators) > MOST_SETS


def _to_measure(graph: BitGraph, ends: tuple[int, int], allowed: int, hidden: int) -> tuple[Names, ...]:
    """The smallest groups of latents with which there would be a set."""
    candidates = list(bits(hidden & closure(graph.parents, 1 << ends[0] | 1 << ends[1])))
    tried = 0
    for size in range(1, len(candidates) + 1):
        sets = []
        for some in combinations(candidates, size):
            tried += 1
            if can_separate(graph, ends, allowed | sum(1 << node for node in some)):
                sets.append(tuple(graph.nodes[node] for node in some))
            if tried > MOST_TRIALS:
                return tuple(sets) or (graph.names(hidden & graph.parents[ends[0]]),)
        if sets:
            return tuple(sets)
    return ()
