"""One meaning of a selection on the Data page, and what narrows the list."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from support.builders import mixed

from latconf_core.knowledge.knowledge import Knowledge
from latconf_gui.pages.data.data_page import DataPage
from latconf_gui.pages.data.variables_model import NAME, REMARKS
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow

Open = Callable[..., DataPage]
NUMBERS = "id,age,weight,ill,sex\n" + "".join(
    f"{i},{20 + i % 49},{i % 70},{'yes' if i % 3 else 'no'},{i % 2}\n" for i in range(140)
)


def select(page: DataPage, *names: str) -> None:
    page.choose_variable(names[0])
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for name in names[1:]:
        page.table.selectionModel().select(page.variables.index(page.variables.row_of(name), NAME), flags)


def remark(page: DataPage, name: str) -> str:
    return str(page.variables.index(page.variables.row_of(name), REMARKS).data())


def wait_for_data(page: DataPage, qtbot: QtBot):  # type: ignore[no-untyped-def]
    return qtbot.waitSignal(page.context.opener.prepared)


def used(page: DataPage) -> tuple[str, ...]:
    assert page.document.dataset is not None
    return page.document.dataset.names


def test_that_several_are_used_only_as_far_as_rules_allow_and_one_alone_keeps_its_warning(
    open_text: Open, window: MainWindow, qtbot: QtBot
) -> None:
    page = open_text(NUMBERS)
    select(page, "ill", "sex")
    with wait_for_data(page, qtbot):
        page.inspector().use.click()
    assert used(page) == ("age",)
    page.table.selectAll()
    with wait_for_data(page, qtbot):
        page.context.actions["data.use"].trigger()
    assert used(page) == ("age", "ill", "sex")
    assert page.inspector().use.text() == "Exclude 3 variables"  # the first may only be used alone
    select(page, "id", "weight")
    assert page.inspector().use.text() == "Use the variables"
    assert not page.context.actions["data.use"].isEnabled()
    with qtbot.waitSignal(window.problems.reported):
        page.inspector().use_asked.emit("weight", True)
    select(page, "weight")
    with wait_for_data(page, qtbot):
        page.inspector().use.click()
    assert "weight" in used(page)
    assert "70 states" in remark(page, "weight")


def test_that_commands_inspector_and_space_act_on_all_that_are_selected(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(NUMBERS)
    select(page, "age", "ill", "sex")
    inspector = page.inspector()
    assert inspector.selection.text().startswith("3 selected")
    assert inspector.use.text() == "Exclude 3 variables"
    assert page.chosen_numeric() == ["age"]  # sex has two states
    assert page.context.actions["data.set_aside"].text() == "E&xclude 3 variables"
    assert not page.context.actions["data.rename"].isEnabled()
    select(page, "age", "ill")
    page.table.setFocus()
    with wait_for_data(page, qtbot):
        qtbot.keyClick(page.table, Qt.Key.Key_Space)
    assert used(page) == ("sex",)
    assert page.chosen_names == ["age", "ill"]
    assert inspector.use.text() == "Use 2 variables"


def test_that_the_inspector_shows_a_variable_that_is_highlighted_and_rows_keep_where_they_are(
    open_text: Open, qtbot: QtBot
) -> None:
    page = open_text("".join(f"v{i}," for i in range(59)) + "v59\n" + ("0," * 59 + "1\n" + "1," * 59 + "0\n") * 6)
    select(page, "v40", "v44")
    current = page.variables.index(page.variables.row_of("v44"), NAME)
    off = QItemSelectionModel.SelectionFlag.Deselect | QItemSelectionModel.SelectionFlag.Rows
    page.table.selectionModel().setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
    page.table.selectionModel().select(current, off)
    assert page.inspector().title.text() == "v40"
    page.table.scrollTo(current)
    top = page.table.verticalScrollBar().value()
    assert top > 0
    with wait_for_data(page, qtbot):
        page.context.actions["data.set_aside"].trigger()
    assert page.table.verticalScrollBar().value() == top
    assert page.chosen_names == ["v40"]


def test_that_the_list_is_narrowed_by_name_and_kind_and_what_is_hidden_is_not_selected(open_text: Open) -> None:
    page = open_text(NUMBERS)
    page.table.selectAll()
    page.filter.name.setText("E")
    listed = [page.variables.plan(row).name for row in range(5) if not page.table.isRowHidden(row)]
    assert listed == ["age", "weight", "sex"]
    assert page.filter.shown.text() == "3 of 5"
    assert page.chosen_names == ["age", "weight", "sex"]
    page.filter.name.clear()
    page.filter.kind.setCurrentText("Excluded")
    assert [page.variables.plan(row).name for row in range(5) if not page.table.isRowHidden(row)] == ["id", "weight"]
    page.filter.kind.setCurrentText("Many states")
    assert [page.variables.plan(row).name for row in range(5) if not page.table.isRowHidden(row)] == ["age"]


def test_that_a_used_column_of_many_numbers_is_offered_to_be_discretised(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(NUMBERS)
    assert remark(page, "age") == "49 states: discretise?"
    assert page.offers.coarsen.isVisible()
    page.offers.discretise_asked.disconnect()
    with qtbot.waitSignal(page.offers.discretise_asked, check_params_cb=lambda names: names == ("age",)):
        page.offers.coarsen.click()


@pytest.mark.parametrize("answer", ["Back to the data", "Search anyway"])
def test_that_a_raw_table_is_searched_only_after_a_question(
    open_text: Open, window: MainWindow, qtbot: QtBot, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = np.random.default_rng(0).integers([12, 12] + [2] * 29, size=(60, 31))
    page = open_text("\n".join(",".join(map(str, row)) for row in [[f"v{k}" for k in range(31)], *cells]) + "\n")
    search = window.page(SearchPage)
    assert isinstance(search, SearchPage)
    begun: list[object] = []
    monkeypatch.setattr(search.running, "start", lambda *_args, **_more: begun.append(1))
    page.next_steps.search.click()
    assert window.stack.currentWidget() is search
    box = search.findChild(QMessageBox)
    assert box is not None
    assert "31" in box.text()
    assert "v0" in box.informativeText()
    assert not begun
    next(button for button in box.buttons() if button.text() == answer).click()
    assert len(begun) == (answer == "Search anyway")
    assert window.stack.currentWidget() is (search if begun else page)


def test_that_the_next_step_learns_a_pag_on_its_page(open_text: Open, window: MainWindow, qtbot: QtBot) -> None:
    page = open_text("rain,wet\n" + "yes,yes\nno,no\nno,yes\nyes,yes\n" * 5)
    with qtbot.waitSignal(page.document.pag_changed, timeout=20_000):
        page.next_steps.learn.click()
    assert isinstance(window.stack.currentWidget(), PagPage)


def test_that_a_renamed_variable_has_its_name_everywhere_and_pag_and_knowledge_follow(
    open_text: Open, window: MainWindow, qtbot: QtBot
) -> None:
    page = open_text(NUMBERS)
    document = page.document
    assert document.dataset is not None
    document.set_pag(mixed("ill o-> sex", nodes=document.dataset.names), "Draw", origin="drawn")
    document.set_knowledge(Knowledge(required=(("ill", "sex"),)), "Say")
    select(page, "ill")
    dialog = page.ask_name()
    assert dialog is not None
    with wait_for_data(page, qtbot):
        dialog.setTextValue(" got_ill ")
        dialog.accept()
    assert used(page) == ("age", "got_ill", "sex")
    assert page.inspector().title.text() == "got_ill"
    assert "ill in the file" in remark(page, "ill")
    assert document.pag == mixed("got_ill o-> sex", nodes=["age", "got_ill", "sex"])
    assert document.knowledge == Knowledge(required=(("got_ill", "sex"),))
    page.preview.as_used.click()
    document.undo_stack.undo()
    assert used(page) == ("age", "ill", "sex")
    select(page, "ill")
    with qtbot.waitSignal(window.problems.reported):
        page.context.opener.prepare(lambda now: now.with_name("ill", "sex"), "Rename")
    assert used(page) == ("age", "ill", "sex")
