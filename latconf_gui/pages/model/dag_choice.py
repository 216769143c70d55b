"""The list of DAGs that can be looked at: the best of every run, and those that were opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QWidget

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.formats.projects.kept_items import KeptRun, difference
from latconf_core.search.methods import search_title
from latconf_core.search.outcome.history import History, Visit
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.outcome.wording import nats
from latconf_gui.application.document import Document
from latconf_gui.look.plain_tips import plain_tip
from latconf_gui.widgets.box_width import bound_width
from latconf_gui.widgets.text_size import FollowTextSize

LEAST_LETTERS, MOST_LETTERS = 12, 48


@dataclass(frozen=True, eq=False)
class OfferedDag:
    """A DAG of a run, and what the list calls it."""

    run: KeptRun
    dag: LatentDag
    text: str


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
        self._offered = []
        others = []
        for run in document.state.runs:
            reason = difference(run.data, document.dataset)
            if reason:
                others.append(f"{run.name}: {reason}")
            else:
                self._offered += offer(run, document.opened_visits(run))
        self._add_shown(document.shown_run, shown)
        for place, one in enumerate(self._offered):
            self.addItem(one.text)
            self.setItemData(place, plain_tip(one.text), Qt.ItemDataRole.ToolTipRole)
        for text in others:
            self._add_greyed(text)
        self._choose(document.shown_run, shown)
        self._share_width()

    def _share_width(self) -> None:
        bound_width(self, least=LEAST_LETTERS, most=MOST_LETTERS)

    def _add_shown(self, run: KeptRun | None, shown: LatentDag | None) -> None:
        """Offer the DAG that is shown where it is no visit of its run."""
        if run is not None and shown is not None and self._place(run, shown) < 0:
            self._offered.append(OfferedDag(run, shown, f"{run.name}: another DAG"))

    def _choose(self, run: KeptRun | None, shown: LatentDag | None) -> None:
        self.setCurrentIndex(-1 if run is None or shown is None else self._place(run, shown))

    def _place(self, run: KeptRun, shown: LatentDag) -> int:
        places = (place for place, one in enumerate(self._offered) if one.run is run and one.dag == shown)
        return next(places, -1)

    def _add_greyed(self, text: str) -> None:
        self.addItem(text)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(self.count() - 1).setEnabled(False)

    def _on_activated(self, place: int) -> None:
        if place < len(self._offered):
            self.chosen.emit(self._offered[place])


def offer(run: KeptRun, opened: tuple[int, ...]) -> Iterator[OfferedDag]:
    """The result and the best DAGs of each kind of a run, then the visits that were opened, each once."""
    result = run.result
    history = result.history
    seen: set[int] = set()
    for text, visit in _kinds(result):
        if visit is not None and visit.index not in seen:
            seen.add(visit.index)
            yield OfferedDag(run, history.dag(visit.index), f"{run.name}: {text}, {nats(visit.p_elbo)}")
    reference = result.reference
    if reference is not None and all(history.dag(index) != reference.dag for index in seen):
        text = f"{run.name}: best without hidden causes, {nats(reference.p_elbo)}"
        yield OfferedDag(run, reference.dag, text)
    for index in opened:
        if index not in seen:
            yield OfferedDag(run, history.dag(index), f"{run.name}: {visit_text(history, index)}")


def _kinds(result: SearchResult) -> Iterator[tuple[str, Visit | None]]:
    history = result.history
    if result.visit is not None:
        yield "result", history[result.visit]
    if result.other is not None:
        yield f"best of {search_title(result.other.search)}", history[result.other.visit]
    yield "best" if result.visit is None else "highest visited", history.best
    yield "best with latents", history.best_with_latents
    yield "best without latents", history.best_without_latents


def visit_text(history: History, index: int) -> str:
    """Which visit it is, and how far it is from the best one."""
    assert history.best is not None
    below = history.best.p_elbo - history[index].p_elbo
    return f"DAG {index + 1:,}, {below:,.1f} below the best"
