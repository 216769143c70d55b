"""A valid PAG near a graph that is none: edges of a MAG are changed one by one while its PAG comes nearer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from latconf_core.control import RunControl
from latconf_core.dag.latent_projection import mag_of_admg
from latconf_core.graph.bits import BitGraph, bits, topological_order, unite
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MarkMatrix, MixedGraph
from latconf_core.mag.validity import is_mag
from latconf_core.pag.validity import fill_in, pag_of_mag

Reader = Callable[[BitGraph], MixedGraph]
Pair = tuple[int, int]
Price = tuple[int, int]  # faults, and what the changes of the marks cost

WITHDRAWN, CLAIMED, REVERSED = 1, 2, 3  # costs of a mark that becomes a circle, a circle that becomes a mark, …
COSTS: npt.NDArray[np.int64] = np.full((4, 4), CLAIMED)  # [before, after]; an edge that comes or goes changes two marks
COSTS[(Mark.ARROW, Mark.TAIL), Mark.CIRCLE] = WITHDRAWN
COSTS[Mark.ARROW, Mark.TAIL] = COSTS[Mark.TAIL, Mark.ARROW] = REVERSED
np.fill_diagonal(COSTS, 0)
MOST_WORK = 40_000  # MAGs whose PAGs are read, times their nodes: a second or two
REACH = 3  # steps around an edge within which a change is weighed before the whole graph is …
MANY_NODES = 60  # … where that has so many nodes
KINDS = ("<->", "-->", "<--", "")  # what a pair can be in a MAG


@dataclass(frozen=True)
class Nearest:
    """The nearest graph that was found, and the MAG whose PAG it is.

    n_faults : what `count_faults` still says of the MAG
    """

    graph: MixedGraph
    mag: BitGraph
    n_faults: int


def find_nearest_pag(
    graph: MixedGraph,
    *,
    read: Reader | None = None,
    count_faults: Callable[[BitGraph], int] | None = None,
    control: RunControl | None = None,
) -> Nearest:
    """A valid PAG from which no change of one edge of its MAG leads to a nearer one.

    Near is by COSTS: a claim that is withdrawn counts least, one that is reversed most. An edge goes only where a
    change before had added it.

    read : what is shown of a MAG; None for its PAG
    count_faults : in how much a MAG contradicts what is known, which counts before all marks
    """
    control = control or RunControl()
    search = _Search(graph, read, count_faults, control)
    search.improve()
    return Nearest(search.shown, search.mag, search.price[0])


class _Search:
    """The MAG that is best so far, and what it costs."""

    def __init__(
        self,
        graph: MixedGraph,
        read: Reader | None,
        count_faults: Callable[[BitGraph], int] | None,
        control: RunControl,
    ) -> None:
        self._graph = graph
        self._control = control
        is_plain = read is None and count_faults is None  # else what is far away may count
        self._is_local = is_plain and len(graph.nodes) >= MANY_NODES
        self._read = read if read is not None else lambda mag: pag_of_mag(mag, control=control)
        self._count_faults = count_faults if count_faults is not None else lambda mag: 0
        self._work_left = MOST_WORK
        self.mag = BitGraph.from_graph(mag_of_admg(fill_in(graph, control), control=control))
        self.shown, self.price = self._weigh(self.mag)

    def improve(self) -> None:
        """Take one change after the other that makes it cheaper."""
        while self._work_left > 0 and self.price > (0, 0):
            if not any(map(self._takes, self._changes())):
                return

    def _changes(self) -> Iterator[tuple[Pair, str]]:
        """Pairs that differ first, then those beside them, with what else each could be."""
        differ = self._graph.marks != self.shown.marks
        differ |= differ.T
        beside = differ.any(axis=0)
        joined = (self._graph.marks > 0) | (self.shown.marks > 0)
        near = joined & ~differ & (beside[:, None] | beside[None, :])
        if self.price[0]:
            near = joined & ~differ  # what contradicts knowledge may lie anywhere
        for a, b in (*np.argwhere(np.triu(differ)).tolist(), *np.argwhere(np.triu(near)).tolist()):
            for kind in KINDS:
                if kind or not self._graph.marks[a, b]:
                    yield (a, b), kind

    def _takes(self, change: tuple[Pair, str]) -> bool:
        """Make the change, if it leads to something cheaper."""
        pair, kind = change
        changed = _with_kind(self.mag, pair, kind)
        if changed is None or self._work_left <= 0:
            return False
        self._control.checkpoint()
        around = self._around(pair)
        if around.bit_count() < len(self._graph.nodes) and not self._is_cheaper_around(changed, around):
            return False
        mag = _as_mag(changed, self._control)
        if mag is None:
            return False
        shown, price = self._weigh(mag)
        if price >= self.price:
            return False
        self.mag, self.shown, self.price = mag, shown, price
        return True

    def _weigh(self, mag: BitGraph) -> tuple[MixedGraph, Price]:
        self._work_left -= len(mag.nodes)
        shown = self._read(mag)
        return shown, (self._count_faults(mag), _cost(self._graph.marks, shown.marks))

    def _around(self, pair: Pair) -> int:
        """The nodes within reach of a pair; all where a change may count from far away."""
        if not self._is_local:
            return (1 << len(self._graph.nodes)) - 1
        around = 1 << pair[0] | 1 << pair[1]
        for _ in range(REACH):
            around |= unite(self.mag.adjacent, around)
        return around

    def _is_cheaper_around(self, changed: BitGraph, around: int) -> bool:
        """Whether the change makes the part around it cheaper, looked at as if it were all."""
        members = list(bits(around))
        marks = self._graph.marks[np.ix_(members, members)]
        costs = []
        for whole in (self.mag, changed):
            mag = _as_mag(_part(whole, members), self._control)
            if mag is None:
                return False
            self._work_left -= len(members)
            costs.append(_cost(marks, pag_of_mag(mag, control=self._control).marks))
        return costs[1] < costs[0]


def _cost(before: MarkMatrix, after: MarkMatrix) -> int:
    return int(COSTS[before, after].sum())


def _with_kind(mag: BitGraph, pair: Pair, kind: str) -> BitGraph | None:
    """The graph with another edge at a pair; None where it is the one that is there."""
    a, b = pair
    at_a, at_b = 1 << a, 1 << b
    if kind == _kind_of(mag, pair):
        return None
    parents, children, spouses = list(mag.parents), list(mag.children), list(mag.spouses)
    for masks in (parents, children, spouses):
        masks[a] &= ~at_b
        masks[b] &= ~at_a
    if kind == "<->":
        spouses[a] |= at_b
        spouses[b] |= at_a
    elif kind:
        cause, effect = (a, b) if kind == "-->" else (b, a)
        children[cause] |= 1 << effect
        parents[effect] |= 1 << cause
    return BitGraph(mag.nodes, parents, children, spouses)


def _kind_of(mag: BitGraph, pair: Pair) -> str:
    a, b = pair
    if mag.spouses[a] >> b & 1:
        return "<->"
    if mag.children[a] >> b & 1:
        return "-->"
    return "<--" if mag.parents[a] >> b & 1 else ""


def _as_mag(graph: BitGraph, control: RunControl) -> BitGraph | None:
    """The MAG of an acyclic graph; None where it has a cycle."""
    if topological_order(graph.parents) is None:
        return None
    return graph if is_mag(graph, control=control) else BitGraph.from_graph(mag_of_admg(graph, control=control))


def _part(whole: BitGraph, members: list[int]) -> BitGraph:
    """The graph among some nodes."""
    where = {v: k for k, v in enumerate(members)}
    among = sum(1 << v for v in members)

    def masks(links: tuple[int, ...]) -> list[int]:
        return [sum(1 << where[u] for u in bits(links[v] & among)) for v in members]

    nodes = tuple(whole.nodes[v] for v in members)
    return BitGraph(nodes, masks(whole.parents), masks(whole.children), masks(whole.spouses))
