"""One run of a search: what its steps share, and how candidates are scored ahead of their turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import wait
from dataclasses import dataclass, field
from math import inf

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import GraphError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.model.bit_dag import BitDag
from latconf_core.model.component import Component
from latconf_core.options.scoring import Effort
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.handling import PagHandling
from latconf_core.score.fit import Fit
from latconf_core.score.naming import to_bits, to_dag
from latconf_core.score.scorer import Scorer
from latconf_core.search.candidate_scores import Begun, Scores
from latconf_core.search.outcome.events import CandidateScored, StatesTried
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.search.outcome.history import BIDIRECTED, History
from latconf_core.search.outcome.reference import OtherSearch, Reference
from latconf_core.search.references import References
from latconf_core.search.staged_scoring import Assessed, StagedScoring

MOST_WAITING = 1000  # candidates behind one whose score takes long
POLL_SECONDS = 0.05  # between two looks at the control while others compute


@dataclass
class SearchRun:
    """The data, the options and everything found so far.

    cuts : a sentence for everything that was cut short
    rival : p-ELBO of the best DAG with latents after edges took the place of these
    scorer : what searches need that score otherwise than by candidates; None where scores are made up
    references : where the search for the best DAG without latents is remembered
    reference : the best DAG without latents, once it was looked for
    start : a model from which the search starts too
    other : another search that was a part of this one, and the best that it visited
    is_judged : whether the latents were judged, or there are none to judge
    search_seconds : until judging began; None where it has not
    reference_seconds, evidence_seconds : what looking for the reference and judging took
    staged_scoring : where candidates are looked at lightly first; None where all get full effort
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
    rival: float | None = None
    scorer: Scorer | None = None
    references: References = field(default_factory=References)
    reference: Reference | None = None
    start: LatentDag | None = None
    other: OtherSearch | None = None
    is_judged: bool = False
    search_seconds: float | None = None
    reference_seconds: float | None = None
    evidence_seconds: float | None = None
    staged_scoring: StagedScoring | None = None
    cuts: list[str] = field(default_factory=list)
    _seen: set[BitDag] = field(default_factory=set)

    @property
    def own_scorer(self) -> Scorer:
        """The scorer of a run on data."""
        if self.scorer is None:
            raise ValueError("this scores families and posteriors itself; a run with made-up scores has none")
        return self.scorer

    def set_reference(self, candidate: BitDag, p_elbo: float) -> None:
        """Keep a DAG without latents as the reference where it is the best so far."""
        if self.reference is None or p_elbo > self.reference.p_elbo:
            self.reference = Reference(to_dag(candidate, self.dataset.names), p_elbo)

    def visit(self, candidates: Iterable[BitDag], *, level: int, bar: float = -inf) -> Iterator[CandidateScored]:
        """Score the candidates of a level in their order, each candidate once; the events of their visits.

        bar : what is out of its reach need not be scored fully, nor what is out of reach of the best of the level
        """
        for candidate, p_elbo, effort in self._assess(self._unseen(candidates), bar):
            yield self._record(candidate, p_elbo, level, effort)

    def record(self, candidate: BitDag, p_elbo: float, *, level: int, effort: Effort = "full") -> CandidateScored:
        """The event of a visit whose score is known already."""
        self._seen.add(candidate)
        return self._record(candidate, p_elbo, level, effort)

    def _record(self, candidate: BitDag, p_elbo: float, level: int, effort: Effort) -> CandidateScored:
        history = self.history
        level = level if history.level_name == BIDIRECTED else len(candidate.latents)
        index = history.add(candidate, p_elbo, level=level, effort=effort)
        return CandidateScored(index, level, candidate, history.nodes, p_elbo, history.is_best(index), effort)

    @property
    def best_with_latents(self) -> float:
        """The best score of a DAG with latents so far."""
        best = self.history.best_with_latents
        return -inf if best is None else best.p_elbo

    def _assess(self, candidates: Iterable[BitDag], bar: float) -> Iterator[Assessed]:
        if self.staged_scoring is not None:
            return self.staged_scoring.assess(candidates, bar, self._scored)
        return (Assessed(candidate, p_elbo, "full") for candidate, p_elbo in self._scored(candidates, self.scores))

    def _assess_states(self, smaller: BitDag, trials: Iterable[BitDag], bar: float) -> Iterator[Assessed]:
        if self.staged_scoring is not None:
            return self.staged_scoring.assess_states(smaller, trials, bar, self._scored)
        return self._assess(trials, bar)

    def try_states(
        self, candidate: BitDag, latents: Iterable[int], *, level: int, p_elbo: float
    ) -> Generator[tuple[int, StatesTried]]:
        """Give each of some latents, by their places, one state more; candidates scored before are left out.

        p_elbo : of the candidate as it is
        """
        latent_of: dict[BitDag, int] = {}
        for latent in latents:
            hidden = list(candidate.latents)
            hidden[latent] = hidden[latent]._replace(n_states=hidden[latent].n_states + 1)
            latent_of[BitDag(candidate.parents, tuple(hidden))] = latent
        yield from self.try_trials(candidate, latent_of, level=level, p_elbo=p_elbo)

    def try_trials(
        self, candidate: BitDag, latent_of: Mapping[BitDag, int], *, level: int, p_elbo: float
    ) -> Generator[tuple[int, StatesTried]]:
        """Visit DAGs that are a candidate with another number of states of one latent, by its place in them."""
        for trial, of_trial, effort in self._assess_states(candidate, self._unseen(latent_of), p_elbo):
            index = self.history.add(trial, of_trial, level=level, kind="states", effort=effort)
            raised = to_dag(trial, self.history.nodes).latents[latent_of[trial]]
            yield (
                latent_of[trial],
                StatesTried(
                    index=index,
                    level=level,
                    latent=raised.name,
                    n_states=raised.n_states,
                    candidate=trial,
                    nodes=self.history.nodes,
                    p_elbo=of_trial,
                    is_best=self.history.is_best(index),
                    effort=effort,
                ),
            )

    def fit(self, component: Component) -> Fit:
        """The fit behind the score that visited candidates with a component got."""
        return self.own_scorer.fit(component) if self.staged_scoring is None else self.staged_scoring.fit(component)

    def score_all(self, dags: Sequence[LatentDag]) -> list[float]:
        """The scores of some DAGs, which are no visits; −∞ for one that cannot be scored."""
        candidates = [to_bits(dag) for dag in dags]
        found = dict(self._scored(candidates, self.scores))
        return [found.get(candidate, -inf) for candidate in candidates]

    def cut(self, sentence: str) -> None:
        """Say that something was cut short."""
        if sentence not in self.cuts:
            self.cuts.append(sentence)

    def _unseen(self, candidates: Iterable[BitDag]) -> Iterator[BitDag]:
        seen = self._seen
        for candidate in candidates:
            n_seen = len(seen)
            seen.add(candidate)
            if len(seen) > n_seen:
                yield candidate

    def _scored(self, candidates: Iterable[BitDag], scores: Scores) -> Generator[tuple[BitDag, float]]:
        """Each candidate that can be scored with its score, in the order given."""
        try:
            for candidate, begun in self._in_turn(candidates, scores):
                try:
                    p_elbo = self._score(candidate, begun, scores)
                except GraphError as error:  # a table too large to hold: that DAG alone is impossible
                    self.cut(f"a DAG could not be scored and was left out: {error}")
                else:
                    yield candidate, p_elbo
                self.control.checkpoint()  # what is known already comes by the thousand
        finally:  # also where the run is stopped
            scores.cancel_all()

    def _in_turn(self, candidates: Iterable[BitDag], scores: Scores) -> Iterator[tuple[BitDag, Begun | GraphError]]:
        """Each candidate with what was begun for it; those behind it are begun while its own is not done."""
        waiting: deque[tuple[BitDag, Begun | GraphError]] = deque()
        for candidate in candidates:
            waiting.append((candidate, _begin(candidate, scores)))
            while waiting and (_is_done(waiting[0][1]) or scores.is_full or len(waiting) > MOST_WAITING):
                yield waiting.popleft()
        yield from waiting

    def _score(self, candidate: BitDag, begun: Begun | GraphError, scores: Scores) -> float:
        if isinstance(begun, float):
            return begun
        if isinstance(begun, GraphError):
            raise begun
        while wait(begun, timeout=POLL_SECONDS).not_done:
            self.control.checkpoint()
        return scores.p_elbo(candidate)


def _begin(candidate: BitDag, scores: Scores) -> Begun | GraphError:
    try:
        return scores.begin(candidate)
    except GraphError as error:
        return error


def _is_done(begun: Begun | GraphError) -> bool:
    return isinstance(begun, (float, GraphError)) or all(future.done() for future in begun)
