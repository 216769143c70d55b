"""What can be undone: pairs of snapshots, bounded in number and in memory, and held while a search needs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from latconf_gui.application.document_file import Snapshot
from latconf_gui.application.state_size import bytes_beside

MAX_STEPS = 500
MAX_BYTES = 500_000_000  # beside what the present state holds


@dataclass(frozen=True, eq=False)
class _Step:
    before: Snapshot
    after: Snapshot
    text: str


class UndoStack(QObject):
    """The steps of a document. Its names are those of Qt's QUndoStack, which knows no refusal and no bound in bytes.

    show : puts a snapshot on the screen
    refuse : whether a snapshot may not be shown now, which is then said
    may_show : the same question the other way round, without a word
    """

    indexChanged = Signal(int)

    def __init__(
        self,
        show: Callable[[Snapshot], None],
        refuse: Callable[[Snapshot], bool],
        may_show: Callable[[Snapshot], bool],
        *,
        max_steps: int = MAX_STEPS,
        max_bytes: int = MAX_BYTES,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._show_snapshot = show
        self._refuse = refuse
        self._may_show = may_show
        self._max_steps = max_steps
        self._max_bytes = max_bytes
        self._steps: list[_Step] = []
        self._index = 0

    def push(self, before: Snapshot, after: Snapshot, text: str) -> None:
        """Go from one snapshot to another; what had been undone is gone."""
        del self._steps[self._index :]
        self._steps.append(_Step(before, after, text))
        self._index = len(self._steps)
        self._drop_oldest(after)
        self._show(after)

    def _drop_oldest(self, shown: Snapshot) -> None:
        """Keep within the bounds; the last step can always be undone."""
        self._steps = self._steps[-self._max_steps :]
        while len(self._steps) > 1 and self._n_bytes(shown) > self._max_bytes:
            del self._steps[0]
        self._index = len(self._steps)

    def _n_bytes(self, shown: Snapshot) -> int:
        return bytes_beside(shown.state, (step.before.state for step in self._steps))

    def undo(self) -> bool:
        """Take the last step back; False where there is none, or where it is held."""
        if not self._index or self._refuse(self._steps[self._index - 1].before):
            return False
        self._index -= 1
        step = self._steps[self._index]
        if step.before.file is not step.after.file:  # an Open is undone
            step.before.file.forget_path()
        self._show(step.before)
        return True

    def redo(self) -> bool:
        """Take the step again that was undone last; False where there is none, or where it is held."""
        if self._index == len(self._steps) or self._refuse(self._steps[self._index].after):
            return False
        self._index += 1
        self._show(self._steps[self._index - 1].after)
        return True

    def _show(self, snapshot: Snapshot) -> None:
        self._show_snapshot(snapshot)
        self.indexChanged.emit(self._index)

    def clear(self) -> None:
        """Forget every step; what is shown stays."""
        self._steps.clear()
        self._index = 0
        self.indexChanged.emit(0)

    def count(self) -> int:
        return len(self._steps)

    def canUndo(self) -> bool:
        return self._index > 0 and self._may_show(self._steps[self._index - 1].before)

    def canRedo(self) -> bool:
        return self._index < len(self._steps) and self._may_show(self._steps[self._index].after)

    def undoText(self) -> str:
        return self._steps[self._index - 1].text if self._index else ""

    def redoText(self) -> str:
        return self._steps[self._index].text if self._index < len(self._steps) else ""
