"""The Lessons page: the list of activities on the left, the open one beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import LatconfError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import UNREADABLE
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_gui.application.compared_graph import ComparedGraph
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.pages.learn.activities import ACTIVITIES
from latconf_gui.pages.learn.activity import Activity
from latconf_gui.pages.page import Page, PageContext, Steps
from latconf_gui.widgets.text import SPACE
from latconf_gui.widgets.text_size import FollowTextSize

OPEN, STATES = "open", "activities"  # the keys of what is kept in the document
LIST_LINES = 6  # the least width of the list, in heights of a line
NARROW_LINES = 55  # a page less wide than so many heights of a line has no room for the list


class LearnPage(Page):
    """Builds an activity when it is first opened, and keeps in the document what is done in it."""

    title = "Lessons"
    icon = "learn"
    is_step = False

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._entries = {entry.key: entry for entry in ACTIVITIES}
        self._built: dict[str, Activity] = {}
        self._kept: Mapping[str, Any] = self.document.learn
        self._is_restoring = False
        self.list = QListWidget()
        self.list.setAccessibleName("Activities")
        self.list.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.box = QComboBox()  # in place of the list where there is little width
        self.box.setAccessibleName("Activities")
        self.stack = QStackedWidget()
        self._fill_list()
        self._add_actions()
        self._lay_out()
        self.list.currentRowChanged.connect(self._on_row_changed)
        self.box.activated.connect(self.list.setCurrentRow)
        self.document.learn_changed.connect(self._on_learn_changed)

    def _fill_list(self) -> None:
        for entry in self._entries.values():
            item = QListWidgetItem(entry.title)
            item.setData(Qt.ItemDataRole.UserRole, entry.key)
            item.setToolTip(plain_tip(entry.description))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, entry.description)
            self.list.addItem(item)
            self.box.addItem(entry.title)
        self.list.setSpacing(SPACE // 4)

    def _lay_out(self) -> None:
        inside = QVBoxLayout()
        inside.setSpacing(0)
        inside.addWidget(self.box)
        inside.addWidget(self.stack, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.list)
        layout.addLayout(inside, 1)
        FollowTextSize(self, self._share_width)
        self._share_width()

    def _share_width(self) -> None:
        """The list beside the activity, or a box above it where there is little width."""
        line = self.fontMetrics().height()
        is_narrow = self.width() < NARROW_LINES * line
        self.list.setFixedWidth(max(self.list.sizeHintForColumn(0), LIST_LINES * line) + 2 * line)
        self.list.setVisible(not is_narrow)
        self.box.setVisible(is_narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def _add_actions(self) -> None:
        for entry in self._entries.values():
            self.context.actions.add(
                f"learn.{entry.key}",
                f"Lessons: {entry.title}",
                slot=lambda key=entry.key: self.open_activity(key),
                tip=entry.description,
            )

    def menu(self) -> Sequence[str | None]:
        return [f"learn.{key}" for key in self._entries]

    # Activities -----------------------------------------------------------------------------------

    @property
    def current(self) -> Activity | None:
        """The activity that is open."""
        widget = self.stack.currentWidget()
        return widget if isinstance(widget, Activity) else None

    def activity(self, key: str) -> Activity:
        """An activity, built now if it was never opened."""
        if key not in self._built:
            activity = self._entries[key].load()(self.context)
            self._built[key] = activity
            self.stack.addWidget(activity)
            self._restore(activity)
            activity.changed.connect(lambda: self._keep(activity))
            activity.try_dag.connect(self.try_dag)
            activity.compare.connect(self._compare)
            activity.undo_steps_changed.connect(self.undo_steps_changed)
        return self._built[key]

    def open_activity(self, key: str) -> Activity:
        """Show an activity, on this page if another one is open."""
        activity = self.activity(key)
        self.list.setCurrentRow(list(self._entries).index(key))
        self.stack.setCurrentWidget(activity)
        if not self.isVisible() and "page.learn" in self.context.actions:
            self.context.actions["page.learn"].trigger()
        return activity

    def try_dag(self, key: str, dag: DrawnDag) -> None:
        """Open a DAG in an activity that takes one."""
        self.open_activity(key).show_dag(dag.placed())

    def _compare(self, name: str, graph: MixedGraph | LatentDag) -> None:
        self.document.compare_asked.emit(ComparedGraph(name, self.title, graph))

    def _on_row_changed(self, row: int) -> None:
        if row < 0:
            return
        key = list(self._entries)[row]
        self.box.setCurrentIndex(row)
        self.stack.setCurrentWidget(self.activity(key))
        self.undo_steps_changed.emit()
        if self._kept and not self._is_restoring:
            self._store({**self._kept, OPEN: key})

    def showEvent(self, event: QShowEvent) -> None:
        """What was open last is open again; the first activity where nothing was."""
        super().showEvent(event)
        if self.current is None and self._entries:
            self._open_kept()

    def _open_kept(self) -> None:
        """Open what the document names; else stay, or begin with the first activity."""
        kept, keys = self._kept.get(OPEN), list(self._entries)
        stays = max(self.list.currentRow(), 0)
        self._is_restoring = True
        self.list.setCurrentRow(keys.index(kept) if kept in keys else stays)
        self._is_restoring = False

    def undo_steps(self) -> Steps | None:
        return None if self.current is None else self.current.undo_steps()

    @property
    def is_busy(self) -> bool:
        return any(activity.is_busy for activity in self._built.values())

    def stop(self) -> None:
        """End everything this page runs in the background."""
        for activity in self._built.values():
            activity.stop()

    # What is kept ---------------------------------------------------------------------------------

    def _keep(self, activity: Activity) -> None:
        """Put what was done into the document; as JSON at once, so that a save cannot fail by it."""
        states = {**self._states(), activity.key: json.loads(json.dumps(activity.state()))}
        current = self.current
        self._store({**self._kept, OPEN: activity.key if current is None else current.key, STATES: states})

    def _states(self) -> Mapping[str, Any]:
        """What is kept of each activity, by its key."""
        states = self._kept.get(STATES)
        return states if isinstance(states, Mapping) else {}

    def _store(self, learn: Mapping[str, Any]) -> None:
        self._kept = learn
        self.document.keep_learning(learn)

    def _on_learn_changed(self) -> None:
        """Another document, or an undo of its opening: every activity goes on from what that one holds."""
        if self.document.learn is self._kept:
            return
        self._kept = self.document.learn
        for activity in self._built.values():
            self._restore(activity)
        if self.current is not None:
            self._open_kept()

    def _restore(self, activity: Activity) -> None:
        try:
            activity.restore(self._states().get(activity.key, {}))
        except (*UNREADABLE, LatconfError):  # what odd JSON may raise
            self.context.report(
                f"The saved state of {activity.title} cannot be read; the activity starts afresh.", self.title
            )
            activity.restore({})
