"""Knowledge as a part of the document: one editor for three pages, undo, projects, other data, presentation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.knowledge_acts import LEFT, drag, listed, open_editor, press, use

from latconf_core.control import RunControl
from latconf_core.formats.projects.project_state import OpenedProject, open_project, save_state
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.wording.knowledge_texts import knowledge_summary
from latconf_gui.pages.data.data_page import DataPage
from latconf_gui.pages.knowledge.draft import Draft
from latconf_gui.pages.knowledge.knowledge_command import EDIT, KnowledgeLine
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.pages.stability.stability_job import StabilityJob, pag_job
from latconf_gui.window.main_window import MainWindow

TABLE = "age,sex,death\n" + "\n".join(f"{i % 3},{i % 2},{i % 5 % 2}" for i in range(30)) + "\n"
KNOWN = Knowledge(tiers=(("age", "sex"), ("death",)), exogenous=("sex",))
Open = Callable[[str], DataPage]


def lines(window: MainWindow) -> dict[str, KnowledgeLine]:
    """The line of each page that has one."""
    pages = (window.page(DataPage), window.page(PagPage), window.page(SearchPage))
    return {page.title: page.knowledge for page in pages}


def test_that_three_pages_a_key_and_two_menus_open_the_same_editor(
    window: MainWindow, qtbot: QtBot, open_text: Open
) -> None:
    open_text(TABLE)
    action = window.actions_by_id[EDIT]
    for page in (window.page(DataPage), window.page(PagPage)):
        assert EDIT in page.menu()
    openers: list[Callable[[], object]] = [line.button.click for line in lines(window).values()]
    openers += [lambda: qtbot.keySequence(window, QKeySequence("Ctrl+K")), action.trigger]
    for opener in openers:
        opener()
        dialog = window.knowledge.dialog
        assert dialog is not None
        assert dialog.isModal()
        assert listed(dialog) == [("age", "sex", "death")]
        dialog.leave()
        assert window.knowledge.dialog is None


def test_that_a_click_on_the_line_opens_the_editor(window: MainWindow, qtbot: QtBot, open_text: Open) -> None:
    open_text(TABLE)
    window.show_page("Search")
    line: QWidget = window.page(SearchPage).knowledge
    qtbot.mouseClick(line, LEFT, pos=line.rect().topLeft() + line.rect().center() / 10)
    assert window.knowledge.dialog is not None
    window.knowledge.dialog.leave()


def test_that_what_is_used_is_one_step_and_every_page_says_what_binds(
    window: MainWindow, qtbot: QtBot, open_text: Open
) -> None:
    open_text(TABLE)
    n_steps = window.document.undo_stack.count()
    dialog = open_editor(qtbot, window)
    drag(dialog, ["age", "sex"], 0)
    press(qtbot, dialog, ["death"], Qt.Key.Key_Right, Qt.Key.Key_Right)
    use(dialog, qtbot)
    assert window.document.knowledge == Knowledge(tiers=(("age", "sex"), ("death",)))
    assert window.document.undo_stack.count() == n_steps + 1
    for line in lines(window).values():
        assert line.text.text() == "Knowledge: 2 tiers."
    window.actions_by_id["edit.undo"].trigger()
    assert window.document.knowledge == NO_KNOWLEDGE
    assert lines(window)["Search"].text.text() == "Knowledge: none."
    window.actions_by_id["edit.redo"].trigger()
    assert listed(open_editor(qtbot, window)) == [(), ("age", "sex"), ("death",)]
    assert window.knowledge.dialog is not None
    window.knowledge.dialog.leave()


def test_that_using_what_was_known_before_is_no_step(window: MainWindow, qtbot: QtBot, open_text: Open) -> None:
    open_text(TABLE)
    window.document.set_knowledge(KNOWN, "Know something")
    n_steps = window.document.undo_stack.count()
    use(open_editor(qtbot, window), qtbot)
    assert window.document.undo_stack.count() == n_steps


def test_that_a_project_reopens_with_its_knowledge(
    window: MainWindow, qtbot: QtBot, open_text: Open, tmp_path: Path
) -> None:
    open_text(TABLE)
    known = Knowledge(
        tiers=(("age",), ("sex",)),
        closed_tiers=frozenset({1}),
        forbidden_indirect=(("death", "sex"),),
        no_hidden_cause=(("age", "death"),),
        hidden_causes_only_among=("age", "sex", "death"),
    )
    window.document.set_knowledge(known, "Know something")
    path = tmp_path / "known.latconf"
    with qtbot.waitSignal(window.project.ended):
        window.project.save_to(path)
    window.opener.close_document("Close")
    assert window.document.knowledge == NO_KNOWLEDGE
    with qtbot.waitSignal(window.opener.project_opened):
        window.opener.open_path(path)
    assert window.document.knowledge == known
    dialog = open_editor(qtbot, window)
    assert dialog.draft == Draft.of(known)
    dialog.leave()


def test_that_an_excluded_column_is_said_and_its_knowledge_kept(
    window: MainWindow, qtbot: QtBot, open_text: Open
) -> None:
    page = open_text(TABLE)
    window.document.set_knowledge(KNOWN, "Know something")
    page.choose_variable("sex")
    with qtbot.waitSignal(window.document.dataset_changed):
        window.actions_by_id["data.set_aside"].trigger()
    assert "'sex', which is not in the data" in page.knowledge.text.text()
    dialog = open_editor(qtbot, window)
    assert "sex" in dialog.summary.text()
    use(dialog, qtbot)
    assert window.document.knowledge == KNOWN


def test_that_another_file_begins_with_no_knowledge_and_ends_an_open_editor(
    window: MainWindow, qtbot: QtBot, open_text: Open
) -> None:
    open_text(TABLE)
    window.document.set_knowledge(KNOWN, "Know something")
    window.document.mark_clean()
    dialog = open_editor(qtbot, window)
    drag(dialog, ["death"], 0)
    open_text("x,y\n" + "a,b\nb,a\n" * 10, "other.csv")
    assert window.knowledge.dialog is None
    assert window.document.knowledge == NO_KNOWLEDGE
    assert "Another document" in window.problems.messages[-1].what
    dialog = open_editor(qtbot, window)
    assert listed(dialog) == [("x", "y")]
    dialog.leave()


def test_that_a_drawn_pag_has_knowledge_too_and_nothing_open_has_none(window: MainWindow, qtbot: QtBot) -> None:
    assert not window.actions_by_id[EDIT].isEnabled()
    assert "open data" in window.actions_by_id[EDIT].toolTip()
    window.document.set_pag(mixed("A o-> B", "C o-> B"), "Draw", origin="drawn")
    dialog = open_editor(qtbot, window)
    assert listed(dialog) == [("A", "B", "C")]
    dialog.leave()


def test_that_presented_knowledge_can_only_be_looked_at(window: MainWindow, qtbot: QtBot, open_text: Open) -> None:
    open_text(TABLE)
    window.document.set_knowledge(KNOWN, "Know something")
    window.document.set_presenting(True)
    dialog = open_editor(qtbot, window)
    drag(dialog, ["age"], 1)
    assert dialog.draft == Draft.of(KNOWN)
    assert not dialog.use.isEnabled()
    dialog.leave()
    window.document.set_presenting(False)


@pytest.mark.slow
def test_that_knowledge_is_said_by_drag_keys_and_words_under_x(tmp_path: Path) -> None:
    from support.real_window import act_under_x

    act_under_x("person_with_knowledge", tmp_path)


def test_that_a_pag_keeps_the_knowledge_with_which_it_was_learned(
    window: MainWindow, qtbot: QtBot, open_text: Open, tmp_path: Path
) -> None:
    open_text(TABLE)
    before, now = KNOWN, Knowledge(tiers=(("sex",), ("age", "death")))
    window.document.set_knowledge(before, "Say it")
    window.show_page("PAG")
    page = window.page(PagPage)
    page.learn()
    qtbot.waitUntil(lambda: window.document.pag is not None, timeout=30_000)
    kept = window.document.state.kept_pag
    assert kept is not None
    assert kept.knowledge == before
    said = f"Knowledge: {knowledge_summary(before)}"
    assert said in page.pag_inspector.text.text().splitlines()
    window.document.set_knowledge(now, "Say otherwise")
    assert f"{said}; you have changed the knowledge since" in page.pag_inspector.text.text().splitlines()
    job = pag_job(window.document.state)
    assert isinstance(job, StabilityJob)
    assert job.knowledge == before
    path = tmp_path / "kept.latconf"
    assert list(save_state(window.document.state, path, RunControl(), post=lambda _: None)) == [path]
    *_, opened = open_project(path, RunControl(), post=lambda _: None)
    assert isinstance(opened, OpenedProject)
    assert opened.state.kept_pag is not None
    assert (opened.state.kept_pag.knowledge, opened.state.knowledge) == (before, now)
    window.actions_by_id["edit.undo"].trigger()
    assert said in page.pag_inspector.text.text().splitlines()
    window.actions_by_id["edit.undo"].trigger()
    assert window.document.pag is None
