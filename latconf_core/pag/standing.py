"""What a graph is: a PAG, a PAG to which knowledge was added, a MAG, or none of these."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import islice

import numpy as np

from latconf_core.control import RunControl
from latconf_core.graph.bits import BitGraph
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.listing import enumerate_mags
from latconf_core.mag.lowest_level import LowestLevel
from latconf_core.mag.validity import is_mag
from latconf_core.pag.validity import PagCheck, check_pag, pag_of_mag

MAX_TRIED = 20  # MAGs of the graph among which one of its PAG is looked for
MAX_COUNTED = 20_000  # MAGs of a PAG that are counted; beyond it the numbers are left out


class Kind(Enum):
    """What a graph can be."""

    PAG = "PAG"
    PAG_WITH_KNOWLEDGE = "PAG with knowledge added"
    MAG = "MAG"
    OTHER = "none of these"


@dataclass(frozen=True)
class Standing:
    """What a graph is.

    check : whether it is a valid PAG, and why not
    pag : the PAG of the MAG, or the one to which knowledge was added
    """

    kind: Kind
    check: PagCheck
    pag: MixedGraph | None = None


def find_standing(graph: MixedGraph, *, control: RunControl | None = None) -> Standing:
    """What the graph is; one that is both a PAG and a MAG is called a PAG."""
    check = check_pag(graph, control=control)
    if check.valid:
        return Standing(Kind.PAG, check)
    if is_mag(graph):
        return Standing(Kind.MAG, check, pag_of_mag(graph, control=control))
    pag = _pag_below(graph, control=control)
    return Standing(Kind.OTHER, check) if pag is None else Standing(Kind.PAG_WITH_KNOWLEDGE, check, pag)


def count_remaining(graph: MixedGraph, pag: MixedGraph, *, control: RunControl | None = None) -> tuple[int, int] | None:
    """How many MAGs of a PAG have the marks that were decided on top of it, and how many there are in all.

    None where the PAG has more than MAX_COUNTED.
    """
    ends = _added_ends(graph, pag)
    n_remaining = n_all = 0
    for mag in enumerate_mags(pag, control=control, is_valid=True):
        n_all += 1
        if n_all > MAX_COUNTED:
            return None
        n_remaining += _has_ends(mag, ends)
    return n_remaining, n_all


def _pag_below(graph: MixedGraph, *, control: RunControl | None) -> MixedGraph | None:
    """The valid PAG in which the graph decides circles and changes nothing else, if one of its MAGs has all the marks.

    The marks that a whole class shares follow from its colliders, which marks added later leave as they are.
    """
    if _has_selection(graph):
        return None
    pag = pag_of_mag(graph, control=control)
    agrees = (pag.marks == graph.marks) | ((pag.marks == Mark.CIRCLE) & (graph.marks != Mark.NONE))
    if agrees.all() and check_pag(pag, control=control).valid and _has_member(graph, pag, control=control):
        return pag
    return None


def _has_member(graph: MixedGraph, pag: MixedGraph, *, control: RunControl | None) -> bool:
    """Whether a MAG of the PAG has all marks of the graph; first looked for where it most often is."""
    for mag in islice(LowestLevel(graph, control=control), MAX_TRIED):
        if is_mag(mag) and pag_of_mag(mag, control=control) == pag:
            return True
    ends = _added_ends(graph, pag)
    mags = islice(enumerate_mags(pag, control=control, is_valid=True), MAX_COUNTED)
    return any(_has_ends(mag, ends) for mag in mags)


def _added_ends(graph: MixedGraph, pag: MixedGraph) -> list[tuple[int, int, bool]]:
    """Where the graph decides a circle of the PAG: a, b and whether the mark at b, on its edge with a, is a tail."""
    added = np.argwhere((pag.marks == Mark.CIRCLE) & (graph.marks != Mark.CIRCLE)).tolist()
    return [(a, b, bool(graph.marks[a, b] == Mark.TAIL)) for a, b in added]


def _has_ends(mag: BitGraph, ends: list[tuple[int, int, bool]]) -> bool:
    return all(bool(mag.parents[a] >> b & 1) == is_tail for a, b, is_tail in ends)


def _has_selection(graph: MixedGraph) -> bool:
    """Whether an edge has a tail and no arrowhead."""
    marks = graph.marks
    return bool(((marks == Mark.TAIL) & (marks.T != Mark.ARROW)).any())
