from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.pag_acts import Host, agrees, collider_data, put_data, put_graph, settle

from latconf_core.formats.graphs.graph_document import GraphFormat
from latconf_core.formats.graphs.registry import graph_formats, write_graph
from latconf_gui.pages.pag.files import read_filters, write_filters

GRAPH = mixed("A o-> C", "B o-o C", "C <-> D", "A --> D", nodes=list("ABCD"))
ARROWS_ONLY = mixed("A --> C", "B --> C", "C --> D")
WRITABLE = [graph_format for graph_format in graph_formats() if graph_format.can_write]


def import_and_wait(qtbot: QtBot, host: Host, path: Path, format: str | None = None) -> None:
    before, said = host.document.state, len(host.problems)
    host.page.files.import_graph(path, format)
    qtbot.waitUntil(lambda: host.document.state is not before or len(host.problems) > said, timeout=20_000)
    settle(qtbot, host.page)


@pytest.mark.parametrize("one", WRITABLE, ids=lambda one: one.name)
def test_that_every_format_goes_out_and_comes_back_with_every_mark(
    qtbot: QtBot, host: Host, tmp_path: Path, one: GraphFormat
) -> None:
    page, name = host.page, one.name
    graph = ARROWS_ONLY if name == "pcalg-cpdag" else GRAPH  # that one has no circles
    put_graph(qtbot, page, graph)
    path = tmp_path / f"graph{(*one.extensions, '.txt')[0]}"
    page.files.export_graph(path, name)
    assert host.problems == []
    page.editor.delete_edges([frozenset("AC")])
    import_and_wait(qtbot, host, path, name)
    assert host.problems == []
    assert host.document.pag.reordered(graph.nodes) == graph
    assert agrees(page)


def test_that_the_dialogs_offer_every_format() -> None:
    assert set(write_filters().values()) == {one.name for one in WRITABLE}
    assert set(read_filters().values()) == {None, *(graph_format.name for graph_format in graph_formats())}


def test_that_an_imported_graph_is_laid_out_and_undone_in_one_step(qtbot: QtBot, host: Host, tmp_path: Path) -> None:
    write_graph(GRAPH, tmp_path / "graph.txt")
    import_and_wait(qtbot, host, tmp_path / "graph.txt")
    assert host.document.pag == GRAPH
    assert set(host.document.positions) == set("ABCD")
    host.document.undo_stack.undo()
    assert host.document.pag is None
    assert host.document.positions == {}


def wrong_variables(folder: Path) -> Path:
    write_graph(mixed("A o-> Stranger"), folder / "other.txt")
    return folder / "other.txt"


def broken(folder: Path) -> Path:
    (folder / "broken.txt").write_text("Graph Nodes:\nA;B\n\nGraph Edges:\n1. A o?> B\n", encoding="utf-8")
    return folder / "broken.txt"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (wrong_variables, "'Stranger', which the data does not have"),
        (broken, "broken.txt, line 5"),
        (lambda folder: folder, "is a folder"),
        (lambda folder: folder / "removed.txt", "does not exist"),
    ],
)
def test_that_a_file_that_cannot_be_imported_is_said_and_changes_nothing(
    qtbot: QtBot, host: Host, tmp_path: Path, make: object, sentence: str
) -> None:
    put_data(host, collider_data(50))
    put_graph(qtbot, host.page, GRAPH)
    before = host.document.state
    import_and_wait(qtbot, host, make(tmp_path))  # type: ignore[operator]
    assert sentence in host.problems[-1]
    assert host.document.state is before
    assert agrees(host.page)


