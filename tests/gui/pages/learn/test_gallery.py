"""The Gallery: lessons by mouse and by keys, answers on demand, data from a graph, a lecturer's own lessons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latconf_core.teaching.lessons import own_lessons
from latconf_gui.pages.learn.gallery.gallery import Gallery
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.window.main_window import MainWindow


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("lessons")
    monkeypatch.setenv("LATCONF_LESSONS_FOLDER", str(folder))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: True)
    return folder


@pytest.fixture
def gallery(window: MainWindow) -> Iterator[Gallery]:
    activity = window.page(LearnPage).open_activity("gallery")
    assert isinstance(activity, Gallery)
    window.show_page("Lessons")
    yield activity
    window.page(LearnPage).stop()


def test_that_it_opens_with_the_first_lesson_and_nothing_to_save(gallery: Gallery) -> None:
    assert gallery.lesson == own_lessons()[0]
    assert [set(scene.drawing.names) for scene in gallery.stage.scenes] == [{"Rain", "Wet", "Slippery"}] * 3
    assert not gallery.column.answer.isVisible()
    assert not gallery.document.has_content


def test_that_every_lesson_shows_its_graphs_and_all_of_its_text(gallery: Gallery) -> None:
    for index, lesson in enumerate(own_lessons()):
        gallery.choose(index)
        dag, mag, pag = (scene.drawing for scene in gallery.stage.scenes)
        assert dag.names == lesson.dag.nodes
        assert {str(drawn.edge) for drawn in mag.edges} == {str(edge) for edge in lesson.dag.mag.edges()}
        assert {str(drawn.edge) for drawn in pag.edges} == {str(edge) for edge in lesson.dag.pag.edges()}
        shown = "\n\n".join(paragraph.text() for paragraph in gallery.column.paragraphs if paragraph.text())
        assert shown == "\n\n".join(lesson.text)
        assert gallery.column.title.text() == lesson.title
        assert gallery.column.question.text() == lesson.question


def test_that_keys_go_from_lesson_to_lesson_and_reveal_the_answer(gallery: Gallery, qtbot: QtBot) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    gallery.column.box.setFocus()
    qtbot.keyClick(gallery.column.box, Qt.Key.Key_Right, control)
    assert gallery.lesson.key == "02-fork"
    qtbot.keyClick(gallery.column.box, Qt.Key.Key_Return, control)
    assert gallery.column.answer.isVisible()
    assert gallery.accessibleDescription() == gallery.lesson.answer
    qtbot.keyClick(gallery.column.box, Qt.Key.Key_Left, control)
    assert gallery.lesson.key == "01-chain"
    assert not gallery.column.answer.isVisible()
    qtbot.keyClick(gallery.column.box, Qt.Key.Key_Left, control)
    assert gallery.lesson.key == "01-chain"
    qtbot.keyClick(gallery.column.box, Qt.Key.Key_Right, control)
    assert gallery.column.answer.isVisible()


def test_that_the_lesson_and_the_answers_are_kept(gallery: Gallery, window: MainWindow) -> None:
    gallery.choose(3)
    gallery.column.answer_button.click()
    kept = json.loads(json.dumps(gallery.state()))
    gallery.restore({})
    assert gallery.lesson.key == "01-chain"
    gallery.restore(kept)
    assert gallery.lesson.key == "04-hidden-cause"
    assert gallery.column.answer_button.isChecked()
    assert window.document.is_modified


def test_that_an_edge_is_read_by_click_and_by_key(gallery: Gallery, qtbot: QtBot) -> None:
    gallery.choose(3)
    view = gallery.stage.panes[1].view
    for key in (Qt.Key.Key_E, Qt.Key.Key_Space):
        qtbot.keyClick(view, key)
    assert (
        "Icecream <-> Sunburn: If this PAG is right, neither Icecream nor Sunburn causes"
        in gallery.column.reading.text()
    )
    gallery.stage.scenes[0].edge_clicked.emit("Summer", "Icecream")
    assert gallery.column.reading.text() == "Summer --> Icecream: Summer is a cause of Icecream."


def test_that_drawn_data_open_on_the_data_page_with_the_truth_and_the_lesson(
    gallery: Gallery, window: MainWindow, qtbot: QtBot
) -> None:
    gallery.choose(8)
    gallery.column.rows.setValue(300)
    with qtbot.waitSignal(window.opener.opened):
        gallery.column.draw.click()
    assert window.current_page.title == "Data"
    assert window.document.dataset is not None
    assert window.document.dataset.names == ("Teacher", "Maths", "Reading", "Books")
    assert window.document.truth is not None
    assert window.document.truth.latents == {"Ability"}
    assert gallery.lesson.key == "09-m-structure"
    assert window.document.is_modified  # the lesson that was chosen is not on the disk


def test_that_work_is_asked_about_before_drawn_data_take_its_place(
    gallery: Gallery, window: MainWindow, qtbot: QtBot, small_csv: Path
) -> None:
    with qtbot.waitSignal(window.opener.opened):
        window.opener.open_path(small_csv)
    gallery.choose(4)
    window.unsaved.asked.disconnect()
    with qtbot.waitSignal(window.unsaved.asked) as asked:
        gallery.column.draw.click()
    assert window.document.name == "small.csv"
    asked.args[0].discard()
    assert window.document.name == "Hidden mediator"
    assert gallery.lesson.key == "05-hidden-mediator"


def test_that_a_lecturers_lessons_stand_at_the_end_and_bad_ones_are_reported(
    gallery: Gallery, own_folder: Path, window: MainWindow
) -> None:
    gallery.choose(2)
    gallery.copy_lesson()
    assert gallery.lesson.key == "my-03-collider"
    path = own_folder / "my-03-collider.json"
    changed = json.loads(path.read_text(encoding="utf-8"))
    changed["title"] = "My collider"
    path.write_text(json.dumps(changed), encoding="utf-8")
    (own_folder / "zzz.json").write_text("{}", encoding="utf-8")
    gallery.read_again()
    assert gallery.lesson.title == "My collider"
    assert gallery.column.box.itemText(gallery.column.box.count() - 1) == f"{len(own_lessons()) + 1}. My collider"
    assert "zzz.json: the lesson cannot be used: 'title' is missing" in window.problems.messages[-1].what
    gallery.copy_lesson()
    assert (own_folder / "my-my-03-collider.json").exists()


def test_that_a_lesson_that_is_gone_opens_the_first_one(gallery: Gallery) -> None:
    gallery.restore({"lesson": "gone", "answered": ["gone"]})
    assert gallery.lesson.key == "01-chain"


def test_that_next_stays_where_it_is_from_lesson_to_lesson(gallery: Gallery) -> None:
    button = gallery.column.next
    places = set()
    for number in range(gallery.column.box.count()):
        gallery.column.box.setCurrentIndex(number)
        QApplication.processEvents()
        places.add(button.mapTo(gallery, QPoint()).y())
    assert len(places) == 1
