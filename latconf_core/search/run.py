"""One run of a search: what its steps share, and how candidates are scored ahead of their turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import ceil, inf

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.latent_dag import latent_names
from latconf_core.data.dataset import Dataset
from latconf_core.errors import GraphError
from latconf_core.families.objectives import JUDGING, score_title
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.model.allowed_dag import allows
from latconf_core.model.bit_dag import BitDag
from latconf_core.model.component import Component, split_latents
from latconf_core.options.scoring import Effort
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.events import KnowledgeConflict
from latconf_core.pag.handling import PagHandling
from latconf_core.pag.informed import put_known_marks
from latconf_core.score.fit import Fit
from latconf_core.score.scorer import Scorer
from latconf_core.search.candidate_scores import Begun, Scores
from latconf_core.search.outcome.cuts import Cut, CutKind
from latconf_core.search.outcome.events import CandidateScored, StageStarted, StatesTried
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.search.outcome.history import BIDIRECTED, History
from latconf_core.search.outcome.knowledge_effect import KnowledgeEffect, MagCount
from latconf_core.search.outcome.reference import OtherSearch
from latconf_core.search.outcome.restarts import Restarts
from latconf_core.search.refining.judging import Judge
from latconf_core.search.refining.soft_model import Scored
from latconf_core.search.setup import SearchSetup
from latconf_core.search.staged_scoring import Assessed
from latconf_core.structure.best_dag import FoundDag

NO_MAG_OBEYS = "no MAG of the PAG obeys the knowledge: the search covers the DAGs of the given graph that do"
MOST_WAITING = 1000  # candidates behind one whose score takes long
POLL_SECONDS = 0.05  # between two looks at the control while others compute


@dataclass(frozen=True, eq=False)
class ModelToJudge:
    """A model as a search left it, and who judges its latents.

    is_bound : whether a PAG binds it, and the best DAG without latents may not take its place
    """

    judge: Judge
    present: Scored
    is_bound: bool


@dataclass
class Findings:
    """Everything that a run has come to; a search changes it through its run alone.

    reference : the best DAG without latents under the objective of judging, once it was looked for
    to_judge : the model that is judged, as the search left it; None for the best DAG with latents
    is_judged : whether judging came to its end
    rival : the score of the best DAG with latents after edges took the place of these
    other : another search that was a part of this one, and the best that it visited
    n_excluded : how many DAGs were not visited because the knowledge rules them out
    mags : of the MAGs that were listed, how many the knowledge leaves and how many there were; None where none were
    knowledge_conflicts : pairs that knowledge keeps apart and that depend; None where that was not asked yet
    knowledge_effect : what the best DAG without latents is where the knowledge does not bind; None where not otherwise
    cuts : everything that was cut short
    restarts : how often the search was made from other seeds, and how many of these agree; None where it is not
    search_seconds : until judging began; None where it has not
    reference_seconds, evidence_seconds : what looking for the reference and judging took
    """

    history: History
    reference: FoundDag | None = None
    to_judge: ModelToJudge | None = None
    evidence: tuple[LatentEvidence, ...] = ()
    is_judged: bool = False
    tried_every_group: bool = False
    rival: float | None = None
    other: OtherSearch | None = None
    n_excluded: int = 0
    mags: MagCount | None = None
    knowledge_effect: KnowledgeEffect | None = None
    knowledge_conflicts: tuple[KnowledgeConflict, ...] | None = None
    cuts: list[Cut] = field(default_factory=list)
    restarts: Restarts | None = None
    search_seconds: float | None = None
    reference_seconds: float | None = None
    evidence_seconds: float | None = None

    @property
    def n_listed(self) -> int:
        """How many MAGs were listed under knowledge."""
        return 0 if self.mags is None else self.mags.n_all


def _empty_history(setup: SearchSetup) -> History:
    title = score_title(setup.options.vbem)
    return History(setup.dataset.names, level_name=setup.method.level_name, score_title=title)


class SearchRun:
    """What a search is handed: what it may read of the set-up and of the findings, and how it adds to them."""

    def __init__(self, setup: SearchSetup, control: RunControl) -> None:
        self.setup = setup
        self.control = control
        self.findings = Findings(_empty_history(setup))
        self._seen: set[BitDag] = set()
        self._most_visits = setup.options.work_limit
        self._stage_note = ""
        self._judging_scorer: tuple[Scorer, Scorer] | None = None  # of which scorer, and itself

    @property
    def dataset(self) -> Dataset:
        return self.setup.dataset

    @property
    def options(self) -> SearchOptions:
        return self.setup.options

    @property
    def pag_handling(self) -> PagHandling:
        return self.setup.pag_handling

    @property
    def known(self) -> BoundKnowledge:
        """What is known of the variables; everything that adds an edge or a latent asks it."""
        return self.setup.known

    @property
    def history(self) -> History:
        return self.findings.history

    @property
    def own_scorer(self) -> Scorer:
        """The scorer of a run on data."""
        if self.setup.scorer is None:
            raise ValueError("this scores families and posteriors itself; a run with made-up scores has none")
        return self.setup.scorer

    @property
    def judging_scorer(self) -> Scorer:
        """The scorer under which latents are judged, whatever the search maximised."""
        scorer = self.own_scorer
        if JUDGING.is_of(scorer.options):
            return scorer
        if self._judging_scorer is None or self._judging_scorer[0] is not scorer:
            self._judging_scorer = scorer, scorer.on(self.dataset, JUDGING.apply(scorer.options))
        return self._judging_scorer[1]

    @property
    def seconds_left(self) -> float | None:
        """Until the time limit; None where there is none."""
        limit = self.control.time_limit
        return None if limit is None else limit - self.control.seconds()

    @property
    def visits_left(self) -> int | None:
        """Until the work limit; None where there is none."""
        return None if self._most_visits is None else max(self._most_visits - len(self.history), 0)

    def take_pag(self, pag: MixedGraph, handling: PagHandling | None = None) -> None:
        """Go on with a PAG that was learned, or with what is searched of it."""
        self.setup = replace(self.setup, pag=pag, pag_handling=handling or self.setup.pag_handling)

    @contextmanager
    def under(self, control: RunControl) -> Iterator[None]:
        """A part of the run that another control may end."""
        whole, self.control = self.control, control
        try:
            yield
        finally:
            self.control = whole

    @contextmanager
    def share_of_work(self, share: float) -> Iterator[None]:
        """A part of the run that ends after a share of the visits that are left."""
        whole, left = self._most_visits, self.visits_left
        if left is not None:
            self._most_visits = len(self.history) + ceil(share * left)
        try:
            yield
        finally:
            self._most_visits = whole

    @contextmanager
    def reseeded(self, seed: int, note: str) -> Iterator[None]:
        """A part of the run from another seed, whose fits begin elsewhere; plain families stay known.

        note : what its stages are called besides
        """
        setup = self.setup
        options = replace(setup.options, seed=seed)
        self.setup = replace(setup, options=options, scorer=self.own_scorer.with_seed(seed))
        self._stage_note = f" ({note})"
        try:
            yield
        finally:
            self.setup, self._stage_note = setup, ""

    def keep_fits(self, scorer: Scorer, index: int) -> None:
        """Take over the fits of a visit from a scorer of the same data; it gets the score of the better ones."""
        candidate, known = self.history[index].candidate, self.own_scorer.known
        for component, _ in split_latents(*candidate):
            known_fit, other = known.components.get(component), scorer.known.components.get(component)
            if other is not None and (known_fit is None or other.elbo > known_fit.elbo):
                known.components[component] = other
        score = known.p_elbo(*candidate)
        if score is not None and score > self.history.score(index):
            self.history.add_full_score(index, score)

    def start_stage(self, text: str) -> StageStarted:
        """The event of a stage of this search."""
        stages = self.setup.method.stages
        return StageStarted(f"{text}{self._stage_note}", stages.index(text) + 1, len(stages))

    def reach_references(self, scorer: Scorer, control: RunControl | None = None) -> Iterator[FoundDag]:
        """The DAGs without latents that the search for the best one reaches; the best so far is the reference.

        scorer : the run's own, or that of judging; what another objective than judging's reaches is no reference
        """
        began = self.control.seconds()
        setup, before = self.setup, self.findings.reference_seconds or 0.0
        for reached in setup.references.reach(
            scorer, setup.options, control=control or self.control, known=setup.known
        ):
            if scorer is self.judging_scorer:
                self.take_reference(reached)
            self.findings.reference_seconds = before + self.control.seconds() - began
            yield reached

    def take_reference(self, dag: FoundDag) -> None:
        """Keep a DAG without latents as the reference where it is the best so far."""
        best = self.findings.reference
        if best is None or dag.score > best.score or (dag.is_exact and dag.score == best.score):
            self.findings.reference = dag

    def count_mags(self, n_remaining: int, n_all: int) -> None:
        """Say of how many MAGs that were listed how many the knowledge leaves."""
        before = self.findings.mags or MagCount(0, 0)
        self.findings.mags = MagCount(before.n_remaining + n_remaining, before.n_all + n_all)

    def take_graph_as_known(self) -> None:
        """Go on with the graph as it is given, its circles decided by the knowledge that no MAG of it obeys."""
        graph = put_known_marks(self.pag_handling.graph, self.known)
        self.take_pag(self.setup.pag, PagHandling(graph, "as given", (NO_MAG_OBEYS,)))

    def choose(self, index: int) -> None:
        """Say which visit is the result unless a later one is chosen."""
        self.history.chosen = index
        self.findings.evidence = ()

    def hand_over(self, model: ModelToJudge) -> None:
        """Leave a model to judging."""
        self.findings.to_judge = model

    def name_part(self, search: str) -> None:
        """Say which other search made the visits until now."""
        if self.history.best is not None:
            self.findings.other = OtherSearch(search, self.history.best.index)

    def visit(self, candidates: Iterable[BitDag], *, level: int, bar: float = -inf) -> Iterator[CandidateScored]:
        """Score the candidates of a level in their order, each candidate once; the events of their visits.

        bar : what is out of its reach need not be scored fully, nor what is out of reach of the best of the level
        """
        for candidate, p_elbo, effort in self._assess(self._unseen(candidates), bar):
            self._check_work()
            yield self._record(candidate, p_elbo, level, effort)

    def record(
        self, candidate: BitDag, p_elbo: float, *, level: int, effort: Effort = "full", is_extra: bool = False
    ) -> CandidateScored:
        """The event of a visit whose score is known already.

        is_extra : whether no work limit keeps it out: a model that is chosen or judged
        """
        if not is_extra:
            self._check_work()
        event = self._record(candidate, p_elbo, level, effort)
        self._seen.add(candidate)
        return event

    def _record(self, candidate: BitDag, p_elbo: float, level: int, effort: Effort) -> CandidateScored:
        if not allows(self.known, candidate):
            raise ValueError(f"{self.setup.method.name} visits a DAG that the knowledge rules out")
        history = self.history
        level = level if history.level_name == BIDIRECTED else len(candidate.latents)
        index = history.add(candidate, p_elbo, level=level, effort=effort)
        return CandidateScored(index, level, candidate, history.nodes, p_elbo, history.is_best(index), effort)

    def _check_work(self) -> None:
        """End the search where as many DAGs as the work limit allows were visited."""
        if self.visits_left == 0:
            raise StopRequested(StopReason.WORK_LIMIT)

    @property
    def best_with_latents(self) -> float:
        """The best score of a DAG with latents so far."""
        best = self.history.best_with_latents
        return -inf if best is None else best.p_elbo

    def _assess(self, candidates: Iterable[BitDag], bar: float) -> Iterator[Assessed]:
        setup = self.setup
        if setup.staged_scoring is not None:
            return setup.staged_scoring.assess(candidates, bar, self._scored)
        return (Assessed(candidate, p_elbo, "full") for candidate, p_elbo in self._scored(candidates, setup.scores))

    def _assess_states(self, smaller: BitDag, trials: Iterable[BitDag], bar: float) -> Iterator[Assessed]:
        if self.setup.staged_scoring is not None:
            return self.setup.staged_scoring.assess_states(smaller, trials, bar, self._scored)
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
            self._check_work()
            index = self.history.add(trial, of_trial, level=level, kind="states", effort=effort)
            position = latent_of[trial]
            yield (
                position,
                StatesTried(
                    index=index,
                    level=level,
                    latent=latent_names(len(trial.latents), self.history.nodes)[position],
                    n_states=trial.latents[position].n_states,
                    candidate=trial,
                    nodes=self.history.nodes,
                    p_elbo=of_trial,
                    is_best=self.history.is_best(index),
                    effort=effort,
                ),
            )

    def fit(self, component: Component) -> Fit:
        """The fit behind the score that visited candidates with a component got."""
        return (self.setup.staged_scoring or self.own_scorer).fit(component)

    def score_all(self, candidates: Sequence[BitDag]) -> list[float]:
        """The scores of some DAGs, which are no visits; −∞ for one that cannot be scored or must not be."""
        allowed = [candidate for candidate in candidates if allows(self.known, candidate)]
        scores = dict(self._scored(allowed, self.setup.scores))
        return [scores.get(candidate, -inf) for candidate in candidates]

    def cut(self, kind: CutKind, *values: float | str | None) -> None:
        """Say that something was cut short."""
        cut = Cut(kind, values)
        if cut not in self.findings.cuts:
            self.findings.cuts.append(cut)

    def _unseen(self, candidates: Iterable[BitDag]) -> Iterator[BitDag]:
        """Those that were not visited before, and that the knowledge allows."""
        seen = self._seen
        for candidate in candidates:
            n_seen = len(seen)
            seen.add(candidate)
            if len(seen) > n_seen:
                if allows(self.known, candidate):
                    yield candidate
                else:
                    self.findings.n_excluded += 1

    def _scored(self, candidates: Iterable[BitDag], scores: Scores) -> Generator[tuple[BitDag, float]]:
        """Each candidate that can be scored with its score, in the order given."""
        try:
            for candidate, begun in self._in_turn(candidates, scores):
                try:
                    p_elbo = self._score(candidate, begun, scores)
                except GraphError as error:  # a table too large to hold: that DAG alone is impossible
                    self.cut(CutKind.UNSCORED, str(error))
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
