"""What an activity of the Lessons page is, and what it is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QWidget

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_gui.pages.page import PageContext, Steps
from latconf_gui.widgets.scroll import LeastLines

ActivityContext = PageContext  # an activity may use all that a page may use

STAGE_SHARE, TEXT_SHARE = 700, 300  # of the width, at first
LEAST_TEXT_LINES = 17  # the least width of the column of text, in heights of a line


class Activity(QWidget):
    """One thing to do on the Lessons page. It is built when it is first opened, and shows something at once.

    Its commands are made with keys that work `within` it; whatever it runs in the background ends in `stop`.

    undo_steps_changed : what `undo_steps` says is another now
    changed : something was done that `state` tells; the page keeps it in the document, to be saved
    try_dag : a key of another activity, and the DrawnDag to open there
    compare : a name, and a MixedGraph or LatentDag to add to the Compare page
    """

    key: ClassVar[str]
    title: ClassVar[str]
    takes_dag: ClassVar[bool] = False  # whether `show_dag` can be asked for

    changed = Signal()
    undo_steps_changed = Signal()
    try_dag = Signal(str, object)
    compare = Signal(str, object)

    def __init__(self, context: ActivityContext) -> None:
        super().__init__()
        self.context = context
        self.document = context.document
        self.setObjectName(f"activity_{self.key}")
        self.setAccessibleName(self.title)

    def state(self) -> dict[str, Any]:
        """What a person did here, as JSON: the drawing, points, the position in the steps."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from what `state` gave; {} is the beginning. It does not emit `changed`."""

    def undo_steps(self) -> Steps | None:
        """What Undo and Redo of the window take back here; None where that is the document's steps."""
        return None

    def show_dag(self, dag: DrawnDag) -> None:
        """Do this activity with a DAG from elsewhere."""
        raise NotImplementedError(f"{self.title} takes no DAG")

    @property
    def is_busy(self) -> bool:
        """Whether something runs in the background."""
        return False

    def stop(self) -> None:
        """End everything that runs in the background."""

    def minimumSizeHint(self) -> QSize:
        """An activity that is not seen keeps no room on the page."""
        return super().minimumSizeHint() if self.isVisible() else QSize()

    def lay_out(self, stage: QWidget, column: QWidget, *, text_share: int = TEXT_SHARE) -> None:
        """Put the stage on the left and the column of text on the right, with a border that can be moved."""
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        for widget in (stage, column):
            splitter.addWidget(widget)
        splitter.setStretchFactor(0, 1)
        splitter.setSizes([STAGE_SHARE, text_share])
        LeastLines(column, wide=LEAST_TEXT_LINES)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def say(self, sentence: str) -> None:
        """Let a screen reader say what has changed; the same is to be seen in the column of text."""
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))
        self.setAccessibleDescription(sentence)
