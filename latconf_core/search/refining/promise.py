"""Which candidates for a hidden cause come first where there are hundreds of variables and time may be up."""

from __future__ import annotations

from collections.abc import Iterable

from latconf_core.graph.bits import bits
from latconf_core.search.refining.soft_model import SoftModel
from latconf_core.search.refining.soft_scores import SoftScores

MANY_VARIABLES = 64  # above, candidates are tried by promise, in parts; chosen: among fewer every round ends in seconds


def sort_by_promise(candidates: Iterable[int], model: SoftModel, soft: SoftScores) -> list[int]:
    """The sets with most edges among them beyond a tree in front, of equal ones those whose edges are weakest.

    The effects of a hidden cause are all joined in the best DAG without it, by edges that each explain little.
    """
    near = model.adjacent()
    strengths = {
        (a, b): soft.plain(b, mask) - soft.plain(b, mask & ~(1 << a))
        for b, mask in enumerate(model.parents)
        for a in bits(mask)
    }

    def rank(children: int) -> tuple[int, float, int]:
        n_links = sum((near[v] & children).bit_count() for v in bits(children)) // 2
        inside = [strengths[a, b] for b in bits(children) for a in bits(model.parents[b] & children)]
        mean = sum(inside) / len(inside) if inside else 0.0
        return children.bit_count() - 1 - n_links, mean, children

    return sorted(candidates, key=rank)
