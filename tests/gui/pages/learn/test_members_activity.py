from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.learn_acts import LearnHost, open_activity, settle

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.lessons import Lesson, own_lessons
from latconf_core.teaching.members import PagMembers
from latconf_core.teaching.separation.source_graph import SourceGraph
from latconf_gui.drawing.content.graph_drawing import Pair
from latconf_gui.look.colours import Highlight
from latconf_gui.pages.learn.members.blinking import N_BLINKS
from latconf_gui.pages.learn.members.counting_scene import CountingScene
from latconf_gui.pages.learn.members.members_activity import MembersActivity
from latconf_gui.pages.learn.members.members_model import PAGE_ROWS, MembersModel

Key = Qt.Key
CLIQUE = mixed(*(f"{a} o-o {b}" for a in "ABCDEFG" for b in "ABCDEFG" if a < b))  # more members than are listed


@pytest.fixture
def activity(host: LearnHost, qtbot: QtBot) -> MembersActivity:
    opened = open_activity(host, qtbot, "members")
    assert isinstance(opened, MembersActivity)
    return opened


def show_pag(activity: MembersActivity, qtbot: QtBot, graph: MixedGraph) -> None:
    activity.show_source(SourceGraph.of_pag("a PAG", graph, {}))
    settle(activity, qtbot)


def text(activity: MembersActivity, index: QModelIndex) -> str:
    return str(activity.model.data(index))


def level_texts(activity: MembersActivity) -> list[str]:
    pag = activity.model.pag_index()
    return [text(activity, activity.model.index(row, 0, pag)) for row in range(activity.model.rowCount(pag))]


def labels(activity: MembersActivity) -> dict[tuple[str, str], str]:
    scene = activity.stage.scenes[0]
    assert isinstance(scene, CountingScene)
    marks = [mark for edge in scene.edge_items() for mark in edge.mark_items.values()]
    return {(mark.node, mark.other): scene.label(mark) for mark in marks if scene.label(mark)}


def lit(activity: MembersActivity) -> set[frozenset[str]]:
    return {item.pair for item in activity.stage.scenes[1].edge_items() if item.highlight == Highlight.CHANGED}


def test_that_it_opens_with_a_tree_of_twenty_members_by_level(activity: MembersActivity) -> None:
    assert text(activity, activity.model.pag_index()) == "PAG: 20 MAGs"
    assert level_texts(activity) == [
        "With no <->: 2 MAGs",
        "With 1 <->: 5 MAGs",
        "With 2 <->: 7 MAGs",
        "With 3 <->: 5 MAGs",
        "With 4 <->: 1 MAG",
    ]
    assert activity.tree.isExpanded(activity.model.index(0, 0, activity.model.pag_index()))
    assert not activity.stage.panes[0].isHidden()
    assert activity.stage.panes[1].isHidden()


def test_that_each_circle_says_in_how_many_members_it_is_an_arrowhead(activity: MembersActivity) -> None:
    members = activity.model.members
    assert members is not None
    mags = [members.mag(number) for batch in PagMembers(members.pag).listed() for number in batch.members]
    for (node, other), label in labels(activity).items():
        n_arrows = sum(mag.mark_at(node, other) == 2 for mag in mags)
        assert label == f"{n_arrows} of 20"
    assert set(labels(activity)) == set(members.ends)
    activity.stage.scenes[0].end_clicked.emit("A", "D")
    assert activity.about.text() == "A o-> D: the circle at A is an arrowhead in 10 of 20, tail in 10."
    activity.stage.scenes[0].end_clicked.emit("D", "A")
    assert activity.about.text() == "D <-o A: the arrowhead at D is the same in every member."


@pytest.mark.parametrize("lesson", own_lessons(), ids=lambda lesson: lesson.key)
def test_that_no_count_covers_a_node_or_another_count(lesson: Lesson, qtbot: QtBot) -> None:
    scene, members = CountingScene(), PagMembers(lesson.dag.pag)
    scene.show_graph(members.pag, lesson.dag.positions)
    scene.show_counts(dict.fromkeys(members.ends, 12), 36, is_cut=False)
    boxes = [box for box, text in scene.boxes() if text == "12 of 36"]
    assert len(boxes) == len(members.ends)
    nodes = [node.scene_box() for node in scene.node_items()]
    for k, box in enumerate(boxes):
        assert not any(box.intersects(other) for other in (*boxes[:k], *nodes))


