"""What tests of the Compare page share: a window with a result, and graphs to compare."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.model_acts import PLACES, state_with_result

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.window.main_window import MainWindow

PLAIN = LatentDag("ABCD", [("A", "B"), ("A", "C"), ("B", "C"), ("C", "D")])
HIDDEN = LatentDag("ABCD", [("A", "C"), ("B", "C"), ("D", "C")], [Latent("L1", 2, ("A", "B"))])
WIDER = LatentDag("ABCD", [("A", "C"), ("C", "D")], [Latent("L1", 3, ("A", "B", "C"))])
FCI = mixed("A o-> C", "B o-> C", "C --> D", nodes=list("ABCD"))
GFCI = mixed("A --> C", "B <-> C", "C --> D", "A o-o B", nodes=list("ABCD"))


def open_compare(window: MainWindow, qtbot: QtBot) -> ComparePage:
    """The Compare page of a project with a PAG and a result."""
    state = replace(state_with_result(), positions=PLACES)
    window.document.open_state(state, "Open a result")
    window.document.mark_clean()
    window.show_page("Compare")
    page = window.page(ComparePage)
    settle(page, qtbot)
    return page


def compare_dags(page: ComparePage, qtbot: QtBot) -> None:
    """Three DAGs, the last one shown."""
    for name, dag in (("plain", PLAIN), ("hidden", HIDDEN), ("wider", WIDER)):
        assert page.add(name, dag, origin="test")
    settle(page, qtbot)


def names(page: ComparePage) -> list[str]:
    """The names of what is compared, the reference first."""
    return [item.name for item in page.candidates.items]


def settle(page: ComparePage, qtbot: QtBot) -> None:
    """Wait until nothing runs beside the page."""
    qtbot.waitUntil(lambda: not page.is_busy, timeout=20_000)


def drop_on(widget: QWidget, mime: QMimeData) -> bool:
    """Drag something over a widget and let it go there; whether anybody takes it."""
    place, action = widget.rect().center(), Qt.DropAction.CopyAction
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(place, action, mime, left, none)
    QApplication.sendEvent(widget, entering)
    if not entering.isAccepted():
        return False
    dropping = QDropEvent(QPointF(place), action, mime, left, none)
    QApplication.sendEvent(widget, dropping)
    return dropping.isAccepted()
