"""What a page of the rail is, and what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from latconf_gui.application.document import Document
from latconf_gui.application.opener import Opener
from latconf_gui.application.settings import Settings
from latconf_gui.background.runs import Report, Runs
from latconf_gui.widgets.actions import Actions

INSPECTOR_LINES = 11  # the least width of an inspector, in heights of a line of text


@dataclass(frozen=True, eq=False)
class PageContext:
    """All a page may use of the window."""

    document: Document
    actions: Actions
    settings: Settings
    runs: Runs
    opener: Opener  # opens files and examples
    report: Report  # report(exception or sentence, where): an entry in the Problems dock


class Steps(Protocol):
    """What can be undone and done again."""

    @property
    def can_undo(self) -> bool: ...

    @property
    def can_redo(self) -> bool: ...

    def undo(self) -> None: ...

    def redo(self) -> None: ...


class Page(QWidget):
    """One step of the work. A page registers its commands in its constructor and follows the document's signals.

    undo_steps_changed : what `undo_steps` says is another now
    """

    undo_steps_changed = Signal()

    title: ClassVar[str]
    icon: ClassVar[str]  # the name of a picture in resources/icons
    is_step: ClassVar[bool] = True  # of the way from data to model: a project opens at the last one it has reached

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.document = context.document
        self.setObjectName(f"page_{self.title.lower()}")
        self.setAccessibleName(f"{self.title} page")

    @classmethod
    def is_available(cls, document: Document) -> bool:
        """Whether its input exists; the rail shows it disabled until then."""
        return True

    @classmethod
    def needs(cls) -> str:
        """Why the page is not available, as a sentence for its tool tip."""
        return ""

    def menu(self) -> Sequence[str | None]:
        """Ids of the actions in this page's menu; None is a separator. Empty: no menu."""
        return ()

    def undo_steps(self) -> Steps | None:
        """What Undo and Redo of the window take back on this page; None where that is the document's steps."""
        return None

    def view_menu(self) -> Sequence[str]:
        """Ids of the actions that this page adds to the View menu."""
        return ()

    def inspector(self) -> QWidget | None:
        """What the Inspector dock shows while this page is open."""
        return None

    def minimumSizeHint(self) -> QSize:
        """A page that is not seen keeps no room in the window."""
        return super().minimumSizeHint() if self.isVisible() else QSize()
