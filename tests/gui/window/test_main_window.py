from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMessageBox,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from latconf_core.control import Progress, RunControl
from latconf_gui.app import show_on_screen
from latconf_gui.application.settings import Settings
from latconf_gui.background.run_thread import RunThread
from latconf_gui.look.theme import Theme
from latconf_gui.pages.data.data_page import DataPage
from latconf_gui.pages.start.start_page import StartPage
from latconf_gui.window.command_palette import CommandPalette
from latconf_gui.window.exception_hooks import ExceptionHooks
from latconf_gui.window.main_window import MainWindow
from latconf_gui.window.status_bar import StatusBar


def drop(window: MainWindow, *paths: Path) -> None:
    """What Qt sends when files are dragged in and let go."""
    content = QMimeData()
    content.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(window.rect().center(), Qt.DropAction.CopyAction, content, buttons, keys)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    middle = QPointF(window.rect().center())
    QApplication.sendEvent(window, QDropEvent(middle, Qt.DropAction.CopyAction, content, buttons, keys))


def endless(control: RunControl) -> Iterator[object]:
    done = 0
    while True:
        control.checkpoint()
        time.sleep(0.005)
        done += 1
        yield Progress(done, 1000, "counting")


def test_that_the_first_start_shows_the_start_page_and_says_what_the_others_need(window: MainWindow) -> None:
    assert isinstance(window.stack.currentWidget(), StartPage)
    button = window.rail.button(1)
    assert not button.isEnabled()
    assert button.toolTip() == "Open a file or an example first"
    assert not window.problems.isVisible()
    assert not window.log_dock.isVisible()


def test_that_a_dropped_file_is_opened_and_remembered(window: MainWindow, small_csv: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.opener.opened):
        drop(window, small_csv)
    assert isinstance(window.stack.currentWidget(), DataPage)
    assert window.windowTitle() == "small.csv – latconf"
    assert window.settings.recent_files == [small_csv]
    start = window.page(StartPage)
    assert isinstance(start, StartPage)
    assert [button.accessibleName() for button in start.recent_buttons] == ["Open small.csv"]


def test_that_of_two_dropped_files_the_first_is_opened_and_that_is_said(
    window: MainWindow, small_csv: Path, qtbot: QtBot
) -> None:
    other = small_csv.with_name("other.csv")
    other.write_bytes(small_csv.read_bytes())
    with qtbot.waitSignal(window.opener.opened):
        drop(window, small_csv, other)
    assert window.document.name == "small.csv"
    assert "only small.csv is opened" in window.problems.messages[0].what


