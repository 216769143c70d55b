"""Every puzzle has exactly the error it claims, by brute force; right answers are accepted and wrong ones are not."""

from __future__ import annotations

from itertools import chain, combinations, pairwise

import networkx as nx
import numpy as np
import pytest
from support.ancestral_truth import DIRECTIONS, Truth, markov_classes, pag_by_intersection, random_marks
from support.builders import mixed

from latconf_core.errors import GraphError
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.teaching.spotting.mag_errors import find_mag_errors
from latconf_core.teaching.spotting.puzzle import CHOOSE, Kind, Puzzle
from latconf_core.teaching.spotting.puzzle_maker import LEVELS, make_puzzle

SEEDS = range(30)
ALL = [(level, seed) for level in LEVELS for seed in SEEDS]
Pair = frozenset[str]


def arrows(graph: MixedGraph) -> nx.DiGraph:
    directed = nx.DiGraph()
    directed.add_nodes_from(graph.nodes)
    for edge in graph.edges():
        if not edge.is_bidirected:
            is_forward = edge.at_second == Mark.ARROW
            directed.add_edge(*((edge.first, edge.second) if is_forward else (edge.second, edge.first)))
    return directed


def edges_of(path: list[str]) -> frozenset[Pair]:
    return frozenset(frozenset(pair) for pair in pairwise(path))


def cycles(graph: MixedGraph) -> set[frozenset[Pair]]:
    return {edges_of([*cycle, cycle[0]]) for cycle in nx.simple_cycles(arrows(graph))}


def almost_cycles(graph: MixedGraph) -> dict[Pair, set[frozenset[Pair]]]:
    directed, result = arrows(graph), {}
    for edge in graph.edges():
        if edge.is_bidirected:
            pair = frozenset((edge.first, edge.second))
            ends = ((edge.first, edge.second), (edge.second, edge.first))
            paths = list(chain.from_iterable(nx.all_simple_paths(directed, *both) for both in ends))
            if paths:
                result[pair] = {edges_of(path) | {pair} for path in paths}
    return result


def unseparated(graph: MixedGraph) -> set[Pair]:
    truth, n = Truth(graph), len(graph.nodes)
    return {
        frozenset((graph.nodes[a], graph.nodes[b]))
        for a, b in combinations(range(n), 2)
        if not truth.adjacent[a] >> b & 1
        and not any(
            truth.is_separated(a, b, sum(1 << v for v in given))
            for size in range(n - 1)
            for given in combinations([v for v in range(n) if v not in (a, b)], size)
        )
    }


def pags_on(graph: MixedGraph) -> set[MixedGraph]:
    """Every PAG with these adjacencies, by trying all marks."""
    pairs = [(edge.first, edge.second) for edge in graph.edges()]
    return {pag_by_intersection(mags) for mags in markov_classes(graph.nodes, pairs)}


def one_end_changed(graph: MixedGraph) -> list[tuple[Pair, MixedGraph]]:
    result = []
    for edge in graph.edges():
        for mark in (Mark.CIRCLE, Mark.ARROW, Mark.TAIL):
            for ends in ((mark, edge.at_second), (edge.at_first, mark)):
                pair = frozenset((edge.first, edge.second))
                result.append((pair, graph.with_edge(Edge(edge.first, edge.second, *ends))))
    return result


def puzzles_of(kind: Kind) -> list[Puzzle]:
    found = [make_puzzle(level, seed) for level, seed in ALL]
    return [puzzle for puzzle in found if puzzle.kind == kind]


def test_that_a_cycle_is_the_only_error() -> None:
    for puzzle in puzzles_of("cycle"):
        assert puzzle.answers == cycles(puzzle.graph)
        assert len(puzzle.answers) == 1
        assert not almost_cycles(puzzle.graph)
        assert puzzle.reason.startswith("it has the directed cycle")


def test_that_an_almost_directed_cycle_is_the_only_error() -> None:
    for puzzle in puzzles_of("almost"):
        assert not cycles(puzzle.graph)
        found = almost_cycles(puzzle.graph)
        assert len(found) == 1
        assert puzzle.answers == next(iter(found.values()))
        assert "although" in puzzle.reason


def test_that_a_missing_edge_is_the_only_error() -> None:
    for puzzle in puzzles_of("inducing"):
        assert Truth(puzzle.graph).is_ancestral
        assert puzzle.answers == {frozenset(unseparated(puzzle.graph))}
        assert puzzle.wants_nodes
        assert "yet no set of nodes separates them" in puzzle.reason


