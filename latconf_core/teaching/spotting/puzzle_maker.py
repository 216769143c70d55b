"""Makes puzzles: a MAG or PAG at random, spoiled so that it has exactly one error of the wanted kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from string import ascii_uppercase

import numpy as np

from latconf_core.errors import GraphError
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.validity import why_not_mag
from latconf_core.pag.validity import check_pag
from latconf_core.teaching.drawn_dag import DrawnDag, places_on_circle
from latconf_core.teaching.spotting.mag_errors import Pair, find_mag_errors
from latconf_core.teaching.spotting.puzzle import Kind, Puzzle

LEVELS: Mapping[int, tuple[tuple[Kind, ...], int]] = {  # the kinds of each level, and its number of nodes
    1: (("cycle", "almost"), 4),
    2: (("cycle", "almost", "inducing"), 5),
    3: (("inducing", "mark", "chordless", "almost"), 6),
}
DIRECTED = (Mark.TAIL, Mark.ARROW)
MARKS = (Mark.CIRCLE, Mark.ARROW, Mark.TAIL)
MOST_TRIES = 5_000
Drawn = tuple[MixedGraph, frozenset[frozenset[Pair]]]


def make_puzzle(level: int, seed: int) -> Puzzle:
    """The puzzle of a level and a seed; the same ones always make the same."""
    if level not in LEVELS:
        raise GraphError(f"there is no level {level}; choose one of {', '.join(map(str, LEVELS))}")
    kinds, n_nodes = LEVELS[level]
    rng = np.random.default_rng((level, seed))
    kind = kinds[int(rng.integers(len(kinds)))]
    for _ in range(MOST_TRIES):
        made = MAKERS[kind](rng, n_nodes)
        if made is not None:
            return _puzzle(kind, *made, rng)
    raise GraphError(f"no puzzle was found for seed {seed}; choose another one")


def _puzzle(kind: Kind, graph: MixedGraph, answers: frozenset[frozenset[Pair]], rng: np.random.Generator) -> Puzzle:
    """The puzzle under letters that tell nothing, standing in a circle in another order."""
    letters = dict(zip(graph.nodes, rng.permutation(list(ascii_uppercase[: len(graph.nodes)])).tolist()))
    renamed = graph.renamed(letters)
    renamed = renamed.reordered(sorted(renamed.nodes))
    named = frozenset(frozenset(frozenset(letters[name] for name in pair) for pair in answer) for answer in answers)
    places = places_on_circle(rng.permutation(list(renamed.nodes)).tolist())
    return Puzzle(kind, renamed, named, _reason(kind, renamed, named), places)


def _reason(kind: Kind, graph: MixedGraph, answers: frozenset[frozenset[Pair]]) -> str:
    """What the program's own check says of the graph."""
    if kind not in ("mark", "chordless"):
        broken = why_not_mag(graph)
        return "" if broken is None else broken.sentence
    said = check_pag(graph).reasons[0].sentence
    if kind == "mark":
        edge = next(iter(next(iter(answers))))
        after = next(fixed for fixed in fixes(graph) if {fixed.first, fixed.second} == edge)
        was = graph.edge(after.first, after.second)
        correction = f"{was} should be {after}"
        return said if said.startswith(correction) else f"{correction}; as it stands, {said}"
    return said


# MAGs that are spoiled --------------------------------------------------------------------------


def _random_mag(rng: np.random.Generator, n_nodes: int) -> MixedGraph:
    """The MAG of a random DAG with some hidden variables of two effects."""
    names = list(ascii_uppercase[:n_nodes])
    edges = [(names[i], names[j]) for i in range(n_nodes) for j in range(i + 1, n_nodes) if rng.random() < 0.45]
    hidden = [f"H{number}" for number in range(int(rng.integers(1, 3)))]
    for name in hidden:
        edges += [(name, str(child)) for child in rng.choice(names, size=2, replace=False)]
    return DrawnDag((*names, *hidden), tuple(edges), frozenset(hidden)).mag


def _with_other_marks(graph: MixedGraph, rng: np.random.Generator) -> MixedGraph:
    """One edge of the graph turned, or between <-> and -->."""
    edges = list(graph.edges())
    edge = edges[int(rng.integers(len(edges)))]
    choices = [
        marks
        for marks in ((Mark.TAIL, Mark.ARROW), (Mark.ARROW, Mark.TAIL), (Mark.ARROW, Mark.ARROW))
        if marks != (edge.at_first, edge.at_second)
    ]
    return graph.with_edge(Edge(edge.first, edge.second, *choices[int(rng.integers(len(choices)))]))


def _make_cycle(rng: np.random.Generator, n_nodes: int) -> Drawn | None:
    mag = _random_mag(rng, n_nodes)
    if mag.n_edges < 3:
        return None
    graph = _with_other_marks(mag, rng)
    errors = find_mag_errors(graph)
    return (graph, errors.cycles) if len(errors.cycles) == 1 and not errors.almost else None


