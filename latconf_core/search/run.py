"""One run of a search: what its steps share, and how candidates are scored by several threads at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice
from threading import Event
from time import perf_counter
from typing import Protocol

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import GraphError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options import SearchOptions
from latconf_core.search.events import CandidateScored, StatesTried
from latconf_core.search.evidence import LatentEvidence
from latconf_core.search.history import History, pack
from latconf_core.search.treatment import Treatment

AHEAD = 3  # chunks waiting for each thread, so that none is idle while the next are listed
MAX_CHUNK = 32
QUICK_SECONDS, SLOW_SECONDS = 0.005, 0.05  # chunks quicker than this grow, slower ones shrink

Scored = tuple[LatentDag, float | GraphError]


class HasPElbo(Protocol):
    """What a score must have."""

    @property
    def p_elbo(self) -> float: ...


class Scores(Protocol):
    """What a search needs of a scorer; `score` is called from several threads."""

    def score(self, dag: LatentDag, /) -> HasPElbo: ...


@dataclass
class SearchRun:
    """The data, the options and everything found so far.

    cuts : a sentence for everything that was cut short
    closing : set while the threads are asked to end; `control` must heed it
    """

    algorithm: str
    dataset: Dataset
    pag: MixedGraph
    options: SearchOptions
    scorer: Scores
    control: RunControl
    treatment: Treatment
    history: History
    evidence: tuple[LatentEvidence, ...] = ()
    cuts: list[str] = field(default_factory=list)
    closing: Event = field(default_factory=Event)
    _seen: set[bytes] = field(default_factory=set)

    def visit(self, dags: Iterable[LatentDag], *, n_bidirected: int) -> Iterator[CandidateScored]:
        """Score the candidates of a level in their order, each model once; the events of their visits."""
        for dag, p_elbo in self._scores(self._unseen(dags)):
            was_best = self.history.best
            visit = self.history.add(dag, p_elbo, n_bidirected=n_bidirected)
            is_best = self.history.best is not was_best
            yield CandidateScored(visit.index, n_bidirected, dag, p_elbo, is_best)

    def try_states(self, dag: LatentDag, latent: str, n_states: int, *, n_bidirected: int) -> StatesTried | None:
        """Give a latent another number of states; None where that model was scored before or cannot be."""
        trial = dag.with_states(latent, n_states)
        for scored, p_elbo in self._scores(self._unseen([trial])):
            was_best = self.history.best
            visit = self.history.add(scored, p_elbo, n_bidirected=n_bidirected, kind="states")
            return StatesTried(visit.index, latent, n_states, scored, p_elbo, self.history.best is not was_best)
        return None

    def cut(self, sentence: str) -> None:
        """Say that something was cut short."""
        if sentence not in self.cuts:
            self.cuts.append(sentence)

    def _unseen(self, dags: Iterable[LatentDag]) -> Iterator[LatentDag]:
        for dag in dags:
            packed = pack(dag)
            if packed not in self._seen:
                self._seen.add(packed)
                yield dag

    def _scores(self, dags: Iterator[LatentDag]) -> Iterator[tuple[LatentDag, float]]:
        """Each DAG with its score, in the order given whatever the number of threads."""
        for dag, scored in self._in_threads(dags) if self.options.workers > 1 else map(self._score, dags):
            if isinstance(scored, GraphError):
                self.cut(f"a DAG could not be scored and was left out: {scored}")
            else:
                yield dag, scored

    def _score(self, dag: LatentDag) -> Scored:
        self.control.checkpoint()
        try:
            return dag, self.scorer.score(dag).p_elbo
        except GraphError as error:  # a table too large to hold: that DAG alone is impossible
            return dag, error

    def _in_threads(self, dags: Iterator[LatentDag]) -> Iterator[Scored]:
        first = list(islice(dags, 2))
        if len(first) < 2:  # a single candidate needs no thread
            yield from map(self._score, first)
            return
        dags = chain(first, dags)
        pool = ThreadPoolExecutor(self.options.workers, thread_name_prefix="latconf-score")
        waiting: deque[Future[tuple[list[Scored], float]]] = deque()
        size = 1
        try:
            while (chunk := list(islice(dags, size))) or waiting:
                if chunk:
                    waiting.append(pool.submit(self._score_chunk, chunk))
                if not chunk or len(waiting) > AHEAD * self.options.workers:
                    scored, seconds = waiting.popleft().result()
                    size = _next_size(size, seconds)
                    yield from scored
        finally:  # also where the run is stopped: every thread ends at its next checkpoint
            self.closing.set()
            pool.shutdown(wait=True, cancel_futures=True)
            self.closing.clear()

    def _score_chunk(self, dags: list[LatentDag]) -> tuple[list[Scored], float]:
        began = perf_counter()
        return [self._score(dag) for dag in dags], perf_counter() - began


def _next_size(size: int, seconds: float) -> int:
    if seconds < QUICK_SECONDS:
        return min(2 * size, MAX_CHUNK)
    return max(size // 2, 1) if seconds > SLOW_SECONDS else size
