"""What a search that goes level by level is expected to take: a few graphs are followed from level to level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice

from latconf_core.control import StopRequested
from latconf_core.graph.bits import BitGraph, topological_order
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.latents.many import LatentsOfMany
from latconf_core.mag.listing import MADE_AT_A_TIME, MagListing
from latconf_core.mag.mark_changes import is_legitimate
from latconf_core.mag.validity import is_mag
from latconf_core.model.bit_dag import BitDag
from latconf_core.search.algorithms.clique_candidates import visit_cliques
from latconf_core.search.algorithms.ilc import candidate_of, list_candidates
from latconf_core.search.algorithms.latent_states import search_states
from latconf_core.search.catalogue import SearchMethod
from latconf_core.search.estimate.costs import CostedScores
from latconf_core.search.estimate.probe import CUT, FIT_SHARE, Estimate, Probe, pass_on_cancelling, read_result
from latconf_core.search.outcome.events import SearchEvent
from latconf_core.search.run import SearchRun

BEAM_WIDTH = 6  # graphs of a level that are followed to the next
N_ROOTS = 200  # graphs of the lowest level that the probe looks at
N_TIMED = MADE_AT_A_TIME  # MAGs of a level on which the time of one is measured
USUAL_SECONDS = 5e-5  # of one, where there is no time to measure that


def estimate_by_levels(probe: Probe, method: SearchMethod, time_limit: float) -> Estimate:
    """The level at which the search is expected to stop, and the seconds it takes until then.

    A few of the best graphs of each level are followed to the next: that finds where the score stops rising, and
    meets most of the parts that the search will score. What remains is the time of MAGs whose parts are known.
    """
    scores = probe.make_scores()
    run = probe.make_trial(scores, time_limit)
    trial = probe.go_through(run, chain(_beam(run, probe.levels), read_result(run)), fit_seconds=FIT_SHARE * time_limit)
    last = max(set(run.history.per_level()) & set(probe.levels), default=min(probe.levels))
    most = probe.options.max_candidates
    seconds = trial.seconds
    for level, count in probe.levels.items():
        if level <= last:
            each = _seconds_of_each(probe, scores, level, time_limit / (3 * len(probe.levels)))
            seconds += each * (most if count is None else min(count, most))
    seconds += scores.seconds + probe.seconds_of_full_fits(run.history)
    seconds = CUT * seconds if trial.is_cut else seconds
    return Estimate(
        seconds + sum(counting_second for level, counting_second in probe.counting_seconds.items() if level <= last),
        last,
    )


def _seconds_of_each(probe: Probe, scores: CostedScores, level: int, time_limit: float) -> float:
    """The seconds of listing and visiting a MAG of a level that is made, those of scoring its parts left out."""
    run = probe.make_trial(scores, time_limit)
    latents = LatentsOfMany(probe.pag_handling.graph.nodes, control=run.control)
    try:
        listing = MagListing(probe.pag_handling.graph, control=run.control, is_valid=probe.pag_handling.is_valid)
        listing.count(level, limit=probe.options.max_candidates)
    except StopRequested as stop:
        pass_on_cancelling(stop)
        return USUAL_SECONDS
    candidates = islice(list_candidates(run, listing, level, latents=latents), N_TIMED)
    n_listed = 0

    def counted() -> Iterator[BitDag]:
        nonlocal n_listed
        for candidate in candidates:
            n_listed += 1
            yield candidate

    run.control = probe.control.child(time_limit=time_limit)
    trial = probe.go_through(run, run.visit(counted(), level=level), fit_seconds=0.0)
    return trial.seconds / n_listed if n_listed else USUAL_SECONDS


def _beam(run: SearchRun, levels: Mapping[int, int | None]) -> Iterator[SearchEvent]:
    """A short ILC-V that follows a few graphs, up to the first level above the lowest whose best is no better."""
    listing = MagListing(run.pag_handling.graph, control=run.control, is_valid=run.pag_handling.is_valid)
    near = [mask | 1 << v for v, mask in enumerate(_adjacent(run.pag_handling.graph))]
    is_valid = run.pag_handling.is_valid
    beam = list(islice(listing.level(min(levels)), N_ROOTS))
    best = float("-inf")
    n_without_gain = 0
    for level in levels:
        candidates = {candidate_of(run, graph, is_known_mag=is_valid or is_mag(graph)): graph for graph in beam}
        scores: dict[BitGraph, float] = {}
        for event in run.visit(candidates, level=level):
            scores[candidates[event.candidate]] = event.p_elbo
            yield event
        if not scores:
            break
        n_without_gain = n_without_gain + 1 if level > min(levels) and max(scores.values()) <= best else 0
        if n_without_gain == run.options.levels_without_gain:
            break
        best = max(best, *scores.values())
        chosen = sorted(scores, key=scores.__getitem__, reverse=True)[:BEAM_WIDTH]
        beam = list(
            dict.fromkeys(after for graph in chosen for after in _neighbours(graph, run.pag_handling.graph, near))
        )
    if run.options.tries_cliques:
        yield from visit_cliques(run)
    yield from search_states(run)


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
