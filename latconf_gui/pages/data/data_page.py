"""The Data page: what was read, what is used of it, and every change on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QTabWidget, QVBoxLayout, QWidget

from latconf_core.control import RunControl
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.data_changes import by_the_rules
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.preparing.offers import Offer, accept_offer
from latconf_core.data.preparing.prepare import count_complete_rows
from latconf_core.data.preparing.rename_states import rename_state, take_as_missing
from latconf_core.data.preparing.row_counts import read_row_counts
from latconf_core.data.row_warnings import warns_of_repeats
from latconf_core.phrases import counted
from latconf_gui.application.document import Document
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.pages.data.banners import MissingBanner, ObstacleBanner, ReadingStrip, RowsBanner
from latconf_gui.pages.data.changes_panel import ChangesPanel
from latconf_gui.pages.data.discretise_dialog import DiscretiseDialog
from latconf_gui.pages.data.inspector import VariableInspector
from latconf_gui.pages.data.offers import OffersBanner
from latconf_gui.pages.data.preview_panel import PreviewPanel
from latconf_gui.pages.data.reading_dialog import ReadingDialog
from latconf_gui.pages.data.variable_table import VariableTable
from latconf_gui.pages.data.variables_model import NAME, VariablesModel
from latconf_gui.pages.knowledge.knowledge_command import EDIT, KnowledgeLine
from latconf_gui.pages.page import Page, PageContext
from latconf_gui.pages.presenting import allow_edits
from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.text import SPACE, Heading, Quiet
from latconf_gui.widgets.text_size import FollowTextSize

EDITING = (
    "data.use",
    "data.set_aside",
    "data.discretise",
    "data.rename",
    "data.missing_state",
    "data.counts",
    "data.real",
    "data.reading",
)


class DataPage(Page):
    """Variables above, rows below, the chosen variable in the Inspector."""

    title = "Data"
    icon = "data"

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.heading = Heading(factor=1.5)
        self.summary = Quiet()
        self.reading = ReadingStrip()
        self.missing = MissingBanner()
        self.offers = OffersBanner()
        self.rows = RowsBanner()
        self.obstacle = ObstacleBanner()
        self.knowledge = KnowledgeLine(self.document, context.actions)
        self.variables = VariablesModel(self)
        self.table = VariableTable(self.variables)
        self.preview = PreviewPanel()
        self.changes = ChangesPanel()
        self._inspector = VariableInspector()
        self._counting = LatestJob(self)
        self._add_actions()
        self._build()
        self._connect()
        self._show()

    @classmethod
    def is_available(cls, document: Document) -> bool:
        return document.raw is not None

    @classmethod
    def needs(cls) -> str:
        return "Open a file or an example first"

    def menu(self) -> Sequence[str | None]:
        return (*EDITING[:-1], None, EDITING[-1], None, EDIT)

    def inspector(self) -> QWidget:
        return self._inspector

    def _add_actions(self) -> None:
        add = self.context.actions.add
        add("data.use", "&Use the variable", slot=lambda: self._use_current(True), icon_name="use")
        add("data.set_aside", "E&xclude the variable", slot=lambda: self._use_current(False), icon_name="aside")
        add(
            "data.discretise",
            "&Discretise…",
            slot=self._discretise_chosen,
            icon_name="discretise",
            tip="Divide the selected numeric variables into states",
        )
        add("data.rename", "Re&name a state", slot=self._rename_current, icon_name="rename")
        add(
            "data.missing_state",
            "Treat the state as &missing",
            slot=self._take_state_as_missing,
            tip="Treat the state selected in the Inspector as missing, in this column only",
        )
        add(
            "data.real",
            "Repeated rows are rea&l",
            slot=self._toggle_real,
            tip="Repeated or designed rows were really observed: judge claims as usual",
        ).setCheckable(True)
        add(
            "data.counts",
            "This column &counts rows",
            slot=self._toggle_counts,
            tip="This column says how often each row occurs; it is not a variable",
        ).setCheckable(True)
        add(
            "data.reading",
            "How the file is &read…",
            slot=self.ask_reading,
            icon_name="settings",
            tip="Delimiter, header, encoding and missing marks",
        )
        actions = self.context.actions
        of_table = [name for name in EDITING if name not in ("data.real", "data.reading")]
        self.table.addActions([actions[name] for name in of_table])
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _build(self) -> None:
        tabs = QTabWidget()
        tabs.setDocumentMode(True)
        tabs.addTab(self.preview, "Rows")
        tabs.addTab(self.changes, "Changes")
        self.tabs = tabs
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(SPACE)
        splitter.addWidget(self.table)
        splitter.addWidget(tabs)
        self._splitter = splitter
        self._wants_height = False  # whether a new table or size of text asks for another share
        FollowTextSize(self, self._on_text_resized)
        head = QHBoxLayout()
        head.addWidget(self.heading, 1)
        scroll = ScrollColumn()  # at twice the text size a small screen scrolls
        layout = scroll.column
        layout.setContentsMargins(2 * SPACE, 2 * SPACE - 4, 2 * SPACE, SPACE)
        layout.setSpacing(SPACE - 4)
        layout.addLayout(head)
        for widget in (self.summary, self.reading, self.missing, self.offers, self.rows, self.obstacle, self.knowledge):
            layout.addWidget(widget)
        layout.addWidget(splitter, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _connect(self) -> None:
        self.document.dataset_changed.connect(self._show)
        self.document.name_changed.connect(self._show_heading)
        self.document.presenting_changed.connect(self._show_editable)
        self.variables.use_changed.connect(self._use)
        self.table.selectionModel().currentRowChanged.connect(self._show_current)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_current())
        self.reading.change_asked.connect(self.ask_reading)
        self.missing.chosen.connect(self._choose_missing)
        self.rows.real_asked.connect(self._toggle_real)
        self.offers.accepted.connect(self._accept_offer)
        self.offers.discretise_asked.connect(lambda names: self.ask_discretise(*names))
        self._counting.answered.connect(self._show_rows_left)
        self.changes.take_back_asked.connect(self.context.opener.prepare)
        inspector = self._inspector
        inspector.use_asked.connect(self._use)
        inspector.discretise_asked.connect(lambda _name: self._discretise_chosen())
        inspector.offer_accepted.connect(self._accept_offer)
        inspector.rename_asked.connect(self._rename)
        inspector.rule_removed.connect(lambda name: self._set_rule((name,), None))

    def _show(self) -> None:
        state = self.document.state
        self._show_heading()
        self.variables.show(state.plans, state.preparation, state.prepared)
        self.table.fit_columns()
        self._show_missing()
        self.offers.show_plans(state.plans)
        warnings = () if state.prepared is None else state.prepared.warnings
        self.rows.show_warnings(warnings, has_repeats=warns_of_repeats(state.dataset))
        self.obstacle.show_obstacle(state.obstacle)
        if state.raw is not None:
            self.reading.show_reading(state.raw, state.preparation.missing_marks)
        self.knowledge.setVisible(state.dataset is not None)
        self.preview.show_state(state)
        self.changes.show_state(state)
        self.tabs.setTabText(1, f"Changes ({self.changes.count})" if self.changes.count else "Changes")
        if not self.table.currentIndex().isValid() and state.plans:
            self.table.selectRow(0)
            self._wants_height = True
            self._share_height()
        self._show_current()
        self._show_editable()

    def _show_editable(self) -> None:
        """While the data are presented, everything can be looked at and nothing changed."""
        is_editable = not self.document.is_presenting
        for banner in (self.reading, self.missing, self.offers, self.rows, self.obstacle):
            banner.setEnabled(is_editable)
        self.variables.set_editable(is_editable)
        self.changes.set_editable(is_editable)
        self._inspector.set_editable(is_editable)
        self._show_enabled()

    def _show_missing(self) -> None:
        """What is missing, and at once or a moment later what each choice about it costs."""
        raw, plans = self.document.raw, self.document.state.plans
        self.missing.show_choice(plans, self.document.preparation.missing, n_rows=raw.n_rows if raw is not None else 0)
        if raw is not None and any(plan.is_used and plan.n_missing for plan in plans):
            preparation = self.document.preparation

            def count(control: RunControl) -> tuple[int, int]:
                counts = read_row_counts(raw, preparation)
                n_rows = raw.n_rows if counts is None else int(counts.sum())
                return count_complete_rows(raw, plans, control, counts=counts), n_rows

            self._counting.ask(count)
        else:
            self._counting.forget()

    def _show_rows_left(self, answer: object) -> None:
        assert isinstance(answer, tuple)
        self.missing.show_rows_left(*answer)

    def _accept_offer(self, offer: Offer) -> None:
        raw = self.document.raw
        if raw is not None:
            self.context.opener.prepare(lambda now: accept_offer(now, raw, offer), f"{offer.action}: {offer.column}")

    def _on_text_resized(self) -> None:
        self.table.fit_columns()
        self._wants_height = True
        self._share_height()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._share_height()

    def _share_height(self) -> None:
        """Give a short list of variables what it needs, a long one half of the height; once for each table."""
        if not self._wants_height or not self.isVisible():
            return
        self._wants_height = False
        whole = max(sum(self._splitter.sizes()), 400)
        wanted = min(self.table.wanted_height(), whole // 2)
        self._splitter.setSizes([wanted, whole - wanted])

    def _show_heading(self) -> None:
        state = self.document.state
        self.heading.setText(state.name)
        if state.dataset is None:
            raw = state.raw
            size = f"{counted(raw.n_rows, 'row')} and {counted(raw.n_columns, 'column')}" if raw else ""
            self.summary.setText(f"{size} in the file" if raw else "")
            return
        data, n_aside = state.dataset, sum(not plan.is_used for plan in state.plans)
        rows = f"{counted(data.n_rows, 'row')} ({len(data.distinct.counts):,} different)"
        parts = [rows, counted(data.n_variables, "variable")]
        parts += [f"{n_aside:,} excluded"] if n_aside else []
        hidden = sorted(state.truth.latents) if state.truth is not None else []
        parts += [f"hidden: {', '.join(hidden)}"] if hidden else []
        self.summary.setText(" · ".join(parts))

    def _current_name(self) -> str | None:
        index = self.table.currentIndex()
        return self.variables.plan(index.row()).name if index.isValid() else None

    def _chosen_names(self) -> list[str]:
        """The selected variables, in the order of the list."""
        rows = sorted({index.row() for index in self.table.selectionModel().selectedRows()})
        return [self.variables.plan(row).name for row in rows]

    def _chosen_numeric(self) -> list[str]:
        """Those of the selected variables that can be discretised."""
        plans = [self.variables.plan(self.variables.row_of(name)) for name in self._chosen_names()]
        rule_of = self.document.preparation.rule_of
        return [plan.name for plan in plans if plan.is_numeric or rule_of(plan.name) is not None]

    def _show_current(self, _current: QModelIndex | None = None, _previous: QModelIndex | None = None) -> None:
        name = self._current_name()
        plan = self.variables.plan(self.variables.row_of(name)) if name is not None else None
        rule = self.document.preparation.rule_of(name) if name is not None else None
        self._inspector.show_variable(plan, rule, n_numeric=len(self._chosen_numeric()))
        self._show_enabled()
        if name is not None:
            self.preview.show_column(name)

    def _show_enabled(self) -> None:
        name, actions = self._current_name(), self.context.actions
        plan = self.variables.plan(self.variables.row_of(name)) if name is not None else None
        if not allow_edits(actions, EDITING, self.document):
            return
        actions["data.use"].setEnabled(plan is not None and not plan.is_used)
        actions["data.set_aside"].setEnabled(plan is not None and plan.is_used)
        actions["data.discretise"].setEnabled(bool(self._chosen_numeric()))
        actions["data.rename"].setEnabled(plan is not None and bool(plan.states))
        may_be_missing = (
            plan is not None and len(plan.states) > 1 and self.document.preparation.rule_of(plan.name) is None
        )
        actions["data.missing_state"].setEnabled(may_be_missing)
        actions["data.real"].setChecked(self.document.preparation.rows_are_real)
        actions["data.counts"].setEnabled(plan is not None)
        actions["data.counts"].setChecked(name is not None and name == self.document.preparation.counts)
        actions["data.reading"].setEnabled(isinstance(self.document.source, Path))

    def choose_variable(self, name: str) -> None:
        """Select a variable in the list."""
        index = self.variables.index(self.variables.row_of(name), NAME)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.table.selectionModel().setCurrentIndex(index, flags)

    def _use(self, name: str, used: bool) -> None:
        self._use_all([name], used)

    def _use_current(self, used: bool) -> None:
        self._use_all([name for name in self._chosen_names() if self._is_used(name) != used], used)

    def _is_used(self, name: str) -> bool:
        return self.variables.plan(self.variables.row_of(name)).is_used

    def _use_all(self, names: Sequence[str], used: bool) -> None:
        def change(now: Preparation) -> Preparation:
            for name in names:
                if name == now.counts:
                    now = now.with_counts(None)
                if not used:
                    now = now.with_set_aside(name)
                else:
                    now = by_the_rules(now, name) if name in now.set_aside else now.with_included(name)
            return now

        if names:
            what = names[0] if len(names) == 1 else counted(len(names), "variable")
            self.context.opener.prepare(change, f"{'Use' if used else 'Exclude'} {what}")

    def _choose_missing(self, policy: str) -> None:
        def change(now: Preparation) -> Preparation:
            return replace(now, missing=policy)  # type: ignore[arg-type] # one of the banner's own

        self.context.opener.prepare(change, f"Missing cells: {policy}")

    def _discretise_chosen(self) -> None:
        names = self._chosen_numeric()
        if names:
            self.ask_discretise(*names)

    def ask_discretise(self, *names: str) -> DiscretiseDialog | None:
        """Open the dialog for one variable, or for several that get the same rule."""
        raw = self.document.raw
        if raw is None:
            return None
        dialog = DiscretiseDialog(raw, self.document.preparation, names=names, parent=self)
        dialog.chosen.connect(lambda rule: self._set_rule(names, rule))
        dialog.open()
        return dialog

    def _set_rule(self, names: Sequence[str], rule: Discretisation | None) -> None:
        def change(now: Preparation) -> Preparation:
            for name in names:
                now = now.with_rule(name, rule)
            return now

        what = names[0] if len(names) == 1 else counted(len(names), "variable")
        self.context.opener.prepare(change, f"Discretise {what}" if rule is not None else f"Keep the values of {what}")

    def _toggle_counts(self) -> None:
        """The chosen column counts rows, or no longer does."""
        name = self._current_name()
        if name is None:
            return
        is_chosen = self.document.preparation.counts == name
        self._show_enabled()  # the document decides whether it is checked
        what = f"Rows no longer counted by {name}" if is_chosen else f"Count rows by {name}"
        self.context.opener.prepare(lambda now: now.with_counts(None if is_chosen else name), what)

    def _toggle_real(self) -> None:
        """The user says that repeated rows are real, or no longer does."""
        are_real = not self.document.preparation.rows_are_real
        self._show_enabled()
        what = "Repeated rows are real" if are_real else "Repeated rows may be copies"
        self.context.opener.prepare(lambda now: replace(now, rows_are_real=are_real), what)

    def _take_state_as_missing(self) -> None:
        """The state chosen in the Inspector means a missing cell in its column."""
        name, raw = self._current_name(), self.document.raw
        if name is None or raw is None:
            return
        plan = self.variables.plan(self.variables.row_of(name))
        state = plan.states[min(max(self._inspector.table.currentIndex().row(), 0), len(plan.states) - 1)]
        self.context.opener.prepare(
            lambda now: take_as_missing(now, raw, column=name, state=state), f"Treat {state} of {name} as missing"
        )

    def _rename_current(self) -> None:
        """Begin to edit the name of the chosen state in the Inspector."""
        table = self._inspector.table
        row = max(table.currentIndex().row(), 0)
        table.setFocus()
        table.edit(self._inspector.model.index(row, 0))

    def _rename(self, name: str, old: str, new: str) -> None:
        states = self.variables.plan(self.variables.row_of(name)).states
        text = f"Merge {old} into {new}" if new in states else f"Rename {old} to {new}"
        raw = self.document.raw
        if raw is not None:
            self.context.opener.prepare(lambda now: rename_state(now, raw, column=name, old=old, new=new), text)

    def ask_reading(self) -> ReadingDialog | None:
        """Open the dialog about how the file is read."""
        raw, source = self.document.raw, self.document.source
        if raw is None or not isinstance(source, Path):
            return None
        dialog = ReadingDialog(raw, self.document.preparation.missing_marks, parent=self)
        dialog.reading_chosen.connect(lambda options: self.context.opener.open_path(source, options))
        dialog.marks_chosen.connect(self._set_marks)
        dialog.open()
        return dialog

    def _set_marks(self, marks: tuple[str, ...]) -> None:
        self.context.opener.prepare(lambda now: replace(now, missing_marks=marks), "Change the missing marks")
