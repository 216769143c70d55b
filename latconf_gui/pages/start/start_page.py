"""The Start page: open a file, drop one, take up a recent one, work on a graph alone, or try an example."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from latconf_core.formats.projects.project_state import ProjectState
from latconf_gui.look.icons import icon
from latconf_gui.pages.page import Page, PageContext
from latconf_gui.pages.start.example_panel import ExamplePanel
from latconf_gui.widgets.text import SPACE, Card, Heading, IconLabel, Quiet

SHOWN_RECENT = 6
MAX_WIDTH_LETTERS = 150


class StartPage(Page):
    """What a first start shows; `path_asked(ExampleChoice)` when an example is to go all the way by itself."""

    path_asked = Signal(object)

    title = "Start"
    icon = "start"

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.open_button = QPushButton(icon("open"), "Open a file…")
        self.open_button.clicked.connect(context.actions["file.open"].trigger)
        self.open_button.setDefault(True)
        self.find_button = QPushButton(icon("play"), "Find hidden causes")
        self.find_button.setToolTip("Run Auto on the open data, with no further settings")
        self.find_button.clicked.connect(self._find)
        self.open_pag_button = QPushButton(icon("pag"), "Open a PAG…")
        self.open_pag_button.clicked.connect(self._open_pag)
        self.draw_button = QPushButton(icon("rename"), "Draw a DAG or PAG")
        self.draw_button.clicked.connect(self._draw)
        self.recent_buttons: list[QToolButton] = []
        self.recent_list = QVBoxLayout()
        self.recent_list.setSpacing(0)
        self.examples = ExamplePanel()
        self.examples.chosen.connect(context.opener.open_example)
        self.examples.path_asked.connect(self.path_asked)
        self._build()
        context.actions.added.connect(self._show_enabled)
        self.document.dataset_changed.connect(self._show_enabled)
        self._show_enabled()
        context.opener.recent.changed.connect(self._show_recent)
        self._show_recent()

    def _build(self) -> None:
        self.recent = Card("Recent files")
        self.recent.body.addLayout(self.recent_list)
        self.recent.body.addStretch(1)
        top = QHBoxLayout()
        top.setSpacing(SPACE)
        top.addWidget(self._open_card(), 1)
        top.addWidget(self._graph_card(), 1)
        top.addWidget(self.recent, 1)
        examples = Card("Examples")
        examples.body.addWidget(
            Quiet(
                "Measured tables with what is known about them, and rows drawn from well-known networks with a "
                "variable hidden. Show me goes all the way to a model by itself."
            )
        )
        examples.body.addWidget(self.examples)
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        layout.setSpacing(SPACE)
        layout.addWidget(Heading("Find hidden common causes in discrete data", factor=1.7))
        layout.addWidget(
            Quiet(
                "Start with a table: one column per variable, one row per case. The pages on the left follow the "
                "order of the analysis."
            )
        )
        layout.addSpacing(SPACE - 4)
        layout.addLayout(top)
        layout.addWidget(examples)
        layout.addStretch(1)
        self._centre(inside)

    def _centre(self, inside: QWidget) -> None:
        """Put the content into a scroll area, not wider than reads well."""
        self._inside = inside
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(inside, 100)
        row.addStretch(1)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(middle)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self._limit_width()

    def _limit_width(self) -> None:
        self._inside.setMaximumWidth(self.fontMetrics().averageCharWidth() * MAX_WIDTH_LETTERS)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_inside"):
            self._limit_width()
        super().changeEvent(event)

    def _open_card(self) -> Card:
        card = Card("Your data")
        row = QHBoxLayout()
        row.addWidget(self.open_button)
        row.addWidget(self.find_button)
        row.addStretch(1)
        card.body.addLayout(row)
        drop = QHBoxLayout()
        drop.addWidget(IconLabel("drop"), 0, Qt.AlignmentFlag.AlignTop)
        drop.addWidget(Quiet("or drop it anywhere on this window"), 1)
        card.body.addLayout(drop)
        card.body.addWidget(Quiet("CSV, TSV, text with blanks, ARFF, Excel, Parquet"))
        card.body.addStretch(1)
        return card

    def _graph_card(self) -> Card:
        card = Card("A graph")
        for button, said in (
            (self.open_pag_button, "from a file: Tetrad, causal-learn, dagitty, DOT, GraphML, JSON and more"),
            (self.draw_button, "without data, to study what it implies and which hidden causes it allows"),
        ):
            row = QHBoxLayout()
            row.addWidget(button)
            row.addStretch(1)
            card.body.addLayout(row)
            card.body.addWidget(Quiet(said))
        card.body.addStretch(1)
        return card

    def _show_enabled(self) -> None:
        """Graphs can be opened and drawn once the PAG page is there, a moment after the first paint."""
        for button in (self.open_pag_button, self.draw_button):
            button.setEnabled("pag.new" in self.context.actions)
        has_data = self.document.dataset is not None
        self.find_button.setEnabled(has_data and "search.auto" in self.context.actions)
        self.find_button.setVisible(has_data)

    def _find(self) -> None:
        """Run Auto on what is open."""
        self.context.actions["search.auto"].trigger()

    def _open_pag(self) -> None:
        """Go to the PAG page, which asks for the file; with data, the graph's nodes must be its variables."""
        self.context.actions["page.pag"].trigger()
        self.context.actions["pag.import"].trigger()

    def _draw(self) -> None:
        """Go to the PAG page with nothing on it, and ask for the first node."""
        if self.document.raw is not None and not self._leave_data():
            return
        self.context.actions["page.pag"].trigger()
        for id in ("pag.new", "pag.add_node"):
            self.context.actions[id].trigger()

    def _leave_data(self) -> bool:
        """Take the data away, which undo brings back; whether that was possible."""
        self.document.open_state(ProjectState(), "Draw without data")
        return self.document.raw is None

    def _show_recent(self) -> None:
        for button in self.recent_buttons:
            self.recent_list.removeWidget(button)
            button.deleteLater()
        paths = self.context.opener.recent.paths[:SHOWN_RECENT]
        self.recent_buttons = [self._recent_button(path) for path in paths]
        for button in self.recent_buttons:
            self.recent_list.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self.recent.setVisible(bool(paths))

    def _recent_button(self, path: Path) -> QToolButton:
        button = QToolButton(autoRaise=True)
        button.setText(f"{path.name}   {short_folder(path)}")
        button.setIcon(icon("recent"))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setToolTip(str(path))
        button.setAccessibleName(f"Open {path.name}")
        button.clicked.connect(lambda: self.context.opener.open_path(path))
        return button


def short_folder(path: Path) -> str:
    """The folder with the home folder as ~, cut in the middle where it is long."""
    folder = str(path.parent).replace(str(Path.home()), "~", 1)
    return folder if len(folder) <= 30 else f"{folder[:12]}…{folder[-17:]}"
