"""How the parts of the Compare page stand: the list, the pictures above the tables, and the bar with the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from latconf_core.comparison.subject import View
from latconf_gui.drawing.content.overlay_drawing import Face
from latconf_gui.pages.compare.candidates import Candidates
from latconf_gui.pages.compare.candidates_panel import CandidatesPanel
from latconf_gui.pages.compare.invitation import Invitation
from latconf_gui.pages.compare.pictures.overlay_panel import FACES, OverlayPanel
from latconf_gui.pages.compare.pictures.panes import Panes
from latconf_gui.pages.compare.pictures.places import Places
from latconf_gui.pages.compare.tables.differences_tree import DifferencesTree
from latconf_gui.pages.compare.tables.matrix_table import MatrixTable
from latconf_gui.pages.compare.tables.numbers_choice import NumbersChoice
from latconf_gui.pages.compare.tables.numbers_table import NumbersTable
from latconf_gui.widgets.actions import ToolBar
from latconf_gui.widgets.scroll import ScrollColumn
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, keep_arrows_whole
from latconf_gui.widgets.text_size import FollowTextSize

VIEWS = {"automatic": None, "as given": "as given", "DAGs": "DAG", "MAGs": "MAG", "PAGs": "PAG"}
SAME_CLASS = (
    "Markov equivalent graphs imply the same independences among the observed variables, by their MAGs. With "
    "latents the fit may still differ (numbers of states, inequalities, Verma constraints)."
)
FACE_TEXTS = {"overlay": "Both", "A": "A", "B": "B"}


class CompareLayout(QObject):
    """Makes and places the widgets of the page; `face_chosen` when A, B or both are asked for."""

    face_chosen = Signal(str)

    def __init__(self, page: QWidget, candidates: Candidates, places: Places) -> None:
        super().__init__(page)
        self.panel = CandidatesPanel(candidates)
        self.overlay, self.panes, self.matrix = OverlayPanel(places), Panes(places), MatrixTable()
        self.tree, self.numbers = DifferencesTree(), NumbersTable()
        self.invitation = Invitation()
        self.names, self.sentence = QLabel(), TermLabel()
        self.view_as, self.against = QComboBox(), QComboBox()
        self.bar = ToolBar("Compare toolbar")
        self.tabs, self.tables = QTabWidget(), QTabWidget()
        self._faces = QButtonGroup(self)
        self._ground = QLabel()
        self._ground.setWordWrap(True)  # large text in a small window
        self.stack = QStackedWidget()
        self.stack.addWidget(self.invitation)
        self.stack.addWidget(self._make_body())
        self._splitter = splitter = QSplitter()
        splitter.addWidget(self.panel)
        splitter.addWidget(self.stack)
        splitter.setStretchFactor(0, 0)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        self._has_own_shares = False  # that the person has chosen
        splitter.splitterMoved.connect(self._on_moved)
        splitter.installEventFilter(self)
        FollowTextSize(splitter, self._share_width)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def _make_body(self) -> QWidget:
        for widget, title in ((self.overlay, "Overlay"), (self.panes, "Side by side"), (self.matrix, "Matrix")):
            self.tabs.addTab(widget, title)
        self.tabs.setAccessibleName("Overlay, side by side, matrix")
        self.tables.addTab(self.tree, "Differences")
        self.tables.addTab(self._make_numbers(), "Numbers")
        self.tables.setAccessibleName("Differences, numbers")
        body = ScrollColumn("Compare page")  # in a low window with large text
        column = body.column
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._make_bar())
        column.addWidget(self._make_sentence())
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.addWidget(self.tabs)
        parts.addWidget(self.tables)
        parts.setStretchFactor(0, 3)
        parts.setStretchFactor(1, 1)
        parts.setSizes([640, 240])
        parts.setChildrenCollapsible(False)
        column.addWidget(parts, 1)
        return body

    def _make_bar(self) -> QHBoxLayout:
        self.bar.setStyleSheet("QToolBar { border: none; }")
        self.bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        for text, view in VIEWS.items():
            self.view_as.addItem(text, view)
        self.view_as.setAccessibleName("Compare as")
        self.view_as.setToolTip(
            "How to compare the graphs. Automatic: DAGs with their latents, graphs mark by mark, a DAG and a "
            "graph by the DAG's MAG or PAG."
        )
        label = QLabel("Compare as")
        label.setBuddy(self.view_as)
        row = QHBoxLayout()
        row.setContentsMargins(SPACE, SPACE // 3, SPACE // 2, 0)
        for number, face in enumerate(FACES):
            row.addWidget(self._make_face(number, face))
        row.addWidget(self.bar, 1)
        row.addWidget(label)
        row.addSpacing(SPACE // 2)
        row.addWidget(self.view_as)
        return row

    def _make_face(self, number: int, face: Face) -> QToolButton:
        button = QToolButton()
        button.setText(FACE_TEXTS[face])
        button.setCheckable(True)
        button.setStyleSheet("QToolButton:checked { font-weight: bold; border: 2px solid palette(highlight); }")
        button.setChecked(number == 0)
        button.setToolTip("Overlay both" if face == "overlay" else f"Show only {face}, at the same positions")
        button.setAccessibleName(button.toolTip())
        self._faces.addButton(button, number)
        button.clicked.connect(lambda: self.face_chosen.emit(face))
        return button

    def _make_sentence(self) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(SPACE, SPACE // 3, SPACE, SPACE // 2)
        column.setSpacing(2)
        self.names.setWordWrap(True)
        self.names.setTextFormat(Qt.TextFormat.PlainText)
        for label in (self.names, self.sentence):
            column.addWidget(label)
        font = self.names.font()
        font.setBold(True)
        self.names.setFont(font)
        self.names.setAccessibleName("Reference A and B")
        self.sentence.setToolTip(SAME_CLASS)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return box

    def _make_numbers(self) -> QWidget:
        self.against.addItems(["the reference A", "the truth"])
        self.against.setAccessibleName("Measure against")
        label = QLabel("Against")
        label.setBuddy(self.against)
        row = QHBoxLayout()
        row.setContentsMargins(SPACE, SPACE // 3, SPACE, SPACE // 3)
        row.addWidget(label)
        row.addSpacing(SPACE // 2)
        row.addWidget(self.against)
        row.addSpacing(SPACE)
        row.addWidget(self._ground, 1)
        row.addWidget(NumbersChoice(self.numbers))
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.numbers, 1)
        return box

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self._share_width)  # after the splitter has shared its width itself
        return super().eventFilter(watched, event)

    def _share_width(self) -> None:
        """Give the list what it needs, unless the person has said how much."""
        if not self._has_own_shares:
            width = self._splitter.width()
            wanted = self.panel.wanted_width(width)
            self._splitter.setSizes([wanted, width - wanted])

    def _on_moved(self) -> None:
        self._has_own_shares = True

    def fill_toolbar(self, actions: Sequence[QAction | None]) -> None:
        """The commands above the picture; None is a separator."""
        for action in actions:
            self.bar.addSeparator() if action is None else self.bar.addAction(action)

    def show_empty(self, is_empty: bool) -> None:
        """The invitation, or the comparison."""
        self.stack.setCurrentIndex(0 if is_empty else 1)

    def show_names(self, reference: str, other: str | None, letter: str) -> None:
        """Who is A and who is B, here and above the table."""
        extra = "" if letter in ("A", "B") else f" ({letter} in the list)"
        self.names.setText(f"A: {reference}" + ("" if other is None else f"    B: {other}{extra}"))
        self.tree.show_names(reference, other or "")

    def say(self, text: str) -> None:
        """The sentence above the picture."""
        self.sentence.setText(keep_arrows_whole(text))

    def say_ground(self, view: View) -> None:
        """As what the two are measured."""
        self._ground.setText("compared as they are" if view == "as given" else f"compared by their {view}s")

    def show_face(self, face: Face) -> None:
        self._faces.button(FACES.index(face)).setChecked(True)

    @property
    def shown_table(self) -> str:
        """Which table stands below the picture."""
        return "differences" if self.tables.currentWidget() is self.tree else "numbers"

    def show_table(self, what: Literal["differences", "numbers"]) -> None:
        """Open one of the tables below the picture."""
        self.tables.setCurrentIndex(0 if what == "differences" else 1)

    def offer_truth(self, is_known: bool) -> None:
        """Measuring against the truth is offered where there is one."""
        self.against.setEnabled(is_known)
        if not is_known:
            self.against.setCurrentIndex(0)
