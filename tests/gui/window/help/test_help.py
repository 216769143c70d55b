"""The Help: every term with its picture, every key, and what F1 explains."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QUrl
from PySide6.QtGui import QHelpEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFormLayout,
    QHeaderView,
    QLabel,
    QListView,
    QTabBar,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot
from support.model_acts import settle, state_with_result

from latconf_core.comparison.measures import MEASURES, OWN_NUMBERS
from latconf_core.teaching.documentation import documentation
from latconf_core.teaching.glossary import GlossaryEntry, explain_label, glossary
from latconf_gui.pages.learn.activities import ACTIVITIES
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.widgets.terms.term_label import SCHEME, TermLabel, link_terms
from latconf_gui.widgets.terms.term_requests import TERM_REQUESTS
from latconf_gui.widgets.terms.term_tips import WHAT_IS_THIS, explain_widget
from latconf_gui.window.help.keys_view import keys_of
from latconf_gui.window.help.term_picture import TermPicture
from latconf_gui.window.main_window import MainWindow

PLAIN_WORDS = {  # titles that say all there is to say
    *("", "variable", "name", "about", "changes", "your changes", "what was done to the data", "a", "b", "c", "d"),
    *("find a node", "score", "run", "origin", "a:", "b:", "nothing to compare yet", "file"),
}


@pytest.fixture(scope="module")
def picture(qapp: QApplication) -> TermPicture:
    return TermPicture()


@pytest.mark.parametrize("entry", glossary().values(), ids=lambda entry: entry.term)
def test_that_every_picture_is_drawn(picture: TermPicture, entry: GlossaryEntry) -> None:
    picture.show_entry(entry)
    picture.resize(picture.sizeHint())
    image = picture.grab().toImage()
    step = max(image.width() // 60, 1)
    colours = {image.pixel(x, y) for x in range(0, image.width(), step) for y in range(0, image.height(), 2)}
    assert len(colours) > 3
    assert picture.accessibleName().startswith("Picture: ")


def linked_terms(label: TermLabel) -> list[str]:
    return re.findall(rf'href="{SCHEME}([^"]*)"', QLabel.text(label))


def test_that_a_label_links_its_terms_and_keeps_its_text(qtbot: QtBot) -> None:
    label = TermLabel("A <-> B in a PAG: a hidden common cause & more.")
    qtbot.addWidget(label)
    assert label.text() == "A <-> B in a PAG: a hidden common cause & more."
    assert linked_terms(label) == ["PAG", "hidden%20common%20cause"]
    with qtbot.waitSignal(TERM_REQUESTS.asked) as asked:
        label.linkActivated.emit(f"{SCHEME}hidden%20common%20cause")
    assert asked.args == ["hidden common cause"]
    assert "&lt;-&gt;" in link_terms("A <-> B", "#000000")


@pytest.fixture
def filled(window: MainWindow, qtbot: QtBot) -> MainWindow:
    window.load_pages()
    window.document.open_state(state_with_result(), "Open")
    settle(window.page(ModelPage), qtbot)
    return window


def titles_of(root: QWidget) -> Iterator[str]:
    """Titles of fields, columns and tabs, and what can be chosen as a method."""
    for form in root.findChildren(QFormLayout):
        for row in range(form.rowCount()):
            item = form.itemAt(row, QFormLayout.ItemRole.LabelRole)
            if item is not None and isinstance(label := item.widget(), QLabel):
                yield label.text()
    for tabs in root.findChildren(QTabBar):
        yield from (tabs.tabText(index) for index in range(tabs.count()))
    for view in root.findChildren(QAbstractItemView):
        model = view.model()
        if model is not None and not isinstance(view, (QListView, QHeaderView)):
            no_index = view.rootIndex()
            columns = range(min(model.columnCount(no_index), 12))
            yield from (str(model.headerData(i, Qt.Orientation.Horizontal) or "") for i in columns)


def test_that_every_title_of_every_page_has_an_entry(filled: MainWindow) -> None:
    for entry in ACTIVITIES:
        filled.page(LearnPage).activity(entry.key)
    own = {name.casefold() for name in filled.document.dataset.names}
    runs = {item.name.casefold() for item in (*filled.document.state.runs, *filled.document.state.pags)}
    roots = [*filled.pages, *(page.inspector() for page in filled.pages if page.inspector() is not None)]
    unknown = set()
    for title in (title for root in roots for title in titles_of(root)):
        words = re.sub(r"\s*\(\d+\)$", "", title.replace("&", "")).strip()
        is_plain = words.casefold() in PLAIN_WORDS | own | runs or not re.search(r"[A-Za-z]{2}", words)
        if not is_plain and explain_label(words) is None:
            unknown.add(words)
    assert unknown == set()


def test_that_every_number_of_compare_has_an_entry() -> None:
    titles = [one.title for one in (*MEASURES, *OWN_NUMBERS)]
    assert [title for title in titles if explain_label(title) is None] == []


def test_that_every_link_in_the_window_leads_to_an_entry(filled: MainWindow) -> None:
    labels = filled.findChildren(TermLabel)
    links = {link.replace("%20", " ").replace("%27", "'") for label in labels for link in linked_terms(label)}
    assert len(links) >= 5
    assert all(link.replace("%2A", "*") in glossary() or link in glossary() for link in links)


def test_that_clicking_a_term_opens_its_entry(window: MainWindow) -> None:
    assert not window.help.isVisible()
    TERM_REQUESTS.asked.emit("collider")
    assert window.help.isVisible()
    assert window.help.glossary.term == "collider"
    assert window.help.glossary.title.text() == "Collider"
    assert window.help.glossary.text.text() == glossary()["collider"].text


def test_that_the_keys_are_those_of_the_commands(filled: MainWindow) -> None:
    filled.help.show_keys()
    tree = filled.help.keys.tree
    groups = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    listed = {(item.child(i).text(0), item.child(i).text(1)) for item in groups for i in range(item.childCount())}
    with_keys = {
        (keys_of(action), action.text().replace("&", "").rstrip("…"))
        for action in filled.actions_by_id
        if keys_of(action)
    }
    assert {keys for keys, _ in listed} == {keys for keys, _ in with_keys}
    assert len(listed) == len({(keys, text) for keys, text in listed})
    assert "F9" in {keys for keys, _ in listed}
    action = filled.actions_by_id["file.save"]
    action.setShortcut(QKeySequence("Ctrl+Alt+S"))
    filled.help.field.setText("ctrl+alt+s")
    assert tree.topLevelItem(0).child(0).text(1) == "Save"


def test_that_typing_finds_a_term_and_the_arrows_walk_on(window: MainWindow) -> None:
    window.help.show_here("PAG")
    assert window.help.glossary.term == "PAG"
    QTest.keyClicks(window.help.field, "bidirected")
    assert window.help.glossary.term == "bidirected edge"
    QTest.keyClick(window.help.field, Qt.Key.Key_Down)
    assert window.help.glossary.term != "bidirected edge"
    QTest.keyClick(window.help.field, Qt.Key.Key_Up)
    assert window.help.glossary.term == "bidirected edge"
    window.help.field.setText("no such thing at all")
    assert window.help.glossary.list.count() == 0


def test_that_f1_explains_what_has_the_focus(filled: MainWindow) -> None:
    filled.show_page("PAG")
    filled.activateWindow()
    page = filled.current_page
    label = next(one for one in page.findChildren(QLabel) if one.text() == "Significance level")
    assert explain_widget(label.buddy(), QPoint()).term == "alpha"
    label.buddy().setFocus()
    QTest.keyClick(filled, Qt.Key.Key_F1)
    assert filled.help.isVisible()
    assert filled.help.glossary.term == "alpha"


def test_that_a_tool_tip_says_what_a_title_means(filled: MainWindow) -> None:
    filled.show_page("PAG")
    label = next(one for one in filled.current_page.findChildren(QLabel) if one.text() == "Significance level")
    center = label.rect().center()
    event = QHelpEvent(QEvent.Type.ToolTip, center, label.mapToGlobal(center))
    QApplication.sendEvent(label, event)
    assert WHAT_IS_THIS in QToolTip.text()
    QToolTip.hideText()


def test_that_the_help_opens_every_page_of_the_documentation(window: MainWindow) -> None:
    view = window.help.documentation
    window.help.show_documentation()
    for name, page in documentation().items():
        view.show_page(name)
        shown = view.browser.toPlainText()
        assert view.page == name
        assert shown.startswith(page.title)
        assert "](" not in shown


def test_that_links_between_pages_lead_to_them_in_the_help(window: MainWindow) -> None:
    view = window.help.documentation
    window.help.show_documentation()
    view.browser.anchorClicked.emit(QUrl("data.md#missing-cells"))
    assert view.page == "data.md"
    assert view.browser.textCursor().block().text() == "Missing cells"


def test_that_the_search_of_the_help_lists_the_pages_with_its_words(window: MainWindow) -> None:
    window.help.show_documentation()
    window.help.field.setText("dask scheduler")
    shown = [window.help.documentation.list.item(row).text() for row in range(window.help.documentation.list.count())]
    assert shown == [page.title for page in documentation().values() if page.has("dask scheduler")]
    assert shown
    assert window.help.documentation.browser.textCursor().selectedText().casefold() == "dask"
