"""One run of a search: what its steps share, and how candidates are scored by several threads at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from math import inf
from threading import Event

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import GraphError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.search.candidate import Candidate
from latconf_core.search.outcome.events import CandidateScored, StatesTried
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.search.outcome.history import History
from latconf_core.search.pag_handling import PagHandling
from latconf_core.search.scoring import Scores

AHEAD = 4  # candidates waiting for each thread, so that none is idle while the next are listed

Scored = tuple[Candidate, float | GraphError]


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
    scores: Scores
    control: RunControl
    pag_handling: PagHandling
    history: History
    evidence: tuple[LatentEvidence, ...] = ()
    cuts: list[str] = field(default_factory=list)
    closing: Event = field(default_factory=Event)
    _seen: set[Candidate] = field(default_factory=set)

    def visit(self, candidates: Iterable[Candidate], *, n_bidirected: int) -> Iterator[CandidateScored]:
        """Score the candidates of a level in their order, each candidate once; the events of their visits."""
        for candidate, p_elbo in self._scored(self._unseen(candidates)):
            visit = self.history.add(candidate, p_elbo, n_bidirected=n_bidirected)
            is_best = self.history.best is visit
            yield CandidateScored(visit.index, n_bidirected, candidate, self.history.nodes, p_elbo, is_best)

    def try_states(
        self, candidate: Candidate, latents: Iterable[int], *, n_bidirected: int
    ) -> Generator[tuple[int, StatesTried]]:
        """Give each of some latents, by their places, one state more; candidates scored before are left out."""
        latent_of: dict[Candidate, int] = {}
        for latent in latents:
            hidden = list(candidate.latents)
            hidden[latent] = hidden[latent]._replace(n_states=hidden[latent].n_states + 1)
            latent_of[Candidate(candidate.parents, tuple(hidden))] = latent
        for trial, p_elbo in self._scored(self._unseen(latent_of)):
            visit = self.history.add(trial, p_elbo, n_bidirected=n_bidirected, kind="states")
            raised = trial.to_dag(self.history.nodes).latents[latent_of[trial]]
            yield (
                latent_of[trial],
                StatesTried(
                    index=visit.index,
                    n_bidirected=n_bidirected,
                    latent=raised.name,
                    n_states=raised.n_states,
                    candidate=trial,
                    nodes=self.history.nodes,
                    p_elbo=p_elbo,
                    is_best=self.history.best is visit,
                ),
            )

    def score_all(self, dags: Sequence[LatentDag]) -> list[float]:
        """The scores of some DAGs, which are no visits; −∞ for one that cannot be scored."""
        candidates = [Candidate.of_dag(dag) for dag in dags]
        found = dict(self._scored(iter(candidates)))
        return [found.get(candidate, -inf) for candidate in candidates]

    def cut(self, sentence: str) -> None:
        """Say that something was cut short."""
        if sentence not in self.cuts:
            self.cuts.append(sentence)

    def _unseen(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        for candidate in candidates:
            if candidate not in self._seen:
                self._seen.add(candidate)
                yield candidate

    def _scored(self, candidates: Iterator[Candidate]) -> Iterator[tuple[Candidate, float]]:
        """Each candidate with its score, in the order given whatever the number of threads."""
        for candidate, p_elbo in (
            self._in_threads(candidates) if self.options.workers > 1 else map(self._score, candidates)
        ):
            if isinstance(p_elbo, GraphError):
                self.cut(f"a DAG could not be scored and was left out: {p_elbo}")
            else:
                yield candidate, p_elbo
            self.control.checkpoint()  # what is known already comes by the thousand

    def _score(self, candidate: Candidate) -> Scored:
        self.control.checkpoint()
        try:
            return candidate, self.scores.p_elbo(candidate)
        except GraphError as error:  # a table too large to hold: that DAG alone is impossible
            return candidate, error

    def _in_threads(self, candidates: Iterator[Candidate]) -> Iterator[Scored]:
        """What is known needs no thread; the rest is computed ahead while its turn has not come."""
        pool = ThreadPoolExecutor(self.options.workers, thread_name_prefix="latconf-score")
        waiting: deque[Scored | Future[Scored]] = deque()
        n_computing = 0
        try:
            for candidate in candidates:
                known = self.scores.known(candidate)
                if known is None:
                    waiting.append(pool.submit(self._score, candidate))
                    n_computing += 1
                else:
                    waiting.append((candidate, known))
                while waiting and (n_computing > AHEAD * self.options.workers or not isinstance(waiting[0], Future)):
                    n_computing -= isinstance(waiting[0], Future)
                    yield _result(waiting.popleft())
            while waiting:
                yield _result(waiting.popleft())
        finally:  # also where the run is stopped: every thread ends at its next checkpoint
            self.closing.set()
            pool.shutdown(wait=True, cancel_futures=True)
            self.closing.clear()


def _result(item: Scored | Future[Scored]) -> Scored:
    return item.result() if isinstance(item, Future) else item
