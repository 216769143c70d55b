"""Asks before a table is searched as it came."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from latconf_core.data.table_load import TableLoad
from latconf_core.wording.load_sentences import load_sentences
from latconf_gui.widgets.questions import Answer, Role, ask


def ask_before_load(
    parent: QWidget, load: TableLoad, *, then: Callable[[], object], back: Callable[[], object]
) -> QMessageBox:
    """Say what makes the search long and its tests weak; `then` where the user searches anyway, else `back`."""
    first, *others = load_sentences(load)
    answers = (Answer("Back to the data", Role.RejectRole, back), Answer("Search anyway", Role.AcceptRole, then))
    return ask(parent, "Before you search", first, explanation=" ".join(others), answers=answers)
