"""What a search would meet, before it starts: counted and estimated in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.searching import SearchOptions
from latconf_core.phrases import counted, first_upper, rough_duration
from latconf_core.search.catalogue import search_title
from latconf_core.wording.validity_sentences import validity_sentence
from latconf_gui.background.latest_job import LatestJob
from latconf_gui.widgets.terms.term_label import TermLabel
from latconf_gui.widgets.text import SPACE, Card, IconLabel, Quiet, keep_arrows_whole

if TYPE_CHECKING:
    from latconf_core.search.estimate.preflight import Preflight

TITLE = "Before you start"
_WAITING = "Counting the graphs of the PAG and timing every search…"


class PreflightCard(Card):
    """Says what a search would meet and take; `chosen` carries the recommended search when a person takes it over."""

    chosen = Signal(str)
    failed = Signal(object)
    answered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(TITLE, parent=parent)
        self.setAccessibleName(TITLE)
        self.answer: Preflight | None = None
        self._most_dags = 0
        self._asked: tuple[Dataset, MixedGraph, SearchOptions, Knowledge] | None = None
        self._job = LatestJob(self)
        self._job.answered.connect(self._on_answered)
        self._job.failed.connect(self._on_failed)
        self._build()
        self.forget()

    def _build(self) -> None:
        self.state = Quiet()
        self.body.addWidget(self.state)
        self._facts = QWidget()
        form = QFormLayout(self._facts)
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.validity, self.circles, self.levels, self.seconds = _fact(), _fact(), _fact(), _fact()
        form.addRow(self.validity)
        form.addRow("Open marks", self.circles)
        form.addRow("Graphs", self.levels)
        form.addRow("Expected", self.seconds)
        self.circles.setToolTip(
            "A circle is an undecided end; <-> requires a hidden common cause. A MAG has no circles: it is "
            "one way to decide them all."
        )
        self.levels.setToolTip("MAGs of the PAG by number of <->, that is, of hidden common causes")
        self.seconds.setToolTip(
            "Estimated from a short trial of each search; a search by levels stops at a level without "
            "improvement. Auto and Refine usually take half to four times this; hidden causes that are hard "
            "to detect take longer."
        )
        self.recommended = _fact()
        self.use = QPushButton()
        self.use.clicked.connect(self._on_use)
        row = QHBoxLayout()
        row.addWidget(self.recommended, 1)
        row.addWidget(self.use)
        form.addRow(row)
        self._warnings = QVBoxLayout()
        self.body.addWidget(self._facts)
        self.body.addLayout(self._warnings)

    @property
    def is_busy(self) -> bool:
        return self._job.is_busy

    def stop(self) -> None:
        """End what runs in the background."""
        self._job.stop()

    def pause(self) -> None:
        """Look ahead no further, because the search itself begins; what was found stays."""
        self._job.forget()
        if self.answer is None:
            self._asked = None
            self._say("A search is running; the estimate follows when it ends.")

    def forget(self) -> None:
        """There is nothing to look at."""
        self._job.forget()
        self._asked = self.answer = None
        self._say(
            "Auto learns its own PAG: press Run. With data and a PAG, this shows how many graphs a search "
            "would visit and how long it may take."
        )

    def ask(
        self, dataset: Dataset, pag: MixedGraph, options: SearchOptions, knowledge: Knowledge = NO_KNOWLEDGE
    ) -> None:
        """Look ahead for these, unless that is what is shown or under way."""
        asked = (dataset, pag, options, knowledge)
        if self._asked == asked and (self.answer is not None or self.is_busy):
            return
        self._asked, self.answer = asked, None
        self._most_dags = options.max_candidates
        self._say(_WAITING)

        def look(control: RunControl) -> Preflight:
            from latconf_core.search.estimate.preflight import preflight

            return preflight(dataset, pag, options=options, control=control, knowledge=knowledge)

        self._job.ask(look)

    def show_choice(self, algorithm: str) -> None:
        """Offer the recommended search where another one is chosen."""
        answer = self.answer
        self.use.setVisible(answer is not None and answer.recommended != algorithm)

    def warnings_shown(self) -> list[str]:
        """The warnings as they are read."""
        return [label.text() for label in self.findChildren(QLabel) if label.property("role") == "warning"]

    def _on_use(self) -> None:
        if self.answer is not None:
            self.chosen.emit(self.answer.recommended)

    def _on_failed(self, error: object) -> None:
        self._asked = None
        self._say("This search could not be estimated; the problem is described below. You can still run it.")
        self.failed.emit(error)

    def _say(self, text: str) -> None:
        self.state.setText(text)
        self.state.setVisible(bool(text))
        self._facts.setVisible(not text)
        self._show_warnings(())

    def _on_answered(self, answer: Preflight) -> None:
        self.answer = answer
        self._say("")
        as_given = answer.pag_handling.kind == "as given"
        self.validity.setText(keep_arrows_whole(validity_sentence(answer.standing, is_searched_as_given=as_given)))
        circles = counted(answer.n_circles, "circle")
        self.circles.setText(keep_arrows_whole(f"{circles}; {answer.n_invariant} <-> in every MAG"))
        self.levels.setText(keep_arrows_whole(levels_text(answer, self._most_dags)))
        self.seconds.setText(seconds_text(answer))
        title = search_title(answer.recommended)
        self.recommended.setText(f"{title} is recommended.")
        self.use.setText(f"Use {title}")
        self._show_warnings(answer.warnings)
        self.answered.emit()

    def _show_warnings(self, warnings: tuple[str, ...]) -> None:
        while (item := self._warnings.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        for warning in warnings:
            self._warnings.addWidget(_warning(f"{first_upper(warning)}."))


def levels_text(answer: Preflight, most: int) -> str:
    """How many MAGs there are with each number of bidirected edges."""
    counts = (
        f"{f'more than {most:,}' if count is None else f'{count:,}'} with {level} <->"
        for level, count in answer.levels.items()
    )
    return ", ".join(count.replace(" ", "\u00a0") for count in counts)  # a line breaks between two, not within one


def seconds_text(answer: Preflight) -> str:
    """How long each search is expected to take."""
    said = [f"{search_title(name)} {rough_duration(seconds)}" for name, seconds in answer.seconds.items()]
    levels = [
        f"{search_title(name)} is expected to stop at level {level}" for name, level in answer.last_levels.items()
    ]
    return "; ".join([", ".join(said), *levels])


def _fact() -> TermLabel:
    label = TermLabel()
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _warning(text: str) -> QWidget:
    widget = QWidget()
    row = QHBoxLayout(widget)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(SPACE // 2)
    row.addWidget(IconLabel("note"), 0, Qt.AlignmentFlag.AlignTop)
    label = Quiet(text)
    label.setProperty("role", "warning")
    row.addWidget(label, 1)
    return widget
