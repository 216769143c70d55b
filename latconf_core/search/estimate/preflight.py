"""What a search would take, before it is run: levels, expected seconds, a recommendation, and warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.graph.bits import BitGraph, topological_order
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.listing import MagListing
from latconf_core.mag.mark_changes import is_legitimate
from latconf_core.options.searching import SearchOptions
from latconf_core.search.algorithms.hclc import hclc_v
from latconf_core.search.algorithms.ilc import candidate_of, list_candidates
from latconf_core.search.algorithms.latent_states import search_states
from latconf_core.search.candidate import Candidate
from latconf_core.search.catalogue import align_to_dataset
from latconf_core.search.estimate.costs import CostedScores, Costs
from latconf_core.search.follow import judge_latents
from latconf_core.search.outcome.events import LevelStarted, SearchEvent
from latconf_core.search.outcome.history import History
from latconf_core.search.pag_handling import PagHandling, handle_pag
from latconf_core.search.run import SearchRun

PROBE_SECONDS = 3.0
LONG_SECONDS = 600.0  # from here on HCLC-V is recommended
BEAM_WIDTH = 6  # graphs of a level that are followed to the next
N_ROOTS = 200  # graphs of the lowest level that the probe looks at
N_TIMED = 300  # MAGs of a level on which the time of one is measured
FIT_SHARE = 0.75  # of the time of a trial that may go into scoring latents
CUT = 2.0  # a guess of how much longer it takes than a probe that was cut short


@dataclass(frozen=True)
class Preflight:
    """What is known of a search before it starts.

    levels : MAGs with each number of <->; None where there are more than the cap, or counting takes too long
    last_level : the level at which ILC-V is expected to stop
    seconds : expected for each search
    """

    pag_handling: PagHandling
    n_circles: int
    n_invariant: int
    levels: Mapping[int, int | None]
    last_level: int
    seconds: Mapping[str, float]
    recommended: str
    warnings: tuple[str, ...]


def preflight(
    dataset: Dataset,
    pag: MixedGraph,
    *,
    options: SearchOptions | None = None,
    control: RunControl | None = None,
    probe_seconds: float = PROBE_SECONDS,
) -> Preflight:
    """Look at a PAG and try a little of both searches; takes about `probe_seconds` at most, with warm kernels."""
    options = SearchOptions() if options is None else options
    probe = _Probe(dataset, align_to_dataset(pag, dataset), options, RunControl() if control is None else control)
    levels, counting = probe.counted(probe_seconds / 6)
    hclc_seconds = probe.hclc_seconds(0.4 * probe_seconds)
    last, ilc_seconds = probe.ilc_seconds(levels, 0.4 * probe_seconds)
    ilc_seconds += sum(seconds for level, seconds in counting.items() if level <= last)
    seconds = {"ilc-v": ilc_seconds, "hclc-v": hclc_seconds}
    limit = options.time_limit or float("inf")
    return Preflight(
        pag_handling=probe.pag_handling,
        n_circles=int((probe.pag_handling.graph.marks == Mark.CIRCLE).sum()),
        n_invariant=min(levels),
        levels=levels,
        last_level=last,
        seconds=seconds,
        recommended="ilc-v" if ilc_seconds <= min(LONG_SECONDS, limit) else "hclc-v",
        warnings=tuple(_warnings(probe.pag_handling, options, levels, last, seconds)),
    )


class _Probe:
    """Tries out searches of one PAG.

    What there is no time to score is taken for no better than what was scored, at the seconds it will cost.
    """

    def __init__(self, dataset: Dataset, pag: MixedGraph, options: SearchOptions, control: RunControl) -> None:
        self.pag_handling = handle_pag(pag, options.invalid_pag, control=control)
        self._dataset = dataset
        self._pag = pag
        self._options = replace(options, workers=1)
        self._control = control
        self._costs = Costs(dataset, replace(options.vbem, seed=options.seed), control=control)

    def counted(self, time_limit: float) -> tuple[dict[int, int | None], dict[int, float]]:
        """The MAGs of each level where countable in time, and the seconds that counting each took."""
        control = self._control.child(time_limit=time_limit)
        listing = MagListing(self.pag_handling.graph, control=control, is_valid=self.pag_handling.is_valid)
        lowest = listing.n_invariant
        levels: dict[int, int | None] = dict.fromkeys(range(lowest, max(self._options.max_bidirected, lowest) + 1))
        seconds: dict[int, float] = {}
        try:
            for level in levels:
                began = control.seconds()
                levels[level] = listing.count(level, limit=self._options.max_candidates)
                seconds[level] = control.seconds() - began
        except StopRequested as stop:
            _pass_on_cancelling(stop)
        return levels, seconds

    def hclc_seconds(self, time_limit: float) -> float:
        """The seconds HCLC-V is expected to take: those of a trial; where it does not end, by the share it did."""
        scores = CostedScores(self._costs)
        trial = self._trial(scores, time_limit)
        seconds, n_expected, is_cut = self._tried(
            trial, chain(hclc_v(trial), _judged_and_read(trial)), fit_seconds=FIT_SHARE * time_limit
        )
        seconds += scores.seconds
        if not is_cut:
            return seconds
        n_scored = max(len(trial.history), 1)
        return seconds * (n_expected / n_scored if n_scored < n_expected else CUT)

    def ilc_seconds(self, levels: Mapping[int, int | None], time_limit: float) -> tuple[int, float]:
        """The level at which ILC-V is expected to stop, and the seconds it takes until then.

        A few of the best graphs of each level are followed to the next: that finds where the score stops rising, and
        meets most of the parts that the search will score. What remains is the time of MAGs whose parts are known.
        """
        scores = CostedScores(self._costs)
        trial = self._trial(scores, time_limit)
        seconds, _, is_cut = self._tried(
            trial, chain(_beam(trial, levels), _judged_and_read(trial)), fit_seconds=FIT_SHARE * time_limit
        )
        last = max(trial.history.per_level(), default=min(levels))
        most = self._options.max_candidates
        for level, count in levels.items():
            if level <= last:
                each = self._seconds_of_each(scores, level, time_limit / (3 * len(levels)))
                seconds += each * (most if count is None else min(count, most))
        seconds += scores.seconds
        return last, CUT * seconds if is_cut else seconds

    def _seconds_of_each(self, scores: CostedScores, level: int, time_limit: float) -> float:
        """The seconds of listing and visiting a MAG of a level, those of scoring its parts left out."""
        trial = self._trial(scores, time_limit)
        listing = MagListing(self.pag_handling.graph, control=trial.control, is_valid=self.pag_handling.is_valid)
        candidates = islice(list_candidates(trial, listing, level), N_TIMED)
        n_listed = 0

        def counted() -> Iterator[Candidate]:
            nonlocal n_listed
            for candidate in candidates:
                n_listed += 1
                yield candidate

        seconds, _, _ = self._tried(trial, trial.visit(counted(), n_bidirected=level), fit_seconds=0.0)
        return seconds / max(n_listed, 1)

    def _trial(self, scores: CostedScores, time_limit: float) -> SearchRun:
        return SearchRun(
            algorithm="probe",
            dataset=self._dataset,
            pag=self._pag,
            options=self._options,
            scores=scores,
            control=self._control.child(time_limit=time_limit),
            pag_handling=self.pag_handling,
            history=History(self._dataset.names),
        )

    def _tried(self, trial: SearchRun, search: Iterable[SearchEvent], *, fit_seconds: float) -> tuple[float, int, bool]:
        """The seconds of a trial but for scoring, the candidates it announced, and whether it was cut short."""
        spent = self._costs.spent
        self._costs.fit_seconds = fit_seconds
        n_expected = 0
        is_cut = False
        try:
            for event in search:
                if isinstance(event, LevelStarted):
                    n_expected += event.n_candidates or 0
        except StopRequested as stop:
            _pass_on_cancelling(stop)
            is_cut = True
        return trial.control.seconds() - (self._costs.spent - spent), n_expected, is_cut


def _beam(run: SearchRun, levels: Mapping[int, int | None]) -> Iterator[SearchEvent]:
    """A short ILC-V that follows a few graphs, up to the first level above the lowest whose best is no better."""
    listing = MagListing(run.pag_handling.graph, control=run.control, is_valid=run.pag_handling.is_valid)
    near = [mask | 1 << v for v, mask in enumerate(_adjacent(run.pag_handling.graph))]
    beam = list(islice(listing.level(min(levels)), N_ROOTS))
    best = float("-inf")
    for level in levels:
        candidates = {candidate_of(run, graph): graph for graph in beam}
        scores: dict[BitGraph, float] = {}
        for event in run.visit(candidates, n_bidirected=level):
            scores[candidates[event.candidate]] = event.p_elbo
            yield event
        if not scores or (level > min(levels) and max(scores.values()) <= best):
            break
        best = max(best, *scores.values())
        chosen = sorted(scores, key=scores.__getitem__, reverse=True)[:BEAM_WIDTH]
        beam = list(
            dict.fromkeys(after for graph in chosen for after in _neighbours(graph, run.pag_handling.graph, near))
        )
    yield from search_states(run)


def _judged_and_read(run: SearchRun) -> Iterator[SearchEvent]:
    """What follows a search: the evidence for its latents, and the posterior."""
    yield judge_latents(run)
    if run.history.best is not None:
        run.scores.posterior(run.history.dag(run.history.best.index))


def _neighbours(graph: BitGraph, pag: MixedGraph, near: list[int]) -> Iterator[BitGraph]:
    """The graphs of the same class with one more bidirected edge."""
    for a, b in graph.directed():
        may_change = pag.marks[b, a] == Mark.CIRCLE
        if may_change and is_legitimate(graph.parents, graph.children, graph.spouses, near, a, b):
            parents, children, spouses = list(graph.parents), list(graph.children), list(graph.spouses)
            parents[b] ^= 1 << a
            children[a] ^= 1 << b
            spouses[a] |= 1 << b
            spouses[b] |= 1 << a
            if topological_order(parents) is not None:
                yield BitGraph(graph.nodes, parents, children, spouses)


def _adjacent(pag: MixedGraph) -> list[int]:
    return [sum(1 << int(other) for other in row.nonzero()[0]) for row in pag.marks]


def _pass_on_cancelling(stop: StopRequested) -> None:
    if stop.reason is not StopReason.TIME_LIMIT:
        raise stop


def _warnings(
    pag_handling: PagHandling,
    options: SearchOptions,
    levels: Mapping[int, int | None],
    last: int,
    seconds: Mapping[str, float],
) -> Iterator[str]:
    most = options.max_candidates
    if pag_handling.kind != "valid":
        yield f"{pag_handling}: {'; '.join(pag_handling.reasons)}"
    for level, count in levels.items():
        if level <= last and (count is None or count > most):
            yield f"there are more than {most:,} MAGs with {level} bidirected edges; ILC-V scores the first {most:,}"
            break
    if min(levels) >= options.max_bidirected:
        yield (
            f"the PAG has {min(levels)} bidirected edges, and the search may use {options.max_bidirected}: "
            "no further one is tried"
        )
    limit = options.time_limit
    for name, expected in seconds.items():
        if limit is not None and expected > limit:
            yield f"{name} is expected to take {expected:.0f} s, longer than the time limit of {limit:g} s"