def drop(host: Host, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    host.page.dropEvent(event)


def test_that_a_graph_file_dropped_on_the_page_is_imported_and_a_folder_refused(
    qtbot: QtBot, host: Host, tmp_path: Path
) -> None:
    write_graph(GRAPH, tmp_path / "graph.txt")
    drop(host, tmp_path / "graph.txt")
    qtbot.waitUntil(lambda: host.document.pag == GRAPH, timeout=20_000)
    before = host.document.state
    drop(host, tmp_path)
    assert "is a folder" in host.problems[-1]
    assert host.document.state is before
    settle(qtbot, host.page)


def test_that_export_into_a_folder_that_is_gone_is_said(qtbot: QtBot, host: Host, tmp_path: Path) -> None:
    put_graph(qtbot, host.page, GRAPH)
    host.page.files.export_graph(tmp_path / "gone" / "graph.txt")
    assert "does not exist" in host.problems[-1]
    host.page.files.export_picture(host.page.canvas.scene, tmp_path / "gone" / "graph.png", 2)
    assert "does not exist" in host.problems[-1]


def test_that_names_a_format_cannot_hold_are_said(qtbot: QtBot, host: Host, tmp_path: Path) -> None:
    graph = mixed("A o-> B").renamed({"A": "blood pressure"})
    put_graph(qtbot, host.page, graph)
    host.page.files.export_graph(tmp_path / "graph.txt")
    assert "'blood pressure' as" in host.problems[-1]
    import_and_wait(qtbot, host, tmp_path / "graph.txt")
    assert set(host.document.pag.nodes) == set(graph.nodes)


def test_that_a_picture_is_written_at_the_chosen_scale(qtbot: QtBot, host: Host, tmp_path: Path) -> None:
    put_graph(qtbot, host.page, GRAPH)
    dialog = host.page.files.ask_picture(host.page.canvas.scene)
    assert dialog.isVisible()
    dialog.reject()
    for scale in (1, 2):
        host.page.files.export_picture(host.page.canvas.scene, tmp_path / f"{scale}.png", scale)
    small, large = (QImage(str(tmp_path / f"{scale}.png")) for scale in (1, 2))
    assert abs(large.width() - 2 * small.width()) <= 2
    assert agrees(host.page)


@pytest.mark.parametrize("engine", ["dot", "neato", "sfdp", "fdp", "circo"])
def test_that_a_layout_is_one_step_that_can_be_undone(qtbot: QtBot, host: Host, engine: str) -> None:
    put_graph(qtbot, host.page, GRAPH)
    before = host.document.positions
    host.actions_by_id[f"pag.layout.{engine}"].trigger()
    qtbot.waitUntil(lambda: host.document.positions != before, timeout=20_000)
    assert host.page.canvas.scene.positions() == host.document.positions
    assert agrees(host.page)
    host.document.undo_stack.undo()
    assert host.page.canvas.scene.positions() == before


def test_that_a_graph_from_elsewhere_without_places_is_laid_out_without_a_step_to_undo(
    qtbot: QtBot, host: Host
) -> None:
    host.document.set_pag(GRAPH, "Open graph.txt", origin="graph.txt")
    grid = host.page.canvas.scene.positions()
    qtbot.waitUntil(lambda: host.page.canvas.scene.positions() != grid, timeout=20_000)
    assert host.document.undo_stack.count() == 1
    assert host.document.positions == {}
    assert agrees(host.page)


def test_that_a_layout_that_fails_is_said_and_the_graph_still_comes(
    qtbot: QtBot, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("latconf_gui.drawing.layout.layout_process._MODULE", "latconf_gui.no_such_module")
    host.page.introduce(GRAPH, "Try", origin="test")
    qtbot.waitUntil(lambda: host.document.pag == GRAPH, timeout=20_000)
    assert "the layout failed" in host.problems[0]
    assert agrees(host.page)
    monkeypatch.undo()
    settle(qtbot, host.page)


def test_that_a_dagitty_graph_stands_where_its_file_draws_it_and_lost_roles_are_said(
    qtbot: QtBot, host: Host, tmp_path: Path
) -> None:
    path = tmp_path / "g.dagitty"
    path.write_text('dag { A [exposure,pos="0,0"] B [pos="1,0"] C [pos="1,1"] A -> B -> C }')
    import_and_wait(qtbot, host, path)
    places = host.document.positions
    assert places["A"] == (0.0, 0.0)
    assert places["B"][0] == places["C"][0] == places["C"][1] > 0
    assert "marks A as exposure" in str(host.problems[0])
