"""ILC-V, incremental latent confounder search (the paper's Algorithm 1): every MAG of the PAG, level by level."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import numpy as np

from latconf_core.control import StopReason
from latconf_core.graph.bits import BitGraph
from latconf_core.mag.graph_arrays import Graphs
from latconf_core.mag.latents.many import LatentsOfMany
from latconf_core.mag.latents.minimum import minimum_latents, one_latent_per_edge
from latconf_core.mag.listing import MagListing
from latconf_core.model.bit_dag import BitDag, binary_latents
from latconf_core.search.algorithms.clique_candidates import visit_cliques
from latconf_core.search.algorithms.latent_states import search_states
from latconf_core.search.outcome.cuts import CutKind
from latconf_core.search.outcome.events import LevelStarted, Search
from latconf_core.search.run import SearchRun


def ilc_v(run: SearchRun) -> Search:
    """Score the DAGs with fewest latents of all MAGs with k0, k0 + 1, … bidirected edges while a level improves."""
    reason = yield from _visit_levels(run)
    if run.history.best is None and run.known.binds:  # no MAG obeys
        run.take_graph_as_known()
        reason = yield from _visit_levels(run)
    if run.options.tries_cliques:
        yield from visit_cliques(run)
    yield from search_states(run)
    return reason


def _visit_levels(run: SearchRun) -> Search:
    listing = MagListing(run.pag_handling.graph, control=run.control, is_valid=run.pag_handling.is_valid)
    latents = LatentsOfMany(run.pag_handling.graph.nodes, control=run.control)
    lowest = listing.n_invariant
    reason = StopReason.MAX_BIDIRECTED
    best = -inf
    n_without_gain = 0
    for level in range(lowest, max(run.options.max_bidirected, lowest) + 1):  # Alg. 1, step 2
        yield LevelStarted(level, _expected(run, listing, level))
        best_of_level, n_before = -inf, run.findings.n_listed
        candidates = list_candidates(run, listing, level, latents=latents)
        for event in run.visit(candidates, level=level, bar=run.best_with_latents):
            best_of_level = max(best_of_level, event.p_elbo)
            yield event
        is_ruled_out = best_of_level == -inf and run.findings.n_listed > n_before
        n_without_gain = n_without_gain + 1 if level > lowest and best_of_level <= best and not is_ruled_out else 0
        if n_without_gain and best_of_level == -inf:  # each MAG has a neighbour with one <-> fewer: nothing is above
            reason = StopReason.FINISHED
            break
        if n_without_gain == run.options.levels_without_gain:
            reason = StopReason.NO_IMPROVEMENT
            break
        best = max(best, best_of_level)
    return reason


def _expected(run: SearchRun, listing: MagListing, level: int) -> int:
    """How many candidates a level will have at most."""
    most = run.options.max_candidates
    count = listing.count(level, limit=most)
    return most if count is None else min(count, most)


def list_candidates(run: SearchRun, listing: MagListing, level: int, *, latents: LatentsOfMany) -> Iterator[BitDag]:
    """The DAG with the fewest latents of each MAG of a level, as far as the cap allows."""
    most = left = run.options.max_candidates
    for graphs, are_mags in listing.chunks_with_validity(level):
        if run.known.binds:
            graphs, are_mags = keep_allowed(run, graphs, are_mags)
            if not are_mags:
                continue
        chunk = graphs.take(slice(left))
        child_sets = latents.of_all(chunk, are_mags[:left])
        for parents, sets in zip(chunk.all_parents(), child_sets):
            yield BitDag(parents, binary_latents(sets))
        left -= len(chunk)
        if len(chunk) < len(graphs):
            run.cut(CutKind.MAGS, most, level)
            return


def keep_allowed(run: SearchRun, graphs: Graphs, are_mags: list[bool]) -> tuple[Graphs, list[bool]]:
    """Those of some MAGs that the knowledge allows; the others are counted."""
    known = run.known
    is_allowed = np.ones(len(graphs), dtype=np.bool_)
    for v in range(len(known)):
        is_allowed &= (graphs.parents[v] & ~known.parents[v] == 0) & (known.required[v] & ~graphs.parents[v] == 0)
        is_allowed &= graphs.spouses[v] & ~known.siblings[v] == 0
    if not known.edges_suffice:
        run.control.checkpoint()
        is_allowed &= [known.allows_ancestors(parents) for parents in graphs.all_parents()]
    places = np.flatnonzero(is_allowed)
    run.count_mags(len(places), len(graphs))
    return graphs.take(places), [are_mags[index] for index in places]


def candidate_of(run: SearchRun, graph: BitGraph, *, is_known_mag: bool) -> BitDag:
    """The DAG with the fewest latents of a MAG."""
    if is_known_mag:
        return BitDag.of_graph(graph, minimum_latents(graph, control=run.control).sets)
    # Listed of a graph that is no PAG, and no MAG: still a proper DAG, with a latent for each <->.
    return BitDag.of_graph(graph, one_latent_per_edge(graph))
