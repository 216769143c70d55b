"""The commands of the window itself, and the menus and toolbar that show them with those of the pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QActionGroup, QDesktopServices, QKeySequence
from PySide6.QtWidgets import QMenu, QMessageBox

from latconf_gui.application.document import PRESENTING
from latconf_gui.application.settings import TEXT_STEP, ColourScheme
from latconf_gui.pages.catalogue import PAGES
from latconf_gui.pages.knowledge.knowledge_command import KnowledgeCommand
from latconf_gui.pages.presenting import PRESENT, add_presentation_command
from latconf_gui.widgets.actions import ToolBar
from latconf_gui.window.command_palette import CommandPalette
from latconf_gui.window.full_screen import COMMAND as FULL_SCREEN
from latconf_gui.window.full_screen import FullScreen
from latconf_gui.window.log import log_folder
from latconf_gui.window.options_dialog import OptionsDialog
from latconf_gui.window.page_menus import PageMenus

if TYPE_CHECKING:
    from latconf_gui.window.main_window import MainWindow

Key = QKeySequence.StandardKey
SAID_MILLISECONDS = 5000  # that the status bar says what was taken back
SCHEMES: tuple[tuple[ColourScheme, str], ...] = (
    ("system", "&System colours"),
    ("light", "&Light colours"),
    ("dark", "&Dark colours"),
)


def add_commands(window: MainWindow) -> None:
    """Register what does not belong to one page."""
    _add_open_commands(window)
    _add_save_commands(window)
    _add_edit_commands(window)
    _add_view_commands(window)
    _add_help_commands(window)


def _add_open_commands(window: MainWindow) -> None:
    actions = window.actions_by_id
    actions.add(
        "file.new",
        "&New",
        slot=lambda: window.opener.close_document("New document"),
        shortcut=Key.New,
        tip="Close everything and start fresh; you are asked about unsaved work",
    )
    actions.add(
        "file.open",
        "&Open…",
        slot=lambda: window.opener.ask(),
        shortcut=Key.Open,
        tip="Open a project, a table of data or a graph",
        icon_name="open",
    )
    actions.add("file.forget_recent", "Clear recent files", slot=window.opener.recent.forget)


def _add_save_commands(window: MainWindow) -> None:
    actions = window.actions_by_id
    actions.add(
        "file.save",
        "&Save",
        slot=lambda: window.project.save(),
        shortcut=Key.Save,
        tip="Save data, PAG and results as a project",
        icon_name="save",
    )
    actions.add(
        "file.save_as",
        "Save &as…",
        slot=lambda: window.project.ask_path(),
        shortcut="Ctrl+Shift+S",
        tip="Save the project under another name",
    )
    actions.add(
        "file.close",
        "&Close",
        slot=lambda: window.opener.close_document(f"Close {window.document.title}"),
        shortcut="Ctrl+W",
        tip="Close the open document; you are asked about unsaved work",
    )
    actions["file.close"].setEnabled(False)
    window.document.file_changed.connect(lambda: actions["file.close"].setEnabled(window.document.has_content))
    actions.add("file.quit", "&Quit", slot=window.close, shortcut="Ctrl+Q", tip="Close the window")


def _add_edit_commands(window: MainWindow) -> None:
    actions, document = window.actions_by_id, window.document
    actions.add("edit.undo", "&Undo", slot=lambda: _undo(window), shortcut=Key.Undo, icon_name="undo")
    redo = actions.add("edit.redo", "&Redo", slot=lambda: _redo(window), icon_name="redo")
    redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
    for changed in (document.hold_changed, document.presenting_changed):
        changed.connect(lambda: show_undo(window))
    document.undo_stack.indexChanged.connect(lambda: show_undo(window))
    show_undo(window)
    palette = CommandPalette(actions, window, show_page=window.show_page)
    actions.add(
        "edit.commands",
        "&Commands…",
        slot=palette.open,
        shortcut="Ctrl+Shift+P",
        tip="Find a command by typing part of its name",
        icon_name="palette",
    )
    actions.add(
        "edit.options",
        "Opt&ions…",
        slot=lambda: OptionsDialog(window.settings, window).open(),
        shortcut=Key.Preferences,
        tip="Choose where searches run: on this computer or on a cluster",
        icon_name="settings",
    )
    report = window.problems.report
    window.knowledge = KnowledgeCommand(actions, document, window.settings, report=report, window=window)
    actions.add("run.cancel", "Cancel the running task", slot=window.runs.cancel_current, icon_name="cancel")
    actions["run.cancel"].setEnabled(False)
    window.runs.changed.connect(lambda: actions["run.cancel"].setEnabled(window.runs.current is not None))


def _undo(window: MainWindow) -> None:
    """Take a step back and say which: one of the drawing that the page shows, or of the document."""
    steps = window.current_page.undo_steps()
    if steps is not None:
        steps.undo()
        return
    stack = window.document.undo_stack
    text = stack.undoText()
    if stack.undo():
        window.statusBar().showMessage(f"Undone: {text}.", SAID_MILLISECONDS)


def _redo(window: MainWindow) -> None:
    """Take a step again and say which."""
    steps = window.current_page.undo_steps()
    if steps is not None:
        steps.redo()
        return
    stack = window.document.undo_stack
    text = stack.redoText()
    if stack.redo():
        window.statusBar().showMessage(f"Redone: {text}.", SAID_MILLISECONDS)


def show_undo(window: MainWindow) -> None:
    """What a search works on cannot be undone under it, and that is said; a step made during the search can."""
    actions, document, stack = window.actions_by_id, window.document, window.document.undo_stack
    held = PRESENTING if document.is_presenting else document.held_reason
    steps = window.current_page.undo_steps() if window.pages else None
    if steps is not None:
        for id, word, can in (("edit.undo", "Undo", steps.can_undo), ("edit.redo", "Redo", steps.can_redo)):
            actions.describe(id, f"&{word} in the drawing", tip=f"{word} the last change of this drawing")
            actions[id].setEnabled(can)
        return
    for id, word, text, is_possible in (
        ("edit.undo", "Undo", stack.undoText(), stack.canUndo()),
        ("edit.redo", "Redo", stack.redoText(), stack.canRedo()),
    ):
        said = f"{word} {text}".strip()
        actions[id].setText(f"&{said.replace('&', '&&')}")
        actions[id].setEnabled(is_possible)
        actions[id].setStatusTip(held if held and text and not is_possible else said)
        actions[id].setToolTip(actions[id].statusTip())


def _add_view_commands(window: MainWindow) -> None:
    actions, theme, settings = window.actions_by_id, window.theme, window.settings
    group = QActionGroup(window)
    for scheme, text in SCHEMES:
        action = actions.add(f"view.{scheme}", text, checkable=True)
        action.setChecked(settings.colour_scheme == scheme)
        action.triggered.connect(lambda _on, chosen=scheme: theme.set_colour_scheme(chosen))
        group.addAction(action)
    sizes = (
        ("view.larger", "&Larger text", Key.ZoomIn, TEXT_STEP, "text-larger"),
        ("view.smaller", "&Smaller text", Key.ZoomOut, -TEXT_STEP, "text-smaller"),
    )
    for id, text, key, step, picture in sizes:
        actions.add(
            id,
            text,
            slot=lambda step=step: theme.set_text_percent(settings.text_percent + step),
            shortcut=key,
            icon_name=picture,
        )
    actions.add("view.normal", "&Normal text", slot=lambda: theme.set_text_percent(100), shortcut="Ctrl+0")
    actions.add(
        "view.projector",
        "Pro&jector mode",
        shortcut="F9",
        tip="Larger text and lines in black and white, for projection",
        checkable=True,
    ).setChecked(settings.is_projecting)
    actions["view.projector"].toggled.connect(theme.set_projecting)
    window.full_screen = FullScreen(window)
    window.full_screen.add_command(actions)
    add_presentation_command(actions, window.document)
    for id, dock in (("problems", window.problems), ("log", window.log_dock), ("inspector", window.inspector)):
        dock.toggleViewAction().setText(f"Show the &{id}")
        actions.adopt(f"view.{id}", dock.toggleViewAction())
    inspector = actions["view.inspector"]
    inspector.triggered.connect(lambda on: setattr(settings, "shows_inspector", on))


def _add_help_commands(window: MainWindow) -> None:
    actions = window.actions_by_id
    actions.add(
        "help.here",
        "&What is this?",
        slot=lambda: window.help.show_here(window.current_page.title),
        shortcut=Key.HelpContents,
        tip="Click anything to open the Help on it",
    )
    actions.add(
        "help.documentation",
        "&Documentation",
        slot=window.help.show_documentation,
        tip="Open the documentation in the Help",
    )
    actions.add(
        "help.keys",
        "&Keys",
        slot=window.help.show_keys,
        shortcut="Ctrl+F1",
        tip="List all keyboard shortcuts",
    )
    actions.add(
        "help.diagnostics",
        "&Copy diagnostics",
        slot=window.problems.copy_diagnostics,
        tip="Copy versions, problems and the latest log lines",
        icon_name="copy",
    )
    actions.add(
        "help.log_folder",
        "Open the &log folder",
        slot=lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_folder()))),
    )
    actions.add("help.about", "&About latconf", slot=lambda: _about(window))


def _about(window: MainWindow) -> None:
    from importlib.metadata import version

    box = QMessageBox(window)
    box.setWindowTitle("About latconf")
    box.setText(f"latconf {version('latconf')}")
    box.setInformativeText(
        "Finds hidden common causes in discrete data with the searches ILC-V and HCLC-V of Chobtham and "
        "Constantinou (PGM 2022)."
    )
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()


def add_page_commands(window: MainWindow) -> None:
    """One command per page: Alt+1, Alt+2, …"""
    for number, entry in enumerate(PAGES, start=1):
        window.actions_by_id.add(
            f"page.{entry.icon}",
            f"&{entry.title}",
            slot=lambda title=entry.title: window.show_page(title),
            shortcut=f"Alt+{number}",
            tip=f"Go to the {entry.title} page",
            icon_name=entry.icon,
        )


def fill_menus(window: MainWindow) -> None:
    """The menu bar and the toolbar."""
    bar = window.menuBar()
    file = _menu(window, "&File", ["file.new", "file.open"])
    recent = file.addMenu("Open &recent")
    recent.aboutToShow.connect(lambda: _fill_recent(window, recent))
    file.addSeparator()
    for id in ("file.save", "file.save_as", "file.close"):
        file.addAction(window.actions_by_id[id])
    file.addSeparator()
    file.addAction(window.actions_by_id["file.quit"])
    _menu(window, "&Edit", ["edit.undo", "edit.redo", None, "edit.commands", "run.cancel", None, "edit.options"])
    view = window.view_menu = _menu(window, "&View", [f"page.{entry.icon}" for entry in PAGES])
    view.addSeparator()
    colours = view.addMenu("&Colours")
    colours.addActions([window.actions_by_id[f"view.{scheme}"] for scheme, _ in SCHEMES])
    for id in ("view.larger", "view.smaller", "view.normal", "view.projector", FULL_SCREEN, PRESENT):
        view.addAction(window.actions_by_id[id])
    view.addSeparator()
    for id in ("view.inspector", "view.problems", "view.log"):
        view.addAction(window.actions_by_id[id])
    _menu(
        window,
        "&Help",
        [
            "help.here",
            "help.documentation",
            "help.keys",
            None,
            "help.diagnostics",
            "help.log_folder",
            None,
            "help.about",
        ],
    )
    bar.setNativeMenuBar(True)
    window.page_menus = PageMenus(bar, view, window.actions_by_id)
    _add_toolbar(window)


def _menu(window: MainWindow, title: str, ids: Sequence[str | None]) -> QMenu:
    menu = window.menuBar().addMenu(title)
    for id in ids:
        if id is None:
            menu.addSeparator()
        else:
            menu.addAction(window.actions_by_id[id])
    return menu


def _fill_recent(window: MainWindow, menu: QMenu) -> None:
    menu.clear()
    for path in window.opener.recent.paths:
        action = menu.addAction(path.name)
        action.setToolTip(str(path))
        action.triggered.connect(lambda _on=False, path=path: window.opener.open_path(path))
    if menu.isEmpty():
        menu.addAction("No recent files").setEnabled(False)
    else:
        menu.addSeparator()
        menu.addAction(window.actions_by_id["file.forget_recent"])


def _add_toolbar(window: MainWindow) -> None:
    bar = ToolBar("Main toolbar", window)
    bar.setObjectName("main_toolbar")
    bar.setMovable(False)
    for id in ("file.open", "file.save", None, "edit.undo", "edit.redo", None, "edit.commands"):
        if id is None:
            bar.addSeparator()
        else:
            bar.addAction(window.actions_by_id[id])
    window.addToolBar(bar)
