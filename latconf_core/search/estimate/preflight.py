"""What a search would take, before it is run: levels, expected seconds, a recommendation, and warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.row_warnings import warn_of_rows
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.inference.completing.em_rounds import rows_to_score
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.handling import PagHandling
from latconf_core.pag.standing import Standing, find_standing
from latconf_core.phrases import duration, rough_duration
from latconf_core.search.catalogue import DEFAULT_SEARCH, SEARCHES, search_title
from latconf_core.search.estimate.probe import Probe
from latconf_core.search.setup import align_to_dataset

PROBE_SECONDS = 7.0
COUNTING_SHARE = 1 / 6  # of the probe's seconds
TRIALS_SHARE = 0.8  # all searches together
WEIGHTS = {"no-latents": 8, "refine": 7}  # in that, others 1: Auto and Refine rest on these
LONG_SECONDS = 600.0  # from here on a quicker search is recommended


@dataclass(frozen=True)
class Preflight:
    """What is known of a search before it starts.

    standing : whether the graph is a valid PAG, and why not
    levels : MAGs with each number of <->; None where there are more than the cap, or counting takes too long
    last_levels : the level at which each search that goes by levels is expected to stop
    seconds : expected for each search
    """

    standing: Standing
    pag_handling: PagHandling
    n_circles: int
    n_invariant: int
    levels: Mapping[int, int | None]
    last_levels: Mapping[str, int]
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
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> Preflight:
    """Look at a PAG and try a little of every search; takes about `probe_seconds` at most, with warm kernels.

    knowledge : what will bind the searches
    """
    options = SearchOptions() if options is None else replace(options, work_limit=None)
    control = RunControl() if control is None else control
    rows = rows_to_score(dataset, seed=options.seed, control=control, known=knowledge.bind(dataset.names))
    probe = Probe(rows, align_to_dataset(pag, dataset), options, control, knowledge)
    probe.count_levels(COUNTING_SHARE * probe_seconds)
    weights = {name: WEIGHTS.get(name, 1) for name in SEARCHES}
    each = TRIALS_SHARE * probe_seconds / sum(weights.values())
    backwards = list(SEARCHES.values())[::-1]
    quickest_first = sorted(backwards, key=lambda method: not method.needs_pag)
    for method in quickest_first:  # what those before met need not be scored again
        time_limit = weights[method.name] * each
        probe.estimates[method.name] = method.load_estimate()(probe.under(method), method, time_limit)
    estimates = {name: probe.estimates[name] for name in SEARCHES}
    last_levels = {name: estimate.last_level for name, estimate in estimates.items() if estimate.last_level is not None}
    seconds = {name: estimate.seconds for name, estimate in estimates.items()}
    return Preflight(
        standing=find_standing(pag, control=control),
        pag_handling=probe.pag_handling,
        n_circles=int((probe.pag_handling.graph.marks == Mark.CIRCLE).sum()),
        n_invariant=min(probe.levels),
        levels=probe.levels,
        last_levels=last_levels,
        seconds=seconds,
        recommended=_recommend(seconds, options),
        warnings=tuple(_warnings(probe, last_levels, seconds)),
    )


def _recommend(seconds: Mapping[str, float], options: SearchOptions) -> str:
    """Auto, else the most thorough search of the PAG that does not take too long, else the quickest of these."""
    limit = min(LONG_SECONDS, options.time_limit or float("inf"))
    of_pag = [name for name, method in SEARCHES.items() if method.needs_pag]
    quickest = min(of_pag, key=seconds.__getitem__)
    return next((name for name in (DEFAULT_SEARCH, *of_pag) if seconds[name] <= limit), quickest)


def _warnings(probe: Probe, last_levels: Mapping[str, int], seconds: Mapping[str, float]) -> Iterator[str]:
    options, levels = probe.options, probe.levels
    yield from warn_of_rows(probe.dataset)
    most = options.max_candidates
    for name, last in last_levels.items():
        title = search_title(name)
        for level, count in levels.items():
            if level <= last and (count is None or count > most):
                too_many = f"there are more than {most:,} MAGs with {level} bidirected edges"
                yield f"{too_many}; {title} scores the first {most:,}"
                break
    if min(levels) >= options.max_bidirected:
        yield (
            f"the PAG has {min(levels)} bidirected edges and the maximum is {options.max_bidirected}: no "
            "further one is tried"
        )
    limit = options.time_limit
    for name, expected in seconds.items():
        if limit is not None and expected > limit:
            longer = f"longer than the time limit of {duration(limit)}"
            yield f"{search_title(name)} is expected to take {rough_duration(expected)}, {longer}"
