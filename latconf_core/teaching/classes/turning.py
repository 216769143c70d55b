"""Reversing an arrow, and whether any test of the measured variables could tell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import combinations

from latconf_core.control import RunControl
from latconf_core.errors import GraphError
from latconf_core.graph.bits import BitGraph
from latconf_core.graph.separation import connected_nodes
from latconf_core.teaching.classes.dag_members import class_of
from latconf_core.teaching.drawn_dag import Arrow, DrawnDag


class TurnOutcome(Enum):
    """What reversing an arrow does."""

    CYCLE = "cycle"
    SAME = "same"  # the same conditional independences among all variables
    UNTESTABLE = "untestable"  # other ones, but only where hidden variables are involved
    TESTABLE = "testable"


@dataclass(frozen=True)
class Witness:
    """A test that tells two DAGs apart: independent given a set in one of them, dependent in the other."""

    first: str
    second: str
    given: tuple[str, ...]
    is_independent_before: bool


@dataclass(frozen=True, eq=False)
class Turn:
    """An arrow that was reversed: what came of it, and the smallest test that would tell; None where none does."""

    arrow: Arrow
    outcome: TurnOutcome
    before: DrawnDag
    after: DrawnDag | None = None
    witness: Witness | None = None


def turn_arrow(dag: DrawnDag, arrow: Arrow, *, control: RunControl | None = None) -> Turn:
    """Reverse an arrow, and see whether any test of the measured variables could tell."""
    cause, effect = arrow
    edges = [(effect, cause) if edge == arrow else edge for edge in dag.edges]
    if arrow not in dag.edges:
        raise GraphError(f"there is no arrow {cause} --> {effect} to reverse; choose one of the DAG")
    try:
        after = DrawnDag(dag.nodes, tuple(edges), dag.hidden, dag.positions)
    except GraphError:  # the only rule that a reversed arrow can break
        return Turn(arrow, TurnOutcome.CYCLE, dag)
    witness = find_witness(dag, after, control=control)
    if witness is not None:
        return Turn(arrow, TurnOutcome.TESTABLE, dag, after, witness)
    is_same = class_of(dag).parents == class_of(after).parents
    return Turn(arrow, TurnOutcome.SAME if is_same else TurnOutcome.UNTESTABLE, dag, after)


def find_witness(before: DrawnDag, after: DrawnDag, *, control: RunControl | None = None) -> Witness | None:
    """The test with fewest variables held fixed that comes out otherwise in two DAGs; None where none does.

    Both have the same nodes in the same order; only measured variables are tested.
    """
    control = control or RunControl()
    names, graphs = before.nodes, [BitGraph.from_graph(dag.graph) for dag in (before, after)]
    measured = [node for node, name in enumerate(names) if name not in before.hidden]
    everyone = sum(1 << node for node in measured)
    for size in range(max(len(measured) - 1, 0)):
        for given in combinations(measured, size):
            control.checkpoint()
            conditioned = sum(1 << node for node in given)
            for number in measured:
                if conditioned >> number & 1:
                    continue
                reached = [connected_nodes(graph, number, conditioned) for graph in graphs]
                odd = (reached[0] ^ reached[1]) & everyone & ~conditioned
                if odd:
                    other = (odd & -odd).bit_length() - 1
                    set_names = tuple(names[index] for index in given)
                    return Witness(names[number], names[other], set_names, not reached[0] >> other & 1)
    return None
