"""Every lesson of the program is read, and all that it claims is so by brute force; bad files get one sentence."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.ancestral_truth import Truth, markov_classes, pag_by_intersection
from support.drawn_dag_truth import is_separated, mag_by_definition

from latconf_core.errors import FileFormatError
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.teaching.claims import SeparationClaim, check_claims, drawn_from_edges
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.lessons import Lesson, own_lessons, read_lesson, read_lessons

ROOT = Path(__file__).resolve().parents[3]
LESSONS = own_lessons()
GOOD: dict[str, Any] = {
    "title": "Mine",
    "edges": ["A --> B", "H --> B"],
    "hidden": ["H"],
    "places": {"A": [0, 0], "B": [1, 0]},
    "text": "One paragraph.",
    "question": "Why?",
    "answer": "So.",
    "claims": {"mag": ["A --> B"]},
}


def class_of(mag: MixedGraph) -> list[MixedGraph]:
    """All MAGs with the separations of this one, by trying every mark."""
    pairs = [(edge.first, edge.second) for edge in mag.edges()]
    return next(group for group in markov_classes(mag.nodes, pairs) if mag in group)


def graph_of(dag: MixedGraph, edges: list[str]) -> MixedGraph:
    return MixedGraph.from_edges(dag.nodes, map(Edge.parse, edges))


def stays_with_a_confounder(mag: MixedGraph, parent: str, child: str) -> bool:
    """Whether a hidden cause of both can be added to the MAG without changing it: what invisible means."""
    edges: list[tuple[str, str]] = []
    hidden = ["extra"]
    edges += [("extra", parent), ("extra", child)]
    for number, edge in enumerate(mag.edges()):
        if edge.is_bidirected:
            hidden.append(f"H{number}*")
            edges += [(f"H{number}*", edge.first), (f"H{number}*", edge.second)]
        else:
            is_forward = edge.at_first == Mark.TAIL
            edges.append((edge.first, edge.second) if is_forward else (edge.second, edge.first))
    return mag_by_definition(DrawnDag((*mag.nodes, *hidden), tuple(edges), frozenset(hidden))) == mag


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
class TestEveryLesson:
    def test_that_it_says_something(self, lesson: Lesson) -> None:
        assert lesson.title
        assert lesson.question.endswith("?")
        assert len(" ".join(lesson.text)) > 200
        assert len(lesson.answer) > 40
        assert {"mag", "pag"} <= set(lesson.claims)

    def test_that_its_graphs_are_those_of_the_definition(self, lesson: Lesson) -> None:
        mag = mag_by_definition(lesson.dag)
        assert graph_of(mag, lesson.claims["mag"]) == mag
        assert graph_of(mag, lesson.claims["pag"]) == pag_by_intersection(class_of(mag))

    def test_that_its_other_graphs_are_those_of_the_definition(self, lesson: Lesson) -> None:
        for one in lesson.claims.get("others", ()):
            mag = mag_by_definition(drawn_from_edges(one["edges"], one.get("hidden", ())))
            if "mag" in one:
                assert graph_of(mag, one["mag"]) == mag
            if "pag" in one:
                assert graph_of(mag, one["pag"]) == pag_by_intersection(class_of(mag))

    def test_that_its_separations_are_those_of_networkx(self, lesson: Lesson) -> None:
        for name, expected in (("separated", True), ("connected", False)):
            for claim in map(SeparationClaim.parse, lesson.claims.get(name, ())):
                assert is_separated(lesson.dag, claim.first, claim.second, claim.given) is expected, str(claim)

    def test_that_its_visible_edges_bear_no_hidden_cause(self, lesson: Lesson) -> None:
        mag = mag_by_definition(lesson.dag)
        for name, expected in (("visible", False), ("invisible", True)):
            for text in lesson.claims.get(name, ()):
                edge = Edge.parse(text)
                assert stays_with_a_confounder(mag, edge.first, edge.second) is expected, text

    def test_that_its_members_are_counted(self, lesson: Lesson) -> None:
        said = lesson.claims.get("members")
        if said is None:
            return
        counts: dict[str, int] = {}
        for mag in class_of(mag_by_definition(lesson.dag)):
            level = str(sum(edge.is_bidirected for edge in mag.edges()))
            counts[level] = counts.get(level, 0) + 1
        assert said == (sum(counts.values()) if isinstance(said, int) else counts)

    def test_that_a_graph_it_calls_no_mag_is_none(self, lesson: Lesson) -> None:
        said = lesson.claims.get("not_a_mag")
        if said is not None:
            edges = [Edge.parse(text) for text in said["edges"]]
            nodes = sorted({name for edge in edges for name in (edge.first, edge.second)})
            assert not Truth(MixedGraph.from_edges(nodes, edges)).is_mag

    def test_that_its_texts_name_only_variables_that_it_has(self, lesson: Lesson) -> None:
        """Names beside an arrow are of the lesson's graph, or of a graph that it compares with."""
        known = set(lesson.dag.nodes) | {"A", "B"}
        for text in (*lesson.text, lesson.question, lesson.answer):
            for arrow in re.finditer(r"\b([A-Z]\w*) [<o-]-[>o-] ([A-Z]\w*)", text):
                assert set(arrow.groups()) <= known, arrow[0]

    def test_that_its_nodes_stand_apart(self, lesson: Lesson) -> None:
        places = list(lesson.dag.positions.values())
        assert set(lesson.dag.positions) == set(lesson.dag.nodes)
        for i, (x, y) in enumerate(places):
            assert all(abs(x - u) > 90 or abs(y - v) > 45 for u, v in places[:i])