def test_that_flipping_lets_the_marks_that_differ_blink_and_says_them(
    activity: MembersActivity, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    activity.flip(1)
    assert text(activity, activity.tree.currentIndex()).startswith("MAG 1: ")
    assert activity.news.text() == ""
    canvas, was_lit = activity.stage.canvas(1), list[bool]()
    highlight = canvas.highlight

    def remember(reason: str, highlights: Mapping[Pair, Highlight]) -> None:
        was_lit.append(bool(highlights))
        highlight(reason, highlights)

    monkeypatch.setattr(canvas, "highlight", remember)
    activity.flip(1)
    assert activity.news.text() == "Compared with the previous member: B --> C became B <-- C."
    assert lit(activity) == {frozenset("BC")}
    qtbot.waitUntil(lambda: not activity.is_blinking)
    assert was_lit == [True, *[False, True] * N_BLINKS]
    assert lit(activity) == {frozenset("BC")}
    settle(activity, qtbot)


def test_that_all_members_can_be_flipped_through_by_keys(activity: MembersActivity, qtbot: QtBot) -> None:
    activity.tree.setFocus()
    seen = []
    for _ in range(21):
        QTest.keyClick(activity.tree, Key.Key_N)
        seen.append(activity.model.place_of(activity.tree.currentIndex()))
    assert seen == [*range(20), 19]
    QTest.keyClick(activity.tree, Key.Key_P)
    assert activity.model.place_of(activity.tree.currentIndex()) == 18
    QTest.keyClick(activity.tree, Key.Key_Right)
    QTest.keyClick(activity.tree, Key.Key_Down)
    settle(activity, qtbot)
    assert activity.model.is_dag(activity.tree.currentIndex())
    assert "DAG with " in text(activity, activity.tree.currentIndex())
    assert not activity.stage.panes[2].isHidden()
    asked: list[tuple[str, object]] = []
    activity.compare.connect(lambda name, graph: asked.append((name, graph)))
    QTest.keyClick(activity.tree, Key.Key_C)
    assert asked[0][0] == "DAG of MAG 19, Example: three causes, two of them related"
    assert isinstance(asked[0][1], LatentDag)


def test_that_any_member_and_the_pag_go_to_compare(activity: MembersActivity, qtbot: QtBot) -> None:
    asked: list[tuple[str, object]] = []
    activity.compare.connect(lambda name, graph: asked.append((name, graph)))
    activity.to_compare.click()
    activity.flip(1)
    activity.to_compare.click()
    members = activity.model.members
    assert members is not None
    number = activity.model.member_at(activity.tree.currentIndex())
    assert number is not None
    name = "Example: three causes, two of them related"
    assert asked == [(name, members.pag), (f"MAG 1, {name}", members.mag(number))]
    settle(activity, qtbot)


def test_that_a_graph_that_is_no_pag_says_why_it_has_no_members(activity: MembersActivity, qtbot: QtBot) -> None:
    show_pag(activity, qtbot, mixed("A --> B", "B o-o C"))
    assert activity.problem.text().startswith("This graph is not a valid PAG, so it has no members: ")
    assert activity.model.rowCount() == 0
    assert set(activity.stage.scenes[0].drawing.names) == set("ABC")
    activity.flip(1)
    activity.add_to_compare()
    activity.show_dag(DrawnDag(("A", "B"), (("A", "B"),)))
    settle(activity, qtbot)
    assert activity.problem.text() == ""
    assert text(activity, activity.model.pag_index()) == "PAG: 3 MAGs"


def test_that_a_listing_that_is_cut_says_so_everywhere(activity: MembersActivity, qtbot: QtBot) -> None:
    show_pag(activity, qtbot, CLIQUE)
    assert text(activity, activity.model.pag_index()) == "PAG: more than 20,000 MAGs"
    assert level_texts(activity)[-1].endswith(" or more")
    assert "the first 20,000 MAGs" in activity.stage.panes[0].heading.text()
    assert all(label.endswith(" %") for label in labels(activity).values())
    activity.stage.scenes[0].end_clicked.emit("A", "B")
    assert " of the first 20,000, tail in " in activity.about.text()


def test_that_rows_of_a_level_are_added_as_one_scrolls(activity: MembersActivity, qtbot: QtBot) -> None:
    show_pag(activity, qtbot, CLIQUE)
    model, tree = activity.model, activity.tree
    level = model.index(0, 0, model.pag_index())
    seen = [model.rowCount(level)]
    assert PAGE_ROWS <= seen[0] < 2 * PAGE_ROWS
    bar = tree.verticalScrollBar()

    def has_grown() -> bool:
        bar.setValue(bar.maximum())  # which grows when the new rows are laid out
        return model.rowCount(level) > seen[-1]

    while model.has_more(level):
        qtbot.waitUntil(has_grown)
        seen.append(model.rowCount(level))
    assert max(np.diff(seen)) <= PAGE_ROWS
    assert seen[-1] == 5040  # the orders of seven nodes
    settle(activity, qtbot)


def test_that_the_model_keeps_qts_rules_while_it_grows(qtbot: QtBot) -> None:
    model = MembersModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for graph in (mixed("A o-> C", "B o-> C"), CLIQUE):
        members = PagMembers(graph)
        model.begin(members, has_scores=True)
        for batch in members.listed(most=900):
            model.add(batch)
        assert model.index_of_place(model.n_known - 1).isValid()
        assert not model.index_of_place(model.n_known).isValid()
        places = [model.place_of(model.index_of_place(index)) for index in range(0, model.n_known, 37)]
        assert places == list(range(0, model.n_known, 37))
    assert tester.model() is model


def random_rows(names: str, seed: int = 1) -> Dataset:
    codes = np.random.default_rng(seed).integers(2, size=(60, len(names)))
    return Dataset(list(names), [["no", "yes"]] * len(names), codes)


def test_that_with_data_each_dag_has_its_score_and_without_none(
    activity: MembersActivity, host: LearnHost, qtbot: QtBot
) -> None:
    assert activity.model.columnCount() == 1
    host.put_rows(random_rows("ABCD"))
    settle(activity, qtbot)
    model = activity.model
    assert model.columnCount() == 2
    qtbot.waitUntil(lambda: len(model.facts) == 20, timeout=60_000)
    assert activity.document.dataset is not None
    scorer = Scorer(activity.document.dataset, VbemOptions())
    for place in (0, 7, 19):
        index = model.index_of_place(place)
        facts = model.facts[model.member_at(index) or 0]
        assert facts.p_elbo == pytest.approx(scorer.score(facts.dag).p_elbo)
        assert str(model.data(index.siblingAtColumn(1))) == f"{facts.p_elbo:,.2f}".replace("-", "−")
    assert activity.tree.header().sectionSize(1) >= activity.tree.sizeHintForColumn(1)
    before, font = activity.tree.header().sectionSize(1), activity.tree.font()
    font.setPointSizeF(2 * font.pointSizeF())
    activity.tree.setFont(font)  # as larger text does
    qtbot.waitUntil(lambda: activity.tree.header().sectionSize(1) >= activity.tree.sizeHintForColumn(1) > before)
    host.put_rows(random_rows("ABCE"))
    settle(activity, qtbot)
    assert model.columnCount() == 1


def test_that_what_is_seen_is_scored_first(activity: MembersActivity, qtbot: QtBot) -> None:
    show_pag(activity, qtbot, CLIQUE)
    activity.tree.verticalScrollBar().setValue(200)
    seen = activity.tree.visible_numbers()
    assert seen
    qtbot.waitUntil(lambda: all(number in activity.model.facts for number in seen))
    settle(activity, qtbot)
    assert len(activity.model.facts) < 200


def test_that_the_state_goes_through_json_and_comes_back(activity: MembersActivity, qtbot: QtBot) -> None:
    show_pag(activity, qtbot, mixed("A o-o B", "B o-o C"))
    activity.flip(1)
    activity.flip(1)
    activity.flip(1)
    activity.tree.go_to(activity.model.index(0, 0, activity.tree.currentIndex()))
    activity.stage.scenes[0].nodes_moved.emit({"A": (5.0, 6.0)})
    settle(activity, qtbot)
    kept = json.loads(json.dumps(activity.state()))
    assert (kept["place"], kept["is_dag"]) == (2, True)
    activity.restore({})
    settle(activity, qtbot)
    assert text(activity, activity.model.pag_index()) == "PAG: 20 MAGs"
    with qtbot.assertNotEmitted(activity.changed):
        activity.restore(kept)
        settle(activity, qtbot)
    assert activity.state() == kept
    assert kept["moved"] == {"A": [5.0, 6.0]}


def test_that_a_kept_place_that_is_not_there_leads_to_the_pag(activity: MembersActivity, qtbot: QtBot) -> None:
    activity.restore({**activity.state(), "place": 20, "is_dag": True})
    settle(activity, qtbot)
    assert activity.tree.currentIndex() == activity.model.pag_index()
    assert not activity.stage.panes[0].isHidden()


def test_that_leaving_ends_the_listing_and_coming_back_goes_on_where_one_was(
    activity: MembersActivity, qtbot: QtBot
) -> None:
    activity.flip(1)
    activity.flip(1)
    activity.show_source(SourceGraph.of_pag("a clique", CLIQUE, {}))
    activity.hide()
    settle(activity, qtbot)
    assert not activity.model.is_complete
    activity.show()
    settle(activity, qtbot)
    assert activity.model.is_complete


def test_that_a_pag_of_the_project_is_followed_when_it_is_edited(
    activity: MembersActivity, host: LearnHost, qtbot: QtBot
) -> None:
    document = activity.document
    document.set_pag(mixed("A o-> B", "C o-> B"), "Draw", origin="drawn")
    place = next(index for index in range(activity.graphs.count()) if "PAG: " in activity.graphs.itemText(index))
    activity.graphs.setCurrentIndex(place)
    activity.graphs.activated.emit(place)
    settle(activity, qtbot)
    assert text(activity, activity.model.pag_index()) == "PAG: 4 MAGs"
    host.leave()
    document.set_pag(mixed("A o-o B", "C o-o B"), "Edit")
    assert not activity.is_busy
    host.come_back()
    settle(activity, qtbot)
    assert text(activity, activity.model.pag_index()) == "PAG: 5 MAGs"
    names = [activity.graphs.itemText(index) for index in range(activity.graphs.count())]
    assert len(names) == len(set(names))


def test_that_another_graph_ends_the_listing_of_the_last(activity: MembersActivity, qtbot: QtBot) -> None:
    activity.show_source(SourceGraph.of_pag("a clique", CLIQUE, {}))
    activity.show_source(SourceGraph.of_pag("a chain", mixed("A o-o B", "B o-o C"), {}))
    settle(activity, qtbot)
    assert text(activity, activity.model.pag_index()) == "PAG: 5 MAGs"
    assert activity.model.n_known == 5
