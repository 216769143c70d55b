"""Acts as a person at a real window from an example to a saved model, through the X server alone.

python tests/person_to_model.py FOLDER, under an X server; writes model.svg and work.latconf there, prints "done".
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QToolButton
from support.hands import act, answer_file_dialog, answer_scale_dialog, choose, click, focus, key, open_window, wait

from latconf_core.formats.examples import example_names
from latconf_core.formats.projects.project_file import read_project
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.page import Page
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.pages.start.start_page import StartPage
from latconf_gui.window.main_window import MainWindow


def go_to(window: MainWindow, page: Page) -> None:
    """Click a page on the rail."""
    click(window.rail.button(window.pages.index(page)))
    wait(page.isVisible, page.title)
    focus(window)


def button_with(page: Page, action: QAction) -> QToolButton:
    """The button whose menu has an action."""
    menus = {each: each.defaultAction().menu() for each in page.findChildren(QToolButton) if each.defaultAction()}
    return next(each for each, menu in menus.items() if isinstance(menu, QMenu) and action in menu.actions())


def search(window: MainWindow) -> SearchResult:
    """Run the search that the form proposes, and open one of its DAGs from the chart."""
    page = window.page(SearchPage)
    go_to(window, page)
    key("ctrl+r")
    wait(lambda: window.document.result is not None and not page.running.is_running, "the search", 120)
    result = window.document.result
    assert isinstance(result, SearchResult)
    chart = page.results.chart
    wait(lambda: chart.n_drawn == len(result.history), "every dot")
    click(chart, chart.place_of(0))
    wait(lambda: page.dag.shown is not None and not page.dag.is_busy, "the DAG of a dot")
    click(page.banner.model)
    return result


def read_a_cell(window: MainWindow, page: ModelPage, result: SearchResult) -> None:
    """Click a node, copy its table, and compare it with the core's."""
    wait(lambda: page.facts is not None and page.facts.is_complete and not page.is_busy, "the model", 120)
    view, dag, data = page.canvas.view, page.dag, window.document.dataset
    assert dag is not None
    assert data is not None
    click(view.viewport(), view.mapFromScene(page.canvas.scene.node_item("dysp").pos()))
    assert page.chosen == "dysp", "a click chooses a node"
    click(page.table.table.viewport(), QPoint(12, 12))
    key("ctrl+a", "ctrl+c")
    rows = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    table = Scorer(data, replace(result.options.vbem, seed=result.seed)).posterior(dag).cpts["dysp"].table
    n_parents = table.ndim - 1
    assert rows[1][n_parents:] == [f"{value:.4f}" for value in table.reshape(-1, table.shape[-1])[0]], rows


def main(folder: Path) -> int:
    window = open_window()
    examples = window.page(StartPage).examples
    item = examples.list.item(example_names().index("asia"))
    click(examples.list.viewport(), examples.list.visualItemRect(item).center())
    click(examples.open_button)
    wait(lambda: window.document.dataset is not None, "the data")
    pag = window.page(PagPage)
    go_to(window, pag)
    key("ctrl+l")
    wait(lambda: window.document.pag is not None and not pag.legality.is_busy, "the PAG", 120)
    result = search(window)
    page = window.page(ModelPage)
    wait(page.isVisible, "the Model page")
    read_a_cell(window, page, result)

    picture = window.actions_by_id["model.picture"]
    choose(button_with(page, picture), picture)
    answer_scale_dialog()
    answer_file_dialog(folder / "model.svg")
    wait((folder / "model.svg").exists, "the picture")
    focus(window)
    key("ctrl+s")
    answer_file_dialog(folder / "work.latconf")
    wait(lambda: not window.document.is_modified, "the project")
    saved = read_project(folder / "work.latconf")
    assert saved.pags[0].graph == window.document.pag
    assert saved.runs[0].result.history == result.history
    assert window.problems.messages == [], window.problems.messages
    focus(window)
    key("ctrl+q")
    wait(lambda: not window.isVisible(), "the window to close without a question")
    sys.stdout.write("done\n")
    return 0


if __name__ == "__main__":
    act(main)
