"""What a search would take, before it is run: levels, expected seconds, a recommendation, and warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.graph.bits import BitGraph, topological_order
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.changes import is_legitimate
from latconf_core.mag.enumerate import MagListing
from latconf_core.options import SearchOptions
from latconf_core.search.catalog import fitted, prepare_run
from latconf_core.search.events import LevelStarted
from latconf_core.search.hclc import hclc_v
from latconf_core.search.ilc import candidates, model_of
from latconf_core.search.run import SearchRun
from latconf_core.search.states import search_states
from latconf_core.search.treatment import Treatment

PROBE_SECONDS = 3.0
LONG_SECONDS = 600.0  # from here on HCLC-V is recommended
BEAM_WIDTH = 6  # graphs of a level that are followed to the next
N_TIMED = 300  # MAGs on which the time of a known one is measured
CUT_IN_LEVELS, CUT_IN_STATES = 2.0, 5.0  # guesses of how much longer it takes than a probe that was cut there
N_ROOTS = 200  # graphs of the lowest level that the probe looks at


@dataclass(frozen=True)
class Preflight:
    """What is known of a search before it starts.

    levels : MAGs with each number of <->; None where there are more than the cap, or counting takes too long
    last_level : the level at which ILC-V is expected to stop
    seconds : expected for each search
    """

    treatment: Treatment
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
    """Look at a PAG and try a little of both searches; takes about `probe_seconds` with warm kernels."""
    options = SearchOptions() if options is None else options
    control = RunControl() if control is None else control
    run = prepare_run(dataset, fitted(pag, dataset), "ilc-v", options=options, control=control)
    levels, counting = _counted(run, control.part(time_limit=probe_seconds / 4))
    last, ilc_seconds = _probe_ilc(run, levels, control.part(time_limit=probe_seconds / 2))
    ilc_seconds += sum(seconds for level, seconds in counting.items() if level <= last)
    seconds = {"ilc-v": ilc_seconds, "hclc-v": _probe_hclc(run, control.part(time_limit=probe_seconds / 4))}
    limit = options.time_limit or float("inf")
    return Preflight(
        treatment=run.treatment,
        n_circles=int((run.treatment.graph.marks == Mark.CIRCLE).sum()),
        n_invariant=min(levels),
        levels=levels,
        last_level=last,
        seconds=seconds,
        recommended="ilc-v" if ilc_seconds <= min(LONG_SECONDS, limit) else "hclc-v",
        warnings=tuple(_warnings(run, levels, last, seconds)),
    )


def _counted(run: SearchRun, control: RunControl) -> tuple[dict[int, int | None], dict[int, float]]:
    """The MAGs of each level where countable in time, and the seconds that counting each took."""
    listing = MagListing(run.treatment.graph, control=control, is_valid=run.treatment.is_valid)
    lowest = listing.n_invariant
    levels: dict[int, int | None] = dict.fromkeys(range(lowest, max(run.options.max_bidirected, lowest) + 1))
    seconds: dict[int, float] = {}
    try:
        for level in levels:
            began = control.seconds()
            levels[level] = listing.count(level, limit=run.options.max_candidates)
            seconds[level] = control.seconds() - began
    except StopRequested as stop:
        _pass_on_cancelling(stop)
    return levels, seconds


def _probe_ilc(run: SearchRun, levels: Mapping[int, int | None], control: RunControl) -> tuple[int, float]:
    """The level at which ILC-V is expected to stop, and the seconds it takes until then.

    A few of the best graphs of each level are followed to the next: that finds where the score stops rising, and
    scores most of the parts that the search will meet. What remains is the time of MAGs whose parts are known.
    """
    most = run.options.max_candidates
    trial = prepare_run(run.dataset, run.pag, "ilc-v", options=run.options, control=control)
    last, began, longer = min(levels), control.seconds(), CUT_IN_LEVELS
    try:
        for level in _followed(trial, levels):
            last = level
        longer = CUT_IN_STATES
        for _ in search_states(trial):
            pass
        longer = 1.0
    except StopRequested as stop:
        _pass_on_cancelling(stop)
    scoring = longer * (control.seconds() - began)
    each = _seconds_of_a_known(trial, last)
    n_expected = sum(most if count is None else min(count, most) for level, count in levels.items() if level <= last)
    return last, scoring + each * n_expected


def _followed(run: SearchRun, levels: Mapping[int, int | None]) -> Iterator[int]:
    """The levels that the search will reach: up to the first above the lowest whose best is no better."""
    listing = MagListing(run.treatment.graph, control=run.control, is_valid=run.treatment.is_valid)
    near = [mask | 1 << v for v, mask in enumerate(_adjacent(run.treatment.graph))]
    beam = list(islice(listing.level(min(levels)), N_ROOTS))
    best = float("-inf")
    for level in levels:
        yield level
        scores = _scored(run, beam, level)
        if not scores or (level > min(levels) and max(scores.values()) <= best):
            return
        best = max(best, *scores.values())
        chosen = sorted(scores, key=scores.__getitem__, reverse=True)[:BEAM_WIDTH]
        beam = list(dict.fromkeys(after for graph in chosen for after in _neighbours(graph, run.treatment.graph, near)))


def _scored(run: SearchRun, graphs: list[BitGraph], level: int) -> dict[BitGraph, float]:
    models = {model_of(run, graph): graph for graph in graphs}
    return {models[event.model]: event.p_elbo for event in run.visit(models, n_bidirected=level)}


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


def _seconds_of_a_known(run: SearchRun, level: int) -> float:
    """The seconds of listing, translating and scoring one MAG whose parts are known."""
    run.control = free = RunControl()
    listing = MagListing(run.treatment.graph, is_valid=run.treatment.is_valid)
    began = free.seconds()
    models = list(islice(candidates(run, listing, level), N_TIMED))
    listed = free.seconds() - began
    known = [model for model in models if run.scores.known(model) is not None]
    began = free.seconds()
    for model in known:
        run.scores.known(model)
    return listed / max(len(models), 1) + (free.seconds() - began) / max(len(known), 1)


def _probe_hclc(run: SearchRun, control: RunControl) -> float:
    """The seconds HCLC-V is expected to take: those of a trial that ends in time, else by the share it did."""
    trial = prepare_run(run.dataset, run.pag, "hclc-v", options=run.options, control=control)
    n_expected = 0
    try:
        for event in hclc_v(trial):
            if isinstance(event, LevelStarted):
                n_expected += event.n_candidates or 0
        return trial.control.seconds()
    except StopRequested as stop:
        _pass_on_cancelling(stop)
    n_scored = max(len(trial.history), 1)
    return trial.control.seconds() * (n_expected / n_scored if n_scored < n_expected else CUT_IN_LEVELS)


def _pass_on_cancelling(stop: StopRequested) -> None:
    if stop.reason is not StopReason.TIME_LIMIT:
        raise stop


def _warnings(
    run: SearchRun, levels: Mapping[int, int | None], last: int, seconds: Mapping[str, float]
) -> Iterator[str]:
    most = run.options.max_candidates
    if run.treatment.kind != "valid":
        yield f"{run.treatment}: {'; '.join(run.treatment.reasons)}"
    for level, count in levels.items():
        if level <= last and (count is None or count > most):
            yield f"there are more than {most:,} MAGs with {level} bidirected edges; ILC-V scores the first {most:,}"
            break
    if min(levels) >= run.options.max_bidirected:
        yield (
            f"the PAG has {min(levels)} bidirected edges, and the search may use {run.options.max_bidirected}: "
            "no further one is tried"
        )
    limit = run.options.time_limit
    for name, expected in seconds.items():
        if limit is not None and expected > limit:
            yield f"{name} is expected to take {expected:.0f} s, longer than the time limit of {limit:g} s"
