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
        "Not saved",
        f"{question.title} has changes that are not saved.",
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
        "Changed on the disk",
        f"{question.path.name} was changed by another window or program since you opened or saved it here.",
        explanation="Save your work under another name, or overwrite the file, which loses what was changed there.",
        answers=(
            Answer("Save as…", Role.AcceptRole, question.save_elsewhere),
            Answer("Overwrite", Role.DestructiveRole, question.overwrite),
            Answer("Cancel", Role.RejectRole, question.cancel),
        ),
    )


def offer_recovery(parent: QWidget, offer: Offer) -> None:
    """Restore what a window that was killed had not saved."""
    found = offer.recovery
    name = (found.state.name or "your work") if found.project is None else found.project.name
    ask(
        parent,
        "Recovered work",
        f"latconf ended before changes to {name} were saved. They were kept.",
        explanation=f"They hold {found.describe()}, and were written on {found.written:%d %B %Y at %H:%M:%S}.",
        answers=(
            Answer("Restore", Role.AcceptRole, offer.restore),
            Answer("Discard", Role.DestructiveRole, offer.discard),
            Answer("Decide later", Role.RejectRole, offer.decide_later),
        ),
    )
