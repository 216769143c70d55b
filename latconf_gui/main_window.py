"""The main window: wiring only. Pages stand in the rail's order; docks hold what belongs to all of them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QMessageBox, QStackedWidget, QWidget

from latconf_gui.actions import Actions
from latconf_gui.commands import add_commands, add_page_commands, fill_menus
from latconf_gui.log import LogDock
from latconf_gui.opening import Opener
from latconf_gui.pages.data import DataPage
from latconf_gui.pages.pag import PagPage
from latconf_gui.pages.page import Page, PageContext
from latconf_gui.pages.welcome import WelcomePage
from latconf_gui.problems import ProblemsDock
from latconf_gui.rail import Rail
from latconf_gui.runs import Runs
from latconf_gui.session import Session
from latconf_gui.settings import Settings
from latconf_gui.status import StatusBar
from latconf_gui.theme import Theme

PAGES: tuple[type[Page], ...] = (WelcomePage, DataPage, PagPage)  # in the order of the work; a page is one name here
FIRST_SIZE = QSize(1280, 800)


class MainWindow(QMainWindow):
    """The rail, the pages, the docks and the status bar around one session."""

    def __init__(self, settings: Settings, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setAcceptDrops(True)
        self.settings = settings
        self.theme = theme
        self.session = Session(self)
        self.actions_by_id = Actions(self)
        self.log_dock = LogDock(self)
        self.problems = ProblemsDock(self.log_dock.tail, self)
        self.runs = Runs(self.problems.report, parent=self)
        self.opener = Opener(self.session, settings, self.runs, report=self.problems.report, parent=self)
        self.inspector = QDockWidget("Inspector", self)
        self.pages: list[Page] = []
        self._build()

    def _build(self) -> None:
        self._build_docks()
        self.setStatusBar(StatusBar(self.session, self.runs, parent=self))
        add_commands(self)
        self._build_pages()
        add_page_commands(self)
        fill_menus(self)
        self.session.name_changed.connect(self._show_title)
        for signal in (self.session.dataset_changed, self.session.pag_changed, self.session.result_changed):
            signal.connect(self._show_available)
        self.opener.opened.connect(lambda: self.show_page(DataPage))
        self.opener.graph_opened.connect(lambda: self.show_page(PagPage))
        self._show_title()
        self._show_available()
        self.show_page(PAGES[0])
        self._restore_layout()

    def _build_docks(self) -> None:
        self.inspector.setObjectName("inspector_dock")
        self._inspectors = QStackedWidget()
        self.inspector.setWidget(self._inspectors)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.inspector)
        for dock in (self.problems, self.log_dock):
            self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
            dock.hide()
        self.tabifyDockWidget(self.problems, self.log_dock)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)

    def _build_pages(self) -> None:
        context = PageContext(
            self.session, self.actions_by_id, self.settings, self.runs, self.opener, self.problems.report
        )
        self.rail = Rail()
        self.stack = QStackedWidget()
        for page_class in PAGES:
            page = page_class(context)
            self.pages.append(page)
            self.rail.add(page.title, page.icon)
            self.stack.addWidget(page)
            inspector = page.inspector()
            if inspector is not None:
                self._inspectors.addWidget(inspector)
        self.rail.chosen.connect(lambda position: self.show_page(PAGES[position]))
        central = QWidget()
        layout = QHBoxLayout(central)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.rail)
        layout.addWidget(self.stack, 1)
        self.setCentralWidget(central)

    def page(self, page_class: type[Page]) -> Page:
        """The page of this class."""
        return self.pages[PAGES.index(page_class)]

    def show_page(self, page_class: type[Page]) -> None:
        """Open a page, with its inspector beside it."""
        if not page_class.is_available(self.session):
            return
        page = self.page(page_class)
        self.stack.setCurrentWidget(page)
        self.rail.show_chosen(PAGES.index(page_class))
        inspector = page.inspector()
        self.inspector.setVisible(inspector is not None and self.settings.shows_inspector)
        if inspector is not None:
            self._inspectors.setCurrentWidget(inspector)

    def _show_available(self) -> None:
        for position, page_class in enumerate(PAGES):
            available = page_class.is_available(self.session)
            button = self.rail.button(position)
            button.setEnabled(available)
            button.setToolTip(page_class.title if available else page_class.needs())
            self.actions_by_id[f"page.{page_class.title.lower()}"].setEnabled(available)
        if not self.pages[self.stack.currentIndex()].is_available(self.session):
            self.show_page(PAGES[0])

    def _show_title(self) -> None:
        name = self.session.name
        self.setWindowTitle(f"{name} – latconf" if name else "latconf")

    def _restore_layout(self) -> None:
        geometry, state = self.settings.window_layout()
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            self.resize(FIRST_SIZE)
        if not state.isEmpty():
            self.restoreState(state)
        for dock in (self.problems, self.log_dock):  # closed until needed
            dock.hide()
        self.show_page(PAGES[0])

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.opener.open_dropped(event.mimeData().urls())
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask while something is running; then stop it, keep the layout and close."""
        if self.runs.texts and not self._may_stop:
            event.ignore()
            self._ask_to_stop()
            return
        self.runs.stop_all()
        self.settings.keep_window_layout(self.saveGeometry(), self.saveState())
        self.log_dock.close_log()
        super().closeEvent(event)

    _may_stop = False

    def _ask_to_stop(self) -> None:
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Still running")
        box.setText(f"{self.runs.texts[-1]} is still going on.")
        box.setInformativeText("Stop it and close the window?")
        stop = box.addButton("Stop and close", QMessageBox.ButtonRole.AcceptRole)
        box.addButton("Keep running", QMessageBox.ButtonRole.RejectRole)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        stop.clicked.connect(self._stop_and_close)
        box.open()

    def _stop_and_close(self) -> None:
        self._may_stop = True
        QTimer.singleShot(0, self, self.close)
