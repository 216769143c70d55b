"""The main window: wiring only. Pages stand in the rail's order; docks hold what belongs to all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QMenu, QStackedWidget, QWidget

from latconf_gui.application.autosave import AutoSave
from latconf_gui.application.document import PRESENTING, Document
from latconf_gui.application.opener import Opener
from latconf_gui.application.project_files import ProjectFiles
from latconf_gui.application.project_lock import ProjectLock
from latconf_gui.application.recovering import Recovering
from latconf_gui.application.settings import Settings
from latconf_gui.application.unsaved_work import UnsavedWork
from latconf_gui.background.gil_priority import GIL_PRIORITY
from latconf_gui.background.runs import Runs
from latconf_gui.look.theme import Theme
from latconf_gui.pages.catalogue import PAGES
from latconf_gui.pages.knowledge.knowledge_command import KnowledgeCommand
from latconf_gui.pages.page import Page, PageContext
from latconf_gui.pages.start.start_page import StartPage
from latconf_gui.widgets.actions import Actions
from latconf_gui.widgets.file_dialogs import answer_path_request
from latconf_gui.widgets.text_size import FollowTextSize
from latconf_gui.window.closing import Closing
from latconf_gui.window.example_tour import ExamplePath
from latconf_gui.window.file_questions import ask_about_changed_file, ask_about_unsaved_work, offer_recovery
from latconf_gui.window.full_screen import FullScreen
from latconf_gui.window.graph_drop import GraphDrop
from latconf_gui.window.help.help_dock import HelpDock
from latconf_gui.window.log import LogDock
from latconf_gui.window.menus import add_commands, add_page_commands, fill_menus, show_undo
from latconf_gui.window.page_menus import PageMenus
from latconf_gui.window.problems_dock import ProblemsDock
from latconf_gui.window.rail import Rail
from latconf_gui.window.status_bar import StatusBar

FIRST_SIZE = QSize(1280, 800)
INSPECTOR_LINES, INSPECTOR_SHARE = 20, 0.28  # its first width: lines of text, but not more of the window than this
AFTER_PAINT_MILLISECONDS = 50  # lets the first frame reach the screen
PageType = TypeVar("PageType", bound=Page)


class MainWindow(QMainWindow):
    """The rail, the pages, the docks and the status bar around one document."""

    view_menu: QMenu
    page_menus: PageMenus
    full_screen: FullScreen
    knowledge: KnowledgeCommand
    pages_loaded = Signal()

    def __init__(self, settings: Settings, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.setAcceptDrops(True)
        self.settings = settings
        self.theme = theme
        theme.dress(self)
        self.document = Document(self)
        self.actions_by_id = Actions(self)
        self.log_dock = LogDock(self)
        self.problems = ProblemsDock(self.log_dock.tail, self)
        self.runs = Runs(self.problems.report, parent=self)
        self.opener = Opener(self.document, settings, self.runs, report=self.problems.report, parent=self)
        report, log = self.problems.report, self.log_dock.tail
        recent = self.opener.recent
        self.project = ProjectFiles(self.document, recent, self.runs, report=report, log=log, parent=self)
        self.unsaved = UnsavedWork(self.document, self.project, parent=self)
        self.opener.before_replacing = self.unsaved.settle
        self.lock = ProjectLock(self.document, parent=self)
        self.autosave = AutoSave(self.document, self.lock, log=log, parent=self)
        self.recovering = Recovering(self.document, self.autosave, parent=self)
        self.closing = Closing(self, self.runs, self.unsaved)
        self.inspector = QDockWidget("Inspector", self)
        self.help = HelpDock(self.actions_by_id, self)
        self.pages: list[Page] = []
        self._problems_before = 0  # how many there were when the last opening began
        self._is_painted = False
        self._has_own_layout = False  # one that was kept from the last time
        self._build()

    def _build(self) -> None:
        self._build_docks()
        self.setStatusBar(StatusBar(self.document, self.runs, parent=self))
        add_commands(self)
        add_page_commands(self)
        fill_menus(self)
        self._build_rail()
        self._connect_questions()
        self._connect_recovery()
        self.document.file_changed.connect(self._show_title)
        self.document.presenting_changed.connect(self._show_title)
        self.document.refused.connect(lambda reason: self.problems.report(reason, _where_refused(reason)))
        document = self.document
        inputs = (document.dataset_changed, document.pag_changed, document.result_changed, document.collections_changed)
        for signal in (*inputs, document.compared_changed):
            signal.connect(self._show_available)
        self.opener.opened.connect(self._on_opened)
        self.opener.project_opened.connect(self._on_project_opened)
        self.opener.graph_opened.connect(lambda: self.show_page("PAG"))
        self.opener.closed.connect(self._on_closed)
        self.opener.begun.connect(self._on_opening)
        self.document.dag_opened.connect(lambda: self.show_page("Model"))
        self._show_title()
        self._load_next_page()
        self.example_path = ExamplePath(self)
        self.page(StartPage).path_asked.connect(self.example_path.start)
        self._restore_layout()
        FollowTextSize(self, self._share_width)

    def _connect_questions(self) -> None:
        for asked in (self.opener.path_asked, self.project.path_asked):
            asked.connect(lambda request: answer_path_request(self, request))
        self.project.overwrite_asked.connect(lambda question: ask_about_changed_file(self, question))
        self.unsaved.asked.connect(lambda question: ask_about_unsaved_work(self, question))

    def _connect_recovery(self) -> None:
        self.recovering.before_replacing = self.unsaved.settle
        self.project.before_saving = self.autosave.suspend
        self.project.ended.connect(self.autosave.resume)
        self.autosave.failed.connect(lambda error: self.problems.report(error, "Writing the recovery file"))
        self.lock.taken_elsewhere.connect(lambda sentence: self.problems.report(sentence, "Opening a project"))
        self.recovering.offered.connect(lambda offer: offer_recovery(self, offer))
        self.recovering.restored.connect(self._show_last_page)

    def keep_work(self, folder: Path) -> None:
        """From now on write what is not saved to recovery files, and offer back what a killed window has left."""
        self.lock.start()
        self.autosave.start(folder)
        self.recovering.look_in(folder)

    def _build_docks(self) -> None:
        self.inspector.setObjectName("inspector_dock")
        self._inspectors = QStackedWidget()
        self.inspector.setWidget(self._inspectors)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.inspector)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.help)
        self.tabifyDockWidget(self.inspector, self.help)
        self.help.hide()
        for dock in (self.problems, self.log_dock):
            self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
            dock.hide()
        self.tabifyDockWidget(self.problems, self.log_dock)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)

    def _build_rail(self) -> None:
        self.rail = Rail(self)  # in the window from the start: its height depends on the style sheet
        self.stack = QStackedWidget()
        self._between = QWidget()
        self.stack.addWidget(self._between)
        for entry in PAGES:
            button = self.rail.add(entry.title, entry.icon)
            if entry.title == "Compare":
                GraphDrop(button, self.document)
        self.rail.chosen.connect(lambda position: self.show_page(PAGES[position].title))
        central = QWidget()
        layout = QHBoxLayout(central)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.rail)
        layout.addWidget(self.stack, 1)
        self.setCentralWidget(central)

    def _load_next_page(self) -> None:
        context = PageContext(
            self.document, self.actions_by_id, self.settings, self.runs, self.opener, self.problems.report
        )
        page = PAGES[len(self.pages)].load()(context)
        self.pages.append(page)
        self.stack.addWidget(page)
        if len(self.pages) == 1:
            self.stack.setCurrentWidget(page)
        inspector = page.inspector()
        if inspector is not None:
            self._inspectors.addWidget(inspector)
        self.page_menus.add(page)
        if page is self.stack.currentWidget():
            self.page_menus.show(page)
        page.undo_steps_changed.connect(lambda: show_undo(self))
        self._show_available()
        if len(self.pages) == len(PAGES):
            self.pages_loaded.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._has_own_layout:
            self._has_own_layout = True
            self._share_width()

    def _share_width(self) -> None:
        """Give the Inspector what its text needs, but not too much of the window."""
        width = min(self.fontMetrics().height() * INSPECTOR_LINES, round(self.width() * INSPECTOR_SHARE))
        self.resizeDocks([self.inspector], [width], Qt.Orientation.Horizontal)

    def load_pages(self) -> None:
        """Import and build the pages that are not there yet: all but the first wait for the first paint."""
        while len(self.pages) < len(PAGES):
            self._load_next_page()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(AFTER_PAINT_MILLISECONDS, self, self._load_in_turn)

    def _load_in_turn(self) -> None:
        """One page after the other, so that the window answers in between."""
        if len(self.pages) < len(PAGES):
            self._load_next_page()
            QTimer.singleShot(0, self, self._load_in_turn)

    def page(self, page_class: type[PageType]) -> PageType:
        """The page of this class."""
        while not any(isinstance(page, page_class) for page in self.pages):
            self._load_next_page()
        return next(page for page in self.pages if isinstance(page, page_class))

    @property
    def current_page(self) -> Page:
        """The page that is shown."""
        return next(page for page in self.pages if page is self.stack.currentWidget())

    def show_page(self, title: str) -> None:
        """Open a page, with its inspector beside it."""
        position = next(index for index, entry in enumerate(PAGES) if entry.title == title)
        while position >= len(self.pages):
            self._load_next_page()
        page = self.pages[position]
        if not page.is_available(self.document):
            return
        GIL_PRIORITY.window_first_until_painted()
        self.rail.show_chosen(position)
        if page is not self.stack.currentWidget():  # no page is laid out for the room beside another one's inspector
            self.stack.setCurrentWidget(self._between)
        self._show_inspector(page.inspector())
        if (layout := self.layout()) is not None:
            layout.activate()
        self.stack.setCurrentWidget(page)
        self.page_menus.show(page)
        show_undo(self)

    def _show_inspector(self, inspector: QWidget | None) -> None:
        if inspector is not None:
            self._inspectors.setCurrentWidget(inspector)
        self.inspector.setVisible(inspector is not None and self.settings.shows_inspector)

    def _show_available(self) -> None:
        for position, entry in enumerate(PAGES):
            page = self.pages[position] if position < len(self.pages) else None
            available = page is not None and page.is_available(self.document)
            button = self.rail.button(position)
            button.setEnabled(available)
            button.setToolTip(entry.title if available or page is None else page.needs())
            self.actions_by_id[f"page.{entry.icon}"].setEnabled(available)
        if not self.current_page.is_available(self.document):
            self.show_page(PAGES[0].title)

    def _on_opening(self) -> None:
        self._problems_before = self.problems.n_reported

    def _on_opened(self) -> None:
        self.problems.forget_first(self._problems_before)
        self.show_page("Data")

    def _on_project_opened(self, path: Path) -> None:
        self.problems.forget_first(self._problems_before)
        if self.lock.is_held:
            self.recovering.look_beside(path)
        self._show_last_page()

    def _show_last_page(self) -> None:
        """Open the last page of the work that has something to show."""
        self.load_pages()
        available = [page.title for page in self.pages if page.is_step and page.is_available(self.document)]
        state = self.document.state
        is_lecture = bool(state.learn) and state.raw is None and not state.pags and not state.runs
        self.show_page("Lessons" if is_lecture else available[-1])

    def _on_closed(self) -> None:
        self.problems.forget_first(self._problems_before)
        self.show_page(PAGES[0].title)

    def _show_title(self) -> None:
        """The name of the project or the data, with a star where there is something to save."""
        star = "*" if self.document.is_modified else ""
        title = f"{self.document.title}{star} – latconf" if self.document.title else "latconf"
        self.setWindowTitle(f"{title} – presentation" if self.document.is_presenting else title)

    def _restore_layout(self) -> None:
        geometry, state = self.settings.window_layout()
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            self.resize(FIRST_SIZE)
        self._has_own_layout = not state.isEmpty() and self.restoreState(state)
        for dock in (self.problems, self.log_dock):  # closed until needed
            dock.hide()
        self.show_page(PAGES[0].title)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc, where nothing else takes it, leaves the full screen."""
        if event.key() == Qt.Key.Key_Escape and self.full_screen.is_on:
            self.full_screen.leave()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.opener.open_dropped(event.mimeData().urls())
        event.acceptProposedAction()

    def close_at_once(self) -> None:
        """Close without a question: what is running is stopped, what is not saved is lost."""
        self.closing.ask_nothing()
        self.close()

    def leave(self) -> None:
        """Close because the system ends the program: nobody can be asked, so what is not saved is kept for later."""
        self.closing.leave(self.autosave)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask what there is to ask; then keep the layout and close."""
        if not self.closing.may_close():
            event.ignore()
            return
        self.full_screen.leave()
        self.settings.keep_window_layout(self.saveGeometry(), self.saveState())
        self.recovering.stop()
        self.autosave.close()
        self.lock.release()
        self.log_dock.close_log()
        super().closeEvent(event)


def _where_refused(reason: str) -> str:
    return "Presentation mode" if reason == PRESENTING else "Search"