def test_that_a_broken_file_is_explained_and_nothing_open_is_lost(
    window: MainWindow, small_csv: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(window.opener.opened):
        window.opener.open_path(small_csv)
    state = window.document.state
    broken = small_csv.with_name("broken.csv")
    broken.write_text("a,b\n1,2\n1,2,3\n2,1\n", encoding="utf-8")
    with qtbot.waitSignal(window.problems.reported):
        drop(window, broken)
    assert window.document.state is state
    assert window.problems.isVisible()
    message = window.problems.messages[0]
    assert "broken.csv, line 3" in message.what
    assert message.where == "Opening broken.csv"
    assert message.remedy
    assert not message.details


@pytest.mark.parametrize(("name", "said"), [("gone.csv", "does not exist"), ("", "is a folder")])
def test_that_a_path_that_is_no_file_is_said(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, name: str, said: str
) -> None:
    with qtbot.waitSignal(window.problems.reported):
        window.opener.open_path(tmp_path / name)
    qtbot.waitUntil(lambda: not window.runs.texts)
    assert said in window.problems.messages[0].what


def test_that_opening_can_be_undone(window: MainWindow, small_csv: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.opener.opened):
        window.opener.open_path(small_csv)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.raw is None
    assert isinstance(window.stack.currentWidget(), StartPage)
    qtbot.keyClick(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert window.document.name == "small.csv"


def test_that_undo_and_redo_say_what_they_did_where_no_page_shows_it(
    window: MainWindow, small_csv: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(window.opener.opened):
        window.opener.open_path(small_csv)
    window.show_page("Lessons")
    window.actions_by_id["edit.undo"].trigger()
    assert window.statusBar().currentMessage() == f"Undone: Open {small_csv.name}."
    window.actions_by_id["edit.redo"].trigger()
    assert window.statusBar().currentMessage() == f"Redone: Open {small_csv.name}."


def test_that_the_window_is_no_larger_than_the_screen(window: MainWindow, qtbot: QtBot) -> None:
    room = window.screen().availableSize()
    window.hide()
    window.resize(room.width() + 200, room.height())
    show_on_screen(window)
    qtbot.waitUntil(lambda: window.isMaximized() and window.height() <= room.height())


def test_that_a_graph_file_becomes_the_pag_of_the_document(window: MainWindow, small_csv: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.opener.opened):
        window.opener.open_path(small_csv)
    graph = small_csv.with_name("pag.txt")
    graph.write_text("Graph Nodes:\nrain;sprinkler;wet\n\nGraph Edges:\n1. rain o-> wet\n", encoding="utf-8")
    with qtbot.waitSignal(window.opener.graph_opened):
        drop(window, graph)
    assert window.document.pag is not None
    assert [str(edge) for edge in window.document.pag.edges()] == ["rain o-> wet"]
    assert window.document.name == "small.csv"


def test_that_the_status_bar_follows_a_run_and_can_cancel_it(window: MainWindow, qtbot: QtBot) -> None:
    status = window.statusBar()
    thread = RunThread(endless)
    window.runs.start(thread, "Counting")
    qtbot.waitUntil(lambda: status.run.text() == "Counting · counting")
    assert status.progress.isVisible()
    assert 0 < status.progress.value() < 1000
    with qtbot.waitSignal(thread.ended):
        qtbot.mouseClick(status.cancel, Qt.MouseButton.LeftButton)
    assert status.run.text() == "Ready"
    assert not status.progress.isVisible()


def test_that_opening_a_million_rows_shows_progress_and_a_cancel_changes_nothing(
    window: MainWindow, small_csv: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(window.opener.opened):
        window.opener.open_path(small_csv)
    before, recent, bar = window.document.state, window.settings.recent_files, window.statusBar()
    assert isinstance(bar, StatusBar)
    path = tmp_path / "large.csv"
    path.write_text("a,b,c,d,e,f\n" + "yes,no,yes,no,yes,no\nno,no,yes,no,yes,yes\n" * 500_000)
    window.opener.open_path(path)
    qtbot.waitUntil(lambda: bar.progress.isVisible() and bar.cancel.isVisible())
    assert "large.csv" in bar.run.text()
    qtbot.mouseClick(bar.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.runs.texts)
    assert not bar.progress.isVisible()
    assert window.document.state is before
    assert window.settings.recent_files == recent
    assert window.problems.messages == []


def test_that_closing_during_a_run_asks_and_does_as_told(window: MainWindow, qtbot: QtBot) -> None:
    def answer(text: str) -> None:
        box = window.findChild(QMessageBox)
        assert box is not None
        assert box.text() == "Counting is still running."
        next(button for button in box.buttons() if button.text() == text).click()
        qtbot.waitUntil(lambda: window.findChild(QMessageBox) is None)

    window.runs.start(RunThread(endless), "Counting")
    assert not window.close()
    answer("Keep running")
    assert window.isVisible()
    assert window.runs.texts == ["Counting"]
    assert not window.close()
    answer("Stop and close")
    qtbot.waitUntil(lambda: not window.isVisible())


def test_that_the_command_palette_runs_what_is_typed(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_id["edit.commands"].trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    field = palette.field
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "dark col")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.settings.colour_scheme == "dark"
    assert QGuiApplication.palette().color(QPalette.ColorRole.Base).lightness() < 60


def test_that_commands_of_one_name_say_whose_they_are(window: MainWindow, qtbot: QtBot) -> None:
    window.load_pages()
    for action in window.actions_by_id:
        action.setEnabled(True)
    window.actions_by_id["edit.commands"].trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    texts = [palette.list.item(row).text() for row in range(palette.list.count())]
    assert {"Stability… (PAG)", "Stability… (Model)", "Quit"} <= set(texts)
    assert sorted(set(texts)) == sorted(texts)
    palette.field.setText("stability model")
    assert palette.list.item(0).text() == "Stability… (Model)"
    palette.close()


def test_that_colours_switch_live(window: MainWindow, qtbot: QtBot) -> None:
    def lightness() -> int:
        return window.palette().color(QPalette.ColorRole.Base).lightness()

    window.actions_by_id["view.dark"].trigger()
    qtbot.waitUntil(lambda: lightness() < 60)
    window.actions_by_id["view.light"].trigger()
    qtbot.waitUntil(lambda: lightness() > 200)


def test_that_text_grows_and_is_remembered(window: MainWindow) -> None:
    before = QApplication.font().pointSizeF()
    window.settings.text_percent = 190
    window.actions_by_id["view.larger"].trigger()
    assert QApplication.font().pointSizeF() == pytest.approx(2 * before)
    assert Settings().text_percent == 200
    window.actions_by_id["view.normal"].trigger()
    assert QApplication.font().pointSizeF() == pytest.approx(before)


def test_that_size_and_inspector_are_remembered(
    window: MainWindow, qapp: QApplication, own_settings: Settings, qtbot: QtBot
) -> None:
    window.resize(790, 620)  # Qt's offscreen screen is 800 pixels wide
    size = window.size()
    own_settings.shows_inspector = False
    window.close()
    again = MainWindow(own_settings, Theme(qapp, own_settings))
    assert again.size() == size
    assert not own_settings.shows_inspector
    again.close()
    again.deleteLater()


def test_that_an_exception_nobody_caught_is_shown_and_the_program_goes_on(window: MainWindow, qtbot: QtBot) -> None:
    hooks = ExceptionHooks(window)
    hooks.caught.connect(window.problems.report)
    try:
        raise KeyError("positions")
    except KeyError as error:
        hooks.on_exception(KeyError, error)
    message = window.problems.messages[0]
    assert "Traceback" not in message.what
    assert "KeyError" in message.details
    fold = next(button for button in window.problems.findChildren(QToolButton) if button.text() == "Details")
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    window.actions_by_id["help.diagnostics"].trigger()
    copied = QGuiApplication.clipboard().text()
    assert "KeyError: 'positions'" in copied
    assert "PySide6-Essentials" in copied


def test_that_no_two_commands_of_the_window_share_a_key(window: MainWindow) -> None:
    seen: dict[str, str] = {}
    for action in window.actions_by_id:
        assert action.text()
        assert action.statusTip()
        is_of_page = action.parent() in window.pages  # and works while that is shown
        if is_of_page or action.shortcutContext() == Qt.ShortcutContext.WidgetWithChildrenShortcut:
            continue
        for key in action.shortcuts():
            assert key.toString() not in seen, f"{action.objectName()} and {seen.get(key.toString())}"
            seen[key.toString()] = action.objectName()


def is_named(widget: QWidget) -> bool:
    if isinstance(widget, QAbstractButton) and widget.text():
        return True
    return bool(widget.accessibleName() or (widget.window().findChildren(QWidget) and has_buddy(widget)))


def has_buddy(widget: QWidget) -> bool:
    from PySide6.QtWidgets import QLabel

    return any(label.buddy() is widget for label in widget.window().findChildren(QLabel))


def test_that_everything_that_takes_the_focus_has_a_name_for_a_screen_reader(
    window: MainWindow, open_text: Callable[[str], DataPage]
) -> None:
    open_text("rain,wet\n" + "yes,no\nno,yes\n" * 5)
    kinds = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit)
    ours = [each for page in (StartPage, DataPage) for each in window.page(page).findChildren(QWidget)]
    ours += window.page(DataPage).inspector().findChildren(QWidget)
    nameless = [
        each
        for each in ours
        if isinstance(each, kinds)
        and each.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not each.objectName().startswith("qt_")
        and not is_named(each)
    ]
    assert nameless == []


def test_that_tab_walks_from_the_rail_to_every_part_of_the_data_page(
    window: MainWindow, open_text: Callable[[str], DataPage], qtbot: QtBot
) -> None:
    page = open_text("rain,wet\n" + "yes,no\nno,yes\n" * 5)
    window.rail.button(0).setFocus()
    reached = set()
    for _ in range(40):
        focus = QApplication.focusWidget()
        assert focus is not None
        reached.add(focus)
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    wanted = {page.table, page.preview.table, page.reading.button, page.inspector().use, page.inspector().table}
    assert wanted <= reached
