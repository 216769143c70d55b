"""How far the PAG binds Refine: not at all, by its adjacencies, or by its marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from latconf_core.graph.bits import bits
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.model.bit_dag import BitDag
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.searching import Binding


class Allowed:
    """What a PAG allows.

    parents : of every variable, those that may point at it, as bits
    siblings : of every variable, those that it may share a hidden cause with
    """

    def __init__(self, pag: MixedGraph, binding: Binding) -> None:
        is_edge = _every_edge if binding == "adjacencies" else _may_point
        is_pair = _every_edge if binding == "adjacencies" else _may_share
        self.parents = _masks(pag, is_edge)
        self.siblings = _masks(pag, is_pair)

    def family(self, child: int, parents: int, latents: Sequence[SoftLatent] = ()) -> bool:
        """Whether a variable may have these parents, latents among them."""
        own = 1 << child
        others = self.siblings[child] | own
        return not parents & ~self.parents[child] and not any(one.children & ~others for one in latents)

    def dag(self, dag: BitDag) -> bool:
        """Whether the edges and latents of a DAG are all allowed."""
        edges = all(not mask & ~self.parents[v] for v, mask in enumerate(dag.parents))
        return edges and all(self.children(one.children) for one in dag.latents)

    def children(self, group: int) -> bool:
        """Whether some variables may share a hidden cause."""
        return all(not group & ~(self.siblings[v] | 1 << v) for v in bits(group))


def _masks(pag: MixedGraph, holds: Callable[[int, int], bool]) -> list[int]:
    """For every variable the others for which the marks at the other and at the variable say so, as bits."""
    n = len(pag.nodes)
    marks = pag.marks
    return [
        sum(1 << other for other in range(n) if marks[v, other] and holds(int(marks[v, other]), int(marks[other, v])))
        for v in range(n)
    ]


def _every_edge(_at_other: int, _at_own: int) -> bool:
    return True


def _may_point(at_other: int, at_own: int) -> bool:
    """Whether the other may be a cause: no arrowhead at it, and no tail at the variable."""
    return at_other != Mark.ARROW and at_own != Mark.TAIL


def _may_share(at_other: int, at_own: int) -> bool:
    """Whether both may be effects of something hidden: no tail at either."""
    return Mark.TAIL not in (at_other, at_own)
