"""Results of older programs, as this program would have written them."""

from __future__ import annotations

import re

from latconf_core.errors import FileFormatError
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import Content, encode, migrate
from latconf_core.pag.handling import PagHandling

FORMAT_NAME = "latconf result"
VERSION = 3
_EDGE = re.compile(r"(.*) ([<o-]-[>o-]) (.*)", re.DOTALL)


def migrate_result(content: Content) -> Content:
    """A result as this program would have written it; FileFormatError where it is none or a newer program wrote it."""
    if content.get("format", FORMAT_NAME) != FORMAT_NAME or "search" not in content:
        raise FileFormatError("this is not the result of a search; choose a result.json that latconf has written")
    return migrate(
        {"version": 1, **content}, {1: _with_searched_graph, 2: _with_objective}, current=VERSION, what="this result"
    )


def _with_objective(content: Content) -> Content:
    """Version 2 knew p-ELBO alone, and judged by it."""
    reference = content.get("reference")
    if reference is not None:
        score = reference["p_elbo"]
        reference = {"objective": "paper", "score": score, "search_score": score, **reference}
    return {**content, "reference": reference, "judged_under": "paper"}


def _with_searched_graph(content: Content) -> Content:
    """Version 1 gave what a repair changed as text, and not the graph that came of it."""
    treatment = content["treatment"]
    changes = [(_parse_edge(before), _parse_edge(after)) for before, after in treatment["changes"]]
    edges = {frozenset((edge.first, edge.second)): edge for edge in map(Edge.from_json, content["pag"])}
    for before, after in changes:
        if before is not None:
            edges.pop(frozenset((before.first, before.second)), None)
        if after is not None:
            edges[frozenset((after.first, after.second))] = after
    graph = MixedGraph.from_edges(content["nodes"], edges.values())
    handling = PagHandling(graph, treatment["kind"], tuple(treatment["reasons"]), tuple(changes))
    return {**content, "treatment": encode(handling)}


def _parse_edge(text: str | None) -> Edge | None:
    if text is None:
        return None
    match = _EDGE.fullmatch(text)
    if match is None:
        raise FileFormatError(f"{text!r} is not an edge")
    return Edge.from_json([match[1], match[2], match[3]])
