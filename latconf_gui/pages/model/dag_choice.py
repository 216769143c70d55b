"""The list of DAGs that can be looked at: the best of every run, and those that were opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QWidget

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.formats.projects.kept_items import KeptRun, difference
from latconf_core.phrases import nats
from latconf_core.search.catalogue import search_title
from latconf_core.search.outcome.history import History, Visit
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.application.document import Document
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.pages.light_scores import LIGHT_TIP, about
from latconf_gui.widgets.box_width import bound_width
from latconf_gui.widgets.text_size import FollowTextSize

LEAST_LETTERS, MOST_LETTERS = 12, 48


@dataclass(frozen=True, eq=False)
class OfferedDag:
    """A DAG of a run, and what the list calls it.

    score : what the list says of it beside its name, or ""
    visit : its index where it is a visit of the run
    is_light : whether its score is that of a light fit
    """

    run: KeptRun
    dag: LatentDag
    name: str
    score: str = ""
    visit: int | None = None
    is_light: bool = False

    @property
    def text(self) -> str:
        return f"{self.name}, {self.score}" if self.score else self.name

    @property
    def tip(self) -> str:
        """The whole text, for a narrow list, and what there is to know about its score."""
        return f"{self.text}\n{LIGHT_TIP}" if self.is_light else self.text


class DagChoice(QComboBox):
    """`chosen(OfferedDag)` when a person takes another DAG."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offered: list[OfferedDag] = []
        self.setAccessibleName("Which DAG")
        self.setToolTip("Which of the visited DAGs is shown")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.activated.connect(self._on_activated)
        FollowTextSize(self, self._share_width)

    def show_dags(self, document: Document, shown: LatentDag | None) -> None:
        """Offer the DAGs of every run; those of other data are named, but cannot be taken."""
        self.clear()
        self._offer_all(document, shown)
        self.addItems([offered.text for offered in self._offered])
        self._write_texts()
        for run in document.state.runs:
            if reason := difference(run.data, document.dataset):
                self._add_greyed(f"{run.name}: {reason}")
        self._choose(document.shown_run, shown)
        self._share_width()

    def show_scores(self, document: Document, shown: LatentDag | None) -> None:
        """Write the scores anew, in a list that may be open, because one of the DAGs was fitted fully."""
        self._offer_all(document, shown)
        self._write_texts()
        self._share_width()

    def _offer_all(self, document: Document, shown: LatentDag | None) -> None:
        runs = [run for run in document.state.runs if not difference(run.data, document.dataset)]
        self._offered = [offered for run in runs for offered in offer(run, document.opened_visits(run))]
        self._add_shown(document.shown_run, shown)

    def _write_texts(self) -> None:
        for index, offered in enumerate(self._offered):
            self.setItemText(index, offered.text)
            self.setItemData(index, plain_tip(offered.tip), Qt.ItemDataRole.ToolTipRole)

    @property
    def shown(self) -> OfferedDag | None:
        """The DAG that the list shows."""
        index = self.currentIndex()
        return self._offered[index] if 0 <= index < len(self._offered) else None

    def visits_of(self, run: KeptRun, dag: LatentDag) -> list[int]:
        """The visits of a run in the list that have this DAG."""
        return [
            offered.visit
            for offered in self._offered
            if offered.visit is not None and offered.run is run and offered.dag == dag
        ]

    def _share_width(self) -> None:
        bound_width(self, least=LEAST_LETTERS, most=MOST_LETTERS)

    def _add_shown(self, run: KeptRun | None, shown: LatentDag | None) -> None:
        """Offer the DAG that is shown where it is no visit of its run."""
        if run is not None and shown is not None and self._place(run, shown) < 0:
            self._offered.append(OfferedDag(run, shown, f"{run.name}: another DAG"))

    def _choose(self, run: KeptRun | None, shown: LatentDag | None) -> None:
        self.setCurrentIndex(-1 if run is None or shown is None else self._place(run, shown))

    def _place(self, run: KeptRun, shown: LatentDag) -> int:
        places = (index for index, offered in enumerate(self._offered) if offered.run is run and offered.dag == shown)
        return next(places, -1)

    def _add_greyed(self, text: str) -> None:
        self.addItem(text)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(self.count() - 1).setEnabled(False)

    def _on_activated(self, index: int) -> None:
        if index < len(self._offered):
            self.chosen.emit(self._offered[index])


def offer(run: KeptRun, opened: tuple[int, ...]) -> Iterator[OfferedDag]:
    """The result and the best DAGs of each kind of a run, then the visits that were opened, each once."""
    result = run.result
    history = result.history
    seen: set[int] = set()
    for text, visit in _kinds(result):
        if visit is not None and visit.index not in seen:
            seen.add(visit.index)
            yield _offer_visit(run, visit.index, text, nats(history.score(visit.index)))
    reference = result.reference
    if reference is not None and all(history.dag(index) != reference.dag for index in seen):
        score = "" if reference.search_score is None else nats(reference.search_score)
        yield OfferedDag(run, reference.dag, f"{run.name}: best without hidden causes", score)
    for index in opened:
        if index not in seen:
            yield _offer_visit(run, index, f"DAG {index + 1:,}", _below_best(history, history.score(index)))


def _offer_visit(run: KeptRun, index: int, text: str, score: str) -> OfferedDag:
    history = run.result.history
    is_light = bool(history.is_light[index])
    own_score = about(score, is_light=is_light)
    return OfferedDag(run, history.dag(index), f"{run.name}: {text}", own_score, index, is_light)


def _kinds(result: SearchResult) -> Iterator[tuple[str, Visit | None]]:
    history = result.history
    if history.chosen is not None:
        yield "result", history[history.chosen]
    if result.other is not None:
        yield f"best of {search_title(result.other.search)}", history[result.other.visit]
    yield "best" if history.chosen is None else "highest visited", history.best
    yield "best with latents", history.best_with_latents
    yield "best without latents", history.best_without_latents


def _below_best(history: History, p_elbo: float) -> str:
    """How far a score is from that of the best visit."""
    assert history.best is not None
    below = history.best.p_elbo - p_elbo
    return f"{abs(below):,.1f} {'below' if below >= 0 else 'above'} the best"
