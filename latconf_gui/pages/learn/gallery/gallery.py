"""The Gallery: textbook graphs as DAG, MAG and PAG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMenu, QToolButton

from latconf_core.control import RunControl
from latconf_core.graph.mixed import MixedGraph
from latconf_core.phrases import counted
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.drawn_rows import draw_rows
from latconf_core.teaching.lessons import Lesson, read_lessons
from latconf_core.wording.mark_meanings import edge_sentence
from latconf_gui.drawing.content.graph_drawing import DrawnKind, drawing_of_graph
from latconf_gui.pages.learn.activity import Activity, ActivityContext
from latconf_gui.pages.learn.gallery.lesson_column import LessonColumn
from latconf_gui.pages.learn.gallery.own_folder import copy_lesson, make_folder, own_lessons_folder
from latconf_gui.pages.learn.stage import HEADINGS, Stage, drawing_of_drawn_dag
from latconf_gui.pages.learn.try_it import TryItButton


class Gallery(Activity):
    """Goes from lesson to lesson; remembers which one is open and whose answers were revealed."""

    key, title = "gallery", "Gallery"

    def __init__(self, context: ActivityContext) -> None:
        super().__init__(context)
        self.lessons: tuple[Lesson, ...] = ()
        self._place = 0
        self._answered: set[str] = set()
        self.stage = Stage(*HEADINGS)
        self.stage.reached.connect(self.say)
        for scene in self.stage.scenes:
            scene.set_editable(False)
        self.column = LessonColumn()
        self.lay_out(self.stage, self.column)
        self._add_actions()
        self._connect()
        self._add_more()
        self.read_again()

    def _add_actions(self) -> None:
        actions = self.context.actions
        for id, text, slot, key, button in (
            ("previous", "Previous lesson", lambda: self.go(-1), "Ctrl+Left", self.column.previous),
            ("next", "Next lesson", lambda: self.go(1), "Ctrl+Right", self.column.next),
            ("answer", "Show or hide the answer", self.column.answer_button.toggle, "Ctrl+Return", None),
        ):
            action = actions.add(f"gallery.{id}", f"Gallery: {text.lower()}", slot=slot, shortcut=key, within=self)
            (button or self.column.answer_button).setToolTip(action.toolTip())

    def _connect(self) -> None:
        column = self.column
        column.chosen.connect(self.choose)
        column.previous.clicked.connect(lambda: self.go(-1))
        column.next.clicked.connect(lambda: self.go(1))
        column.revealed.connect(self._on_revealed)
        column.draw.clicked.connect(self.draw_data)
        column.actions_row.addWidget(TryItButton(self, lambda: self.lesson.dag))
        for index, scene in enumerate(self.stage.scenes):
            scene.edge_clicked.connect(lambda a, b, number=index: self._read_edge(number, a, b))
            scene.end_clicked.connect(lambda a, b, number=index: self._read_edge(number, a, b))

    def _add_more(self) -> None:
        button = QToolButton()
        button.setText("Your own lessons")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolTip(f"Text files in {own_lessons_folder()} also appear as lessons")
        menu = QMenu(button)
        menu.addAction("Copy this lesson as a template", self.copy_lesson)
        menu.addAction("Open folder", self.open_folder)
        menu.addAction("Reload", self.read_again)
        button.setMenu(menu)
        self.column.add_more(button)

    # Lessons --------------------------------------------------------------------------------------

    @property
    def lesson(self) -> Lesson:
        """The lesson that is open."""
        return self.lessons[self._place]

    def read_again(self) -> None:
        """Read every lesson, a lecturer's own ones last; what cannot be read is reported."""
        open_now = self.lesson.key if self.lessons else ""
        lessons = read_lessons([own_lessons_folder()])
        for problem in lessons.problems:
            self.context.report(f"{problem}. The Gallery skips it.", "Reading lessons")
        self.lessons = lessons.lessons
        self.column.show_titles(self.lessons)
        self._show(self._place_of(open_now))

    def _place_of(self, key: object) -> int:
        return next((index for index, lesson in enumerate(self.lessons) if lesson.key == key), 0)

    def go(self, by: int) -> None:
        """The next lesson, or the one before."""
        self.choose(min(max(self._place + by, 0), len(self.lessons) - 1))

    def choose(self, index: int) -> None:
        """Open a lesson of the list."""
        if index == self._place:
            return
        self._show(index)
        self.say(f"Lesson {index + 1}: {self.lesson.title}. {self.lesson.text[0]}")
        self.changed.emit()

    def _show(self, index: int) -> None:
        self._place = index
        lesson = self.lesson
        self.column.show_lesson(lesson, index, is_answered=lesson.key in self._answered)
        self.column.reading.setText(_invitation(lesson.dag))
        dag = lesson.dag
        mag = drawing_of_graph(dag.mag, kind=DrawnKind.MAG)
        drawings = (drawing_of_drawn_dag(dag), mag, drawing_of_graph(dag.pag))
        self.stage.show_drawings(drawings, dag.positions, keeps_view=False)

    def _on_revealed(self, is_shown: bool) -> None:
        if is_shown:
            self._answered.add(self.lesson.key)
            self.say(self.lesson.answer)
        else:
            self._answered.discard(self.lesson.key)
        self.changed.emit()

    def _read_edge(self, index: int, first: str, second: str) -> None:
        dag = self.lesson.dag
        graph: MixedGraph = (dag.graph, dag.mag, dag.pag)[index]
        edge = graph.edge(*sorted((first, second), key=graph.nodes.index))
        said = f"{edge.first} is a cause of {edge.second}." if index == 0 else edge_sentence(edge)
        self.column.reading.setText(f"{edge}: {said}")
        self.say(self.column.reading.text())

    # What is done with a lesson -------------------------------------------------------------------

    def draw_data(self) -> None:
        """Draw rows from the graph with tables at random, and open them on the Data page."""
        lesson, n_rows, seed = self.lesson, self.column.rows.value(), self.column.seed.value()

        def draw(control: RunControl) -> Iterator[object]:
            yield from draw_rows(lesson.dag, control, name=lesson.title, n_rows=n_rows, seed=seed)

        self.context.opener.open_lesson_rows(draw, doing=f"Drawing {counted(n_rows, 'row')} of {lesson.title}")

    def copy_lesson(self) -> None:
        """Put a copy of this lesson into the folder of own ones, to be changed there."""
        try:
            path = copy_lesson(self.lesson)
        except OSError as error:
            self.context.report(f"The lesson cannot be copied: {error.strerror or error}.", "Your own lessons")
            return
        self.read_again()
        self.choose(self._place_of(path.stem))
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def open_folder(self) -> None:
        """Show the folder of own lessons."""
        try:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(make_folder())))
        except OSError as error:
            self.context.report(f"The folder cannot be made: {error.strerror or error}.", "Your own lessons")

    # What is kept ---------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        return {
            "lesson": self.lesson.key,
            "answered": sorted(self._answered),
            "rows": self.column.rows.value(),
            "seed": self.column.seed.value(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._answered = set(map(str, state.get("answered", ())))
        self.column.rows.setValue(int(state.get("rows", self.column.rows.value())))
        self.column.seed.setValue(int(state.get("seed", 1)))
        self._show(self._place_of(state.get("lesson")))


def _invitation(dag: DrawnDag) -> str:
    if not dag.mag.n_edges:
        return "The MAG and the PAG have no edges: the measured variables are independent."
    return "Click an edge of the MAG or the PAG to see what it means."
