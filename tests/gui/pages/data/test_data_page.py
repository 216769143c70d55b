from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit, QStyle, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from latconf_gui.pages.data.data_page import DataPage
from latconf_gui.pages.data.discretise_dialog import DiscretiseDialog
from latconf_gui.pages.data.reading_dialog import ReadingDialog
from latconf_gui.pages.data.variables_model import DISTRIBUTION, NAME, REMARKS
from latconf_gui.window.main_window import MainWindow

Open = Callable[..., DataPage]
WEATHER = "rain,wet\n" + "yes,yes\nno,no\nno,yes\nyes,yes\n" * 5
GAPS = "rain,wet,id\n" + "".join(
    f"{'yes' if i % 2 else 'no'},{'NA' if i % 5 == 0 else 'yes' if i % 3 else 'no'},{i}\n" for i in range(20)
)
AGES = "age,ill\n" + "".join(f"{20 + i},{'yes' if i % 3 else 'no'}\n" for i in range(60))


def remark(page: DataPage, name: str) -> str:
    return str(page.variables.index(page.variables.row_of(name), REMARKS).data())


def wait_for_data(page: DataPage, qtbot: QtBot):  # type: ignore[no-untyped-def]
    return qtbot.waitSignal(page.context.opener.prepared)


def click_check_box(page: DataPage, qtbot: QtBot, name: str) -> None:
    index = page.variables.index(page.variables.row_of(name), NAME)
    option = QStyleOptionViewItem()
    page.table.initViewItemOption(option)
    option.rect = page.table.visualRect(index)
    option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
    subelementrect = page.table.style().subElementRect(
        QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, page.table
    )
    qtbot.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=subelementrect.center())


def test_that_an_opened_file_is_described(open_text: Open, window: MainWindow) -> None:
    page = open_text(WEATHER)
    assert window.stack.currentWidget() is page
    assert page.heading.text() == "table.csv"
    assert page.summary.text() == "20 rows (3 distinct) · 2 variables"
    assert "comma" in page.reading.text.text()
    assert "names in the first row" in page.reading.text.text()


def test_that_the_inspector_counts_the_states_of_the_chosen_variable(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(WEATHER)
    row = page.table.rowViewportPosition(page.variables.row_of("wet"))
    q_point = QPoint(page.table.columnViewportPosition(REMARKS) + 20, row + 5)
    qtbot.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=q_point)
    model = page.inspector().model
    shown = {model.index(r, 0).data(): model.index(r, 1).data() for r in range(model.rowCount())}
    assert shown == {"no": "5 (25.0%)", "yes": "15 (75.0%)"}


