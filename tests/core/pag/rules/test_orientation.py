"""Each rule on the smallest graph that it speaks of, and on one where a premise is missing."""

from __future__ import annotations

import pytest
from support.builders import mixed

from latconf_core.graph.bits import bits
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.rules.mark_sets import Marks
from latconf_core.pag.rules.orientation import Change, Orientation, Triple, Verdict, orient, r1, r2, r3, r4, r8, r9, r10
from latconf_core.pag.rules.rule_paths import discriminating_paths, uncovered_path

RULES = {"R1": r1, "R2": r2, "R3": r3, "R4": r4, "R8": r8, "R9": r9, "R10": r10}


def after(
    rule: str, graph: MixedGraph, verdict: Verdict = Verdict.UNKNOWN, ambiguous: frozenset[Triple] = frozenset()
) -> MixedGraph:
    """The graph after one pass of one rule."""
    marks = Marks(graph.marks)
    for change in RULES[rule](Orientation(marks, lambda _: verdict, ambiguous)):
        assert change.rule == rule
    return MixedGraph(graph.nodes, marks.matrix())


FIRES = [
    ("R1", ["A o-> B", "B o-o C"], ["A o-> B", "B --> C"]),
    ("R1", ["A <-> B", "B o-> C"], ["A <-> B", "B --> C"]),
    ("R2", ["A --> B", "B o-> C", "A o-o C"], ["A --> B", "B o-> C", "A o-> C"]),
    ("R2", ["A o-> B", "B --> C", "A o-o C"], ["A o-> B", "B --> C", "A o-> C"]),
    (
        "R3",
        ["A o-> B", "C o-> B", "A o-o D", "C o-o D", "D o-o B"],
        ["A o-> B", "C o-> B", "A o-o D", "C o-o D", "D o-> B"],
    ),
    ("R8", ["A --> B", "B --> C", "A o-> C"], ["A --> B", "B --> C", "A --> C"]),
    (
        "R9",
        ["A o-o B", "B o-o D", "D --> C", "A o-> C"],
        ["A o-o B", "B o-o D", "D --> C", "A --> C"],
    ),
    (
        "R10",
        ["A o-o B", "A o-o D", "B --> C", "D --> C", "A o-> C"],
        ["A o-o B", "A o-o D", "B --> C", "D --> C", "A --> C"],
    ),
]

SILENT = [
    ("R1", ["A o-> B", "B o-o C", "A o-o C"]),  # shielded
    ("R1", ["A o-o B", "B o-o C"]),  # no arrowhead
    ("R2", ["A o-> B", "B o-> C", "A o-o C"]),  # no directed step
    ("R3", ["A o-> B", "C o-> B", "A o-o D", "C o-o D", "D o-o B", "A o-o C"]),  # shielded
    ("R8", ["A o-> B", "B --> C", "A o-> C"]),
    ("R9", ["A o-o B", "B o-o D", "D --> C", "A o-> C", "B --> C"]),  # B and C are adjacent
    ("R9", ["A o-o B", "B <-o D", "D --> C", "A o-> C"]),  # an arrowhead points back
    ("R10", ["A o-o B", "A o-o D", "B --> C", "D --> C", "A o-> C", "B o-o D"]),  # the two ways meet
]


@pytest.mark.parametrize(("rule", "before", "expected"), FIRES)
def test_that_a_rule_orients_what_its_premises_imply(rule: str, before: list[str], expected: list[str]) -> None:
    assert after(rule, mixed(*before)) == mixed(*expected)


@pytest.mark.parametrize(("rule", "before"), SILENT)
def test_that_a_rule_is_silent_where_a_premise_is_missing(rule: str, before: list[str]) -> None:
    assert after(rule, mixed(*before)) == mixed(*before)


def test_that_r4_orients_by_the_verdict_on_the_discriminating_path() -> None:
    chain = mixed("D o-> A", "A <-o B", "A --> C", "B o-> C")
    assert after("R4", chain, Verdict.COLLIDER) == mixed("D o-> A", "A <-> B", "A --> C", "B <-> C")
    assert after("R4", chain, Verdict.NONCOLLIDER) == mixed("D o-> A", "A <-o B", "A --> C", "B --> C")
    assert after("R4", chain, Verdict.UNKNOWN) == chain