def test_that_there_are_enough_lessons_for_a_term() -> None:
    assert len(LESSONS) >= 14
    assert len({lesson.title for lesson in LESSONS}) == len(LESSONS)


def test_that_a_wheel_carries_the_lessons_to_where_they_are_looked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    carried = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert carried["resources/lessons"] == "latconf_core/_lessons"


def write(folder: Path, content: object, name: str = "mine.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_that_a_lecturers_folder_is_read_after_our_own_and_bad_files_are_named(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    write(tmp_path, "{", "bad.json")
    (tmp_path / "notes.txt").write_text("no lesson", encoding="utf-8")
    lessons = read_lessons([tmp_path, tmp_path / "not there"])
    assert lessons.lessons[:-1] == LESSONS
    assert lessons.lessons[-1].title == "Mine"
    assert lessons.lessons[-1].text == ("One paragraph.",)
    assert len(lessons.problems) == 1
    assert lessons.problems[0].startswith("bad.json, line 1: the lesson is not readable JSON")


def test_that_places_may_be_left_out(tmp_path: Path) -> None:
    lesson = read_lesson(write(tmp_path, {**GOOD, "places": {}}))
    assert set(lesson.dag.positions) == {"A", "B", "H"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"title": ""}, "'title' is missing"),
        ({"edges": None}, "'edges' is missing"),
        ({"edges": "A --> B"}, "'edges' must be a list"),
        ({"edges": ["A -> B"]}, "is not an edge"),
        ({"edges": ["A <-> B"]}, "A <-> B is not an arrow"),
        ({"edges": ["A --> B", "B --> A", "H --> A"]}, "directed cycle"),
        ({"hidden": ["Z"]}, "'Z' is hidden but is not a variable"),
        ({"places": {"Z": [0, 0]}}, "'Z' has a place but no edge"),
        ({"places": {"A": [0]}}, "the place of 'A' must be two numbers"),
        ({"places": {"A": [0, 10**400]}}, "must be two numbers up to 1,000"),
        ({"places": {"A": [float("nan"), 0]}}, "must be two numbers up to 1,000"),
        ({"places": [1]}, "'places' must be an object"),
        ({"text": 5}, "'text' must be a text in quotes"),
        ({"question": ["Why?"]}, "'question' must be a text"),
        ({"quiz": "?"}, "'quiz' is not known"),
        ({"claims": []}, "'claims' must be an object"),
        ({"claims": {"mag": ["A <-> B"]}}, "the MAG has A --> B, not A <-> B"),
        ({"claims": {"pag": []}}, "the PAG has A o-o B, which the lesson omits"),
        ({"claims": {"mag": ["A --> Q"]}}, "names 'Q'"),
        ({"claims": {"separated": ["A, B"]}}, "A, B is not a separation: a path is open"),
        ({"claims": {"connected": ["A, H"]}}, "A, H is a separation"),
        ({"claims": {"connected": ["A | H"]}}, "is not a separation; write it as"),
        ({"claims": {"visible": ["A --> B"]}}, "A --> B is not visible"),
        ({"claims": {"visible": ["B --> A"]}}, "the MAG has no edge B --> A"),
        ({"claims": {"members": 4}}, "the PAG has 3 MAGs, not 4"),
        ({"claims": {"others": [{"edges": ["A --> B"], "pag": []}]}}, "the PAG of A --> B has A o-o B"),
        ({"claims": {"others": 3}}, "cannot be checked"),
        ({"claims": {"not_a_mag": {"edges": ["A --> B"], "because": ""}}}, "is a MAG"),
        ({"claims": {"beauty": 1}}, "there is no claim 'beauty'"),
    ],
)
def test_that_a_bad_lesson_is_refused_with_what_to_mend(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(FileFormatError, match=re.escape(said)) as refused:
        read_lesson(write(tmp_path, {**GOOD, **change}))
    assert str(refused.value).startswith("mine.json: ")


@pytest.mark.parametrize("text", ["[1]", "5", "null", '"x"'])
def test_that_other_json_is_no_lesson(tmp_path: Path, text: str) -> None:
    with pytest.raises(FileFormatError, match="must be an object in braces"):
        read_lesson(write(tmp_path, text))


def test_that_true_claims_give_no_sentence() -> None:
    assert check_claims(drawn_from_edges(["A --> B"]), {"pag": ["B o-o A"], "members": 3}) == ()
