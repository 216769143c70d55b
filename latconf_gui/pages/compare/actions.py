"""The commands of the Compare page, and when each can be used."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from latconf_gui.application.document import PRESENTING

if TYPE_CHECKING:
    from latconf_gui.pages.compare.compare_page import ComparePage

MENU: tuple[str | None, ...] = (
    "compare.file",
    "compare.rename",
    "compare.remove",
    "compare.reference",
    "compare.up",
    "compare.down",
    None,
    "compare.overlay",
    "compare.panes",
    "compare.matrix",
    None,
    "compare.flip",
    "compare.only",
    "compare.next_difference",
    "compare.previous_difference",
    "compare.next",
    "compare.previous",
    "compare.fit",
    None,
    "compare.picture",
    "compare.export_differences",
    "compare.export_numbers",
    "compare.export_matrix",
    "compare.copy",
    None,
    "compare.bench",
    "compare.bench_run",
    "compare.bench_stop",
    "compare.bench_export",
)
LIST_MENU: tuple[str | None, ...] = (
    "compare.reference",
    "compare.up",
    "compare.down",
    None,
    "compare.rename",
    "compare.remove",
)
TOOLBAR: tuple[str | None, ...] = ("compare.flip", "compare.only", "compare.fit", None, "compare.picture")
NOTHING = "Nothing is compared yet: add two graphs first."
NO_PAIR = "Add a second graph first: it is compared with the reference A."
NO_CHOICE = "First select a graph in the list."


def add_actions(page: ComparePage) -> None:
    """Register every command of the page."""
    _add_list_commands(page)
    _add_looking(page)
    _add_files(page)
    for id, text in (("compare.flip", "Flip A / B"), ("compare.picture", "Picture…")):
        page.context.actions[id].setIconText(text)


def _add_list_commands(page: ComparePage) -> None:
    add, names = page.context.actions.add, page.panel.list
    add("compare.file", "&Add a graph from a file…", slot=page.files.ask_graph, tip="Compare a graph or network file")
    add("compare.rename", "Re&name", slot=page.panel.rename, tip="Rename the selected graph (F2)")
    add(
        "compare.remove",
        "&Remove",
        slot=page.remove,
        shortcut=QKeySequence.StandardKey.Delete,
        tip="Remove the selected graph from the comparison",
        within=names,
    )
    tip = "Compare everything with the selected graph"
    add("compare.reference", "Make it the re&ference A", slot=page.make_reference, shortcut="R", tip=tip, within=names)
    add("compare.up", "Move &up", slot=lambda: page.move_candidate(-1), shortcut="Alt+Up", within=names)
    add("compare.down", "Move &down", slot=lambda: page.move_candidate(1), shortcut="Alt+Down", within=names)


def _add_looking(page: ComparePage) -> None:
    actions, tabs = page.context.actions, page.tabs
    for id, text, key, widget in (
        ("compare.overlay", "&Overlay", "1", page.overlay),
        ("compare.panes", "&Side by side", "2", page.panes),
        ("compare.matrix", "&Matrix", "3", page.matrix),
    ):
        actions.add(id, text, slot=lambda widget=widget: tabs.setCurrentWidget(widget), shortcut=key, within=page)
    for id, text, slot, key, tip in (
        (
            "compare.flip",
            "&Flip between both, A and B",
            page.flip,
            "Space",
            "Show both, only A or only B at the same positions",
        ),
        (
            "compare.next_difference",
            "Ne&xt difference",
            lambda: page.step_difference(1),
            "Right",
            "Go to the next difference",
        ),
        (
            "compare.previous_difference",
            "Pre&vious difference",
            lambda: page.step_difference(-1),
            "Left",
            "Go to the previous difference",
        ),
        ("compare.next", "Next graph", lambda: page.step_candidate(1), "Down", "Compare the next graph with A"),
        (
            "compare.previous",
            "Previous graph",
            lambda: page.step_candidate(-1),
            "Up",
            "Compare the previous graph with A",
        ),
    ):
        action = actions.add(id, text, slot=slot, shortcut=key, tip=tip, within=page.overlay)
        if key in ("Space", "Left", "Right"):
            page.panel.list.addAction(action)
    actions.add(
        "compare.only",
        "&Differences only",
        slot=page.overlay.show_differences_only,
        tip="Fade what both graphs share",
        checkable=True,
    )
    actions.add("compare.fit", "F&it", slot=page.fit, tip="Show all of the graphs")


def _add_files(page: ComparePage) -> None:
    add = page.context.actions.add
    tip = "Write the overlay with its legend and names (SVG, PDF, PNG)"
    add("compare.picture", "Export a &picture…", slot=page.ask_picture, tip=tip)
    for what in ("differences", "numbers", "matrix"):
        tip = f"Write the table of {what} as CSV, Markdown or LaTeX"
        slot = partial(page.export.ask_file, what)
        add(f"compare.export_{what}", f"Export the {what}…", slot=slot, tip=tip)
    add("compare.copy", "&Copy the table", slot=page.export.copy, tip="Copy the table below the drawing as Markdown")


def show_enabled(page: ComparePage) -> None:
    """Offer only what can be done now; what cannot says why in its tip."""
    actions, n_graphs, current = page.context.actions, len(page.candidates), page.panel.current
    no_choice = "" if current >= 0 else NO_CHOICE
    presenting = PRESENTING if page.document.is_presenting else ""
    no_pair = "" if n_graphs > 1 else NO_PAIR
    nothing = "" if n_graphs else NOTHING
    obstacles = {
        "compare.rename": presenting or no_choice,
        "compare.remove": presenting or no_choice,
        "compare.reference": no_choice or ("" if current > 0 else "It is already the reference."),
        "compare.up": no_choice or ("" if current > 0 else "It is already the first."),
        "compare.down": no_choice or ("" if current < n_graphs - 1 else "It is already the last."),
        **dict.fromkeys(("overlay", "panes", "matrix", "fit", "picture", "export_numbers", "copy"), nothing),
        **dict.fromkeys(("flip", "only", "next_difference", "previous_difference", "next", "previous"), no_pair),
        **dict.fromkeys(("export_differences", "export_matrix"), no_pair),
    }
    for id, obstacle in obstacles.items():
        actions.allow(id if id.startswith("compare.") else f"compare.{id}", obstacle)
