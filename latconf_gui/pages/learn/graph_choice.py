"""The box from which an activity's graph is chosen: an example, a lesson, the project's PAGs and models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.lessons import own_lessons
from latconf_core.teaching.separation.source_graph import SourceGraph
from latconf_gui.application.document import Document
from latconf_gui.widgets.box_width import bound_width
from latconf_gui.widgets.text_size import FollowTextSize

LEAST_LETTERS, MOST_LETTERS = 12, 60


class GraphChoice(QComboBox):
    """`chosen` carries the SourceGraph that a person takes; `show_source` puts one there without it.

    examples : what is always offered besides the lessons; the first one is there at the beginning
    needs_dag : offer no PAGs
    """

    chosen = Signal(object)

    def __init__(
        self,
        document: Document,
        examples: Sequence[SourceGraph],
        *,
        needs_dag: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._needs_dag = needs_dag
        self._document = document
        lessons = (SourceGraph.of_dag(f"Lesson: {lesson.title}", lesson.dag) for lesson in own_lessons())
        self._examples = (*examples, *lessons)
        self._other: SourceGraph | None = None  # from elsewhere, or as it was kept
        self._sources: list[SourceGraph] = []
        self.current = self._examples[0]
        self.setAccessibleName("Graph")
        self.setToolTip("Choose a graph of this project, an example, or the graph of a lesson")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.activated.connect(self._on_activated)
        document.collections_changed.connect(self._on_collections_changed)
        FollowTextSize(self, self._share_width)
        self._fill()

    def show_source(self, source: SourceGraph) -> None:
        """Show a graph as the current one; one that is not offered yet is from now on."""
        self.current = source
        if source not in self._sources:
            self._other = source
        self._fill()

    def begin(self) -> None:
        """Back to the first example."""
        self._other = None
        self.current = self._examples[0]
        self._fill()

    def _fill(self) -> None:
        others = () if self._other is None else (self._other,)
        self._sources = [*others, *self._offered(), *self._examples]
        if self.current not in self._sources:  # it has gone from the document; it stays here
            self._other = self.current
            self._sources.insert(0, self.current)
        was_blocked = self.blockSignals(True)
        self.clear()
        self.addItems([source.name for source in self._sources])
        self.setCurrentIndex(self._sources.index(self.current))
        self.blockSignals(was_blocked)
        self._share_width()

    def _on_collections_changed(self) -> None:
        """Follow a graph of the project that was changed; one that was deleted stays here."""
        same = [source for source in self._offered() if source.name == self.current.name]
        is_changed = bool(same) and self.current not in same
        if is_changed:
            self.current = same[0]
        self._fill()
        if is_changed:
            self.chosen.emit(self.current)

    def _offered(self) -> list[SourceGraph]:
        """What the document has."""
        offered = _sources_of(self._document)
        return [source for source in offered if isinstance(source.content, DrawnDag) or not self._needs_dag]

    def _share_width(self) -> None:
        bound_width(self, least=LEAST_LETTERS, most=MOST_LETTERS)

    def _on_activated(self, index: int) -> None:
        self.current = self._sources[index]
        self.chosen.emit(self.current)


def _sources_of(document: Document) -> Iterator[SourceGraph]:
    """The PAGs of the document, and the best DAG of each run."""
    for kept in document.state.pags:
        yield SourceGraph.of_pag(f"PAG: {kept.name}", kept.graph, document.positions)
    for run in document.state.runs:
        if run.result.best is not None:
            dag = DrawnDag.from_latent_dag(run.result.best, document.positions)
            yield SourceGraph.of_dag(f"Model: {run.name}", dag)
