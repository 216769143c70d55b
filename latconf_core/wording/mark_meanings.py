"""What marks and edges of a PAG mean, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from latconf_core.graph.marks import Edge, Mark

MARK_MEANINGS: Mapping[Mark, str] = {
    Mark.CIRCLE: "circle: undecided, arrowhead or tail",
    Mark.ARROW: "arrowhead: not a cause of the node at the other end",
    Mark.TAIL: "tail: a cause of the node at the other end",
}
MARK_SHORTLY: Mapping[Mark, str] = {
    Mark.CIRCLE: "circle: undecided",
    Mark.ARROW: "arrowhead: not a cause of the other end",
    Mark.TAIL: "tail: a cause of the other end",
}
BIDIRECTED_SHORTLY = "<->: hidden common cause"
ARROW_OF_CLASS = "arrow: in every DAG of the class"
LINE_OF_CLASS = "line: either direction"
HIDDEN_CAUSE = "hidden common cause"  # what a latent of a model is
HIDDEN_VARIABLE = "hidden variable"  # what a person hides may be a link between two others


def edge_sentence(edge: Edge) -> str:
    """What the edge claims about its two variables."""
    a, b = edge.first, edge.second
    match edge.at_first, edge.at_second:
        case Mark.TAIL, Mark.ARROW:
            return _directed(a, b)
        case Mark.ARROW, Mark.TAIL:
            return _directed(b, a)
        case Mark.ARROW, Mark.ARROW:
            return f"If this PAG is right, neither {a} nor {b} causes the other: they share a hidden cause."
        case Mark.CIRCLE, Mark.ARROW:
            return _half_decided(a, b)
        case Mark.ARROW, Mark.CIRCLE:
            return _half_decided(b, a)
        case Mark.CIRCLE, Mark.CIRCLE:
            return f"{a} causes {b}, {b} causes {a}, or they share a hidden cause; this PAG does not say which."
        case _:
            return _with_selection(edge)


def edge_sentence_in(graph: str, edge: Edge) -> str:
    """What the edge of one DAG or MAG says of its two variables, as that graph has it: others may fit the data as well.

    graph : "DAG" or "MAG"
    """
    a, b = edge.first, edge.second
    match edge.at_first, edge.at_second:
        case Mark.TAIL, Mark.ARROW:
            return f"In this {graph} {a} is a cause of {b}."
        case Mark.ARROW, Mark.TAIL:
            return f"In this {graph} {b} is a cause of {a}."
        case Mark.ARROW, Mark.ARROW:
            return f"In this {graph} neither {a} nor {b} causes the other: they share a hidden cause."
        case _:
            return edge_sentence(edge)


def _directed(cause: str, effect: str) -> str:
    return f"If this PAG is right, {cause} is a cause of {effect}, directly or through other variables."


def _half_decided(open_end: str, head: str) -> str:
    return (
        f"If this PAG is right, {head} is not a cause of {open_end}: {open_end} causes {head}, or they share a "
        "hidden cause."
    )


def _with_selection(edge: Edge) -> str:
    """Tail with tail or circle: possible only where the sample was selected, which latconf does not model."""
    causes = [
        f"{cause} is a cause of {other} or of the selection of the sample"
        for cause, other, mark in ((edge.first, edge.second, edge.at_first), (edge.second, edge.first, edge.at_second))
        if mark == Mark.TAIL
    ]
    return f"{'; '.join(causes)}. Without selection a PAG has no edge of this kind: one end needs an arrowhead."
