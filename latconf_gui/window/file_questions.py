"""The questions about files that the program asks by a signal, as the person reads them."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from latconf_gui.application.project_files import ChangedOnDisk
from latconf_gui.application.recovering import Offer
from latconf_gui.application.unsaved_work import UnsavedQuestion
from latconf_gui.widgets.questions import Answer, Role, ask


def ask_about_unsaved_work(parent: QWidget, question: UnsavedQuestion) -> None:
    """Save, discard or cancel."""
    ask(
        parent,
        "Unsaved changes",
        f"{question.title} has unsaved changes.",
        explanation=f"Save them as a project before {question.before}?",
        answers=(
            Answer("Save", Role.AcceptRole, question.save),
            Answer("Discard", Role.DestructiveRole, question.discard),
            Answer("Cancel", Role.RejectRole, question.cancel),
        ),
    )


def ask_about_changed_file(parent: QWidget, question: ChangedOnDisk) -> None:
    """Overwrite what somebody else has written, or not."""
    ask(
        parent,
        "File changed on disk",
        f"Another window or program changed {question.path.name} after you opened or saved it here.",
        explanation="Save under another name, or overwrite the file and lose those changes.",
        answers=(
            Answer("Save as…", Role.AcceptRole, question.save_elsewhere),
            Answer("Overwrite", Role.DestructiveRole, question.overwrite),
            Answer("Cancel", Role.RejectRole, question.cancel),
        ),
    )


def offer_recovery(parent: QWidget, offer: Offer) -> None:
    """Restore what a window that was killed had not saved."""
    recovery = offer.recovery
    name = (recovery.state.name or "your work") if recovery.project is None else recovery.project.name
    ask(
        parent,
        "Recovered work",
        f"latconf ended before your changes to {name} were saved. They were kept.",
        explanation=f"They contain {recovery.describe()}, written on {recovery.written:%d %B %Y at %H:%M:%S}.",
        answers=(
            Answer("Restore", Role.AcceptRole, offer.restore),
            Answer("Discard", Role.DestructiveRole, offer.discard),
            Answer("Decide later", Role.RejectRole, offer.decide_later),
        ),
    )
