"""The pairs that a PAG keeps apart although the best DAG without hidden causes joins them."""

from __future__ import annotations

from latconf_core.graph.mixed import MixedGraph
from latconf_core.search.outcome.result import SearchResult


def left_out_pairs(result: SearchResult) -> tuple[tuple[str, str], ...]:
    """The pairs that the PAG of a run leaves out; none where no PAG, or no such DAG, stood beside the search."""
    if result.reference is None or not result.pag.n_edges:
        return ()
    return pairs_not_in(result.pag_handling.graph, result)


def pairs_not_in(pag: MixedGraph, result: SearchResult) -> tuple[tuple[str, str], ...]:
    """The edges of the best DAG without hidden causes of a run whose ends a PAG has not joined."""
    if result.reference is None:
        return ()
    known = set(pag.nodes)
    edges = result.reference.dag.edges
    return tuple((a, b) for a, b in edges if {a, b} <= known and not pag.is_adjacent(a, b))
