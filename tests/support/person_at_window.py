"""Acts as a person at a real window, through the X server alone: data, learn, edit, undo, export.

python tests/person_at_window.py FOLDER, under an X server; writes pag.txt and picture.svg there, prints "done".
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF
from support.hands import act, answer_file_dialog, answer_scale_dialog, click, drag, focus, key, open_window, wait
from support.pag_acts import agrees, collider_data

from latconf_core.formats.graphs.registry import read_graph
from latconf_gui.pages.pag.pag_page import PagPage


def write_data(path: Path) -> None:
    data = collider_data()
    rows = [",".join(data.states[i][code] for i, code in enumerate(row)) for row in data.codes]
    path.write_text("\n".join([",".join(data.names), *rows]) + "\n", encoding="utf-8")


def main(folder: Path) -> int:
    window = open_window()
    write_data(folder / "data.csv")

    click(window, QPoint(640, 770))
    key("ctrl+o")
    answer_file_dialog(folder / "data.csv")
    wait(lambda: window.document.dataset is not None, "the data")

    click(window.rail.button(2))
    page = window.page(PagPage)
    wait(page.isVisible, "the PAG page")
    focus(window)
    key("ctrl+l")
    wait(lambda: window.document.pag is not None and not page.legality.is_busy, "the PAG", 120)
    learned = window.document.pag
    assert learned is not None
    assert agrees(page)

    scene, view = page.canvas.scene, page.canvas.view
    edge = next(learned.edges())
    mark = scene.edge_item(edge.first, edge.second).mark_items[edge.first]
    click(view.viewport(), view.mapFromScene(mark.middle))
    assert window.document.pag == learned, "a click on a mark chooses it"
    click(view.viewport(), view.mapFromScene(mark.middle))
    assert window.document.pag != learned, "a second click on a mark changes it"
    key("3", "x", "2")
    assert window.document.pag.edge(edge.first, edge.second).arrow == "-->"
    node = scene.node_item("D")
    before = QPointF(node.pos())
    drag(view.viewport(), view.mapFromScene(before), view.mapFromScene(before) + QPoint(40, 30))
    assert scene.node_item("D").pos() != before, "a drag moves a node"
    assert agrees(page)
    while window.document.undo_stack.undoText() != "Learn the PAG with FCI":
        key("ctrl+z")
    assert window.document.pag == learned
    assert agrees(page)

    key("ctrl+e")
    answer_file_dialog(folder / "pag.txt")
    wait((folder / "pag.txt").exists, "the exported graph")
    assert read_graph(folder / "pag.txt") == learned
    focus(window)
    key("ctrl+shift+e")
    answer_scale_dialog()
    answer_file_dialog(folder / "picture.svg")
    wait((folder / "picture.svg").exists, "the picture")
    assert window.problems.messages == [], window.problems.messages
    page.stop()
    window.close_at_once()
    sys.stdout.write("done\n")
    return 0


if __name__ == "__main__":
    act(main)
