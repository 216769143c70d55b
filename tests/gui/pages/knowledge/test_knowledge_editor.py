"""The editor of knowledge: drag, keys, rules, ticks, contradictions, undo, files, many variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from support.builders import knowledge_of_all_kinds
from support.knowledge_acts import LEFT, add_rule, drag, drop, list_of, listed, press, select, tick

from latconf_core.formats.knowledge_file import read_knowledge, write_knowledge
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_gui.application.settings import Settings
from latconf_gui.pages.knowledge.draft import NO_TIER
from latconf_gui.pages.knowledge.hidden_model import HiddenColumn
from latconf_gui.pages.knowledge.knowledge_dialog import KnowledgeDialog
from latconf_gui.pages.knowledge.rules_model import RuleKind
from latconf_gui.pages.knowledge.tier_board import IN_NONE, NEW
from latconf_gui.pages.knowledge.tier_list import STRANGER

Key = Qt.Key
NAMES = ("age", "sex", "income", "smoking", "death")
Make = Callable[..., KnowledgeDialog]


@pytest.fixture
def make(qtbot: QtBot, qapp: QApplication, own_settings: Settings) -> Iterator[Make]:
    """Opens editors; they are closed at the end without asking."""
    made: list[KnowledgeDialog] = []

    def make_dialog(known: Knowledge = NO_KNOWLEDGE, names: tuple[str, ...] = NAMES) -> KnowledgeDialog:
        dialog = KnowledgeDialog(known, names, settings=own_settings)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        made.append(dialog)
        with qtbot.waitActive(dialog):
            dialog.show()
            dialog.activateWindow()
        return dialog

    yield make_dialog
    for dialog in made:
        dialog.leave()
        dialog.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def titles(dialog: KnowledgeDialog) -> list[str]:
    return [column.title.text() for column in dialog.board.columns]


# Tiers --------------------------------------------------------------------------------------------


def test_that_dragged_variables_form_tiers_in_the_order_of_the_board(make: Make) -> None:
    dialog = make()
    assert titles(dialog) == [IN_NONE, NEW]
    drag(dialog, ["sex", "age"], 0)
    drag(dialog, ["death"], 1)
    drag(dialog, ["income", "smoking"], 1)
    assert titles(dialog) == [IN_NONE, "Tier 1", "Tier 2", NEW]
    assert listed(dialog) == [(), ("age", "sex"), ("income", "smoking", "death")]
    drag(dialog, ["income", "death"], NO_TIER)
    assert dialog.draft.knowledge() == Knowledge(tiers=(("age", "sex"), ("smoking",)))


def test_that_what_is_dragged_in_from_elsewhere_is_not_taken(make: Make) -> None:
    dialog, content = make(), QMimeData()
    content.setText("age")
    assert not drop(list_of(dialog, 0), content)
    assert dialog.draft.knowledge() == NO_KNOWLEDGE


def test_that_arrow_keys_move_variables_to_the_next_tier_and_go_with_them(make: Make, qtbot: QtBot) -> None:
    dialog = make(Knowledge(tiers=(("age",), ("sex", "death"))))
    press(qtbot, dialog, ["income"], Key.Key_Right, Key.Key_Right, Key.Key_Right)
    assert listed(dialog) == [("smoking",), ("age",), ("sex", "death"), ("income",)]
    assert list_of(dialog, 2).selected_names() == ("income",)
    assert list_of(dialog, 2).hasFocus()
    press(qtbot, dialog, ["sex", "death"], Key.Key_Left)
    press(qtbot, dialog, ["income"], Key.Key_Left, Key.Key_Left, Key.Key_Left, Key.Key_Left)
    assert dialog.draft.knowledge() == Knowledge(tiers=(("age", "sex", "death"),))


def test_that_an_arrow_key_that_can_move_nothing_says_why(make: Make, qtbot: QtBot) -> None:
    dialog = make(Knowledge(tiers=(("age",), ("death",))))
    press(qtbot, dialog, ["death"], Key.Key_Right)
    assert "Tier 2 is the last tier" in dialog.problem.text()
    assert len(dialog.draft.tiers) == 2
    list_of(dialog, 0).clearSelection()
    qtbot.keyClick(list_of(dialog, 0), Key.Key_Right)
    assert "select a variable" in dialog.problem.text()


def test_that_arrow_keys_with_ctrl_go_to_other_tiers_and_move_nothing(make: Make, qtbot: QtBot) -> None:
    known = Knowledge(tiers=(("age",), ("death",)))
    dialog = make(known)
    select(dialog, ["age"])
    qtbot.keyClick(list_of(dialog, 0), Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert list_of(dialog, 1).hasFocus()
    assert list_of(dialog, 1).selected_names() == ("death",)
    assert dialog.draft.knowledge() == known


def test_that_a_tier_can_be_closed_and_the_menus_move_tiers_and_variables(make: Make, qtbot: QtBot) -> None:
    dialog = make(Knowledge(tiers=(("age",), ("smoking",), ("death",))))

    def choose(text: str) -> None:
        menu = dialog.board.findChildren(QMenu)[-1]
        next(action for action in menu.actions() if action.text() == text).trigger()
        menu.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    column = dialog.board.column(1)
    assert column is not None
    column.is_closed.click()
    assert dialog.draft.knowledge().closed_tiers == {1}
    for text in ("Move later", "Insert a tier before"):
        column.more.click()
        choose(text)
    assert listed(dialog)[1:] == [("age",), (), ("death",), ("smoking",)]
    assert dialog.draft.knowledge() == Knowledge((("age",), ("death",), ("smoking",)), frozenset({2}))
    select(dialog, ["death"])
    list_of(dialog, 2).customContextMenuRequested.emit(list_of(dialog, 2).rect().center())
    choose("Move to: Tier 1")
    assert dialog.draft.knowledge().tiers == (("age", "death"), ("smoking",))
    last = dialog.board.column(3)
    assert last is not None
    last.more.click()
    choose("Remove the tier")
    assert dialog.draft.knowledge().tiers == (("age", "death"),)


def test_that_two_hundred_variables_with_long_names_scroll_and_can_be_filtered(make: Make, qtbot: QtBot) -> None:
    names = tuple(f"a rather long name of a variable that was measured at visit number {i}" for i in range(200))
    dialog = make(names=names)
    for tier in range(8):
        dialog.board.move_to(names[tier * 20 : tier * 20 + 20], tier)
    qtbot.waitUntil(lambda: dialog.board.horizontalScrollBar().maximum() > 0)
    qtbot.waitUntil(lambda: list_of(dialog, NO_TIER).verticalScrollBar().maximum() > 0)
    assert dialog.width() <= dialog.screen().availableSize().width()
    qtbot.keyClicks(dialog.filter, "NUMBER 14")
    assert listed(dialog)[8] == tuple(name for name in names if "number 14" in name)[1:]
    assert "10 of 20 shown" in dialog.board.columns[8].about.text()
    press(qtbot, dialog, [names[145]], Key.Key_Left)
    assert dialog.draft.tier_of(names[145]) == 6
    dialog.filter.clear()
    assert len(list_of(dialog, 6).tiers.names) == 21


# Rules and hidden causes --------------------------------------------------------------------------


def test_that_a_contradiction_is_said_at_once_and_nothing_is_used_before_it_is_resolved(
    make: Make, qtbot: QtBot
) -> None:
    dialog = make(Knowledge(tiers=(("age",), ("death",))))
    used: list[Knowledge] = []
    dialog.used.connect(used.append)
    add_rule(qtbot, dialog, "death", RuleKind.REQUIRED, "age")
    assert "death --> age is required, but death is in a later tier than age" in dialog.problem.text()
    assert dialog.problem.isVisible()
    for button in (dialog.use, dialog.exporting):
        assert not button.isEnabled()
    dialog.buttons.accepted.emit()
    assert used == []
    dialog.rules.table.selectAll()
    qtbot.keyClick(dialog.rules.table, Key.Key_Delete)
    assert not dialog.problem.isVisible()
    qtbot.mouseClick(dialog.use, LEFT)
    assert used == [Knowledge(tiers=(("age",), ("death",)))]


@pytest.mark.parametrize("kind", RuleKind)
def test_that_a_typed_rule_is_added_once_and_deleted(make: Make, qtbot: QtBot, kind: RuleKind) -> None:
    dialog = make()
    for _ in range(2):
        add_rule(qtbot, dialog, "smoking", kind, "death")
    assert getattr(dialog.draft.knowledge(), kind.value) == (("smoking", "death"),)
    assert "already exists" in dialog.problem.text()
    qtbot.mouseClick(dialog.rules.delete, LEFT)
    assert "select the rules" in dialog.problem.text()
    dialog.rules.table.selectRow(0)
    qtbot.mouseClick(dialog.rules.delete, LEFT)
    assert dialog.draft.knowledge() == NO_KNOWLEDGE


def test_that_a_rule_about_no_variable_is_not_added_and_said(make: Make, qtbot: QtBot) -> None:
    dialog = make()
    add_rule(qtbot, dialog, "smokin", RuleKind.REQUIRED, "death")
    assert "no variable 'smokin'" in dialog.problem.text()
    add_rule(qtbot, dialog, "", RuleKind.REQUIRED, "death")
    assert dialog.problem.text() == "First choose the cause."
    assert dialog.draft.knowledge() == NO_KNOWLEDGE


def test_that_a_filter_leaves_the_rules_about_some_variables(make: Make, qtbot: QtBot) -> None:
    dialog = make(Knowledge(required=(("smoking", "death"), ("age", "income"), ("sex", "smoking"))))
    qtbot.keyClicks(dialog.filter, "smok")
    assert dialog.rules.rules.rowCount() == 2
    dialog.rules.table.selectAll()
    dialog.rules.delete.click()
    assert dialog.draft.knowledge().required == (("age", "income"),)


def test_that_ticks_say_what_is_exogenous_and_where_hidden_causes_may_be(make: Make, qtbot: QtBot) -> None:
    dialog = make()
    tick(dialog, "age", HiddenColumn.EXOGENOUS)
    tick(dialog, "sex", HiddenColumn.HIDDEN)
    known = dialog.draft.knowledge()
    assert (known.exogenous, known.hidden_causes_only_among) == (("age",), ("income", "smoking", "death"))
    model = dialog.hidden.variables
    assert not model.flags(model.index(0, HiddenColumn.HIDDEN)) & Qt.ItemFlag.ItemIsUserCheckable
    assert not model.is_on("age", HiddenColumn.HIDDEN)
    dialog.hidden.table.selectAll()
    tick(dialog, "sex", HiddenColumn.HIDDEN)
    assert dialog.draft.knowledge().hidden_causes_only_among is None


def test_that_a_tick_can_be_set_by_the_keyboard(make: Make, qtbot: QtBot) -> None:
    dialog = make()
    dialog.tabs.setCurrentWidget(dialog.hidden)
    table = dialog.hidden.table
    table.setFocus()
    table.setCurrentIndex(dialog.hidden.variables.index(2, HiddenColumn.EXOGENOUS))
    qtbot.keyClick(table, Key.Key_Space)
    assert dialog.draft.knowledge().exogenous == ("income",)


def test_that_selected_variables_share_no_hidden_cause_until_the_group_is_deleted(make: Make) -> None:
    dialog = make()
    dialog.tabs.setCurrentWidget(dialog.hidden)
    dialog.hidden.table.selectRow(1)
    dialog.hidden.add.click()
    assert "two or more variables" in dialog.problem.text()
    dialog.hidden.table.selectAll()
    dialog.hidden.add.click()
    assert dialog.draft.knowledge().no_hidden_cause == (NAMES,)
    dialog.hidden.delete.click()
    assert "select the groups" in dialog.problem.text()
    dialog.hidden.groups.selectAll()
    dialog.hidden.delete.click()
    assert dialog.draft.knowledge() == NO_KNOWLEDGE


# Names, undo, files -------------------------------------------------------------------------------


def test_that_names_that_the_data_lack_are_said_kept_and_marked(make: Make) -> None:
    known = Knowledge(tiers=(("age", "born"), ("death",)), required=(("born", "death"),))
    dialog = make(known)
    assert "'born', which is not in the data" in dialog.summary.text()
    model = list_of(dialog, 0).tiers
    assert model.index(1).data(Qt.ItemDataRole.AccessibleTextRole) == f"born, Tier 1, {STRANGER}"
    assert dialog.use.isEnabled()
    assert dialog.draft.knowledge() == known
    dialog.show_variables((*NAMES, "born"))
    assert "born" not in dialog.summary.text()


def test_that_every_step_is_taken_back_and_done_again_by_keys(make: Make, qtbot: QtBot) -> None:
    dialog = make()
    drag(dialog, ["age"], 0)
    add_rule(qtbot, dialog, "age", RuleKind.REQUIRED, "death")
    tick(dialog, "age", HiddenColumn.EXOGENOUS)
    full = dialog.draft
    dialog.board.setFocus()
    for _ in range(3):
        qtbot.keySequence(dialog, QKeySequence(QKeySequence.StandardKey.Undo))
    assert dialog.draft.knowledge() == NO_KNOWLEDGE
    assert not dialog.undo.isEnabled()
    for _ in range(3):
        qtbot.keySequence(dialog, QKeySequence("Ctrl+Y"))
    assert dialog.draft == full
    dialog.clear.click()
    assert dialog.draft.knowledge() == NO_KNOWLEDGE
    dialog.undo.click()
    assert dialog.draft == full


@pytest.mark.parametrize("name", ["known.json", "known.txt", "known.csv"])
def test_that_files_come_in_as_one_step_and_go_out_again(make: Make, qtbot: QtBot, tmp_path: Path, name: str) -> None:
    known = Knowledge((("age",), ("death",)), frozenset({0}), (("age", "income"),), (("smoking", "death"),))
    write_knowledge(known, tmp_path / name)
    dialog = make()
    with qtbot.waitSignal(dialog.files.read):
        dialog.files.import_file(tmp_path / name)
    assert dialog.draft.knowledge() == known
    dialog.files.export(known, tmp_path / f"again_{name}")
    assert read_knowledge(tmp_path / f"again_{name}") == known
    assert str(tmp_path / f"again_{name}") in dialog.summary.text()
    dialog.undo.click()
    assert dialog.draft.knowledge() == NO_KNOWLEDGE


def test_that_a_file_that_cannot_be_read_or_written_is_said_in_the_editor(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = make(knowledge_of_all_kinds(), tuple("ABCDE"))
    before = dialog.draft
    path = tmp_path / "odd.txt"
    path.write_text("/knowledge\nrequiredirect\nage death\ndeath age\n", encoding="utf-8")
    dialog.files.import_file(path)
    qtbot.waitUntil(lambda: "cycle" in dialog.problem.text())
    dialog.files.import_file(tmp_path / "none.txt")
    qtbot.waitUntil(lambda: "does not exist" in dialog.problem.text())
    dialog.files.export(before.knowledge(), tmp_path / "all.txt")
    assert "write knowledge.json instead" in dialog.problem.text()
    assert dialog.draft == before
    assert not (tmp_path / "all.txt").exists()


def test_that_changes_are_not_lost_without_a_question(make: Make, qtbot: QtBot) -> None:
    dialog = make()
    drag(dialog, ["age"], 0)
    for close in (dialog.reject, dialog.close):
        close()
        assert dialog.question is not None
        qtbot.waitUntil(dialog.question.isVisible)
        keep, discard = sorted(dialog.question.buttons(), key=lambda button: button.text(), reverse=True)
        keep.click()
        assert dialog.isVisible()
    dialog.reject()
    discard = next(button for button in dialog.question.buttons() if button.text() == "Discard")
    discard.click()
    assert not dialog.isVisible()


def test_that_an_editor_without_changes_closes_at_once(make: Make, qtbot: QtBot) -> None:
    dialog = make(Knowledge(tiers=(("age",),)))
    qtbot.keyClick(dialog, Key.Key_Escape)
    assert not dialog.isVisible()


def test_that_presented_knowledge_can_be_looked_at_and_not_changed(make: Make, qtbot: QtBot) -> None:
    dialog = make(knowledge_of_all_kinds(), tuple("ABCDE"))
    dialog.set_editable(False)
    before = dialog.draft
    drag(dialog, ["C"], 0)
    press(qtbot, dialog, ["C"], Key.Key_Left)
    qtbot.keyClick(dialog.rules.table, Key.Key_Delete)
    for button in (dialog.use, dialog.clear, dialog.undo, dialog.importing, dialog.rules.add, dialog.hidden.add):
        assert not button.isEnabled()
    assert dialog.exporting.isEnabled()
    assert dialog.draft == before
