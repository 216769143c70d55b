"""The row above the drawing of a PAG: which PAG, its tools, and a field to find a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton

from latconf_gui.drawing.layout.graphviz_layout import ENGINES
from latconf_gui.pages.pag import actions as pag_actions
from latconf_gui.widgets.actions import Actions, ShortToolBar, ToolBar
from latconf_gui.widgets.text import SPACE

FIRST_ACTIONS = 2  # Fit and Layout are never in the bar's own menu

if TYPE_CHECKING:
    from latconf_gui.pages.pag.pag_page import PagPage


def make_tool_row(page: PagPage) -> QHBoxLayout:
    """What is used most comes first: where there is no room, the last ones go into the bar's own menu."""
    bar = ShortToolBar("PAG toolbar", n_first=FIRST_ACTIONS)
    bar.setStyleSheet("QToolBar { border: none; }")
    bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    actions = page.context.actions
    bar.addAction(actions["pag.fit"])
    _add_layouts(page, bar)
    for id in pag_actions.TOOLBAR:
        if id is None:
            bar.addSeparator()
        else:
            bar.addAction(actions[id])
    _add_marks(page, bar)
    row = QHBoxLayout()
    row.setContentsMargins(SPACE // 2, 0, SPACE // 2, 0)
    row.addWidget(page.pag_box)
    row.addWidget(bar, 1)
    row.addWidget(page.commands.search)
    return row


def _add_layouts(page: PagPage, bar: ToolBar) -> None:
    """A menu of layouts, as an action, so that a bar without room for it offers it in its menu."""
    actions = page.context.actions
    menu = QMenu("Layout", page)
    menu.addActions([actions[f"pag.layout.{engine}"] for engine in ENGINES])
    lay_out = menu.menuAction()
    _follow_layouts(actions, lay_out)
    actions["pag.layout.dot"].changed.connect(lambda: _follow_layouts(actions, lay_out))
    bar.addAction(lay_out)
    button = bar.widgetForAction(lay_out)
    assert isinstance(button, QToolButton)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)


def _add_marks(page: PagPage, bar: ToolBar) -> None:
    """The marks of an edge that is drawn, in a menu of the button that draws."""
    button = bar.widgetForAction(page.context.actions["pag.draw"])
    assert isinstance(button, QToolButton)
    menu = QMenu(button)
    menu.addActions([page.context.actions[id] for id in pag_actions.DRAW_AS])
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)


def _follow_layouts(actions: Actions, lay_out: QAction) -> None:
    """Offer the menu of layouts when its first one can be used; else say why not."""
    obstacle = actions.obstacle("pag.layout.dot")
    lay_out.setEnabled(not obstacle)
    lay_out.setToolTip("\n".join(filter(None, ("Redo layout", obstacle))))
