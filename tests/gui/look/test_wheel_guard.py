from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from latconf_gui.window.main_window import MainWindow


def turn(widget: QWidget) -> bool:
    """Turn the wheel over a widget; whether it took that for itself."""
    centre = QPointF(widget.rect().center())
    event = QWheelEvent(
        centre,
        QPointF(widget.mapToGlobal(centre.toPoint())),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def test_that_the_wheel_changes_only_the_field_that_has_the_focus(qtbot: QtBot, window: MainWindow) -> None:
    page, number, choice = QWidget(window), QSpinBox(), QComboBox()
    choice.addItems(["a", "b", "c"])
    number.setValue(7)
    layout = QVBoxLayout(page)
    for widget in (number, choice):
        layout.addWidget(widget)
    with qtbot.waitExposed(page):
        page.show()
    window.setFocus()
    assert not turn(number)  # so that it goes on to what scrolls
    assert not turn(choice)
    assert (number.value(), choice.currentText()) == (7, "a")
    choice.setFocus()
    assert turn(choice)
    assert choice.currentText() == "b"
