"""The commands of the PAG page, and when each can be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from latconf_core.graph.marks import Mark
from latconf_core.pag.standing import Kind
from latconf_gui.application.document import PRESENTING
from latconf_gui.drawing.layout.graphviz_layout import ENGINES, SMALL_GRAPH, SMALL_ONLY, Engine
from latconf_gui.pages.knowledge.knowledge_command import EDIT
from latconf_gui.pages.presenting import PRESENT

if TYPE_CHECKING:
    from latconf_gui.pages.pag.pag_page import PagPage

LAYOUT_TEXTS: dict[Engine, str] = {
    "dot": "layered (dot)",
    "neato": "springs (neato)",
    "sfdp": "springs, large graphs (sfdp)",
    "fdp": "forces (fdp)",
    "circo": "circular (circo)",
}
STEP = 10.0  # scene units that Alt and an arrow key move a node
NUDGES = {"left": (-STEP, 0.0), "right": (STEP, 0.0), "up": (0.0, -STEP), "down": (0.0, STEP)}
MARK_KEYS = ((Mark.CIRCLE, "circle", "1"), (Mark.ARROW, "arrowhead", "2"), (Mark.TAIL, "tail", "3"))

MENU: tuple[str | None, ...] = (
    "pag.learn",
    EDIT,
    "pag.import",
    "pag.new",
    "pag.manage",
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
    "pag.why",
    "pag.separation",
    "pag.given",
    "pag.stability",
    None,
    "pag.visible",
    "pag.shares",
    *(f"pag.layout.{engine}" for engine in ENGINES),
    "pag.fit",
    "pag.zoom_in",
    "pag.zoom_out",
    "pag.find",
    "pag.neighbourhood",
    "pag.whole",
    None,
    "pag.compare",
    "pag.export",
    "pag.picture",
)
EDGE_MENU: tuple[str | None, ...] = (
    "pag.why",
    None,
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
    "pag.neighbourhood",
    "pag.why",
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
    "pag.whole",
    "pag.fit",
    "pag.layout.dot",
    "pag.layout.neato",
    None,
    "pag.compare",
)
TOOLBAR: tuple[str | None, ...] = (  # after Fit and Lay out
    "pag.draw",
    None,
    "pag.import",
    "pag.export",
    "pag.picture",
    PRESENT,
)
NEW_EDGES = {  # the marks of an edge that is drawn, and what they say
    "o-o": (Mark.CIRCLE, Mark.CIRCLE, "undecided"),
    "o->": (Mark.CIRCLE, Mark.ARROW, "the second is not a cause of the first"),
    "-->": (Mark.TAIL, Mark.ARROW, "the first is a cause of the second"),
    "<->": (Mark.ARROW, Mark.ARROW, "a hidden cause"),
}
DRAW_AS = tuple(f"pag.draw_as.{arrow}" for arrow in NEW_EDGES)
VIEW_MENU = ("pag.visible", "pag.shares")
SHORT_TEXTS = {  # on the toolbar
    "pag.import": "Import…",
    "pag.export": "Export…",
    "pag.picture": "Picture…",
    "pag.draw": "Draw o-o",
    "pag.repair": "Repair…",
}
NO_GRAPH = "There is no graph yet: learn, import or draw one first."
LEARNING = "A PAG is being learned: wait until it finishes, or cancel it."
DATA_NODES = "The nodes are the variables of the data: change them on the Data page."
REPAIR = ("&Repair the PAG…", "Preview the nearest valid PAG")
TAKE_BACK = (
    "Show the PAG without &knowledge…",
    "Preview the PAG without your background knowledge",
)
PAG_OF_MAG = ("Show the PAG of this &MAG…", "Preview the PAG of this MAG")
EDITING = (
    *(
        "pag.learn",
        "pag.import",
        "pag.new",
        "pag.manage",
        "pag.repair",
        "pag.draw",
        *DRAW_AS,
        "pag.delete",
        "pag.add_node",
        "pag.rename_node",
    ),
    *("pag.add_edge", "pag.circle", "pag.arrowhead", "pag.tail", "pag.cycle", "pag.reverse"),
    *(f"pag.move_{way}" for way in NUDGES),
    *(f"pag.layout.{engine}" for engine in ENGINES),
)


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
    actions.add(
        "pag.new", "&Draw a new PAG", slot=page.start_drawing, tip="Start with a graph without edges, and draw them"
    )
    actions.add(
        "pag.manage",
        "Rename or delete P&AGs…",
        slot=page.manage_pags,
        tip="List all PAGs, to rename or delete them",
    )
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
    tip = "Compare this graph with others on the Compare page"
    actions.add("pag.compare", "Add to &Compare", slot=page.add_to_compare, tip=tip)
    actions.add("pag.repair", REPAIR[0], slot=page.legality.ask_repair, tip=REPAIR[1])


def _add_editing(page: PagPage) -> None:
    do = page.commands
    for mark, name, key in MARK_KEYS:
        an = "an" if name[0] == "a" else "a"
        tip = f"Put {an} {name} at the selected end of each selected edge"
        _add(
            page,
            f"pag.{name}",
            f"{name.capitalize()} here",
            lambda mark=mark: do.set_mark(mark),
            key,
            tip=tip,
        )
    _add(page, "pag.cycle", "Next mark here", do.cycle_mark, "Space", tip="Cycle through circle, arrowhead and tail")
    _add(
        page,
        "pag.other_end",
        "Other end of the edge",
        do.go_to_other_end,
        "X",
        tip="Select the mark at the other end",
    )
    _add(page, "pag.reverse", "Reverse the edge", do.reverse, "R", tip="Swap the marks at the two ends")
    tip = "Delete the selected edges or nodes"
    _add(page, "pag.delete", "Delete", do.delete_selected, QKeySequence.StandardKey.Delete, tip=tip)
    _add(page, "pag.add_edge", "Add edge", do.join_selected, "E", tip="Add an edge between the two selected nodes")
    _add(page, "pag.add_node", "Add a node…", do.ask_node, "N", tip="Draw a new node in the middle of the view")
    _add(page, "pag.rename_node", "Rename the node…", do.ask_name, "F2", tip="Rename the selected node")
    _add_drawing(page)
    for way, step in NUDGES.items():
        text = f"Move the nodes {way}"
        _add(page, f"pag.move_{way}", text, lambda step=step: do.nudge(*step), f"Alt+{way.capitalize()}")


def _add_drawing(page: PagPage) -> None:
    """The mode in which a drag draws an edge, and with which marks."""
    do = page.commands
    tip = "Drag from node to node to add an edge, with the marks chosen beside it"
    draw = _add(page, "pag.draw", "Draw edges", do.set_drawing, "D", tip=tip, checkable=True)
    marks = QActionGroup(page)
    for arrow, (first, second, meaning) in NEW_EDGES.items():

        def choose(is_chosen: bool, ends: tuple[Mark, Mark] = (first, second)) -> None:
            if is_chosen:
                do.draw_as(ends)

        text = f"Draw edges {arrow}: {meaning}"
        marks.addAction(page.context.actions.add(f"pag.draw_as.{arrow}", text, slot=choose, checkable=True))
    page.context.actions["pag.draw_as.o-o"].setChecked(True)
    draw.setChecked(False)


def _add_looking(page: PagPage) -> None:
    view, do = page.canvas.view, page.commands
    tip = "Show the test or rule that set the selected mark, or that removed the edge between two selected nodes"
    _add(page, "pag.why", "&Why this mark?", page.explanation.ask, "W", tip=tip)
    _add(
        page,
        "pag.visible",
        "Show &visible edges",
        lambda shows: page.canvas.set_shows_visible(shows, page.document.pag),
        "V",
        tip="Draw arrows that exclude a hidden common cause thicker",
        checkable=True,
    )
    _add(
        page,
        "pag.separation",
        "Check separation",
        do.ask_separation,
        "S",
        tip="Check whether the two selected nodes are separated",
    )
    _add(
        page,
        "pag.given",
        "Toggle conditioning",
        do.toggle_given,
        "G",
        tip="Condition on the selected nodes in separation queries, or stop doing so",
    )
    for engine in ENGINES:
        tip = f"Redo the layout: {LAYOUT_TEXTS[engine]}"
        text = f"Layout: {LAYOUT_TEXTS[engine]}"
        _add(page, f"pag.layout.{engine}", text, lambda engine=engine: page.lay_out(engine), None, tip=tip)
    _add(page, "pag.fit", "Fit", view.show_all, "0", tip="Show the whole graph")
    _add(page, "pag.zoom_in", "Zoom in", view.zoom_in, "+")
    _add(page, "pag.zoom_out", "Zoom out", view.zoom_out, "-")
    _add(page, "pag.next_edge", "Next edge", lambda: do.step_edge(1), ".")
    _add(page, "pag.previous_edge", "Previous edge", lambda: do.step_edge(-1), ",")
    page.context.actions.add(
        "pag.find", "Find a node", slot=do.search.start, shortcut=QKeySequence.StandardKey.Find, while_shown=page
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
    actions = page.context.actions
    _describe_repair(page)
    for id, obstacle in _obstacles(page).items():
        actions.allow(id, PRESENTING if page.commands.is_presenting and id in EDITING else obstacle)


def _describe_repair(page: PagPage) -> None:
    texts = {Kind.MAG: PAG_OF_MAG, Kind.PAG_WITH_KNOWLEDGE: TAKE_BACK}
    text, tip = REPAIR if page.legality.kind is None else texts.get(page.legality.kind, REPAIR)
    page.context.actions.describe("pag.repair", text, tip=tip)
    page.context.actions["pag.repair"].setIconText("Show its PAG…" if text == PAG_OF_MAG[0] else "Repair…")


def _obstacles(page: PagPage) -> dict[str, str]:
    """What stands in the way of each command, "" where it can be used."""
    graph = page.document.pag
    pairs, nodes = page.canvas.scene.selected_pairs(), page.canvas.scene.selected_nodes()
    no_graph = "" if graph is not None else NO_GRAPH
    no_edge = no_graph or ("" if pairs else "First select an edge: click it or its row in the edge table.")
    no_node = no_graph or ("" if nodes else "First select a node: click it.")
    no_pair = no_graph or ("" if len(nodes) == 2 else "First select two nodes: click one, then Ctrl-click the other.")
    no_own_nodes = "" if page.editor.has_own_nodes else DATA_NODES
    nothing_to_repair = "This is a valid PAG; there is nothing to repair." if page.legality.kind == Kind.PAG else ""
    return {
        PRESENT: LEARNING if page.is_learning else "",
        "pag.import": "",
        "pag.new": "",
        "pag.manage": "" if page.document.state.pags else NO_GRAPH,
        **dict.fromkeys(
            ("pag.export", "pag.picture", "pag.compare", "pag.draw", *DRAW_AS, "pag.fit", "pag.find"), no_graph
        ),
        "pag.visible": no_graph,
        "pag.why": no_graph or page.run.why_not() or _nothing_to_ask(page),
        "pag.repair": no_graph or nothing_to_repair,
        "pag.delete": "" if pairs else no_node or no_own_nodes,
        "pag.add_node": no_own_nodes,
        "pag.rename_node": no_own_nodes or no_graph or ("" if len(nodes) == 1 else "First select one node: click it."),
        **dict.fromkeys(("pag.add_edge", "pag.separation"), no_pair),
        "pag.given": no_node,
        **{f"pag.{name}": no_edge for name in ("circle", "arrowhead", "tail", "cycle", "reverse", "other_end")},
        **{f"pag.move_{way}": no_node for way in NUDGES},
        **{f"pag.layout.{engine}": no_graph or _too_large(page, engine) for engine in ENGINES},
    }


def _nothing_to_ask(page: PagPage) -> str:
    """Why no reason can be asked for what is selected, or ""."""
    pairs, nodes = page.canvas.scene.selected_pairs(), page.canvas.scene.selected_nodes()
    graph = page.document.pag
    is_pair = graph is not None and len(nodes) == 2 and not graph.is_adjacent(nodes[0], nodes[1])
    return "" if len(pairs) == 1 or is_pair else "First select a mark, or two nodes without an edge."


def _too_large(page: PagPage, engine: Engine) -> str:
    graph = page.document.pag
    if graph is None or engine not in SMALL_ONLY or len(graph.nodes) <= SMALL_GRAPH:
        return ""
    return f"The graph has more than {SMALL_GRAPH} nodes, too many for this layout: choose another."
