"""The list of all steps, which can be filtered by what they are: a rule, a removed edge, a collider."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QAbstractListModel, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QListView, QVBoxLayout, QWidget

from latconf_core.pag.replay import Replay
from latconf_core.wording.step_texts import step_kind, step_title
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text import SPACE, keep_arrows_whole

Index = QModelIndex | QPersistentModelIndex
LEAST_LINES = 7


class StepListModel(QAbstractListModel):
    """The steps of one kind, or all."""

    def __init__(self) -> None:
        super().__init__()
        self._replay: Replay | None = None
        self.steps: list[int] = []

    def show_steps(self, replay: Replay | None, kind: str, until: int | None) -> None:
        """List the steps of a run; "" lists every kind, and None every step, else those up to one."""
        self.beginResetModel()
        self._replay = replay
        events = () if replay is None else replay.events[: None if until is None else until + 1]
        self.steps = [step for step, event in enumerate(events) if not kind or step_kind(event) == kind]
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.steps)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if self._replay is None or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        step = self.steps[index.row()]
        event = self._replay.events[step]
        kind, title = step_kind(event), step_title(event)
        says_kind = kind not in ("New phase", "Edge removed", "Result")
        return keep_arrows_whole(f"{step + 1}  {f'{kind}: ' if says_kind else ''}{title}")


class StepList(QWidget):
    """`chosen(step)` when a person takes a step from the list, `filtered` when they choose another kind."""

    chosen = Signal(int)
    filtered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._replay: Replay | None = None
        self._until: int | None = None
        self._is_following = False
        self.kind = QComboBox()
        self.kind.setAccessibleName("Show only steps of this kind")
        self.kind.setToolTip("Show only the steps of one rule or kind")
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.kind.activated.connect(self._on_kind_chosen)
        self.steps = StepListModel()
        self.list = QListView()
        self.list.setModel(self.steps)
        self.list.setAccessibleName("Steps")
        self.list.setUniformItemSizes(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        LeastLines(self.list, LEAST_LINES)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE // 2)
        layout.addWidget(self.kind)
        layout.addWidget(self.list, 1)
        self.show_run(None)

    def show_run(self, replay: Replay | None) -> None:
        """List the steps of another run; the kind is kept where the run has such steps."""
        kept, self._replay = self.shown_kind, replay
        counts = Counter(step_kind(event) for event in (() if replay is None else replay.events))
        self.kind.clear()
        self.kind.addItem(f"All steps ({sum(counts.values()):,})", "")
        for kind, count in sorted(counts.items(), key=lambda pair: _order(pair[0])):
            self.kind.addItem(f"{kind} ({count:,})", kind)
        self.show_kind(kept)

    @property
    def shown_kind(self) -> str:
        """The kind that is listed; "" for all."""
        return str(self.kind.currentData() or "")

    def show_kind(self, kind: str) -> None:
        """List one kind, without telling so."""
        self.kind.setCurrentIndex(max(self.kind.findData(kind), 0))
        self._fill()

    def _fill(self) -> None:
        self._is_following = True
        self.steps.show_steps(self._replay, self.shown_kind, self._until)
        self._is_following = False

    def hide_after(self, step: int | None) -> None:
        """List no step after this one, so that nobody reads what is to be guessed; None lists all."""
        if step != self._until:
            self._until = step
            self._fill()

    def _on_kind_chosen(self) -> None:
        self.show_kind(self.shown_kind)
        self.filtered.emit()

    def show_step(self, step: int) -> None:
        """Choose the row of a step, without telling so; none where it is not listed."""
        self._is_following = True
        flags = QItemSelectionModel.SelectionFlag
        if step in self.steps.steps:
            index = self.steps.index(self.steps.steps.index(step))
            self.list.selectionModel().setCurrentIndex(index, flags.ClearAndSelect)
            self.list.scrollTo(index)
        else:
            self.list.selectionModel().clear()
        self._is_following = False

    def _on_current(self, index: QModelIndex) -> None:
        if index.isValid() and not self._is_following:
            self.chosen.emit(self.steps.steps[index.row()])


def _order(kind: str) -> tuple[int, str]:
    """Rules after the rest, by their number."""
    return (int(kind[1:]), "") if kind[1:].isdecimal() else (0, kind)