def test_that_unticking_a_variable_sets_it_aside_and_ctrl_z_brings_it_back(
    open_text: Open, window: MainWindow, qtbot: QtBot
) -> None:
    page = open_text(WEATHER + "")
    with wait_for_data(page, qtbot):
        click_check_box(page, qtbot, "rain")
    assert page.document.dataset is not None
    assert page.document.dataset.names == ("wet",)
    assert remark(page, "rain") == "Excluded manually"
    assert page.changes.choices.item(0).text() == "rain: excluded"
    with qtbot.waitSignal(page.document.dataset_changed):
        qtbot.keyClick(page.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert page.document.dataset.names == ("rain", "wet")
    assert page.changes.count == 0


def test_that_space_sets_a_variable_aside_without_a_mouse(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(WEATHER)
    page.choose_variable("wet")
    page.table.setFocus()
    with wait_for_data(page, qtbot):
        qtbot.keyClick(page.table, Qt.Key.Key_Space)
    assert page.document.dataset is not None
    assert page.document.dataset.names == ("rain",)


def test_that_setting_the_last_variable_aside_is_refused_with_a_sentence(
    open_text: Open, window: MainWindow, qtbot: QtBot
) -> None:
    page = open_text(WEATHER)
    with wait_for_data(page, qtbot):
        page.inspector().use_asked.emit("rain", False)
    before = page.document.dataset
    with qtbot.waitSignal(window.problems.reported):
        page.inspector().use_asked.emit("wet", False)
    assert page.document.dataset is before
    assert "no column" in window.problems.messages[0].what


def test_that_two_quick_changes_are_both_made(open_text: Open, qtbot: QtBot) -> None:
    page = open_text("a,b,c\n" + "x,y,z\nu,v,w\n" * 10)
    with qtbot.waitSignals([page.context.opener.prepared] * 2):
        page.inspector().use_asked.emit("a", False)
        page.inspector().use_asked.emit("b", False)
    assert page.document.dataset is not None
    assert page.document.dataset.names == ("c",)
    page.document.undo_stack.undo()
    assert page.document.dataset.names == ("b", "c")


def test_that_an_identifier_is_set_aside_with_its_reason_and_can_be_used_anyway(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(GAPS.replace("NA", "no"))
    assert "as in an identifier" in remark(page, "id")
    page.choose_variable("id")
    assert page.inspector().use.text() == "Use it anyway"
    with wait_for_data(page, qtbot):
        qtbot.mouseClick(page.inspector().use, Qt.MouseButton.LeftButton)
    assert page.document.dataset is not None
    assert "id" in page.document.dataset.names


@pytest.mark.parametrize(
    ("policy", "n_rows", "n_states"), [("drop rows", 16, 2), ("own state", 20, 3), ("most frequent", 20, 2)]
)
def test_that_missing_cells_are_counted_and_the_choice_is_followed(
    open_text: Open, qtbot: QtBot, policy: str, n_rows: int, n_states: int
) -> None:
    page = open_text(GAPS)
    assert page.document.dataset is not None
    assert page.document.dataset.count_missing("wet") == 4
    assert page.missing.isVisible()
    assert page.missing.buttons["keep"].isChecked()
    assert page.missing.heading.text() == "4 cells are missing."
    assert page.missing.where.text() == "In wet (4)"
    with wait_for_data(page, qtbot):
        qtbot.mouseClick(page.missing.buttons[policy], Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    data = page.document.dataset
    assert data is not None
    assert data.n_rows == n_rows
    assert data.n_states[data.index["wet"]] == n_states
    page.document.undo_stack.undo()
    assert page.document.dataset.count_missing("wet") == 4
    assert page.missing.buttons["keep"].isChecked()


def test_that_a_state_renamed_in_the_inspector_is_renamed_in_the_data(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(WEATHER)
    page.choose_variable("wet")
    table = page.inspector().table
    table.setCurrentIndex(page.inspector().model.index(0, 0))
    page.context.actions["data.rename"].trigger()
    editor = table.viewport().findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    qtbot.keyClicks(editor, "dry")
    with wait_for_data(page, qtbot):
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert page.document.dataset is not None
    assert page.document.dataset.states[1] == ("dry", "yes")
    assert page.document.undo_stack.undoText() == "Rename no to dry"


def test_that_a_state_renamed_twice_and_then_merged_keeps_its_rows(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(WEATHER)
    for old, new in (("no", "dry"), ("dry", "arid"), ("arid", "yes")):
        with wait_for_data(page, qtbot):
            page.inspector().rename_asked.emit("wet", old, new)
    assert page.document.undo_stack.undoText() == "Merge arid into yes"
    assert page.document.dataset is not None
    assert "wet" not in page.document.dataset.names  # one state is left, so the rules set it aside
    page.document.undo_stack.undo()
    assert page.document.dataset.counts("wet").tolist() == [5, 15]


def test_that_the_discretise_dialog_shows_the_bars_before_anything_changes(
    open_text: Open, window: MainWindow, qtbot: QtBot
) -> None:
    page = open_text(AGES)
    assert "discretise it" in remark(page, "age") or "identifier" in remark(page, "age")
    page.choose_variable("age")
    qtbot.mouseClick(page.inspector().discretise, Qt.MouseButton.LeftButton)
    dialog = page.findChild(DiscretiseDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 3)
    assert [dialog.model.index(r, 1).data() for r in range(3)] == ["20 (33.3%)"] * 3
    assert page.document.dataset is not None
    assert page.document.dataset.names == ("ill",)
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    with wait_for_data(page, qtbot):
        qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    assert page.document.dataset.names == ("age", "ill")
    assert page.document.dataset.counts("age").tolist() == [20, 20, 20]
    assert remark(page, "age") == "Discretised (equal frequency, 3 bins)"


@pytest.mark.parametrize(("typed", "complaint"), [("", "no cut points"), ("20; x", "not a number"), ("nan", "finite")])
def test_that_bad_cut_points_are_said_and_cannot_be_agreed_to(
    open_text: Open, qtbot: QtBot, typed: str, complaint: str
) -> None:
    dialog = open_text(AGES).ask_discretise("age")
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 3)
    dialog.method.setCurrentIndex(dialog.method.findData("cut points"))
    dialog.points.clear()
    qtbot.keyClicks(dialog.points, typed)
    assert complaint in dialog.problem.text()
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    dialog.points.clear()
    qtbot.keyClicks(dialog.points, "50 30")
    assert dialog.problem.text() == ""
    assert [dialog.model.index(r, 0).data() for r in range(3)] == ["<=30", "30 to 50", ">50"]
    dialog.reject()


def test_that_another_delimiter_reads_the_file_again_and_undo_goes_back(
    open_text: Open, window: MainWindow, qtbot: QtBot
) -> None:
    page = open_text("a;b,c\n" + "x;1,2\ny;2,1\n" * 6)
    names = page.document.raw.names if page.document.raw else ()
    qtbot.mouseClick(page.reading.button, Qt.MouseButton.LeftButton)
    dialog = page.findChild(ReadingDialog)
    assert dialog is not None
    other = ";" if dialog.delimiter.currentData() == "," else ","
    dialog.delimiter.setCurrentIndex(dialog.delimiter.findData(other))
    with qtbot.waitSignal(window.opener.opened):
        dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    assert page.document.raw is not None
    assert page.document.raw.names != names
    window.actions_by_id["edit.undo"].trigger()
    assert page.document.raw.names == names


def test_that_a_new_missing_mark_is_counted(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(WEATHER + "yes,unknown\n" * 5)
    dialog = page.ask_reading()
    assert dialog is not None
    dialog.marks.setText("NA unknown")
    with wait_for_data(page, qtbot):
        dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    assert page.missing.where.text() == "In wet (5)"
    assert "Missing marks are empty cell, NA, unknown" in page.changes.choices.item(0).text()


def test_that_any_change_can_be_taken_back_out_of_order(open_text: Open, qtbot: QtBot) -> None:
    page = open_text("a,b,c\n" + "x,y,z\nu,v,w\n" * 10)
    for change in (("a", "x", "ex"), ("b", "y", "why")):
        with wait_for_data(page, qtbot):
            page.inspector().rename_asked.emit(*change)
    page.changes.choices.setCurrentRow(0)
    with wait_for_data(page, qtbot):
        page.changes.take_back.click()
    assert page.document.dataset is not None
    assert page.document.dataset.states == (("u", "x"), ("v", "why"), ("w", "z"))


def test_that_a_table_of_numbers_alone_says_what_stands_in_the_way(open_text: Open, qtbot: QtBot) -> None:
    rng = np.random.default_rng(0)
    page = open_text("x,y\n" + "".join(f"{a:.6f},{b:.6f}\n" for a, b in rng.normal(size=(80, 2))))
    assert page.document.dataset is None
    assert page.obstacle.isVisible()
    assert "identifier" in page.obstacle.text.text()


def test_that_the_distribution_column_says_its_shares_to_a_screen_reader(open_text: Open) -> None:
    page = open_text(WEATHER)
    index = page.variables.index(1, DISTRIBUTION)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "no: 25%, yes: 75%"


def test_that_the_preview_shows_the_file_or_the_data(open_text: Open, qtbot: QtBot, tmp_path: Path) -> None:
    page = open_text(GAPS)
    with wait_for_data(page, qtbot):
        page.missing.buttons["drop rows"].click()
    model = page.preview.table.model()
    assert (model.rowCount(), model.columnCount()) == (20, 3)
    page.preview.as_used.click()
    model = page.preview.table.model()
    assert (model.rowCount(), model.columnCount()) == (16, 2)


def test_that_each_choice_of_missing_cells_says_what_it_costs(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(GAPS)
    costs = page.missing.costs
    qtbot.waitUntil(lambda: costs["drop rows"].text() == "16 of 20 rows remain")
    hidden = "can look like a hidden cause: at most weak evidence"
    assert costs["own state"].text() == f"1 variable gets one more state; {hidden}"
    assert costs["most frequent"].text() == f"4 cells are guessed; {hidden}"
    assert costs["keep"].text().startswith("all 20 rows remain")
    with wait_for_data(page, qtbot):
        page.inspector().use_asked.emit("wet", False)
    assert not page.missing.isVisible()
    with wait_for_data(page, qtbot):
        page.inspector().use_asked.emit("wet", True)
    qtbot.waitUntil(lambda: costs["drop rows"].text() == "16 of 20 rows remain")


MARKED = "visits,insured\n" + "0,Ja\n1,Nein\n2,Ja\nk.A.,ja\n" * 10


def test_that_a_mark_among_numbers_is_treated_as_missing_with_one_click(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(MARKED)
    sentence = "umbers except 'k.A.' (10 cells): treat as missing?"
    assert page.offers.isVisible()
    assert remark(page, "visits") == f"N{sentence}"
    with wait_for_data(page, qtbot):
        qtbot.mouseClick(page.offers.list.buttons[0], Qt.MouseButton.LeftButton)
    assert page.missing.where.text() == "In visits (10)"
    assert page.document.undo_stack.undoText() == "Treat as missing: visits"
    page.document.undo_stack.undo()
    assert remark(page, "visits") == f"N{sentence}"


def test_that_states_spelt_in_two_ways_are_merged_with_one_click(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(MARKED)
    page.choose_variable("insured")
    assert remark(page, "insured") == "States that look alike: 'Ja', 'ja'"
    with wait_for_data(page, qtbot):
        qtbot.mouseClick(page.inspector().offers.buttons[0], Qt.MouseButton.LeftButton)
    assert page.document.dataset is not None
    assert page.document.dataset.states[1] == ("Ja", "Nein")
    assert page.document.dataset.counts("insured").tolist() == [30, 10]
    assert remark(page, "insured") == "States renamed"
    assert not page.inspector().offers.isVisible()


def test_that_offers_put_off_do_not_come_back(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(MARKED)
    qtbot.mouseClick(page.offers.later, Qt.MouseButton.LeftButton)
    assert not page.offers.isVisible()
    with wait_for_data(page, qtbot):
        page.inspector().rename_asked.emit("insured", "Nein", "No")
    assert not page.offers.isVisible()
    assert "treat as missing?" in remark(page, "visits")


def test_that_several_variables_are_discretised_at_once(open_text: Open, qtbot: QtBot) -> None:
    rows = [f"{20 + i / 2},{100 - i / 4},{'yes' if i % 3 else 'no'},{i % 4}\n" for i in range(80)]
    page = open_text("age,weight,ill,visits\n" + "".join(rows))
    assert page.offers.numbers.text() == "age and weight: too many different numbers to use as states"
    page.table.selectAll()
    assert page.inspector().discretise.text() == "Discretise 3 variables…"
    qtbot.mouseClick(page.offers.discretise, Qt.MouseButton.LeftButton)
    dialog = page.findChild(DiscretiseDialog)
    assert dialog is not None
    assert [dialog.shown.itemText(i) for i in range(dialog.shown.count())] == ["age", "weight"]
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 3)
    dialog.bins.setValue(4)
    dialog.shown.setCurrentText("weight")
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 4)
    qtbot.waitUntil(lambda: dialog.sentence.text() == "80 different numbers from 80.25 to 100.")
    with wait_for_data(page, qtbot):
        dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    data = page.document.dataset
    assert data is not None
    assert [len(data.states[data.index[name]]) for name in ("age", "weight")] == [4, 4]
    assert page.document.undo_stack.undoText() == "Discretise 2 variables"
    page.document.undo_stack.undo()
    assert page.document.preparation.discretise == ()


def test_that_several_variables_are_excluded_and_used_together(open_text: Open, qtbot: QtBot) -> None:
    page = open_text("a,b,c\n" + "x,y,z\nu,v,w\n" * 10)
    page.choose_variable("a")
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    page.table.selectionModel().select(page.variables.index(2, NAME), flags)
    with wait_for_data(page, qtbot):
        page.context.actions["data.set_aside"].trigger()
    assert page.document.dataset is not None
    assert page.document.dataset.names == ("b",)
    assert page.summary.text() == "20 rows (2 distinct) · 1 variable · 2 excluded"
    with wait_for_data(page, qtbot):
        page.context.actions["data.use"].trigger()
    assert page.document.dataset.names == ("a", "b", "c")


def test_that_a_missing_mark_may_hold_blanks(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(WEATHER + "yes,n a\n" * 5)
    dialog = page.ask_reading()
    assert dialog is not None
    dialog.marks.setText('NA "n a" ?')
    with wait_for_data(page, qtbot):
        dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    assert page.missing.where.text() == "In wet (5)"
    assert page.document.preparation.missing_marks == ("", "NA", "n a", "?")
    again = page.ask_reading()
    assert again is not None
    assert again.marks.text() == 'NA "n a" ?'
    again.reject()


def test_that_a_long_name_is_shown_whole_on_request(open_text: Open) -> None:
    name = "NUMBER_OF_VISITS_TOANYPHYSICIANORHOSPITAL_IN_THE_LAST_TWELVE_MONTHS"
    page = open_text(f"{name},b\n" + "x,y\nu,v\n" * 10)
    for choice in (page.preview.as_read, page.preview.as_used):
        choice.click()
        shown = page.preview.table.model()
        assert shown.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) == name
    assert page.variables.index(0, NAME).data(Qt.ItemDataRole.ToolTipRole) == name
    for table in (page.preview.table, page.table):
        assert table.horizontalHeader().textElideMode() == Qt.TextElideMode.ElideRight
    title = page.inspector().title
    assert title.text().replace("\u200b", "") == title.toolTip() == name
    assert title.sizeHint().height() <= title.heightForWidth(title.width()) <= title.height()  # all its lines are seen


def test_that_no_heading_of_the_variables_is_cut(open_text: Open, window: MainWindow, qtbot: QtBot) -> None:
    window.resize(900, 700)
    page = open_text(f"{'A' * 40},b\n" + "x,y\nu,v\n" * 10)
    header = page.table.horizontalHeader()
    for column in range(page.variables.columnCount()):
        assert header.sectionSize(column) >= header.sectionSizeHint(column)


def test_that_a_pipe_is_refused_with_a_sentence_and_the_data_stay(
    open_text: Open, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    page = open_text(WEATHER)
    before = page.document.dataset
    os.mkfifo(tmp_path / "pipe.csv")
    with qtbot.waitSignal(window.problems.reported):
        window.opener.open_path(tmp_path / "pipe.csv")
    assert "this is a pipe or a device, not a file" in window.problems.messages[0].what
    assert page.document.dataset is before


GRADES = "rain,a,b,c,d\n" + "yes,low,low,mid,1\nno,mid,high,high,2\nyes,high,mid,low,3\n" * 10


def test_that_columns_of_the_same_order_are_declared_as_ordered_at_once(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(GRADES)
    same = next(button for button in page.offers.list.buttons if "a, b and c" in button.accessibleName())
    assert "in this order" in same.toolTip()
    with wait_for_data(page, qtbot):
        qtbot.mouseClick(same, Qt.MouseButton.LeftButton)
    data = page.document.dataset
    assert data is not None
    assert [name for name in data.names if data.states[data.index[name]] == ("low", "mid", "high")] == ["a", "b", "c"]
    assert page.document.undo_stack.undoText() == "Declare as ordered: 3 variables"
    page.document.undo_stack.undo()
    assert [name for name in data.names if page.plan_of(name).offers] == ["a", "b", "c", "d"]


COUNTED = "rain,wet,n\nyes,yes,30\nyes,no,5\nno,no,40\nno,yes,7\n"


def test_that_a_column_of_counts_is_offered_taken_and_taken_back(open_text: Open, qtbot: QtBot) -> None:
    page = open_text(COUNTED)
    (offer,) = (offer for plan in page.document.state.plans for offer in plan.offers if offer.counts)
    with wait_for_data(page, qtbot):
        page.offers.accepted.emit((offer,))
    assert page.document.dataset is not None
    assert (page.document.dataset.n_rows, page.document.dataset.names) == (82, ("rain", "wet"))
    page.choose_variable("n")
    action = page.context.actions["data.counts"]
    assert action.isChecked()
    with wait_for_data(page, qtbot):
        action.trigger()
    assert page.document.preparation.counts is None
    page.document.undo_stack.undo()
    assert page.document.preparation.counts == "n"


def test_that_a_state_is_treated_as_missing_in_its_column(open_text: Open, qtbot: QtBot) -> None:
    page = open_text("rain,wet\n" + "1,1\n2,2\n9,1\n" * 5)
    page.choose_variable("rain")
    table = page.inspector().table
    table.setCurrentIndex(page.inspector().model.index(2, 0))
    with wait_for_data(page, qtbot):
        page.context.actions["data.missing_state"].trigger()
    assert page.document.dataset is not None
    assert page.document.dataset.count_missing("rain") == 5
    assert page.missing.isVisible()


def test_that_copied_rows_are_named_until_the_user_says_they_are_real(open_text: Open, qtbot: QtBot) -> None:
    different = [f"{a},{b},{c}" for a in "xy" for b in "pqr" for c in "uv" if (a, b, c) != ("x", "p", "u")]
    page = open_text(
        "a,b,c\n" + "\n".join(row for k, row in enumerate(different) for _ in range(4 * (1 + k % 3))) + "\n"
    )
    assert page.rows.isVisible()
    assert "look copied" in page.rows.text.text()
    with wait_for_data(page, qtbot):
        qtbot.mouseClick(page.rows.real, Qt.MouseButton.LeftButton)
    assert page.document.preparation.rows_are_real
    assert not page.rows.isVisible()
    page.document.undo_stack.undo()
    assert page.rows.isVisible()
