"""The PAG of a MAG; whether a graph is the PAG of any MAG, and why not; the nearest one that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from latconf_core.control import RunControl
from latconf_core.dag.latent_projection import mag_of_admg
from latconf_core.graph.bits import BitGraph, bits, closure
from latconf_core.graph.marks import MARK_NAMES, Edge, Mark
from latconf_core.graph.mixed import MarkMatrix, MixedGraph, Pag
from latconf_core.mag.chordal import search_order
from latconf_core.mag.lowest_level import LowestLevel
from latconf_core.mag.validity import why_not_mag
from latconf_core.pag.rules.mark_sets import Marks
from latconf_core.pag.rules.orientation import Orientation, Verdict, orient
from latconf_core.phrases import list_names

Difference = tuple[Edge | None, Edge | None]

_A_MARK = {Mark.CIRCLE: "a circle", Mark.ARROW: "an arrowhead", Mark.TAIL: "a tail"}


class Reason(NamedTuple):
    """Why a graph is not a valid PAG: a sentence, and the edges it is about."""

    sentence: str
    edges: tuple[Edge, ...]


@dataclass(frozen=True)
class PagCheck:
    """Whether a graph is a valid PAG, with the reasons where it is not."""

    valid: bool
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class Repair:
    """A valid PAG near a given graph, and what changed: (edge before, edge after), None for no edge."""

    graph: Pag
    diff: tuple[Difference, ...]


def pag_of_mag(mag: MixedGraph | BitGraph, *, control: RunControl | None = None) -> Pag:
    """The PAG of a MAG: every mark that its whole Markov equivalence class shares, circles elsewhere."""
    control = control or RunControl()
    graph = mag.to_graph() if isinstance(mag, BitGraph) else mag
    has_arrow = (graph.marks == Mark.ARROW).tolist()

    def read_off(path: tuple[int, ...]) -> Verdict:
        before, node, after = path[-3:]
        return Verdict.COLLIDER if has_arrow[before][node] and has_arrow[after][node] else Verdict.NONCOLLIDER

    marks = Marks.circles(graph.marks)
    for a, b, c in marks.unshielded():
        control.checkpoint()
        if has_arrow[a][b] and has_arrow[c][b]:
            marks.put(a, b, Mark.ARROW)
            marks.put(c, b, Mark.ARROW)
    for _ in orient(Orientation(marks, read_off, checkpoint=control.checkpoint), jointly=True):
        pass
    return Pag(MixedGraph(graph.nodes, marks.matrix()))


def check_pag(graph: MixedGraph, *, control: RunControl | None = None) -> PagCheck:
    """Whether the graph is the PAG of some MAG; the reasons where it is not.

    It is exactly when its o-o part is chordal, one of its MAGs with fewest <-> is a MAG indeed, and
    that MAG has this PAG.
    """
    reasons = _selection_edges(graph)
    if reasons:
        return PagCheck(False, reasons)
    lowest = LowestLevel(graph, control=control)
    reasons = _not_chordal(graph, lowest)
    if reasons:
        return PagCheck(False, reasons)
    mag = lowest.along_search()
    broken = why_not_mag(mag, control=control)
    if broken is not None:
        sentence = f"its circles cannot be filled in to give a MAG: with fewest <->, {broken.sentence}"
        edges = tuple(graph.edge(edge.first, edge.second) for edge in broken.edges)
        return PagCheck(False, (Reason(sentence, edges),))
    reasons = tuple(
        Reason(
            f"{before} should be {after}: with the other marks as they are, {_ends_that_must_be(before, after)}",
            (before,),
        )
        for before, after in differences(graph, pag_of_mag(mag, control=control), control=control)
        if before is not None and after is not None
    )
    return PagCheck(not reasons, reasons)


def repair_pag(graph: MixedGraph, *, control: RunControl | None = None) -> Repair:
    """A valid PAG that keeps as much of the graph as it can, with the difference; a valid PAG is not changed.

    The marks are filled in, --> first, then o->, then o-o along a maximum cardinality search, an edge that would
    close a directed cycle becoming <->; the MAG of the result has the PAG that is returned.
    """
    mag = mag_of_admg(fill_in(graph, control), control=control)
    repaired = pag_of_mag(mag, control=control)
    return Repair(repaired, tuple(differences(graph, repaired, control=control)))


def _selection_edges(graph: MixedGraph) -> tuple[Reason, ...]:
    return tuple(
        Reason(f"{edge} implies selection bias, which latconf does not model; one end needs an arrowhead", (edge,))
        for edge in graph.edges()
        if Mark.TAIL in (edge.at_first, edge.at_second) and Mark.ARROW not in (edge.at_first, edge.at_second)
    )


def _not_chordal(graph: MixedGraph, lowest: LowestLevel) -> tuple[Reason, ...]:
    cycles = []
    for part in lowest.not_chordal:
        names = [graph.nodes[v] for v in bits(part)]
        circles = (edge for edge in graph.edges() if edge.at_first == edge.at_second == Mark.CIRCLE)
        edges = tuple(edge for edge in circles if edge.first in names)
        sentence = f"the o-o edges among {', '.join(names)} have a cycle of four or more nodes without a chord"
        cycles.append(Reason(f"{sentence}, so no orientation of it avoids a new collider", edges))
    return tuple(cycles)


def differences(before: MixedGraph, after: MixedGraph, *, control: RunControl | None) -> list[Difference]:
    """The edges that differ, in the order of the nodes."""
    control = control or RunControl()
    result: list[Difference] = []
    differ = (before.marks != after.marks) | (before.marks != after.marks).T
    for i, j in np.argwhere(np.triu(differ)).tolist():
        control.checkpoint()
        pair = before.nodes[i], before.nodes[j]
        result.append(
            (
                before.edge(*pair) if before.is_adjacent(*pair) else None,
                after.edge(*pair) if after.is_adjacent(*pair) else None,
            )
        )
    return result


def _ends_that_must_be(before: Edge, after: Edge) -> str:
    """Which end must have which mark, e.g. `the end at B must be an arrowhead`."""
    ends = ((before.at_first, after.at_first, after.first), (before.at_second, after.at_second, after.second))
    said = [
        f"the end at {name} must be {'an' if mark == Mark.ARROW else 'a'} {MARK_NAMES[mark]}"
        for was, mark, name in ends
        if was != mark
    ]
    return list_names(said)


def fill_in(graph: MixedGraph, control: RunControl | None) -> BitGraph:
    """The graph with every edge directed where that closes no cycle, <-> otherwise."""
    n = len(graph.nodes)
    parents, children, spouses = [0] * n, [0] * n, [0] * n
    for a, b in _wanted_arrows(graph.marks, control):
        if closure(children, 1 << b) >> a & 1:
            spouses[a] |= 1 << b
            spouses[b] |= 1 << a
        else:
            children[a] |= 1 << b
            parents[b] |= 1 << a
    for a, b in np.argwhere((graph.marks == Mark.ARROW) & (graph.marks.T == Mark.ARROW)).tolist():
        spouses[a] |= 1 << b
    return BitGraph(graph.nodes, parents, children, spouses)


def _wanted_arrows(marks: MarkMatrix, control: RunControl | None) -> list[tuple[int, int]]:
    """Pairs (parent, child), the surest first: -->, then o->, then what has no arrowhead, along a search order."""
    has_arrow, has_tail = marks == Mark.ARROW, marks.T == Mark.TAIL
    sure = np.argwhere(has_arrow & has_tail).tolist()
    likely = np.argwhere(has_arrow & (marks.T == Mark.CIRCLE)).tolist()
    undecided = (marks > 0) & ~has_arrow & ~has_arrow.T
    links = [sum(1 << j for j in np.flatnonzero(row).tolist()) for row in undecided]
    order = search_order(links, (1 << len(links)) - 1, control=control)
    along = [(u, v) for i, u in enumerate(order) for v in order[i + 1 :] if links[u] >> v & 1]
    return [(a, b) for a, b in (*sure, *likely, *along)]
