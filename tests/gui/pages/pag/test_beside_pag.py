"""What is said beside a PAG of the tests that it rests on, and the marks of an edge that is drawn."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QToolBar
from pytestqt.qtbot import QtBot
from support.builders import mixed, random_dataset
from support.pag_acts import Host, put_data, put_graph, settle

from latconf_core.wording.validity_sentences import validity_sentence
from latconf_core.wording.weak_test_sentences import weak_tests_sentence
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.window.main_window import MainWindow


def test_that_weak_tests_are_counted_beside_a_learned_pag_and_not_beside_one_of_other_data(
    qtbot: QtBot, host: Host
) -> None:
    page = host.page
    put_data(host, random_dataset(np.random.default_rng(5), 40, (4, 4, 4)))
    with qtbot.waitSignal(page.document.pag_changed, timeout=20_000):
        page.learn()
    qtbot.waitUntil(lambda: page.run.weak is not None and page.legality.kind is not None)
    weak = page.run.weak
    assert weak is not None
    assert len(weak.few_rows) == 3
    assert page.legality.text.text().endswith(weak_tests_sentence(weak))
    assert "B – A" in page.legality.text.toolTip()
    put_graph(qtbot, page, mixed("A o-> C", "B o-> C"))
    assert weak_tests_sentence(weak) not in page.legality.text.text()


def test_that_what_is_said_of_a_pag_stands_in_the_middle_of_its_bar(window: MainWindow, qtbot: QtBot) -> None:
    page = window.page(PagPage)
    bar, text = page.legality, page.legality.text
    window.show_page("PAG")
    for width in (1024, 1600, 1280):  # with other heights of the bar, while it is not seen
        window.resize(width, 800)
        QApplication.processEvents()
    window.document.set_pag(mixed("A o-> C", "B o-> C"), "Draw", origin="drawn")
    settle(qtbot, page)
    qtbot.waitUntil(lambda: bar.isVisible() and not bar.next.isVisible())
    QApplication.processEvents()
    middle = text.mapTo(bar, text.rect().center()).y()
    assert abs(middle - bar.height() / 2) <= 3


@pytest.mark.parametrize("size", [(1280, 800), (1024, 700)])
def test_that_fit_and_layout_are_on_the_toolbar_of_a_small_window(
    window: MainWindow, qtbot: QtBot, size: tuple[int, int]
) -> None:
    graph = mixed("A o-> C", "B o-> C")
    window.document.set_pag(graph, "Learn", origin="GFCI with the preset of the paper and a long name")
    window.show_page("PAG")
    window.resize(*size)
    bar = next(own for own in window.page(PagPage).findChildren(QToolBar) if own.windowTitle() == "PAG toolbar")
    actions = {
        text: next(action for action in bar.actions() if action.iconText() == text) for text in ("Fit", "Layout")
    }
    qtbot.waitUntil(lambda: abs(window.width() - size[0]) <= 1)
    for action in actions.values():
        button = bar.widgetForAction(action)
        qtbot.waitUntil(button.isVisible)
        assert button.geometry().right() <= bar.width()


def test_that_an_edge_is_drawn_with_the_marks_that_are_chosen(qtbot: QtBot, host: Host) -> None:
    page, actions = host.page, host.page.context.actions
    put_graph(qtbot, page, mixed("A o-o B", nodes=["A", "B", "C", "D"]))
    actions["pag.draw_as.-->"].trigger()
    assert actions["pag.draw"].isChecked()
    assert actions["pag.draw"].iconText() == "Draw -->"
    page.canvas.scene.edge_drawn.emit("B", "C")
    page.canvas.scene.select_nodes(["C", "D"])
    actions["pag.add_edge"].trigger()
    assert page.document.pag == mixed("A o-o B", "B --> C", "C --> D")
    actions["pag.draw_as.o-o"].trigger()
    actions["pag.draw"].setChecked(False)


def test_that_an_invalid_pag_says_what_a_search_does_with_it(qtbot: QtBot, host: Host) -> None:
    page = host.page
    put_graph(qtbot, page, mixed("A --> B", "B --> C", "C --> A", "C o-o D"))
    settle(qtbot, page)
    finding = page.legality.finding
    assert finding is not None
    assert finding.is_searched_as_given is False
    assert page.legality.text.text().replace("\u2060", "") == validity_sentence(
        finding.standing, is_searched_as_given=False
    )
