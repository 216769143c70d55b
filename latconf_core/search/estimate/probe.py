"""Tries out searches of one PAG: what it meets there tells what the whole will take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.mag.listing import MagListing
from latconf_core.model.component import split_latents
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.handling import handle_pag
from latconf_core.search.catalogue import SearchMethod
from latconf_core.search.estimate.costs import CostedScores, Costs
from latconf_core.search.outcome.events import LevelStarted, SearchEvent
from latconf_core.search.outcome.history import History
from latconf_core.search.run import SearchRun
from latconf_core.search.runner import score_rival
from latconf_core.search.setup import SearchSetup, choose_objective
from latconf_core.search.staged_scoring import LEAST_REACH
from latconf_core.structure.best_dag import FoundDag

FIT_SHARE = 0.75  # of the time of a trial that may go into scoring latents
PROBE = SearchMethod("probe", "Probe", "Tries out a search.", search="")
CUT = 2.0  # a guess of how much longer it takes than a probe that was cut short


@dataclass(frozen=True)
class Estimate:
    """What a search is expected to take; `last_level` is the level at which one that goes by levels will stop."""

    seconds: float
    last_level: int | None = None


@dataclass(frozen=True)
class Trial:
    """A search that was tried out.

    seconds : all but scoring; n_expected : the candidates it announced; is_cut : whether it was cut short
    """

    seconds: float
    n_expected: int
    is_cut: bool


class Probe:
    """Tries out searches of one PAG.

    What there is no time to score is taken for no better than what was scored, at the seconds it will cost.

    knowledge : what binds; `known` is what it says of the data
    levels : the MAGs of each level, once they were counted; None where they are too many or it takes too long
    counting_seconds : the seconds that counting each level took
    estimates : of the searches that were tried before, by their names
    reached : the DAGs that the search for the best one without latents has reached
    """

    def __init__(
        self,
        dataset: Dataset,
        pag: MixedGraph,
        options: SearchOptions,
        control: RunControl,
        knowledge: Knowledge = NO_KNOWLEDGE,
    ) -> None:
        self.levels: Mapping[int, int | None] = {}
        self.counting_seconds: Mapping[int, float] = {}
        self.pag_handling = handle_pag(pag, options.invalid_pag, control=control)
        self.dataset = dataset
        self.knowledge = knowledge
        self.known = knowledge.bind(dataset.names)
        self.control = control
        self.estimates: dict[str, Estimate] = {}
        self.reached: list[FoundDag] = []
        self._pag = pag
        self._asked = options
        self._known_costs: dict[VbemOptions, Costs] = {}
        self._take(options)

    def under(self, method: SearchMethod) -> Probe:
        """The same probe with the options that a search will run with: those of the objective that it maximises."""
        probe = copy(self)
        probe._take(choose_objective(self._asked, method))
        return probe

    def _take(self, options: SearchOptions) -> None:
        self.options = replace(options, workers=1)
        self.vbem = replace(options.vbem, seed=options.seed)
        scored = replace(self.vbem, effort=options.effort)
        if scored not in self._known_costs:
            self._known_costs[scored] = Costs(self.dataset, scored, control=self.control)
        self._costs = self._known_costs[scored]

    def count_levels(self, time_limit: float) -> None:
        """Count the MAGs of each level, as far as that can be done in time."""
        control = self.control.child()
        listing = MagListing(self.pag_handling.graph, control=control, is_valid=self.pag_handling.is_valid)
        lowest = listing.n_invariant
        control.time_limit = time_limit  # the lowest level is told in any case
        levels: dict[int, int | None] = dict.fromkeys(range(lowest, max(self.options.max_bidirected, lowest) + 1))
        seconds: dict[int, float] = {}
        try:
            for level in levels:
                began = control.seconds()
                levels[level] = listing.count(level, limit=self.options.max_candidates)
                seconds[level] = control.seconds() - began
        except StopRequested as stop:
            pass_on_cancelling(stop)
        self.levels, self.counting_seconds = levels, seconds

    def make_scores(self) -> CostedScores:
        """Scores for one search that is tried out."""
        return CostedScores(self._costs)

    def make_trial(self, scores: CostedScores, time_limit: float) -> SearchRun:
        """A run that ends after some seconds."""
        setup = SearchSetup(
            method=PROBE,
            dataset=self.dataset,
            pag=self._pag,
            pag_handling=self.pag_handling,
            options=self.options,
            scores=scores,
            knowledge=self.knowledge,
        )
        return SearchRun(setup, self.control.child(time_limit=time_limit))

    def seconds_of_full_fits(self, history: History) -> float:
        """What it takes to fit fully what is in reach of the best with latents, once all was looked at lightly."""
        best = history.best_with_latents
        if best is None:
            return 0.0
        within = {v.candidate for v in history if v.kind == "candidate" and v.p_elbo > best.p_elbo - LEAST_REACH}
        bar = max((v.p_elbo for v in history if v.kind == "candidate" and v.n_latents), default=best.p_elbo)
        for visit in history:
            if visit.kind == "states" and visit.p_elbo > bar:  # it was better than what came before
                bar = visit.p_elbo
                within.add(visit.candidate)
        parts = {component for candidate in within for component, _ in split_latents(*candidate)}
        return sum(map(self._costs.of_full_fit, parts))

    def go_through(self, trial: SearchRun, search: Iterable[SearchEvent], *, fit_seconds: float) -> Trial:
        """Let a search run on a trial."""
        spent = self._costs.spent
        self._costs.fit_seconds = fit_seconds
        n_expected = 0
        is_cut = False
        try:
            for event in search:
                if isinstance(event, LevelStarted):
                    n_expected += event.n_candidates or 0
        except StopRequested as stop:
            pass_on_cancelling(stop)
            is_cut = True
        return Trial(trial.control.seconds() - (self._costs.spent - spent), n_expected, is_cut)


def read_result(run: SearchRun) -> Iterator[SearchEvent]:
    """What follows a search: the rival of its latents, and the posterior."""
    score_rival(run)
    yield from ()
    if run.history.best is not None:
        run.setup.scores.posterior(run.history.dag(run.history.best.index))


def pass_on_cancelling(stop: StopRequested) -> None:
    """Raise a stop again unless it is the end of a part's time."""
    if stop.reason is not StopReason.TIME_LIMIT:
        raise stop


@contextmanager
def until_time() -> Iterator[None]:
    """Lets the end of a part's time pass; other stops are told."""
    try:
        yield
    except StopRequested as stop:
        pass_on_cancelling(stop)
