"""Presentation mode: one command for the whole window, under which nothing can be edited by a slip."""

from __future__ import annotations

from collections.abc import Iterable

from latconf_gui.application.document import PRESENTING, Document
from latconf_gui.widgets.actions import Actions

PRESENT = "view.present"


def add_presentation_command(actions: Actions, document: Document) -> None:
    """The command that begins and ends the mode, and that follows it where the document ends it."""
    action = actions.add(
        PRESENT,
        "&Presentation mode",
        slot=document.set_presenting,
        shortcut="Shift+F9",
        tip="Block editing on every page while you present",
        checkable=True,
    )
    action.setIconText("Present")
    document.presenting_changed.connect(lambda: action.setChecked(document.is_presenting))


def allow_edits(actions: Actions, ids: Iterable[str], document: Document) -> bool:
    """Offer commands that edit, or while the document is presented say why not; whether they are offered."""
    for id in ids:
        actions.allow(id, PRESENTING if document.is_presenting else "")
    return not document.is_presenting
