"""Acts as a person at a real window, through the X server alone: say what is known by drag, keys and words, and undo.

python tests/support/person_with_knowledge.py FOLDER, under an X server; prints "done".
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QPoint
from support.hands import act, click, drag_and_drop, focus, key, open_window, wait, x
from support.knowledge_acts import list_of
from support.person_at_window import write_data

from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_gui.pages.knowledge.draft import NO_TIER
from latconf_gui.pages.knowledge.tier_list import TierList


def row_of(names: TierList, name: str) -> QPoint:
    """Where a variable stands in a list."""
    return names.visualRect(names.tiers.index(names.tiers.names.index(name))).center()


def main(folder: Path) -> int:
    window = open_window()
    write_data(folder / "data.csv")
    window.opener.open_path(folder / "data.csv")
    wait(lambda: window.document.dataset is not None, "the data")
    focus(window)

    key("ctrl+k")
    wait(lambda: window.knowledge.dialog is not None and window.knowledge.dialog.isVisible(), "the editor")
    dialog = window.knowledge.dialog
    assert dialog is not None
    focus(dialog)
    source = list_of(dialog, NO_TIER)
    drag_and_drop(source.viewport(), row_of(source, "A"), list_of(dialog, 0).viewport(), QPoint(20, 40))
    wait(lambda: dialog.draft.tier_of("A") == 0, "the first tier")
    source = list_of(dialog, NO_TIER)
    drag_and_drop(source.viewport(), row_of(source, "C"), list_of(dialog, 1).viewport(), QPoint(20, 40))
    wait(lambda: dialog.draft.tier_of("C") == 1, "the second tier")
    click(source.viewport(), row_of(list_of(dialog, NO_TIER), "B"))
    key("Right", "Right", "Left")
    assert dialog.draft.tier_of("B") == 0, "arrow keys move a variable"

    click(dialog.tabs.tabBar(), dialog.tabs.tabBar().tabRect(1).center())
    click(dialog.rules.cause.line)
    x("type", "--delay", 20, "A")
    wait(lambda: dialog.rules.cause.currentText() == "A", "the cause")
    key("Tab")
    key("Tab")
    wait(dialog.rules.effect.hasFocus, "the field of the effect")
    x("type", "--delay", 20, "D")
    key("Return")
    known = Knowledge(tiers=(("A", "B"), ("C",)), required=(("A", "D"),))
    wait(lambda: dialog.draft.required, "the rule")
    assert dialog.draft.knowledge() == known
    key("ctrl+z", "ctrl+z", "ctrl+y", "ctrl+y")
    assert dialog.draft.knowledge() == known, "steps are taken back and done again"
    click(dialog.use)
    wait(lambda: window.document.knowledge == known, "the knowledge")
    focus(window)
    key("ctrl+z")
    assert window.document.knowledge == NO_KNOWLEDGE
    key("ctrl+shift+z")
    assert window.document.knowledge == known
    assert window.problems.messages == [], window.problems.messages
    window.close_at_once()
    sys.stdout.write("done\n")
    return 0


if __name__ == "__main__":
    act(main)
