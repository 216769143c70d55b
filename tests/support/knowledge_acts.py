"""A person's hands on the editor of knowledge."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latconf_gui.pages.knowledge.hidden_model import HiddenColumn
from latconf_gui.pages.knowledge.knowledge_dialog import KnowledgeDialog
from latconf_gui.pages.knowledge.rules_model import RuleKind
from latconf_gui.pages.knowledge.tier_list import TierList
from latconf_gui.window.main_window import MainWindow

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def open_editor(qtbot: QtBot, window: MainWindow) -> KnowledgeDialog:
    """The editor as the command of the window opens it."""
    window.actions_by_id["knowledge.edit"].trigger()
    dialog = window.knowledge.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def use(dialog: KnowledgeDialog, qtbot: QtBot) -> None:
    """Press "Use this knowledge"."""
    with qtbot.waitSignal(dialog.finished):
        qtbot.mouseClick(dialog.use, LEFT)


def list_of(dialog: KnowledgeDialog, tier: int) -> TierList:
    """The list of a tier, counted from 0; NO_TIER for the variables in none."""
    column = dialog.board.column(tier)
    assert column is not None, f"there is no column for tier {tier}"
    return column.list


def listed(dialog: KnowledgeDialog) -> list[tuple[str, ...]]:
    """The variables of every column, those in no tier first; the column for a new tier is left out."""
    return [column.list.tiers.names for column in dialog.board.columns[:-1]]


def select(dialog: KnowledgeDialog, names: Sequence[str]) -> TierList:
    """Select variables that stand in one tier."""
    tier = dialog.draft.tier_of(names[0])
    chosen = list_of(dialog, tier)
    chosen.select(names)
    chosen.setFocus()
    return chosen


def press(qtbot: QtBot, dialog: KnowledgeDialog, names: Sequence[str], *keys: Qt.Key) -> None:
    """Select variables and press keys on them, wherever they go."""
    select(dialog, names)
    for key in keys:
        qtbot.keyClick(list_of(dialog, dialog.draft.tier_of(names[0])), key)


def drag(dialog: KnowledgeDialog, names: Sequence[str], tier: int) -> None:
    """Drop variables on the list of a tier, as Qt does at the end of a drag."""
    source = select(dialog, names)
    content = source.tiers.mimeData(source.selectedIndexes())
    drop(list_of(dialog, tier), content)


def drop(target: TierList, content: QMimeData) -> bool:
    """Whether a list takes what is dropped on it."""
    place, action = QPoint(5, target.viewport().height() - 5), Qt.DropAction.MoveAction
    events = (
        QDragEnterEvent(place, action, content, LEFT, NONE),
        QDragMoveEvent(place, action, content, LEFT, NONE),
        QDropEvent(QPointF(place), action, content, LEFT, NONE),
    )
    for event in events:
        QApplication.sendEvent(target.viewport(), event)
    return events[-1].isAccepted()


def add_rule(qtbot: QtBot, dialog: KnowledgeDialog, cause: str, kind: RuleKind, effect: str) -> None:
    """Type a rule into the form and press Return."""
    panel = dialog.rules
    dialog.tabs.setCurrentWidget(panel)
    panel.kind.fill(kind.value)
    for box, name in ((panel.cause, cause), (panel.effect, effect)):
        box.setFocus()
        box.line.selectAll()
        qtbot.keyClick(box, Qt.Key.Key_Backspace)
        qtbot.keyClicks(box, name)
    qtbot.keyClick(panel.effect, Qt.Key.Key_Return)


def tick(dialog: KnowledgeDialog, name: str, column: HiddenColumn) -> None:
    """Change a tick in the table of variables."""
    dialog.tabs.setCurrentWidget(dialog.hidden)
    model = dialog.hidden.variables
    row = next(row for row in range(model.rowCount()) if model.name(row) == name)
    is_on = model.is_on(name, column)
    state = Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked
    model.setData(model.index(row, column), state, Qt.ItemDataRole.CheckStateRole)
