"""What a lesson claims of its graph, and which of it is not so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from latconf_core.errors import GraphError
from latconf_core.graph.bits import as_bits, is_visible
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.graph.separation import is_m_separated
from latconf_core.mag.listing import enumerate_mags
from latconf_core.mag.validity import why_not_mag
from latconf_core.teaching.drawn_dag import DrawnDag

Claims = Mapping[str, Any]  # the name of a claim → what it says, as JSON
Check = Callable[[DrawnDag, Any], Iterator[str]]


@dataclass(frozen=True)
class SeparationClaim:
    """Two variables and what is held fixed, written `A, C | B, D`."""

    first: str
    second: str
    given: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> SeparationClaim:
        """ValueError where the text is written otherwise."""
        pair, _, given = text.partition("|")
        names = [name.strip() for name in pair.split(",")]
        if len(names) != 2 or not all(names):
            raise ValueError(f"{text!r} is not a separation; write it as A, C | B")
        return cls(names[0], names[1], tuple(name.strip() for name in given.split(",") if name.strip()))

    def __str__(self) -> str:
        return (
            f"{self.first}, {self.second} | {', '.join(self.given)}" if self.given else f"{self.first}, {self.second}"
        )


def check_claims(dag: DrawnDag, claims: Claims) -> tuple[str, ...]:
    """A sentence for every claim that is not so, or cannot be checked; none where all are true."""
    wrong: list[str] = []
    for name, said in claims.items():
        if name not in CHECKS:
            wrong.append(f"there is no claim {name!r}; claims are {', '.join(CHECKS)}")
            continue
        try:
            wrong += CHECKS[name](dag, said)
        except (GraphError, ValueError, TypeError, KeyError, AttributeError) as error:
            wrong.append(f"the claim {name!r} cannot be checked: {error.args[0] if error.args else error}")
    return tuple(wrong)


def _differing(graph: MixedGraph, said: Sequence[str], called: str) -> Iterator[str]:
    """Edges that the graph has and the claim has not, and the other way round."""
    claimed = MixedGraph.from_edges(graph.nodes, map(Edge.parse, said))
    for edge in claimed.edges():
        if not graph.is_adjacent(edge.first, edge.second):
            yield f"the {called} has no edge between {edge.first} and {edge.second}, yet the lesson says {edge}"
        elif (other_edge := graph.edge(edge.first, edge.second)) != edge:
            yield f"the {called} has {other_edge}, not {edge}"
    for other_edge in graph.edges():
        if not claimed.is_adjacent(other_edge.first, other_edge.second):
            yield f"the {called} has {other_edge}, which the lesson omits"


def _check_mag(dag: DrawnDag, said: Sequence[str]) -> Iterator[str]:
    yield from _differing(dag.mag, said, "MAG")


def _check_pag(dag: DrawnDag, said: Sequence[str]) -> Iterator[str]:
    yield from _differing(dag.pag, said, "PAG")


def _check_separated(dag: DrawnDag, said: Sequence[str]) -> Iterator[str]:
    for claim in map(SeparationClaim.parse, said):
        if not is_m_separated(dag.graph, claim.first, claim.second, claim.given):
            yield f"{claim} is not a separation: a path is open"


def _check_connected(dag: DrawnDag, said: Sequence[str]) -> Iterator[str]:
    for claim in map(SeparationClaim.parse, said):
        if is_m_separated(dag.graph, claim.first, claim.second, claim.given):
            yield f"{claim} is a separation: every path is blocked"


def _is_visible(dag: DrawnDag, text: str) -> bool:
    edge, form = Edge.parse(text), as_bits(dag.mag)
    if not dag.mag.is_adjacent(edge.first, edge.second) or dag.mag.edge(edge.first, edge.second) != edge:
        raise ValueError(f"the MAG has no edge {edge}")
    first_is_parent = edge.at_first == Mark.TAIL
    parent, child = (edge.first, edge.second) if first_is_parent else (edge.second, edge.first)
    return is_visible(form, dag.mag.index[parent], dag.mag.index[child])


def _check_visible(dag: DrawnDag, said: Sequence[str]) -> Iterator[str]:
    yield from (f"{text} is not visible in the MAG" for text in said if not _is_visible(dag, text))


def _check_invisible(dag: DrawnDag, said: Sequence[str]) -> Iterator[str]:
    yield from (f"{text} is visible in the MAG" for text in said if _is_visible(dag, text))


def _check_members(dag: DrawnDag, said: int | Mapping[str, int]) -> Iterator[str]:
    """How many MAGs the PAG has: all of them, or by the number of bidirected edges."""
    counts: dict[str, int] = {}
    for mag in enumerate_mags(dag.pag):
        level = str(sum(edge.is_bidirected for edge in mag.edges()))
        counts[level] = counts.get(level, 0) + 1
    total = sum(counts.values()) if isinstance(said, int) else counts
    if total != said:
        yield f"the PAG has {total} MAGs, not {said}"


def _check_others(dag: DrawnDag, said: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Other DAGs that the text speaks of, with the MAG or the PAG that each has."""
    for claim in said:
        other = drawn_from_edges(claim["edges"], claim.get("hidden", ()))
        for name, graph in (("mag", other.mag), ("pag", other.pag)):
            called = f"{name.upper()} of {', '.join(claim['edges'])}"
            yield from _differing(graph, claim[name], called) if name in claim else ()


def _check_not_mag(dag: DrawnDag, said: Mapping[str, Any]) -> Iterator[str]:
    """A graph that is no MAG, and words of the reason."""
    edges = [Edge.parse(text) for text in said["edges"]]
    reason = why_not_mag(MixedGraph.from_edges(_names(edges), edges))
    if reason is None:
        yield f"the graph {', '.join(said['edges'])} is a MAG"
    elif said["because"] not in reason.sentence:
        yield f"the graph {', '.join(said['edges'])} is not a MAG: {reason.sentence}"


CHECKS: Mapping[str, Check] = {
    "mag": _check_mag,
    "pag": _check_pag,
    "separated": _check_separated,
    "connected": _check_connected,
    "visible": _check_visible,
    "invisible": _check_invisible,
    "members": _check_members,
    "others": _check_others,
    "not_a_mag": _check_not_mag,
}


def drawn_from_edges(texts: Sequence[str], hidden: Sequence[str] = ()) -> DrawnDag:
    """The DAG of edges such as `A --> B`, nodes in the order in which they are named; ValueError for other marks."""
    edges = []
    for edge in map(Edge.parse, texts):
        if (edge.at_first, edge.at_second) == (Mark.ARROW, Mark.TAIL):
            edge = edge.reversed()
        if (edge.at_first, edge.at_second) != (Mark.TAIL, Mark.ARROW):
            raise ValueError(f"{edge} is not an arrow; a DAG has only -->, with hidden variables instead of <->")
        edges.append(edge)
    return DrawnDag(_names(edges), tuple((edge.first, edge.second) for edge in edges), frozenset(hidden))


def _names(edges: Sequence[Edge]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for edge in edges for name in (edge.first, edge.second)))
