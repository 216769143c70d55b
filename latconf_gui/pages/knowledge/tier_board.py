"""The tiers side by side, earliest first: a column of variables for each, one for those in none, one for a new tier."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QScrollArea, QToolButton, QVBoxLayout, QWidget

from latconf_core.phrases import counted
from latconf_gui.look.icons import icon
from latconf_gui.pages.knowledge.draft import NO_TIER, Draft
from latconf_gui.pages.knowledge.tier_list import TierList
from latconf_gui.widgets.form_fields import Tick
from latconf_gui.widgets.scroll import LeastLines
from latconf_gui.widgets.text import SPACE, Heading, Quiet

LEAST_LINES, LINES_WIDE = 5, 11  # of a list and of a column, in heights of a line of text
CLOSED = "No effects within"
CLOSED_TIP = "No variable of this tier affects another one in it"
IN_NONE, NEW = "No tier", "New tier"
NONE_HINT = "Every variable is in a tier"
NEW_HINT = "Drop a variable here to add a tier"
EMPTY_HINT = "Drop variables here, or move them with the arrow keys"


class TierColumn(QFrame):
    """One column: title, whether there are effects within the tier, its variables, and a menu.

    position : of its tier; NO_TIER for the variables in none
    """

    dropped = Signal(object, int)
    shifted = Signal(object, int, int)  # names, from which column, step
    stepped = Signal(int, int)
    closed = Signal(int, bool)
    menu_asked = Signal(int, QPoint)
    names_menu_asked = Signal(object, QPoint)

    def __init__(self, position: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.position = position
        self.setProperty("role", "card")
        self.title, self.about = Heading(factor=1.05), Quiet()
        self.is_closed = Tick(CLOSED)
        self.is_closed.setToolTip(CLOSED_TIP)
        self.more = QToolButton()
        self.more.setIcon(icon("more"))
        self.more.setAutoRaise(True)
        self.list = TierList()
        self._build()
        self._connect()
        LeastLines(self, wide=LINES_WIDE)
        LeastLines(self.list, LEAST_LINES)

    def _build(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE // 2, SPACE // 2, SPACE // 2, SPACE // 2)
        layout.setSpacing(SPACE // 3)
        layout.addLayout(head)
        layout.addWidget(self.about)
        layout.addWidget(self.is_closed)
        layout.addWidget(self.list, 1)

    def _connect(self) -> None:
        self.list.tiers.dropped.connect(lambda names: self.dropped.emit(names, self.position))
        self.list.shifted.connect(lambda names, step: self.shifted.emit(names, self.position, step))
        self.list.stepped.connect(lambda step: self.stepped.emit(self.position, step))
        self.is_closed.clicked.connect(lambda is_closed: self.closed.emit(self.position, is_closed))
        below = self.more.rect().bottomLeft
        self.more.clicked.connect(lambda: self.menu_asked.emit(self.position, self.more.mapToGlobal(below())))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._on_names_menu)

    def _on_names_menu(self, point: QPoint) -> None:
        names = self.list.selected_names()
        if names:
            self.names_menu_asked.emit(names, self.list.viewport().mapToGlobal(point))

    def show_tier(self, draft: Draft, names: Sequence[str], *, n_all: int, strangers: Collection[str]) -> None:
        """Show a tier of a draft.

        names : those of its variables that pass the filter, of `n_all`
        """
        n_tiers = len(draft.tiers)
        is_tier, is_new = 0 <= self.position < n_tiers, self.position == n_tiers
        title = f"Tier {self.position + 1}" if is_tier else NEW if is_new else IN_NONE
        shown = f"{len(names):,} of {n_all:,} shown" if len(names) < n_all else counted(n_all, "variable")
        self.title.setText(title)
        self.about.setText("" if is_new else shown)
        self.is_closed.setVisible(is_tier)
        self.more.setVisible(is_tier)
        self.is_closed.setChecked(is_tier and draft.tiers[self.position].is_closed)
        self.is_closed.setAccessibleName(f"{title}: {CLOSED.lower()}")
        self.more.setAccessibleName(f"{title}: more")
        self.more.setToolTip(f"Insert a tier, or move or remove {title}")
        self.list.setAccessibleName(f"{title}, {shown}")
        self.list.set_hint(NEW_HINT if is_new else EMPTY_HINT if is_tier else NONE_HINT if not n_all else "")
        self.list.tiers.show_names(names, strangers, title=title)

    def set_editable(self, is_editable: bool) -> None:
        """Whether anything here can be changed."""
        self.list.tiers.set_editable(is_editable)
        self.is_closed.setEnabled(is_editable)
        self.more.setEnabled(is_editable)


class TierBoard(QScrollArea):
    """Columns for the tiers of a draft; `changed(Draft, what)` when a person changes it, `said(sentence)` if not."""

    changed = Signal(object, str)
    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Tiers")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        inside = QWidget()
        self._row = QHBoxLayout(inside)
        self._row.setContentsMargins(*(SPACE // 2,) * 4)
        self._row.setSpacing(SPACE // 2)
        self.setWidget(inside)
        for surface in (self.viewport(), inside):
            surface.setAutoFillBackground(False)
        self.columns: list[TierColumn] = []
        self._draft, self._variables = Draft(), tuple[str, ...]()
        self._strangers: frozenset[str] = frozenset()
        self._text, self._is_editable = "", True

    def show_draft(self, draft: Draft, variables: Sequence[str], *, strangers: Collection[str]) -> None:
        """Show the tiers of a draft.

        variables : all that can be in a tier, in the order in which they are shown
        """
        self._draft, self._variables, self._strangers = draft, tuple(variables), frozenset(strangers)
        wanted = [NO_TIER, *range(len(draft.tiers) + 1)]
        while len(self.columns) > len(wanted):
            column = self.columns.pop()
            column.hide()
            column.deleteLater()
        for position in wanted[len(self.columns) :]:
            self._add_column(position)
        tier_of = {name: i for i, tier in enumerate(draft.tiers) for name in tier.names}
        for column in self.columns:
            names = [name for name in self._variables if tier_of.get(name, NO_TIER) == column.position]
            column.show_tier(draft, self._passing(names), n_all=len(names), strangers=strangers)

    def _passing(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if self._text in name.casefold()]

    def _add_column(self, position: int) -> None:
        column = TierColumn(position)
        column.dropped.connect(self.move_to)
        column.shifted.connect(self._on_shifted)
        column.stepped.connect(lambda at, step: self.focus_column(at + step))
        column.closed.connect(self._on_closed)
        column.menu_asked.connect(self._show_menu)
        column.names_menu_asked.connect(self._show_names_menu)
        column.set_editable(self._is_editable)
        self.columns.append(column)
        self._row.addWidget(column)
        column.show()  # now, so that it can be gone to at once

    def set_filter(self, text: str) -> None:
        """Show only variables with this text in their names."""
        self._text = text.strip().casefold()
        self.show_draft(self._draft, self._variables, strangers=self._strangers)

    def set_editable(self, is_editable: bool) -> None:
        """Whether anything here can be changed."""
        self._is_editable = is_editable
        for column in self.columns:
            column.set_editable(is_editable)

    def column(self, position: int) -> TierColumn | None:
        """The column of a tier, of those in none or of a new tier."""
        return next((column for column in self.columns if column.position == position), None)

    def focus_column(self, position: int) -> None:
        """Go to a column with the keyboard."""
        column = self.column(position)
        if column is not None:
            column.list.setFocus(Qt.FocusReason.TabFocusReason)
            if not column.list.selected_names():
                column.list.select(column.list.tiers.names[:1])
            QTimer.singleShot(0, column, lambda: self.ensureWidgetVisible(column, 0, 0))  # when it has its place

    # Changes --------------------------------------------------------------------------------------

    def move_to(self, names: Sequence[str], position: int) -> None:
        """Put variables into a tier, a new one or none, and go there with them."""
        if not self._is_editable or not names:
            return
        title = f"into tier {position + 1}" if position != NO_TIER else "from the tiers"
        what = names[0] if len(names) == 1 else counted(len(names), "variable")
        after = self._draft.put(names, position, order=self._variables)
        if after != self._draft:
            self.changed.emit(after, f"Move {what} {title}" if position != NO_TIER else f"Remove {what} {title}")
        column = self.column(position)
        if column is not None:
            column.list.select(names)
            self.focus_column(position)

    def _on_shifted(self, names: Sequence[str], position: int, step: int) -> None:
        if not names:
            self.said.emit("First select a variable, then move it with the arrow keys.")
            return
        target, last = position + step, len(self._draft.tiers) - 1
        if target < NO_TIER or position > last:
            return
        if target > last >= 0 and position == last and set(self._draft.tiers[last].names) <= set(names):
            self.said.emit(f"Tier {last + 1} is the last tier and would become empty.")
            return
        self.move_to(names, target)

    def _on_closed(self, position: int, is_closed: bool) -> None:
        verb = "No effects within" if is_closed else "Effects within"
        self.changed.emit(self._draft.close_tier(position, is_closed), f"{verb} tier {position + 1}")

    def _show_menu(self, position: int, point: QPoint) -> None:
        """What can be done with a tier."""
        draft, number, last = self._draft, position + 1, len(self._draft.tiers) - 1
        menu = self._menu()
        self._add(menu, "Insert a tier before", lambda: draft.insert_tier(position), f"Insert a tier before {number}")
        if position:
            self._add(menu, "Move earlier", lambda: draft.move_tier(position, -1), f"Move tier {number} earlier")
        if position < last:
            self._add(menu, "Move later", lambda: draft.move_tier(position, 1), f"Move tier {number} later")
        self._add(menu, "Remove the tier", lambda: draft.remove_tier(position), f"Remove tier {number}")
        menu.popup(point)

    def _add(self, menu: QMenu, text: str, make: Callable[[], Draft], what: str) -> None:
        menu.addAction(text).triggered.connect(lambda: self.changed.emit(make(), what))

    def _show_names_menu(self, names: Sequence[str], point: QPoint) -> None:
        """Where variables can be moved, for those who neither drag nor use keys."""
        if not self._is_editable:
            return
        menu = self._menu()
        for column in self.columns:
            target = column.position
            menu.addAction(f"Move to: {column.title.text()}").triggered.connect(
                lambda _on=False, target=target: self.move_to(names, target)
            )
        menu.popup(point)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu
