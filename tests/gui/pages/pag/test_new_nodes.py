"""New nodes of the PAG page stand on free ground."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.pag_acts import Host, put_graph, settle

from latconf_core.formats.graphs.registry import write_graph
from latconf_core.graph.mixed import MixedGraph
from latconf_gui.drawing.scene import GraphScene


def overlapping(scene: GraphScene) -> list[tuple[str, str]]:
    items = scene.node_items()
    return [(a.name, b.name) for a, b in combinations(items, 2) if a.scene_box().intersects(b.scene_box())]


def test_that_nodes_added_one_after_the_other_do_not_cover_each_other(qtbot: QtBot, host: Host) -> None:
    put_graph(qtbot, host.page, mixed(nodes=["A"]))
    for name in ("second", "third", "fourth"):
        dialog = host.page.commands.ask_node()
        dialog.setTextValue(name)
        dialog.accept()
    assert host.document.pag is not None
    assert set(host.document.pag.nodes) == {"A", "second", "third", "fourth"}
    assert overlapping(host.page.canvas.scene) == []


def import_graph(qtbot: QtBot, host: Host, graph: MixedGraph, path: Path) -> None:
    write_graph(graph, path)
    host.page.files.import_graph(path, None)
    qtbot.waitUntil(lambda: host.document.pag == graph, timeout=20_000)
    settle(qtbot, host.page)


def test_that_a_second_import_does_not_cover_the_nodes_that_stay(qtbot: QtBot, host: Host, tmp_path: Path) -> None:
    import_graph(qtbot, host, mixed("A --> B", "B --> C"), tmp_path / "first.txt")
    import_graph(qtbot, host, mixed("X --> A", "A --> Y"), tmp_path / "second.txt")
    assert overlapping(host.page.canvas.scene) == []
