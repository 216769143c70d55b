"""A column called <b>x</b> & "y" is shown as it is, wherever the window names it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextDocumentFragment
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QLabel, QMessageBox, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from support.person import Person

from latconf_gui.look.plain_tips import find_tip, plain_tip, show_as_text, text_of_tip
from latconf_gui.pages.data.data_page import DataPage
from latconf_gui.widgets.questions import Answer, Role, ask
from latconf_gui.window.main_window import MainWindow

NAME = '<b>x</b> & "y"'
QUOTED = '"<b>x</b> & ""y"""'
TIP = Qt.ItemDataRole.ToolTipRole


def table() -> str:
    """Three variables with odd names and odd states, where the first two go together."""
    rows = [("<i>a</i>", "0", "0"), ("<i>a</i>", "0", "1"), ("c", "1", "0"), ("c", "1", "1"), ("c", "0", "1")] * 12
    return "\n".join([f"{QUOTED},<img src=x>,z", *(",".join(row) for row in rows)]) + "\n"


def test_that_no_page_takes_a_name_for_markup(
    window: MainWindow, qtbot: QtBot, open_text: Callable[[str], DataPage]
) -> None:
    open_text(table())
    person = Person(window, qtbot)
    person.learn_pag("fci")
    person.search("hclc-v")
    n_hovered = 0
    for page in window.pages:
        window.show_page(page.title)
        QApplication.processEvents()
        _check_labels(window)
        _check_tips(window)
        n_hovered += _hover_cells(window)
    assert n_hovered > 2
    shown = [label.text() for label in window.findChildren(QLabel)]
    assert any(NAME in text for text in shown) or any(NAME in tip for tip in _tips(window))


def _check_labels(window: QWidget) -> None:
    for label in window.findChildren(QLabel):
        if not label.isVisible():
            continue
        assert label.textFormat() != Qt.TextFormat.AutoText, label.text()
        if label.textFormat() == Qt.TextFormat.RichText:
            given = QLabel.text(label)  # what it is given to show; a label with terms says its text without markup
            assert "<b>x</b>" not in given
            assert "<img" not in given


def _check_tips(window: QWidget) -> None:
    """Every tip that might be markup is either made by plain_tip or shown through it."""
    for tip in _tips(window):
        said = tip if tip.startswith("<qt>") else plain_tip(tip)
        assert QTextDocumentFragment.fromHtml(said).toPlainText().replace("\u2028", "\n") == text_of_tip(said)


def _hover_cells(window: QWidget) -> int:
    """Hover over every cell whose tip has the name; how many there were."""
    count = 0
    for view in window.findChildren(QAbstractItemView):
        if not view.isVisible() or isinstance(view, QHeaderView) or view.model() is None:
            continue
        q_point = QPoint(4, 4)
        for _ in range(12):
            tip = find_tip(view.viewport(), q_point)
            if NAME in tip and not tip.startswith("<qt>"):
                where = view.viewport().mapToGlobal(q_point)
                QApplication.sendEvent(view.viewport(), QHelpEvent(QHelpEvent.Type.ToolTip, q_point, where))
                assert text_of_tip(QToolTip.text()) == tip
                count += 1
            q_point = QPoint(4, view.visualRect(view.indexAt(q_point)).bottom() + 4)
    return count


def _tips(window: QWidget) -> Iterator[str]:
    yield from (widget.toolTip() for widget in window.findChildren(QWidget) if widget.toolTip())
    for view in window.findChildren(QAbstractItemView):
        if view.model() is not None and not isinstance(view, QHeaderView):
            yield from _tips_of_model(view.model())


def _tips_of_model(model: QAbstractItemModel) -> Iterator[str]:
    root = QModelIndex()
    n_columns = 1 if isinstance(model, QAbstractListModel) else min(model.columnCount(root), 20)
    for column in range(n_columns):
        heads = [model.headerData(column, Qt.Orientation.Horizontal, TIP)]
        cells = [model.index(row, column, root).data(TIP) for row in range(min(model.rowCount(root), 20))]
        yield from (tip for tip in (*heads, *cells) if isinstance(tip, str) and tip)


@pytest.mark.parametrize("tip", [NAME, "<qt><b>x</b></qt>", "see <img src=x>", "a\n<h1>b</h1> &lt;"])
def test_that_a_tip_with_markup_is_shown_letter_by_letter(qtbot: QtBot, tip: str) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setToolTip(tip)
    widget.show()
    q_point = QPoint(1, 1)
    assert find_tip(widget, q_point) == tip
    event = QHelpEvent(QHelpEvent.Type.ToolTip, q_point, widget.mapToGlobal(q_point))
    assert show_as_text(widget, event)
    assert text_of_tip(QToolTip.text()) == tip
    QToolTip.hideText()


def test_that_a_tip_of_our_own_is_left_to_qt(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setToolTip(plain_tip(f"{NAME}\nmore"))
    event = QHelpEvent(QHelpEvent.Type.ToolTip, QPoint(1, 1), QPoint(1, 1))
    assert not show_as_text(widget, event)
    assert text_of_tip(widget.toolTip()) == f"{NAME}\nmore"


def test_that_labels_and_message_boxes_show_names_as_they_are(window: MainWindow, qtbot: QtBot) -> None:
    label = QLabel(NAME, window)
    label.show()
    assert label.textFormat() == Qt.TextFormat.PlainText
    box = ask(window, "x", f"Replace {NAME}?", explanation=NAME, answers=[Answer("OK", Role.AcceptRole, lambda: None)])
    _check_labels(box)
    box.close()
    plain = QMessageBox(window)
    plain.setText(NAME)
    plain.open()
    assert any(one.text() == NAME for one in plain.findChildren(QLabel))
    _check_labels(plain)
    plain.close()
