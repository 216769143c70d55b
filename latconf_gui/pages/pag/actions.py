"""The commands of the PAG page, and when each can be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

from latconf_core.graph.marks import Mark
from latconf_gui.drawing.layout.graphviz_layout import ENGINES, SMALL_GRAPH, SMALL_ONLY, Engine

if TYPE_CHECKING:
    from latconf_gui.pages.pag.pag_page import PagPage

LAYOUT_TEXTS: dict[Engine, str] = {
    "dot": "causes above effects (dot)",
    "neato": "springs (neato)",
    "sfdp": "springs for large graphs (sfdp)",
    "fdp": "forces (fdp)",
    "circo": "circles (circo)",
}
STEP = 10.0  # scene units that Alt and an arrow key move a node
NUDGES = {"left": (-STEP, 0.0), "right": (STEP, 0.0), "up": (0.0, -STEP), "down": (0.0, STEP)}
MARK_KEYS = ((Mark.CIRCLE, "circle", "1"), (Mark.ARROW, "arrowhead", "2"), (Mark.TAIL, "tail", "3"))

MENU: tuple[str | None, ...] = (
    "pag.learn",
    "pag.import",
    "pag.new",
    None,
    "pag.add_node",
    "pag.rename_node",
    "pag.add_edge",
    "pag.draw",
    "pag.circle",
    "pag.arrowhead",
    "pag.tail",
    "pag.cycle",
    "pag.other_end",
    "pag.reverse",
    "pag.delete",
    None,
    "pag.repair",
    "pag.separation",
    "pag.given",
    None,
    *(f"pag.layout.{engine}" for engine in ENGINES),
    "pag.fit",
    "pag.zoom_in",
    "pag.zoom_out",
    "pag.find",
    None,
    "pag.export",
    "pag.picture",
)
EDGE_MENU: tuple[str | None, ...] = (
    "pag.circle",
    "pag.arrowhead",
    "pag.tail",
    None,
    "pag.other_end",
    "pag.reverse",
    None,
    "pag.delete",
)
NODE_MENU: tuple[str | None, ...] = (
    "pag.add_edge",
    "pag.separation",
    "pag.given",
    None,
    "pag.rename_node",
    "pag.delete",
)
GROUND_MENU: tuple[str | None, ...] = (
    "pag.add_node",
    "pag.draw",
    None,
    "pag.fit",
    "pag.layout.dot",
    "pag.layout.neato",
)
TOOLBAR: tuple[str | None, ...] = ("pag.import", "pag.export", "pag.picture", None, "pag.draw", "pag.fit")


SHORT_TEXTS = {"pag.import": "Import…", "pag.export": "Export…", "pag.picture": "Picture…"}  # on the toolbar


def add_actions(page: PagPage) -> None:
    """Register every command of the page."""
    _add_whole_graph(page)
    _add_editing(page)
    _add_looking(page)
    for id, text in SHORT_TEXTS.items():
        page.context.actions[id].setIconText(text)


def _add_whole_graph(page: PagPage) -> None:
    actions = page.context.actions
    actions.add("pag.learn", "&Learn the PAG", slot=page.learn, shortcut="Ctrl+L", tip="Learn a PAG from the data")
    actions.add(
        "pag.import", "&Import a graph…", slot=page.files.ask_import, shortcut="Ctrl+I", tip="Read a graph file"
    )
    actions.add("pag.new", "&Draw a new PAG", slot=page.start_drawing, tip="Start with a graph without edges")
    actions.add(
        "pag.export", "&Export the graph…", slot=page.files.ask_export, shortcut="Ctrl+E", tip="Write a graph file"
    )
    actions.add(
        "pag.picture",
        "Export a &picture…",
        slot=lambda: page.files.ask_picture(page.canvas.scene),
        shortcut="Ctrl+Shift+E",
        tip="Write the drawing as SVG, PDF or PNG",
    )
    actions.add("pag.repair", "&Repair the PAG…", slot=page.legality.ask_repair, tip="Show the nearest valid PAG first")


def _add_editing(page: PagPage) -> None:
    do = page.commands
    for mark, name, key in MARK_KEYS:
        an = "an" if name[0] == "a" else "a"
        tip = f"Put {an} {name} at the active end of the chosen edges"
        _add(
            page,
            f"pag.{name}",
            f"{name.capitalize()} here",
            lambda mark=mark: do.set_mark(mark),
            key,
            tip=tip,
        )
    _add(page, "pag.cycle", "Next mark here", do.cycle_mark, "Space", tip="Circle, arrowhead, tail, and again")
    _add(page, "pag.other_end", "Other end of the edge", do.go_to_other_end, "X")
    _add(page, "pag.reverse", "Reverse the edge", do.reverse, "R", tip="Swap the marks at the two ends")
    _add(page, "pag.delete", "Delete", do.delete_selected, QKeySequence.StandardKey.Delete)
    _add(
        page,
        "pag.add_edge",
        "Join the two nodes",
        do.join_selected,
        "E",
        tip="An edge between two chosen nodes",
    )
    _add(page, "pag.add_node", "Add a node…", do.ask_node, "N", tip="A new node, where there is no data")
    _add(page, "pag.rename_node", "Rename the node…", do.ask_name, "F2")
    draw = _add(page, "pag.draw", "Draw edges", do.set_drawing, "D", tip="Drag from node to node", checkable=True)
    draw.setChecked(False)
    for way, step in NUDGES.items():
        text = f"Move the nodes {way}"
        _add(page, f"pag.move_{way}", text, lambda step=step: do.nudge(*step), f"Alt+{way.capitalize()}")


def _add_looking(page: PagPage) -> None:
    view, do = page.canvas.view, page.commands
    _add(
        page,
        "pag.separation",
        "Are they separated?",
        do.ask_separation,
        "S",
        tip="Ask about two chosen nodes",
    )
    _add(
        page,
        "pag.given",
        "Hold fixed, or not",
        do.toggle_given,
        "G",
        tip="Put nodes into the conditioning set",
    )
    for engine in ENGINES:
        tip = f"Place every node anew: {LAYOUT_TEXTS[engine]}"
        text = f"Lay out: {LAYOUT_TEXTS[engine]}"
        _add(page, f"pag.layout.{engine}", text, lambda engine=engine: page.lay_out(engine), None, tip=tip)
    _add(page, "pag.fit", "Fit", view.fit, "0", tip="Show the whole graph")
    _add(page, "pag.zoom_in", "Zoom in", view.zoom_in, "+")
    _add(page, "pag.zoom_out", "Zoom out", view.zoom_out, "-")
    _add(page, "pag.next_edge", "Next edge", lambda: do.step_edge(1), ".")
    _add(page, "pag.previous_edge", "Previous edge", lambda: do.step_edge(-1), ",")
    page.context.actions.add(
        "pag.find", "Find a node", slot=do.start_finding, shortcut=QKeySequence.StandardKey.Find, within=page
    )


def _add(
    page: PagPage,
    id: str,
    text: str,
    slot: Callable[..., object],
    key: QKeySequence.StandardKey | str | None,
    *,
    tip: str = "",
    checkable: bool = False,
) -> QAction:
    """A command whose key works on the canvas and in the table of edges."""
    action = page.context.actions.add(
        id, text, slot=slot, shortcut=key, tip=tip, checkable=checkable, within=page.canvas.view
    )
    page.edges.table.addAction(action)
    return action


def show_enabled(page: PagPage) -> None:
    """Offer only what can be done now; what cannot says why in its tip."""
    actions, graph = page.context.actions, page.document.pag
    pairs, nodes = page.canvas.scene.selected_pairs(), page.canvas.scene.selected_nodes()
    has_graph, own_nodes = graph is not None, page.editor.has_own_nodes
    wanted = {
        "pag.learn": page.document.dataset is not None and not page.is_learning,
        "pag.export": has_graph,
        "pag.picture": has_graph,
        "pag.repair": has_graph,
        "pag.draw": has_graph,
        "pag.fit": has_graph,
        "pag.find": has_graph,
        "pag.delete": bool(pairs) or (bool(nodes) and own_nodes),
        "pag.add_node": own_nodes,
        "pag.rename_node": own_nodes and len(nodes) == 1,
        "pag.add_edge": len(nodes) == 2,
        "pag.separation": len(nodes) == 2,
        "pag.given": bool(nodes),
        **{f"pag.{name}": bool(pairs) for name in ("circle", "arrowhead", "tail", "cycle", "reverse", "other_end")},
        **{f"pag.move_{way}": bool(nodes) for way in NUDGES},
    }
    for engine in ENGINES:
        is_too_large = graph is not None and engine in SMALL_ONLY and len(graph.nodes) > SMALL_GRAPH
        wanted[f"pag.layout.{engine}"] = has_graph and not is_too_large
    for id, is_enabled in wanted.items():
        actions[id].setEnabled(is_enabled)