def _make_almost(rng: np.random.Generator, n_nodes: int) -> Drawn | None:
    mag = _random_mag(rng, n_nodes)
    if mag.n_edges < 3:
        return None
    graph = _with_other_marks(mag, rng)
    errors = find_mag_errors(graph)
    if errors.cycles or len(errors.almost) != 1:
        return None
    return graph, next(iter(errors.almost.values()))


def _make_inducing(rng: np.random.Generator, n_nodes: int) -> Drawn | None:
    """An inducing path between two nodes that are not joined, with other edges at random."""
    names = list(ascii_uppercase[:n_nodes])
    n_inner = int(rng.integers(2, min(n_nodes - 2, 3) + 1))
    start, end, inner = names[0], names[1], names[2 : 2 + n_inner]
    edges = {frozenset(pair): Edge(*pair, Mark.ARROW, Mark.ARROW) for pair in pairwise(inner)}
    for outer, nearest in ((start, inner[0]), (end, inner[-1])):
        at_outer = (Mark.ARROW, Mark.TAIL)[int(rng.integers(2))]
        edges[frozenset((outer, nearest))] = Edge(outer, nearest, at_outer, Mark.ARROW)
    for node in inner:
        target = (start, end)[int(rng.integers(2))]
        if frozenset((node, target)) not in edges:
            edges[frozenset((node, target))] = Edge(node, target, *DIRECTED)
    for name in names[2 + n_inner :]:
        other = str(rng.choice(names[: 2 + n_inner]))
        marks = (DIRECTED, (Mark.ARROW, Mark.TAIL), (Mark.ARROW, Mark.ARROW))[int(rng.integers(3))]
        edges[frozenset((name, other))] = Edge(name, other, *marks)
    graph = MixedGraph.from_edges(names, edges.values())
    errors = find_mag_errors(graph)
    wanted = frozenset((start, end))
    return (graph, frozenset({frozenset({wanted})})) if errors.unseparated == {wanted} else None


# PAGs that are spoiled --------------------------------------------------------------------------


def fixes(graph: MixedGraph) -> Iterator[Edge]:
    """Every edge that would make the graph a PAG in place of its own, with another mark at one end."""
    for edge in graph.edges():
        for mark in MARKS:
            for changed in (
                Edge(edge.first, edge.second, mark, edge.at_second),
                Edge(edge.first, edge.second, edge.at_first, mark),
            ):
                if changed != edge and check_pag(graph.with_edge(changed)).valid:
                    yield changed


def _make_mark(rng: np.random.Generator, n_nodes: int) -> Drawn | None:
    n_nodes = min(n_nodes, 5)
    names = list(ascii_uppercase[:n_nodes])
    edges = [(names[i], names[j]) for i in range(n_nodes) for j in range(i + 1, n_nodes) if rng.random() < 0.5]
    hidden = frozenset({"H"})
    confounded = [("H", str(child)) for child in rng.choice(names, size=2, replace=False)]
    pag: MixedGraph = DrawnDag((*names, "H"), (*edges, *confounded), hidden).pag
    if not 4 <= pag.n_edges <= 7 or not np.any(pag.marks == Mark.ARROW):
        return None
    pag_edges = list(pag.edges())
    edge = pag_edges[int(rng.integers(len(pag_edges)))]
    mark = MARKS[int(rng.integers(3))]
    ends = [(mark, edge.at_second), (edge.at_first, mark)][int(rng.integers(2))]
    graph = pag.with_edge(Edge(edge.first, edge.second, *ends))
    if graph == pag or (Mark.TAIL in ends and Mark.ARROW not in ends) or check_pag(graph).valid:
        return None
    pairs = {frozenset((fixed.first, fixed.second)) for fixed in fixes(graph)}
    return (graph, frozenset({frozenset(pairs)})) if len(pairs) == 1 else None


def _make_chordless(rng: np.random.Generator, n_nodes: int) -> Drawn | None:
    """A ring of o-o edges, with the other nodes hanging on it."""
    n_ring = int(rng.integers(4, min(n_nodes, 5) + 1))
    names = list(ascii_uppercase[:n_nodes])
    ring = [(names[i], names[(i + 1) % n_ring]) for i in range(n_ring)]
    hanging = [(names[i], names[int(rng.integers(i))]) for i in range(n_ring, n_nodes)]
    edges = [Edge(a, b, Mark.CIRCLE, Mark.CIRCLE) for a, b in (*ring, *hanging)]
    return MixedGraph.from_edges(names, edges), frozenset({frozenset(frozenset(pair) for pair in ring)})


MAKERS = {
    "cycle": _make_cycle,
    "almost": _make_almost,
    "inducing": _make_inducing,
    "mark": _make_mark,
    "chordless": _make_chordless,
}
