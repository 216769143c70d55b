"""The Data page: what was read, what is used of it, and every change on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QSplitter, QTabWidget, QVBoxLayout, QWidget

from latconf_core.control import RunControl
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.column_plans import ColumnPlan
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
from latconf_gui.pages.data import actions as data_actions
from latconf_gui.pages.data.banners import MissingBanner, ObstacleBanner, ReadingStrip, RowsBanner
from latconf_gui.pages.data.changes_panel import ChangesPanel
from latconf_gui.pages.data.discretise_dialog import DiscretiseDialog
from latconf_gui.pages.data.inspector import VariableInspector
from latconf_gui.pages.data.next_steps import NextSteps
from latconf_gui.pages.data.offers import OffersBanner
from latconf_gui.pages.data.preview_panel import PreviewPanel
from latconf_gui.pages.data.reading_dialog import ReadingDialog
from latconf_gui.pages.data.variable_filter import VariableFilter
from latconf_gui.pages.data.variable_table import VariableTable
from latconf_gui.pages.data.variable_use import RULED_OUT, plans_to_change, use_change
from latconf_gui.pages.data.variables_model import NAME, VariablesModel
from latconf_gui.pages.knowledge.knowledge_command import KnowledgeLine
from latconf_gui.pages.page import Page, PageContext
from latconf_gui.widgets.questions import ask_for_text
from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.text import SPACE, Heading, Quiet
from latconf_gui.widgets.text_size import FollowTextSize


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
        self.filter = VariableFilter()
        self.next_steps = NextSteps(context.actions)
        self.preview = PreviewPanel()
        self.changes = ChangesPanel()
        self._inspector = VariableInspector()
        self._counting = LatestJob(self)
        data_actions.add_actions(self)
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
        return data_actions.MENU

    def inspector(self) -> QWidget:
        return self._inspector

    def _build(self) -> None:
        tabs = QTabWidget()
        tabs.setAccessibleName("Rows and changes")
        tabs.setDocumentMode(True)
        tabs.addTab(self.preview, "Rows")
        tabs.addTab(self.changes, "Changes")
        self.tabs = tabs
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(SPACE)
        splitter.addWidget(self._make_list())
        splitter.addWidget(tabs)
        self._splitter = splitter
        self._wants_height = False  # whether a new table or size of text asks for another share
        FollowTextSize(self, self._on_text_resized)
        head = QHBoxLayout()
        head.addWidget(self.heading, 1)
        head.addWidget(self.next_steps)
        scroll = ScrollColumn("Data page")  # at twice the text size a small screen scrolls
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

    def _make_list(self) -> QWidget:
        """The variables below what narrows their list."""
        area = QWidget()
        column = QVBoxLayout(area)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE // 2)
        column.addWidget(self.filter)
        column.addWidget(self.table, 1)
        return area

    def _connect(self) -> None:
        self.filter.changed.connect(self._show_matching)
        self.document.dataset_changed.connect(self._show)
        self.document.name_changed.connect(self._show_heading)
        self.document.presenting_changed.connect(self._show_editable)
        self.variables.use_changed.connect(self._use)
        self.table.selectionModel().currentRowChanged.connect(self._show_current)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_current())
        self.reading.change_asked.connect(self.ask_reading)
        self.missing.chosen.connect(self._choose_missing)
        self.rows.real_asked.connect(self.toggle_real)
        self.offers.accepted.connect(self._accept_offers)
        self.offers.discretise_asked.connect(lambda names: self.ask_discretise(*names))
        self._counting.answered.connect(self._show_rows_left)
        self.changes.take_back_asked.connect(self.context.opener.prepare)
        inspector = self._inspector
        inspector.use_asked.connect(self._use)
        inspector.discretise_asked.connect(lambda _name: self.discretise_chosen())
        inspector.offers_accepted.connect(self._accept_offers)
        inspector.rename_asked.connect(self._rename)
        inspector.rule_removed.connect(self._keep_values)

    def _show(self) -> None:
        state = self.document.state
        self._show_heading()
        self.variables.show(state.plans, state.preparation, state.prepared)
        self.table.fit_columns()
        self._show_matching()
        self.next_steps.follow(state)
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

    def _show_matching(self) -> None:
        """List the variables that the filter lets through; those it hides are no longer selected."""
        plans = self.document.state.plans
        remarks = [self.variables.remark(row) for row in range(len(plans))]
        self.table.show_rows(self.filter.matches(plans, remarks))
        self._show_current()

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

    def _accept_offers(self, offers: Sequence[Offer]) -> None:
        raw = self.document.raw
        if raw is None:
            return
        columns = offers[0].column if len(offers) == 1 else counted(len(offers), "variable")

        def change(now: Preparation) -> Preparation:
            for offer in offers:
                now = accept_offer(now, raw, offer)
            return now

        self.context.opener.prepare(change, f"{offers[0].action}: {columns}")

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
        wanted = min(self.table.wanted_height() + self.filter.height(), whole // 2)
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
        rows = f"{counted(data.n_rows, 'row')} ({len(data.distinct.counts):,} distinct)"
        parts = [rows, counted(data.n_variables, "variable")]
        parts += [f"{n_aside:,} excluded"] if n_aside else []
        hidden = sorted(state.truth.latents) if state.truth is not None else []
        parts += [f"hidden: {', '.join(hidden)}"] if hidden else []
        self.summary.setText(" · ".join(parts))

    @property
    def current_name(self) -> str | None:
        """The variable that the Inspector shows: the current one of those selected."""
        names, index = self.chosen_names, self.table.currentIndex()
        current = self.variables.plan(index.row()).name if index.isValid() else None
        return current if current in names else next(iter(names), None)

    @property
    def chosen_names(self) -> list[str]:
        """The selected variables, in the order of the list; one that the filter hides is not among them."""
        rows = sorted({index.row() for index in self.table.selectionModel().selectedRows()})
        return [self.variables.plan(row).name for row in rows if not self.table.isRowHidden(row)]

    @property
    def chosen_plans(self) -> list[ColumnPlan]:
        """What became of the selected variables."""
        return [self.plan_of(name) for name in self.chosen_names]

    def plan_of(self, name: str) -> ColumnPlan:
        """What became of one variable."""
        return self.variables.plan(self.variables.row_of(name))

    def _chosen_with(self, name: str) -> list[ColumnPlan]:
        """What a command about one variable acts on: all that are selected with it, or it alone."""
        chosen = self.chosen_plans
        return chosen if any(plan.name == name for plan in chosen) else [self.plan_of(name)]

    def chosen_numeric(self) -> list[str]:
        """Those of the selected variables that can be discretised; among several, two states need not be."""
        plans = self.chosen_plans
        least = 1 if len(plans) == 1 else 3
        return [plan.name for plan in plans if plan.is_cut or (plan.is_numeric and len(plan.states) >= least)]

    def _show_current(self, _current: QModelIndex | None = None, _previous: QModelIndex | None = None) -> None:
        name = self.current_name
        plan = self.plan_of(name) if name is not None else None
        rule = self.document.preparation.rule_of(name) if name is not None else None
        chosen = self.chosen_plans
        self._inspector.show_variable(
            plan, rule, n_chosen=len(chosen), n_numeric=len(self.chosen_numeric()), change=use_change(chosen, plan)
        )
        self._show_enabled()
        if plan is not None:
            self.preview.show_column(plan)

    def _show_enabled(self) -> None:
        data_actions.show_enabled(self)

    @property
    def is_from_file(self) -> bool:
        """Whether how the file is read can be changed."""
        return isinstance(self.document.source, Path)

    def choose_variable(self, name: str) -> None:
        """Select a variable in the list."""
        index = self.variables.index(self.variables.row_of(name), NAME)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.table.selectionModel().setCurrentIndex(index, flags)

    def _use(self, name: str, used: bool) -> None:
        self._use_all(self._chosen_with(name), used)

    def use_chosen(self, used: bool) -> None:
        """Use the selected variables, or exclude them."""
        self._use_all(self.chosen_plans, used)

    def _use_all(self, plans: Sequence[ColumnPlan], used: bool) -> None:
        """Several are used only as far as the rules allow; a rule is overruled for one variable at a time."""
        names = [plan.name for plan in plans_to_change(plans, used)]

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
        elif used:
            self.context.report(RULED_OUT, "Using variables")

    def _choose_missing(self, policy: str) -> None:
        def change(now: Preparation) -> Preparation:
            return replace(now, missing=policy)  # type: ignore[arg-type] # one of the banner's own

        self.context.opener.prepare(change, f"Missing cells: {policy}")

    def discretise_chosen(self) -> None:
        """Open the dialog for the selected numeric variables."""
        names = self.chosen_numeric()
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

    def _keep_values(self, name: str) -> None:
        self._set_rule([plan.name for plan in self._chosen_with(name) if plan.is_cut], None)

    def _set_rule(self, names: Sequence[str], rule: Discretisation | None) -> None:
        def change(now: Preparation) -> Preparation:
            for name in names:
                now = now.with_rule(name, rule)
            return now

        what = names[0] if len(names) == 1 else counted(len(names), "variable")
        self.context.opener.prepare(change, f"Discretise {what}" if rule is not None else f"Keep the values of {what}")

    def toggle_counts(self) -> None:
        """The chosen column counts rows, or no longer does."""
        name = self.current_name
        if name is None:
            return
        is_chosen = self.document.preparation.counts == name
        self._show_enabled()  # the document decides whether it is checked
        what = f"Rows no longer counted by {name}" if is_chosen else f"Count rows by {name}"
        self.context.opener.prepare(lambda now: now.with_counts(None if is_chosen else name), what)

    def toggle_real(self) -> None:
        """The user says that repeated rows are real, or no longer does."""
        are_real = not self.document.preparation.rows_are_real
        self._show_enabled()
        what = "Repeated rows are real" if are_real else "Repeated rows may be copies"
        self.context.opener.prepare(lambda now: replace(now, rows_are_real=are_real), what)

    def take_state_as_missing(self) -> None:
        """The state chosen in the Inspector means a missing cell in its column."""
        name, raw = self.current_name, self.document.raw
        if name is None or raw is None:
            return
        plan = self.variables.plan(self.variables.row_of(name))
        state = plan.states[min(max(self._inspector.table.currentIndex().row(), 0), len(plan.states) - 1)]
        self.context.opener.prepare(
            lambda now: take_as_missing(now, raw, column=name, state=state), f"Treat {state} of {name} as missing"
        )

    def ask_name(self) -> QInputDialog | None:
        """Ask for another name of the selected variable."""
        name = self.current_name
        if name is None:
            return None
        called, label = self.plan_of(name).called, f"Name of {name} in the data"
        return ask_for_text(self, "Rename the variable", label, text=called, take=lambda text: self._call(name, text))

    def _call(self, name: str, text: str) -> None:
        """Another name for a variable; nothing typed is its own name again."""
        called = " ".join(text.split()) or name
        if called != self.plan_of(name).called:
            self.context.opener.prepare(lambda now: now.with_name(name, called), f"Rename {name} to {called}")

    def rename_current(self) -> None:
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
