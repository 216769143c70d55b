"""What the Model page needs to know about a DAG, computed beside the window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.score.association import Association, associations
from latconf_core.score.posterior import Posterior
from latconf_core.search.outcome.evidence import LatentEvidence, latent_evidence
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.outcome.states_curve import StatesPoint, states_curve
from latconf_gui.background.run_thread import RunThread

MAX_KEPT = 12  # DAGs whose facts stay at hand


@dataclass(frozen=True, eq=False)
class LatentFacts:
    """All about one latent.

    spread : the bounds that the finalists of its component reached, best first
    curve : p-ELBO by its number of states
    """

    latent: Latent
    evidence: LatentEvidence
    curve: tuple[StatesPoint, ...]
    associations: tuple[Association, ...]
    spread: npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ModelFacts:
    """A DAG fitted to the data; `latents` is filled once that is known too."""

    posterior: Posterior
    latents: Mapping[str, LatentFacts]
    is_complete: bool


class ModelFitting(QObject):
    """`fitted(ModelFacts)` twice for each DAG asked for: with the tables, then with all about its latents."""

    fitted = Signal(object)
    failed = Signal(object)
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: RunThread | None = None
        self._next: tuple[Dataset, SearchResult, LatentDag] | None = None
        self._known: dict[tuple[int, LatentDag], ModelFacts] = {}

    @property
    def is_busy(self) -> bool:
        return self._thread is not None

    def ask(self, data: Dataset, result: SearchResult, dag: LatentDag) -> None:
        """Fit a DAG of a result; what was asked before is given up."""
        known = self._known.get((id(result), dag))
        if known is not None:
            self.forget()
            self.fitted.emit(known)
            return
        self._next = (data, result, dag)
        if self._thread is None:
            self._begin()
        else:
            self._thread.cancel()

    def forget(self) -> None:
        """Want no answer any more."""
        self._next = None
        if self._thread is not None:
            self._thread.cancel()

    def stop(self) -> None:
        """Want no answer, and return when nothing runs."""
        self._next = None
        if self._thread is not None:
            self._thread.stop()

    def clear(self) -> None:
        """Keep nothing of earlier results."""
        self.forget()
        self._known.clear()

    def _begin(self) -> None:
        asked, self._next = self._next, None
        if asked is None:
            self.changed.emit()
            return
        data, result, dag = asked
        thread = RunThread(lambda control: facts_of(data, result, dag, control), parent=self)
        thread.events.connect(lambda events: self._on_events(thread, (id(result), dag), events))
        thread.failed.connect(lambda error: None if thread.is_cancelled else self.failed.emit(error))
        thread.ended.connect(self._on_ended)
        self._thread = thread
        thread.start()
        self.changed.emit()

    def _on_events(self, thread: RunThread, key: tuple[int, LatentDag], events: list[object]) -> None:
        if thread.is_cancelled:
            return
        for event in events:
            if isinstance(event, ModelFacts):
                if event.is_complete:
                    self._keep(key, event)
                self.fitted.emit(event)

    def _keep(self, key: tuple[int, LatentDag], facts: ModelFacts) -> None:
        while len(self._known) >= MAX_KEPT:
            self._known.pop(next(iter(self._known)))
        self._known[key] = facts

    def _on_ended(self) -> None:
        if self._thread is not None:
            self._thread.deleteLater()
        self._thread = None
        self._begin()


def facts_of(data: Dataset, result: SearchResult, dag: LatentDag, control: RunControl) -> Iterator[ModelFacts]:
    """The tables of a DAG, then all about its latents."""
    from latconf_core.score.component import split
    from latconf_core.score.scorer import Scorer

    scorer = Scorer(data, replace(result.options.vbem, seed=result.seed), control=control)
    posterior = result.posterior if dag == result.best and result.posterior is not None else scorer.posterior(dag)
    yield ModelFacts(posterior, {}, is_complete=not dag.latents)
    if not dag.latents:
        return

    def score(one: LatentDag) -> float:
        return scorer.score(one).p_elbo

    evidence = known_evidence(result, dag) or latent_evidence(
        dag, result.pag_handling.graph, p_elbo=posterior.p_elbo, scores=lambda dags: [score(one) for one in dags]
    )
    component_of = {name: i for i, names in enumerate(split(dag, data).latents) for name in names}
    found = {}
    for latent, own in zip(dag.latents, evidence):
        control.checkpoint()
        curve = states_curve(dag, latent.name, score, history=result.history, most=result.options.max_states)
        spread = posterior.spread[component_of[latent.name]]
        found[latent.name] = LatentFacts(latent, own, curve, associations(posterior, latent.name), spread)
    yield ModelFacts(posterior, found, is_complete=True)


def known_evidence(result: SearchResult, dag: LatentDag) -> tuple[LatentEvidence, ...]:
    """What the search itself says about the latents of a DAG; empty where it did not judge that DAG by the data."""
    judged = result.history.best_with_latents
    if judged is None or result.history.dag(judged.index) != dag:
        return ()
    return result.evidence if all(one.density is not None for one in result.evidence) else ()
