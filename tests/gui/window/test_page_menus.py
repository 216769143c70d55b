"""What menus, the command palette and Undo act on is what is seen."""

from __future__ import annotations

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from support.model_acts import settle, state_with_result

from latconf_gui.pages.data.data_page import DataPage
from latconf_gui.pages.learn.hide.hide_it import HideIt
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.window.command_palette import CommandPalette
from latconf_gui.window.main_window import MainWindow


def offered(window: MainWindow) -> list[list[QAction]]:
    """The commands of each menu that is there."""
    menus = [action.menu() for action in window.menuBar().actions() if action.isVisible()]
    return [
        [action for action in menu.actions() if not action.isSeparator()] for menu in menus if isinstance(menu, QMenu)
    ]


def open_result(window: MainWindow, qtbot: QtBot) -> None:
    window.load_pages()
    window.document.open_state(state_with_result(), "Open")
    settle(window.page(ModelPage), qtbot)


def test_that_menus_have_only_commands_of_the_page_that_is_shown(window: MainWindow, qtbot: QtBot) -> None:
    open_result(window, qtbot)
    pages = {page.title.lower(): page for page in window.pages}
    for page in window.pages:
        window.show_page(page.title)
        for commands in offered(window):
            names = [action.text() for action in commands]
            assert len(set(map(id, commands))) == len(commands)
            assert len(set(names)) == len(names), names
            of_pages = {action.objectName().partition(".")[0] for action in commands} & pages.keys()
            assert of_pages <= {page.title.lower()}


def test_that_find_is_of_the_page_that_is_shown_wherever_the_focus_is(window: MainWindow, qtbot: QtBot) -> None:
    open_result(window, qtbot)
    window.activateWindow()
    fields = {
        "Data": window.page(DataPage).filter.name,
        "PAG": window.page(PagPage).commands.search,
        "Model": window.page(ModelPage).part_bar.finder,
    }
    for title, field in fields.items():
        window.show_page(title)
        window.setFocus()
        QTest.keySequence(window, QKeySequence.StandardKey.Find)
        assert QApplication.focusWidget() is field, title


def test_that_the_palette_shows_the_page_whose_command_it_gives(window: MainWindow, qtbot: QtBot) -> None:
    open_result(window, qtbot)
    window.show_page("PAG")
    window.page(PagPage).canvas.scene.select_edge("A", "B")
    window.show_page("Model")
    palette = window.findChild(CommandPalette)
    assert isinstance(palette, CommandPalette)
    palette.open()
    palette.field.setText(window.actions_by_id["pag.delete"].text().replace("&", ""))
    palette.field.returnPressed.emit()
    assert window.current_page.title == "PAG"


def test_that_undo_takes_back_what_was_drawn_on_the_page_that_is_shown(window: MainWindow, qtbot: QtBot) -> None:
    open_result(window, qtbot)
    before = window.document.state.runs
    learn = window.page(LearnPage)
    window.show_page(learn.title)
    activity = learn.open_activity("hide")
    assert isinstance(activity, HideIt)
    drawn = activity.dag
    undo = window.actions_by_id["edit.undo"]
    assert not undo.isEnabled()
    activity.toggle("Ability")
    assert undo.isEnabled()
    undo.trigger()
    assert activity.dag == drawn
    assert window.document.state.runs is before
    redo = window.actions_by_id["edit.redo"]
    assert redo.isEnabled()
    redo.trigger()
    assert "Ability" in activity.dag.hidden
    window.show_page("Model")
    undo.trigger()
    assert not window.document.state.runs  # the document's own step