def test_that_one_wrong_mark_is_the_only_way_to_mend_a_pag() -> None:
    for puzzle in puzzles_of("mark")[:12]:
        valid = pags_on(puzzle.graph)
        assert puzzle.graph not in valid
        mending = {pair for pair, changed in one_end_changed(puzzle.graph) if changed in valid}
        assert puzzle.answers == {frozenset(mending)}
        assert len(mending) == 1
        assert " should be " in puzzle.reason


def test_that_a_ring_without_a_chord_is_no_pag() -> None:
    for puzzle in puzzles_of("chordless")[:8]:
        assert puzzle.graph not in pags_on(puzzle.graph)
        (ring,) = puzzle.answers
        circle = nx.Graph([tuple(pair) for pair in ring])
        whole = nx.Graph([tuple(pair) for pair in ((e.first, e.second) for e in puzzle.graph.edges())])
        assert len(circle) >= 4
        assert all(degree == 2 for _, degree in circle.degree)
        assert nx.is_connected(circle)
        assert nx.cycle_basis(whole)[0]
        assert len(nx.cycle_basis(whole)) == 1
        assert "without a chord" in puzzle.reason


@pytest.mark.parametrize(("level", "seed"), ALL)
def test_that_right_answers_are_accepted_and_others_are_not(level: int, seed: int) -> None:
    puzzle = make_puzzle(level, seed)
    assert puzzle == make_puzzle(level, seed)
    assert puzzle.kind in LEVELS[level][0]
    every = [frozenset((edge.first, edge.second)) for edge in puzzle.graph.edges()]
    for answer in puzzle.answers:
        edges, nodes = (set(), set(next(iter(answer)))) if puzzle.wants_nodes else (set(answer), set())
        assert puzzle.check(edges, nodes).is_right
        assert puzzle.check(edges, nodes).sentence == f"Right: {puzzle.reason}."
        if puzzle.wants_nodes:
            assert not puzzle.check({every[0]}, nodes).is_right
            assert not puzzle.check(edges, set(list(nodes)[:1])).is_right
            assert not puzzle.check(edges, set(puzzle.graph.nodes)).is_right
        else:
            assert not puzzle.check(edges, {puzzle.graph.nodes[0]}).is_right
            for pair in every:
                other = edges ^ {pair}
                assert puzzle.check(other, set()).is_right is (frozenset(other) in puzzle.answers)
    assert puzzle.check((), ()).sentence == CHOOSE


def test_that_every_kind_occurs() -> None:
    kinds = {level: {make_puzzle(level, seed).kind for seed in SEEDS} for level in LEVELS}
    assert kinds == {level: set(chosen) for level, (chosen, _) in LEVELS.items()}


def test_that_part_of_an_answer_is_counted() -> None:
    puzzle = Puzzle(
        "cycle", mixed("A --> B", "B --> C", "C --> A", "A --> D"), frozenset({edges_of(list("ABCA"))}), "x", {}
    )
    one, wrong = frozenset("AB"), frozenset("AD")
    assert puzzle.check({one}, ()).sentence == "Not yet. 1 edge belongs to the error, 2 edges are missing."
    assert puzzle.check({wrong}, ()).sentence == "Not yet. 1 edge does not belong to it."
    assert puzzle.check({one, wrong}, ()).sentence == (
        "Not yet. 1 edge belongs to the error, 1 edge does not belong to it, 2 edges are missing."
    )


def test_that_an_unknown_level_gets_a_sentence() -> None:
    with pytest.raises(GraphError, match="there is no level 9; choose one of 1, 2, 3"):
        make_puzzle(9, 1)


@pytest.mark.parametrize("seed", range(80))
def test_that_errors_of_random_graphs_are_those_of_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = random_marks(rng, int(rng.integers(3, 6)), 0.6, DIRECTIONS)
    errors = find_mag_errors(graph)
    assert errors.cycles == cycles(graph)
    assert {pair: set(routes) for pair, routes in errors.almost.items()} == almost_cycles(graph)
    is_ancestral = not errors.cycles and not errors.almost
    assert is_ancestral is Truth(graph).is_ancestral
    assert errors.unseparated == (unseparated(graph) if is_ancestral else set())
