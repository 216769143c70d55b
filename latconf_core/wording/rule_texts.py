"""Why each orientation rule concludes what it does, in words, for one application of it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.events import KNOWLEDGE, MarkChanged, Pair
from latconf_core.phrases import list_names


def rule_sentences(event: MarkChanged, before: MixedGraph, separated_by: str) -> str:
    """The premises of a rule as they stand in the graph, and why its conclusion follows.

    separated_by : for R4, what separates the ends of its path, such as "C and D (p = 0.31)"; "" where it is not known
    """
    if event.rule == "R4":
        return _r4(event, before, separated_by)
    return _RULES[event.rule](event, before) if event.rule in _RULES else f"{event.why}."


def rule_premises(event: MarkChanged) -> tuple[Pair, ...]:
    """The edges that a rule saw, apart from the one that it orients."""
    path, end = event.path, event.after.second
    match event.rule:
        case "R3":
            a, b, c, d = path
            pairs = [(a, b), (b, c), (a, d), (d, c)]
        case "R4":
            pairs = [*pairwise(path), *((inner, path[-1]) for inner in path[1:-2])]
        case "R10":
            pairs = [*pairwise(path), (path[0], end), (path[-1], end)]
        case rule if rule == KNOWLEDGE:
            pairs = []
        case _:
            pairs = list(pairwise(path))
    ends = {event.after.first, end}
    return tuple(pair for pair in pairs if set(pair) != ends)


def _edges(before: MixedGraph, *nodes: str) -> str:
    """The edges along some nodes as they stand: "A o-> B and B o-o C"."""
    return list_names([str(before.edge(a, b)) for a, b in pairwise(nodes)])


def _r1(event: MarkChanged, before: MixedGraph) -> str:
    a, b, c = event.path
    return (
        f"The graph has {_edges(before, a, b, c)}, and {a} and {c} are not adjacent. With an arrowhead at {b} "
        f"on its edge with {c}, {b} would be a collider, and the collider step would have found it. So {b} "
        f"has a tail there: it is a cause of {c}."
    )


def _r2(event: MarkChanged, before: MixedGraph) -> str:
    a, b, c = event.path
    premise = f"The graph has {_edges(before, a, b, c)}, and {before.edge(a, c)}. "
    if before.mark_at(a, b) == Mark.TAIL:
        reason = (
            f"If {c} were a cause of {a}, it would also cause {b} through {a}, which {before.edge(b, c)} rules out."
        )
    else:
        reason = (
            f"If {c} were a cause of {a}, {b}, which causes {c}, would be one too, which {before.edge(a, b)} rules out."
        )
    return f"{premise}{reason} So {c} is not a cause of {a} and gets an arrowhead."


def _r3(event: MarkChanged, before: MixedGraph) -> str:
    a, b, c, d = event.path
    return (
        f"{a} and {c} are not adjacent, and {d} is not a collider between them ({_edges(before, a, d, c)}), "
        f"so {d} is a cause of {a} or of {c}. If {b} were a cause of {d}, it would also cause {a} or {c}, but "
        f"its arrowheads in {_edges(before, a, b, c)} rule out both. So {b} gets an arrowhead."
    )


def _r4(event: MarkChanged, before: MixedGraph, separated_by: str) -> str:
    *colliders, b, c = event.path[1:]
    first, last = event.path[0], colliders[-1]
    between = f"{list_names(colliders)} {'is a collider' if len(colliders) == 1 else 'are colliders'} on it"
    causes = f"{'a cause' if len(colliders) == 1 else 'causes'} of {c}"
    path = (
        f"The path {', '.join(event.path)} is a discriminating path for {b}: {first} and {c} are not "
        f"adjacent, {between} and {causes}. So a set that separates {first} and {c} contains {b} exactly if "
        f"{b} is not a collider. "
    )
    is_collider = Mark.ARROW == event.after.at_first == event.after.at_second
    known = f" by {separated_by}" if separated_by else ""
    if is_collider:
        return f"{path}They were separated{known}, without {b}: {b} is a collider, so {last} <-> {b} <-> {c}."
    return f"{path}They were separated{known}, which contains {b}: {b} is not a collider, so it is a cause of {c}."


def _r8(event: MarkChanged, before: MixedGraph) -> str:
    a, b, c = event.path
    causes = f"{a} is a cause of {b}, which is a cause of {c}"
    return f"The graph has {_edges(before, a, b, c)}: {causes}. So {a} is a cause of {c}."


def _r9(event: MarkChanged, before: MixedGraph) -> str:
    a, b, c = event.path[0], event.path[1], event.path[-1]
    return (
        f"{b} and {c} are not adjacent, and {a} is not a collider between them, so {a} is a cause of {b} or "
        f"of {c}. If it is a cause of {b}, the path {', '.join(event.path)} extends this to {c}, since none "
        f"of its inner nodes is a collider and none of its arrows points back. Either way {a} is a cause of "
        f"{c}."
    )


def _r10(event: MarkChanged, before: MixedGraph) -> str:
    a, c, path = event.after.first, event.after.second, event.path
    at = path.index(a)
    m, w = path[at - 1], path[at + 1]
    ways = f"{', '.join(reversed(path[: at + 1]))} and {', '.join(path[at:])}"
    return (
        f"{m} and {w} are not adjacent, and {a} is not a collider between them, so {a} is a cause of one of "
        f"them. Along {ways} no arrow points back and no inner node is a collider, so it is a cause of "
        f"{path[0]} or of {path[-1]}, and both of these are causes of {c}. So {a} is a cause of {c}."
    )


def _knowledge(event: MarkChanged, before: MixedGraph) -> str:
    return f"By background knowledge, {event.why}."


_RULES: dict[str, Callable[[MarkChanged, MixedGraph], str]] = {
    "R1": _r1,
    "R2": _r2,
    "R3": _r3,
    "R8": _r8,
    "R9": _r9,
    "R10": _r10,
    KNOWLEDGE: _knowledge,
}
