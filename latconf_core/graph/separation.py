"""m-separation: whether a set of nodes blocks every path between two others, and why it does or does not."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from latconf_core.errors import GraphError
from latconf_core.graph.bits import BitGraph, as_bits, bits, closure, unite
from latconf_core.graph.mixed import MixedGraph
from latconf_core.graph.paths import PathReading, PathSearch, PathVerdict, judge_path

State = tuple[int, bool]  # a node, and whether it was entered by an arrowhead

STEPS_PER_PATH = 200  # how many partial paths are tried for each path that may be shown


@dataclass(frozen=True)
class Verdict:
    """Whether two nodes are m-separated, with the paths that say so.

    truncated : not all paths are listed
    open_truncated : not even all open ones are
    """

    first: str
    second: str
    given: tuple[str, ...]
    is_separated: bool
    open_paths: tuple[PathVerdict, ...]
    blocked_paths: tuple[PathVerdict, ...]
    truncated: bool
    open_truncated: bool = False

    @property
    def sentence(self) -> str:
        """Whether the two are separated, and how many paths are open."""
        given = f" given {', '.join(self.given)}" if self.given else ""
        if self.is_separated:
            return f"{self.first} and {self.second} are separated{given}: every path is blocked."
        count = len(self.open_paths)
        if not count:
            return f"{self.first} and {self.second} are connected{given}; there are too many paths to name an open one."
        at_least = "at least " if self.open_truncated else ""
        paths = f"{at_least}{count} {'path is' if count == 1 else 'paths are'} open"
        return f"{self.first} and {self.second} are connected{given}: {paths}."


def is_m_separated(graph: MixedGraph | BitGraph, x: str, y: str, given: Collection[str] = ()) -> bool:
    """Whether `given` blocks every path between x and y in a graph of directed and bidirected edges.

    A path is blocked by a non-collider that is given, or by a collider that is neither given
    nor an ancestor of something given.
    """
    form = as_bits(graph)
    first, second, conditioned = query_bits(form, x, y, given)
    return not connected_nodes(form, first, conditioned) >> second & 1


def connected_nodes(graph: BitGraph, start: int, conditioned: int) -> int:
    """The nodes that some path joins to `start` which the nodes in `conditioned` do not block; sets are bits."""
    opened = closure(graph.parents, conditioned)
    seen_out = seen_into = 0
    out_of, into = 1 << start, 0  # entered by a tail (or the start), and by an arrowhead
    while out_of or into:
        seen_out |= out_of
        seen_into |= into
        passed, collided = out_of & ~conditioned, into & opened
        out_of = unite(graph.parents, passed | collided) & ~seen_out
        into = unite(graph.children, passed | into & ~conditioned) | unite(graph.spouses, passed | collided)
        into &= ~seen_into
    return (seen_out | seen_into) & ~conditioned


def explain_m_separation(
    graph: MixedGraph | BitGraph, x: str, y: str, given: Collection[str] = (), *, max_paths: int = 50
) -> Verdict:
    """Whether x and y are m-separated, with up to `max_paths` paths, the open ones first, and what blocks each.

    Where they are not separated, at least one open path is listed however many paths there are.
    """
    form = as_bits(graph)
    first, second, conditioned = query_bits(form, x, y, given)
    separated = not connected_nodes(form, first, conditioned) >> second & 1
    reading = PathReading.of_bits(form)
    verdict = _explain(reading, (first, second), conditioned, is_separated=separated, max_paths=max_paths)
    if separated or verdict.open_paths:
        return verdict
    path = judge_path(reading, find_open_path(form, first, second, conditioned), conditioned)
    return replace(verdict, open_paths=(path,))


def explain_in_class(
    graph: MixedGraph,
    member: BitGraph,
    pair: tuple[str, str],
    given: Collection[str] = (),
    *,
    max_paths: int = 50,
) -> Verdict:
    """The same in a valid PAG, whose circles leave some nodes of a path undecided; `member` is one of its MAGs.

    Only paths of definite status count: each inner node is a collider by its marks, or is none whatever the
    circles stand for (a tail at it, or two circles where its neighbours are not adjacent). A collider is opened by a
    descendant along directed edges. The verdict is that of the member, in which all members agree; it is "connected"
    exactly where such a path is open (Zhang 2008). With very many paths none of the open ones may be listed.
    """
    first, second, conditioned = query_bits(member, *pair, given)
    separated = not connected_nodes(member, first, conditioned) >> second & 1
    return _explain(
        PathReading.of_marks(graph), (first, second), conditioned, is_separated=separated, max_paths=max_paths
    )


def query_bits(graph: BitGraph, x: str, y: str, given: Collection[str]) -> tuple[int, int, int]:
    """The positions of x and y, and the set as bits; GraphError where the question makes no sense."""
    index = {name: i for i, name in enumerate(graph.nodes)}
    for name in (x, y, *given):
        if name not in index:
            raise GraphError(f"{name!r} is not a node of the graph")
    if x == y:
        raise GraphError(f"separation needs two different nodes, not {x!r} twice")
    if x in given or y in given:
        raise GraphError(f"the conditioning set holds {x if x in given else y!r}, which is an end; take it out")
    return index[x], index[y], sum(1 << index[name] for name in set(given))


def _explain(
    reading: PathReading, ends: tuple[int, int], conditioned: int, *, is_separated: bool, max_paths: int
) -> Verdict:
    """The verdict with its paths: the open ones first, then blocked ones as far as there is room."""
    steps = max_paths * STEPS_PER_PATH
    open_search = PathSearch(reading, ends, 0 if is_separated else steps, given=conditioned)
    judged = () if is_separated else (judge_path(reading, path, conditioned) for path in open_search)
    open_paths, left_out = _first_of(judged, max_paths)
    search = PathSearch(reading, ends, steps)
    every = (judge_path(reading, path, conditioned) for path in search)
    blocked, blocked_left_out = _first_of((path for path in every if not path.is_open), max_paths - len(open_paths))
    open_truncated = left_out or open_search.is_cut
    return Verdict(
        reading.nodes[ends[0]],
        reading.nodes[ends[1]],
        tuple(reading.nodes[node] for node in bits(conditioned)),
        is_separated,
        open_paths,
        blocked,
        truncated=open_truncated or blocked_left_out or search.is_cut,
        open_truncated=open_truncated,
    )


def _first_of(path_verdicts: Iterable[PathVerdict], limit: int) -> tuple[tuple[PathVerdict, ...], bool]:
    """The first few, and whether there are more."""
    some = tuple(islice(path_verdicts, limit + 1))
    return some[:limit], len(some) > limit


def find_open_path(graph: BitGraph, first: int, second: int, conditioned: int) -> tuple[int, ...]:
    """An open path between two nodes that are not separated: a shortest open walk, its loops cut out."""
    opened = closure(graph.parents, conditioned)
    came_from: dict[State, State | None] = {(first, False): None}
    queue: deque[State] = deque(came_from)
    while queue:
        state = queue.popleft()
        if state[0] == second:
            return _without_loops(_walk_back(came_from, state))
        for following in _open_steps(graph, state, first, conditioned, opened):
            if following not in came_from:
                came_from[following] = state
                queue.append(following)
    raise ValueError("the two nodes are separated: there is no open path")


def _open_steps(graph: BitGraph, state: State, start: int, conditioned: int, opened: int) -> Iterator[State]:
    """Where an open walk may go from a node, by how the node was entered."""
    node, by_arrowhead = state
    is_given = bool(conditioned >> node & 1)
    may_leave_by_tail = node == start or not is_given
    may_leave_by_arrowhead = bool(opened >> node & 1) if by_arrowhead else may_leave_by_tail
    if may_leave_by_tail:
        yield from ((other, True) for other in bits(graph.children[node]))
    if may_leave_by_arrowhead:
        yield from ((other, True) for other in bits(graph.spouses[node]))
        yield from ((other, False) for other in bits(graph.parents[node]))


def _walk_back(came_from: dict[State, State | None], state: State) -> list[int]:
    walk: list[int] = []
    at: State | None = state
    while at is not None:
        walk.append(at[0])
        at = came_from[at]
    return walk[::-1]


def _without_loops(walk: list[int]) -> tuple[int, ...]:
    """The walk with every loop cut out; an open walk stays open, since colliders need only open descendants."""
    path: list[int] = []
    for node in walk:
        if node in path:
            del path[path.index(node) + 1 :]
        else:
            path.append(node)
    return tuple(path)
