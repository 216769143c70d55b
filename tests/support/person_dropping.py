"""Acts as a person who drops files of another program on the window: a real drag and drop between two X clients.

python -m support.person_dropping FOLDER, under an X server; prints "done".
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget
from support.file_dragger import SIDE
from support.hands import act, open_window, wait, x

from latconf_gui.pages.data.data_page import DataPage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.start.start_page import StartPage
from latconf_gui.window.main_window import MainWindow

CORNER = QPoint(1262, 782)  # below the window
TABLE = "rain,wet,cold\n" + "yes,yes,no\nno,no,no\nno,yes,yes\nyes,yes,no\n" * 5

GRAPH = "Graph Nodes:\nrain;wet;warm\n\nGraph Edges:\n1. rain --> wet\n"


@contextmanager
def another_program(*paths: Path) -> Iterator[None]:
    """A program from which these files can be dragged."""
    command = [sys.executable, "-m", "support.file_dragger", str(CORNER.x()), str(CORNER.y()), *map(str, paths)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline().strip() == "ready"
        yield
        program.terminate()


def drop(window: MainWindow, target: QWidget, *paths: Path) -> None:
    """Drag files from the other program to the middle of a widget, and let go."""
    start, end = CORNER + QPoint(SIDE // 2, SIDE // 2), target.mapToGlobal(target.rect().center())
    with another_program(*paths):
        words: list[object] = ["mousemove", start.x(), start.y(), "sleep", 0.2, "mousedown", 1, "sleep", 0.3]
        for step in range(1, 7):
            spot = start + (end - start) * step / 6
            words += ["mousemove", spot.x(), spot.y(), "sleep", 0.1]
        words += ["mousemove", end.x() + 1, end.y(), "sleep", 0.4, "mouseup", 1, "sleep", 0.3]
        with subprocess.Popen(["xdotool", *map(str, words)]) as process:
            wait(lambda: process.poll() is not None, "the drag")
    x("mousemove", 640, 790)


def main(folder: Path) -> int:
    window = open_window()
    window.load_pages()
    document = window.document
    first, second, graph = folder / "first.csv", folder / "second.csv", folder / "graph.txt"
    first.write_text(TABLE, encoding="utf-8")
    second.write_text(TABLE.replace("cold", "warm"), encoding="utf-8")
    graph.write_text(GRAPH, encoding="utf-8")
    drop(window, window.page(StartPage), first)
    wait(lambda: document.dataset is not None and document.dataset.names[-1] == "cold", "the table on the Start page")
    data, pag = window.page(DataPage), window.page(PagPage)
    drop(window, data.table.viewport(), second)
    wait(lambda: document.dataset is not None and document.dataset.names[-1] == "warm", "the table on the list")
    drop(window, data.filter.name, first)
    wait(lambda: document.dataset is not None and document.dataset.names[-1] == "cold", "the table on a field")
    assert data.filter.name.text() == ""
    drop(window, data.table.viewport(), second)
    wait(lambda: document.dataset is not None and document.dataset.names[-1] == "warm", "the second table again")
    window.show_page("PAG")
    wait(pag.isVisible, "the PAG page")
    drop(window, pag.canvas, graph)
    wait(lambda: document.pag is not None and document.pag.n_edges == 1, "the graph on the empty page")
    wait(lambda: not pag.layouts.is_running, "the layout")
    graph.write_text(
        "Graph Nodes:\nrain;wet;warm\n\nGraph Edges:\n1. rain --> wet\n2. warm --> wet\n", encoding="utf-8"
    )
    drop(window, pag.canvas.view.viewport(), graph)
    wait(lambda: document.pag is not None and document.pag.n_edges == 2, "the graph on the drawing")
    assert window.problems.messages == [], window.problems.messages
    pag.stop()
    window.close_at_once()
    sys.stdout.write("done\n")
    return 0


if __name__ == "__main__":
    act(main)
