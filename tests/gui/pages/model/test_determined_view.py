"""What the data determine, on the Model page: arrows explained on a click, and the PAG in the place of the DAG."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from support.model_acts import put_result, settle, small_result

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.determined.arrows import ArrowKind, DagClass
from latconf_core.formats.graphs.registry import read_graph
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.wording.arrow_words import HOLLOW_ARROW, KIND_LABELS, arrow_sentence
from latconf_gui.application.document import Document
from latconf_gui.drawing.content.arrow_supports import supports_of
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.dag_classes import DagClasses
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.window.main_window import MainWindow


@pytest.fixture
def page(whole_window: MainWindow, qtbot: QtBot) -> Iterator[ModelPage]:
    page = put_result(whole_window, qtbot)
    page.canvas.scene.clearSelection()
    yield page
    page.determined.set_on(False)
    page.stop()


def dag_class() -> DagClass:
    result = small_result().dag_class
    assert result is not None
    return result


def click_line(page: ModelPage, first: str, second: str) -> None:
    """Click the middle of an edge."""
    view, item = page.canvas.view, page.canvas.scene.edge_item(first, second)
    point = view.mapFromScene(item.line().pointAtPercent(0.5))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)


def test_that_the_arrows_of_the_drawing_are_hollow_where_the_data_leave_them_open(page: ModelPage) -> None:
    drawn = {(edge.edge.first, edge.edge.second): edge.is_open for edge in page.canvas.scene.drawing.edges}
    assert drawn == {arrow: kind.is_open for arrow, kind in dag_class().kinds.items()}
    assert any(drawn.values())
    assert HOLLOW_ARROW in page.canvas.legend.accessibleDescription()


def test_that_a_click_on_any_arrow_explains_it_with_its_support(page: ModelPage) -> None:
    for arrow in dag_class().arrows:
        click_line(page, arrow.parent, arrow.child)
        inspector = page.inspector()
        assert inspector.title.text() == f"{arrow.parent} --> {arrow.child}"
        assert inspector.value("Direction") == KIND_LABELS[arrow.kind]
        assert arrow_sentence(arrow) in inspector.text.text()
        if arrow.pag_edge is not None:
            assert inspector.value("PAG") == str(arrow.pag_edge)


def test_that_a_click_on_the_head_of_an_arrow_explains_it_too(page: ModelPage) -> None:
    arrow = dag_class().arrows[0]
    view, item = page.canvas.view, page.canvas.scene.edge_item(arrow.parent, arrow.child)
    point = view.mapFromScene(item.mark_items[arrow.child].middle)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
    assert page.inspector().title.text() == f"{arrow.parent} --> {arrow.child}"


def test_that_an_arrow_of_a_latent_is_explained_under_its_given_name(page: ModelPage, qtbot: QtBot) -> None:
    latent = dag_class().dag.latents[0]
    page.document.name_latent(latent.children, "Stress", "Name")
    settle(page, qtbot)
    click_line(page, "Stress", latent.children[0])
    assert page.inspector().title.text() == f"Stress --> {latent.children[0]}"
    assert latent.name not in page.inspector().text.text()
    page.document.name_latent(latent.children, "", "Take away")


def test_that_the_pag_takes_the_place_of_the_dag_and_gives_it_back(page: ModelPage) -> None:
    places = page.canvas.scene.positions()
    action = page.context.actions["model.determined"]
    action.trigger()
    shown = page.canvas.scene.drawing
    assert {drawn.edge for drawn in shown.edges} == set(dag_class().pag.edges())
    assert not shown.has_latents
    assert {name: page.canvas.scene.positions()[name] for name in shown.names} == {
        name: places[name] for name in shown.names
    }
    assert "circle: undecided" in page.canvas.legend.accessibleDescription()
    click_line(page, shown.edges[0].edge.first, shown.edges[0].edge.second)
    assert page.inspector().title.text() == str(shown.edges[0].edge)
    assert "for any hidden causes" in page.inspector().text.text()
    action.trigger()
    assert page.canvas.scene.drawing.has_latents
    assert page.canvas.scene.positions() == places


def test_that_asking_the_model_shows_its_dag_again(page: ModelPage, qtbot: QtBot) -> None:
    actions = page.context.actions
    actions["model.determined"].trigger()
    actions["model.ask"].trigger()
    settle(page, qtbot)
    assert not actions["model.determined"].isChecked()
    assert page.canvas.scene.drawing.has_bars
    actions["model.determined"].trigger()
    settle(page, qtbot)
    assert not actions["model.ask"].isChecked()
    assert not page.canvas.scene.drawing.has_bars


def test_that_the_pag_is_exported_where_it_is_shown(page: ModelPage, tmp_path: Path) -> None:
    page.determined.set_on(True)
    page.files.write_graph(tmp_path / "pag.json")
    assert read_graph(tmp_path / "pag.json") == MixedGraph(dag_class().pag.nodes, dag_class().pag.marks)
    page.files.write_picture(page.canvas.scene, tmp_path / "pag.svg", 1.0)
    assert "circle: undecided" in (tmp_path / "pag.svg").read_text()
    page.determined.set_on(False)
    page.files.write_picture(page.canvas.scene, tmp_path / "dag.svg", 1.0)
    assert "hollow arrow" in (tmp_path / "dag.svg").read_text()


def test_that_the_pag_of_the_result_is_an_item_of_compare(
    page: ModelPage, whole_window: MainWindow, qtbot: QtBot
) -> None:
    page.determined.set_on(True)
    page.context.actions["model.compare"].trigger()
    item = page.document.state.compared[-1]
    assert item.kind == "PAG"
    assert item.content == dag_class().pag
    whole_window.show_page("Compare")
    compare = whole_window.page(ComparePage)
    qtbot.waitUntil(lambda: not compare.is_busy, timeout=20_000)
    assert item.name in {candidate.name for candidate in compare.candidates.items}
    whole_window.show_page("Model")


def test_that_a_large_dag_is_classified_beside_the_window(page: ModelPage, qtbot: QtBot, monkeypatch) -> None:
    monkeypatch.setattr("latconf_gui.pages.dag_classes.MOST_AT_ONCE", 0)
    dag = dag_class().dag
    other = LatentDag(dag.nodes, dag.edges[:-1], dag.latents)
    assert page.determined.classes.class_of(other) is None
    with qtbot.waitSignal(page.determined.classes.changed, timeout=20_000):
        pass
    found = page.determined.classes.class_of(other)
    assert found is not None
    assert found.kinds == DagClass(other).kinds


def test_that_knowledge_closes_what_the_data_leave_open(qtbot: QtBot) -> None:
    document = Document()
    classes = DagClasses(document)
    chain = LatentDag(("A", "B"), [("A", "B")])
    assert classes.class_of(chain).kinds["A", "B"] is ArrowKind.EITHER_WAY
    with qtbot.waitSignal(classes.changed):
        document.set_knowledge(Knowledge(forbidden=(("B", "A"),)), "Forbid an edge")
    assert classes.class_of(chain).kinds["A", "B"] is ArrowKind.KNOWLEDGE
    assert not supports_of(classes.class_of(chain))["A", "B"].is_open


def test_that_a_tip_says_how_often_samples_had_the_arrow() -> None:
    chain = LatentDag(("A", "B"), [("A", "B")])
    support = supports_of(DagClass(chain), {("A", "B"): "Adjacent in 40 of 50 half samples"})["A", "B"]
    assert support.sentence.endswith("The PAG has A o-o B. Adjacent in 40 of 50 half samples.")