def test_that_discriminating_paths_come_shortest_first_and_end_at_non_adjacent_vertices() -> None:
    graph = mixed("D o-> Q", "Q <-> A", "A <-> B", "Q --> C", "A --> C", "B o-> C", "E o-> A", nodes=list("ABCDEQ"))
    at = graph.index
    paths = [[graph.nodes[v] for v in path] for path in discriminating_paths(Marks(graph.marks), at["B"], at["C"])]
    assert paths == [["E", "A", "B", "C"], ["D", "Q", "A", "B", "C"]]


def test_that_every_inner_vertex_of_a_discriminating_path_must_be_a_parent_of_its_end() -> None:
    graph = mixed("D o-> Q", "Q <-> A", "A <-> B", "Q o-> C", "A --> C", "B o-> C")
    assert not list(discriminating_paths(Marks(graph.marks), graph.index["B"], graph.index["C"]))


def test_that_a_contradiction_is_refused_and_kept() -> None:
    graph = mixed("D o-> A", "A <-- B", "A --> C", "B o-> C")
    marks = Marks(graph.marks)
    state = Orientation(marks, lambda _: Verdict.COLLIDER)
    assert list(r4(state)) == []
    assert list(r4(state)) == []
    assert [(change.rule, change.before[1].name) for change in state.refused] == [("R4", "TAIL")]
    assert MixedGraph(graph.nodes, marks.matrix()) == graph


@pytest.mark.parametrize(
    ("rule", "triple"), [("R1", "ABC"), ("R3", "ADC"), ("R9", "BAC"), ("R9", "ABD"), ("R9", "BDC"), ("R10", "BAD")]
)
def test_that_an_ambiguous_triple_keeps_a_rule_from_firing(rule: str, triple: str) -> None:
    for name, before, _ in FIRES:
        if name == rule:
            graph = mixed(*before)
            a, b, c = (graph.index[name] for name in triple)
            barred = frozenset([(min(a, c), b, max(a, c))])
            assert after(rule, graph, ambiguous=barred) == graph
            break


def test_that_a_walk_that_crosses_itself_is_not_taken_for_a_path() -> None:
    # S, A, B, E is covered. The uncovered walk goes round the square B, C, D, F and meets B twice.
    square = ["B o-o C", "C o-o D", "D o-o F", "F o-o B"]
    graph = mixed("S o-o A", "A o-o B", "B o-o E", "A <-o E", *square)
    at = graph.index
    marks = Marks(graph.marks)
    start = at["S"], at["A"]
    assert uncovered_path(marks, start, at["E"], is_barred=lambda *_: False) is None
    longer = mixed(
        "S o-o A", "A o-o B", "B o-o E", "A <-o E", *square, *(f"{a} o-o {b}" for a, b in ["DG", "GH", "HE"])
    )
    at = longer.index
    path = uncovered_path(Marks(longer.marks), (at["S"], at["A"]), at["E"], is_barred=lambda *_: False)
    assert path is not None
    assert "".join(longer.nodes[v] for v in path) == "SABCDGHE"


def test_that_the_tail_rules_go_back_to_r8() -> None:
    # R9 gives B --> C, and only then R8 gives A --> C.
    before = ["D o-> A", "F o-> A", "A --> B", "B --> X", "X --> Y", "Y --> C", "B o-> C", "A o-> C"]
    graph = mixed(*before, "D o-> C", "F o-> C")
    marks = Marks(graph.marks)
    rules = [change.rule for change in orient(Orientation(marks, lambda _: Verdict.UNKNOWN))]
    assert rules.index("R9") < rules.index("R8")


def test_that_a_change_says_what_it_saw() -> None:
    graph = mixed("A o-> B", "B o-o C")
    (change,) = r1(Orientation(Marks(graph.marks), lambda _: Verdict.UNKNOWN))
    assert isinstance(change, Change)
    assert (change.first, change.second, change.because) == (1, 2, (0, 1, 2))


def test_that_an_edge_taken_away_by_r4_starts_the_rules_again() -> None:
    graph = mixed("D o-> A", "A <-o B", "A --> C", "B o-> C")
    marks = Marks(graph.marks)
    asked = []

    def decide(path: tuple[int, ...]) -> Verdict:
        asked.append(path)
        marks.remove(path[-2], path[-1])
        return Verdict.GRAPH_CHANGED

    assert list(orient(Orientation(marks, decide), complete=False)) == []
    assert len(asked) == 1
    assert not marks.is_adjacent(graph.index["B"], graph.index["C"])


def test_that_marks_return_the_matrix_they_were_given() -> None:
    graph = mixed("A o-> B", "B <-> C", "C --> D", "A o-o D")
    assert (Marks(graph.marks).matrix() == graph.marks).all()
    assert list(bits(0b101001)) == [0, 3, 5]
