"""The commands of the Data page, and when each can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from latconf_core.phrases import counted
from latconf_gui.pages.data.variable_use import RULED_OUT, plans_to_change
from latconf_gui.pages.knowledge.knowledge_command import EDIT
from latconf_gui.pages.presenting import allow_edits

if TYPE_CHECKING:
    from latconf_gui.pages.data.data_page import DataPage

OF_VARIABLES = (
    "data.use",
    "data.set_aside",
    "data.discretise",
    "data.rename_variable",
    "data.rename",
    "data.missing_state",
    "data.counts",
)
EDITING = (*OF_VARIABLES, "data.real", "data.reading")
MENU: tuple[str | None, ...] = (*EDITING[:-1], None, "data.find", "data.reading", None, EDIT)
NO_VARIABLE = "First select a variable in the list."
SEVERAL = "Select only one variable; several are selected."
USE_TIP = "Use the selected variables; a single one even if a rule excludes it"
EXCLUDE_TIP = "Exclude the selected variables from the data"


def add_actions(page: DataPage) -> None:
    """Register every command of the page."""
    actions = page.context.actions
    add = actions.add
    add("data.use", "&Use the variable", slot=lambda: page.use_chosen(True), icon_name="use", tip=USE_TIP)
    add(
        "data.set_aside",
        "E&xclude the variable",
        slot=lambda: page.use_chosen(False),
        icon_name="aside",
        tip=EXCLUDE_TIP,
    )
    add(
        "data.discretise",
        "&Discretise…",
        slot=page.discretise_chosen,
        icon_name="discretise",
        tip="Divide the selected numeric variables into states",
    )
    add(
        "data.rename_variable",
        "Rename the &variable…",
        slot=page.ask_name,
        shortcut="F2",
        within=page.table,
        icon_name="rename",
        tip="Give the variable another name in the data; the file stays as it is",
    )
    add("data.rename", "Re&name a state", slot=page.rename_current, icon_name="rename")
    add(
        "data.missing_state",
        "Treat the state as &missing",
        slot=page.take_state_as_missing,
        tip="Treat the state selected in the Inspector as missing, in this column only",
    )
    add(
        "data.counts",
        "This column &counts rows",
        slot=page.toggle_counts,
        tip="This column says how often each row occurs; it is not a variable",
    ).setCheckable(True)
    _add_table_actions(page)
    page.table.addActions([actions[name] for name in OF_VARIABLES])
    page.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)


def _add_table_actions(page: DataPage) -> None:
    """The commands that are about the whole table."""
    add = page.context.actions.add
    add(
        "data.real",
        "Repeated rows are rea&l",
        slot=page.toggle_real,
        tip="Repeated or designed rows were really observed: judge claims as usual",
    ).setCheckable(True)
    add("data.find", "&Find a variable", slot=page.filter.name.setFocus, shortcut="Ctrl+F", while_shown=page)
    add(
        "data.reading",
        "How the file is &read…",
        slot=page.ask_reading,
        icon_name="settings",
        tip="Delimiter, header, encoding and missing marks",
    )


def show_enabled(page: DataPage) -> None:
    """Offer only what can be done with what is selected; what cannot says why in its tip."""
    actions, preparation = page.context.actions, page.document.preparation
    _name_selection(page)
    if not allow_edits(actions, EDITING, page.document):
        return
    chosen = page.chosen_plans
    alone = "" if len(chosen) == 1 else SEVERAL if chosen else NO_VARIABLE
    plan = chosen[0] if len(chosen) == 1 else None
    can_use, can_exclude = plans_to_change(chosen, True), plans_to_change(chosen, False)
    not_used = (
        ""
        if can_use
        else RULED_OUT
        if any(not variable.is_used for variable in chosen)
        else "All of them are already used."
    )
    may_be_missing = plan is not None and len(plan.states) > 1 and not plan.is_cut
    for id, obstacle in {
        "data.use": not_used if chosen else NO_VARIABLE,
        "data.set_aside": "" if can_exclude else "All of them are already excluded." if chosen else NO_VARIABLE,
        "data.discretise": "" if page.chosen_numeric() else "First select a numeric variable.",
        "data.rename_variable": alone,
        "data.rename": alone or ("" if plan is not None and plan.states else "The variable has no states."),
        "data.missing_state": alone or ("" if may_be_missing else "The variable is discretised or has only one state."),
        "data.counts": alone,
    }.items():
        actions.allow(id, obstacle)
    actions["data.real"].setChecked(preparation.rows_are_real)
    actions["data.counts"].setChecked(plan is not None and plan.name == preparation.counts)
    actions.allow("data.reading", "" if page.is_from_file else "The data do not come from a file.")


def _name_selection(page: DataPage) -> None:
    """Say in the commands how many variables they act on."""
    chosen, actions = page.chosen_plans, page.context.actions
    for id, verb, tip, used in (
        ("data.use", "&Use", USE_TIP, True),
        ("data.set_aside", "E&xclude", EXCLUDE_TIP, False),
    ):
        n = len(plans_to_change(chosen, used))
        what = counted(n, "variable") if len(chosen) > 1 and n else "the variable"
        actions.describe(id, f"{verb} {what}", tip=tip)
