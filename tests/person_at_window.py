"""Acts as a person at a real window: every input goes through the X server (xdotool), none through Qt.

python tests/person_at_window.py FOLDER, under an X server; writes pag.txt and picture.png there, prints "done".
"""

from __future__ import annotations

import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pag_acts import agrees, collider_data
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget

from latconf_core.formats.registry import read_graph
from latconf_gui.app import make_application, make_window
from latconf_gui.pages.pag import PagPage
from latconf_gui.settings import Settings


def x(*words: object) -> None:
    """Send input to the X server."""
    subprocess.run(["xdotool", *map(str, words)], check=True)


def wait(claim: Callable[[], object], what: str, seconds: float = 60) -> None:
    """Let the window work until the claim holds."""
    end = time.monotonic() + seconds
    while not claim():
        QApplication.processEvents()
        time.sleep(0.01)
        if time.monotonic() > end:
            raise TimeoutError(f"waited in vain: {what}")
    for _ in range(20):
        QApplication.processEvents()
        time.sleep(0.005)


def click(widget: QWidget, place: QPoint | None = None) -> None:
    spot = widget.mapToGlobal(place if place is not None else widget.rect().center())
    x("mousemove", spot.x(), spot.y(), "click", 1)
    wait(lambda: True, "the click")


def drag(widget: QWidget, start: QPoint, end: QPoint) -> None:
    first, last = widget.mapToGlobal(start), widget.mapToGlobal(end)
    x("mousemove", first.x(), first.y(), "mousedown", 1)
    wait(lambda: True, "the press")
    for step in range(1, 6):
        spot = first + (last - first) * step / 5
        x("mousemove", spot.x(), spot.y())
        wait(lambda: True, "the move")
    x("mouseup", 1)
    wait(lambda: True, "the release")


def key(*keys: str) -> None:
    x("key", *keys)
    wait(lambda: True, "the key")


def focus(window: QWidget) -> None:
    """What a window manager does when a dialog closes: there is none on this X server."""
    x("windowfocus", "--sync", int(window.winId()))
    wait(window.isActiveWindow, "the window to be active")


def write_data(path: Path) -> None:
    data = collider_data()
    rows = [",".join(data.states[i][code] for i, code in enumerate(row)) for row in data.codes]
    path.write_text("\n".join([",".join(data.names), *rows]) + "\n", encoding="utf-8")


def dialog() -> QDialog | None:
    found = QApplication.activeModalWidget()
    return found if isinstance(found, QDialog) and found.isVisible() else None


def answer_file_dialog(path: Path) -> None:
    """Type a name into the file dialog that is open and press Return."""
    wait(lambda: dialog() is not None, "a file dialog")
    found = dialog()
    assert found is not None
    field = next(edit for edit in found.findChildren(QLineEdit) if edit.isVisible())
    focus(found)
    click(field)
    key("ctrl+a")
    x("type", "--delay", 5, str(path))
    key("Return")
    wait(lambda: dialog() is None, "the dialog to close")


def main(folder: Path) -> int:
    app = make_application()
    window = make_window(app, Settings())
    window.setGeometry(0, 0, 1270, 780)
    window.show()
    window.activateWindow()
    wait(window.isVisible, "the window")
    write_data(folder / "data.csv")

    click(window, QPoint(640, 770))
    key("ctrl+o")
    answer_file_dialog(folder / "data.csv")
    wait(lambda: window.session.dataset is not None, "the data")

    click(window.rail.button(2))
    page = window.page(PagPage)
    wait(page.isVisible, "the PAG page")
    focus(window)
    key("ctrl+l")
    wait(lambda: window.session.pag is not None and not page.legality.is_busy, "the PAG", 120)
    learned = window.session.pag
    assert learned is not None
    assert agrees(page)

    scene, view = page.canvas.scene, page.canvas.view
    edge = next(learned.edges())
    mark = scene.edge_item(edge.first, edge.second).mark_items[edge.first]
    click(view.viewport(), view.mapFromScene(mark.middle))
    assert window.session.pag != learned, "a click on a mark changes it"
    key("3", "x", "2")
    assert window.session.pag.edge(edge.first, edge.second).arrow == "-->"
    node = scene.node_item("D")
    before = QPointF(node.pos())
    drag(view.viewport(), view.mapFromScene(before), view.mapFromScene(before) + QPoint(40, 30))
    assert scene.node_item("D").pos() != before, "a drag moves a node"
    assert agrees(page)
    while window.session.undo_stack.undoText() != "Learn the PAG with FCI":
        key("ctrl+z")
    assert window.session.pag == learned
    assert agrees(page)

    key("ctrl+e")
    answer_file_dialog(folder / "pag.txt")
    wait((folder / "pag.txt").exists, "the exported graph")
    assert read_graph(folder / "pag.txt") == learned
    focus(window)
    key("ctrl+shift+e")
    wait(lambda: dialog() is not None, "the dialog of the scale")
    scale = dialog()
    assert scale is not None
    focus(scale)
    key("Return")
    wait(lambda: type(dialog()).__name__ == "QFileDialog", "the dialog of the picture")
    answer_file_dialog(folder / "picture.svg")
    wait((folder / "picture.svg").exists, "the picture")
    assert window.problems.messages == [], window.problems.messages
    page.stop()
    window.close_at_once()
    sys.stdout.write("done\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1])))
    except Exception:  # the window's own hook would show it in the Problems dock alone
        traceback.print_exc(file=sys.stdout)
        sys.exit(1)
