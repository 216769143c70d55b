"""Acts as a person who compares graphs at a real window, by drags through the X server.

python -m support.person_comparing FOLDER, under an X server; writes work.latconf there, prints "done".
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QPoint
from support.compare_acts import names
from support.compare_hands import row_named, state_with_two_of_each
from support.hands import act, answer_file_dialog, click, drag_and_drop, focus, key, open_window, wait

from latconf_core.control import RunControl
from latconf_core.formats.projects.project_file import read_project
from latconf_core.formats.projects.project_state import save_state
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow


def drag_offer(page: ComparePage, name: str, *, to_picture: bool) -> None:
    """Drag a graph of the project to the list, or to where the pictures are."""
    offers, target = page.panel.offers, page.parts.stack if to_picture else page.panel.list.viewport()
    spot = offers.visualItemRect(row_named(offers, name)).center()
    drag_and_drop(offers.viewport(), spot, target, target.rect().center())


def drag_row(page: ComparePage, row: int, before: int) -> None:
    """Drag a graph of the list to the upper edge of another."""
    names_list = page.panel.list
    start, end = (names_list.visualRect(page.candidates.index(place)) for place in (row, before))
    drag_and_drop(names_list.viewport(), start.center(), names_list.viewport(), end.topLeft() + QPoint(30, 1))


def open_project(window: MainWindow, path: Path) -> None:
    list(save_state(state_with_two_of_each(), path, RunControl(), post=lambda _: None))
    click(window, QPoint(640, 770))
    key("ctrl+o")
    answer_file_dialog(path)
    wait(lambda: len(window.document.state.runs) == 2, "the project")
    focus(window)


def main(folder: Path) -> int:
    window = open_window()
    window.load_pages()
    open_project(window, folder / "work.latconf")
    page, search = window.page(ComparePage), window.page(SearchPage)
    button = window.rail.button(window.pages.index(page))
    click(button)
    wait(page.isVisible, "the Compare page")
    drag_offer(page, "FCI", to_picture=False)
    wait(lambda: names(page) == ["FCI"], "a graph dragged to the list")
    drag_offer(page, "GFCI", to_picture=True)
    wait(lambda: names(page) == ["FCI", "GFCI"], "a graph dragged to the picture")
    wait(lambda: not page.is_busy, "the comparison")
    drag_row(page, 1, 0)
    wait(lambda: names(page) == ["GFCI", "FCI"], "a row dragged upwards")

    click(window.rail.button(window.pages.index(search)))
    wait(search.isVisible, "the Search page")
    table = search.results.table
    wait(lambda: table.visits.rowCount() > 2, "the visits")
    spot = table.visualRect(table.visits.index(1, 0)).center()
    click(table.viewport(), spot)
    drag_and_drop(table.viewport(), spot, button, button.rect().center())
    wait(lambda: len(page.candidates) == 3, "a visit dragged to the rail")
    visit = page.candidates.items[2].item.source
    assert visit is not None
    assert visit.visit == table.visits.visit(1)

    focus(window)
    key("ctrl+z")
    wait(lambda: names(page) == ["GFCI", "FCI"], "undo")
    key("ctrl+s")
    wait(lambda: not window.document.is_modified, "the project")
    saved = read_project(folder / "work.latconf")
    assert [one.name for one in saved.compared] == ["GFCI", "FCI"]
    assert window.problems.messages == [], window.problems.messages
    page.stop()
    window.close_at_once()
    sys.stdout.write("done\n")
    return 0


if __name__ == "__main__":
    act(main)
