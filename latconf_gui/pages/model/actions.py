"""The commands of the Model page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QToolBar, QToolButton

from latconf_gui.pages.model.asking_mode import MENU as ASKING

if TYPE_CHECKING:
    from latconf_gui.pages.model.model_page import ModelPage

EXPORTS = ("model.export", "model.report", "model.graph", "model.picture", "model.table", "model.rows")
MENU: tuple[str | None, ...] = (
    "model.best",
    "model.layout",
    "model.fit",
    "model.determined",
    "model.find",
    "model.neighbourhood",
    "model.whole",
    "model.name",
    "model.compare",
    "model.stability",
    "model.shares",
    "model.chance",
    "model.cuts",
    "model.apply",
    None,
    *ASKING,
    None,
    *EXPORTS,
)
TOOLBAR = (
    "model.layout",
    "model.fit",
    "model.determined",
    "model.ask",
    "model.apply",
    "model.stability",
    "model.chance",
)
SHORTLY = {  # on the toolbar, which ends with Export in a window of 1280 pixels
    "model.layout": "Lay out",
    "model.determined": "Determined PAG",
    "model.ask": "Ask",
    "model.apply": "Apply",
    "model.chance": "Chance",
}
VIEW_MENU = ("model.determined", "model.shares")
EDITING = ("model.layout", "model.name")


def add_actions(page: ModelPage) -> None:
    """Register every command of the page; those for asking come with what asks."""
    add, files = page.context.actions.add, page.files
    add("model.best", "Show the &best DAG", slot=page.show_best)
    add(
        "model.layout",
        "&Redo layout",
        slot=page.places.lay_out,
        tip="Lay out in rows: hidden causes on top, arrows downwards",
    )
    add("model.fit", "&Fit", slot=page.canvas.view.show_all, tip="Show the whole DAG")
    find, key = page.part_bar.start_finding, QKeySequence.StandardKey.Find
    add("model.find", "Find a &node", slot=find, shortcut=key, while_shown=page)
    name = page.inspector().latent.name
    add("model.name", "&Name the hidden cause", slot=name.setFocus, tip="Name the selected hidden cause")
    tip = "Compare this DAG with others on the Compare page"
    add("model.compare", "Add to &Compare", slot=page.add_to_compare, tip=tip)
    tip = "Export the model with its tables (BIF, XDSL, …)"
    add("model.export", "Export &model…", slot=files.ask_model, tip=tip)
    tip = "Export the run as one HTML file: model, evidence, chart, data, methods"
    add("model.report", "Export &report…", slot=files.ask_report, tip=tip)
    tip = "Export only the DAG, in a graph format"
    add("model.graph", "Export &graph…", slot=files.ask_graph, tip=tip)
    tip = "Export the drawing with its legend (SVG, PDF, PNG)"
    add("model.picture", "Export &picture…", slot=lambda: files.ask_picture(page.canvas.scene), tip=tip)
    add("model.table", "Export &table…", slot=page.ask_table, tip="Export the table of the selected variable (CSV)")
    tip = "Export the selected latent's states per row"
    add("model.rows", "Export &states per row…", slot=page.ask_rows, tip=tip)
    for id, text in SHORTLY.items():
        page.context.actions[id].setIconText(text)


def add_exports(page: ModelPage, bar: QToolBar) -> QMenu:
    """The menu behind Export in the toolbar: everything that can be exported, the report too."""
    menu = QMenu("Export", page)
    menu.setToolTipsVisible(True)
    menu.addActions([page.context.actions[id] for id in EXPORTS])
    opener = menu.menuAction()  # an action, so that a bar without room for it offers it in its menu
    opener.setToolTip("Export the model, a report, the graph, a picture, a table or the states per row")
    bar.addAction(opener)
    button = bar.widgetForAction(opener)
    assert isinstance(button, QToolButton)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return menu
