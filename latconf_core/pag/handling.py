"""What a search does with a graph that is not a valid PAG: 15 of the 22 graphs of the paper are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from latconf_core.control import RunControl
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.listing import MagListing
from latconf_core.mag.validity import is_ancestral
from latconf_core.options.searching import InvalidPag
from latconf_core.pag.validity import check_pag, repair_pag
from latconf_core.phrases import counted

MAX_TRIED = 10_000  # graphs of the lowest level in which an ancestral one is looked for


@dataclass(frozen=True)
class PagHandling:
    """The graph that is searched, and why.

    kind : "valid" where the graph is a PAG, "unused" where the search needs none; else how it was treated
    diff : what a repair changed: (edge before, edge after), None for no edge
    """

    graph: MixedGraph
    kind: Literal["valid", "as given", "repaired", "unused"]
    reasons: tuple[str, ...] = ()
    diff: tuple[tuple[Edge | None, Edge | None], ...] = ()

    @property
    def is_valid(self) -> bool:
        """Whether what is searched is a valid PAG."""
        return self.kind != "as given"

    def __str__(self) -> str:
        if self.kind == "valid":
            return "the graph is a valid PAG"
        if self.kind == "unused":
            return "the search needs no PAG"
        if self.kind == "as given":
            return "the graph is not a valid PAG and is searched as given"
        return f"the graph is not a valid PAG and was repaired ({counted(len(self.diff), 'edge')} changed)"


def handle_pag(pag: MixedGraph, invalid_pag: InvalidPag, *, control: RunControl | None = None) -> PagHandling:
    """How a graph is searched under an option for graphs that are no valid PAGs.

    `auto` takes it as given if one of its graphs with the fewest <-> is ancestral, else repaired.
    """
    check = check_pag(pag, control=control)
    if check.valid:
        return PagHandling(pag, "valid")
    reasons = tuple(reason.sentence for reason in check.reasons)
    if invalid_pag == "as-given" or (invalid_pag == "auto" and has_ancestral_member(pag, control=control)):
        return PagHandling(pag, "as given", reasons)
    repair = repair_pag(pag, control=control)
    return PagHandling(repair.graph, "repaired", reasons, repair.diff)


def has_ancestral_member(pag: MixedGraph, *, control: RunControl | None = None) -> bool:
    """Whether one of the graphs of the lowest level is ancestral: no directed and no almost directed cycle."""
    listing = MagListing(pag, control=control)
    for number, graph in enumerate(listing.level(listing.n_invariant)):
        if is_ancestral(graph):
            return True
        if number >= MAX_TRIED:
            return False
    return False
