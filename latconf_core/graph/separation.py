"""m-separation: whether a set of nodes blocks every path between two others, and why it does or does not."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from latconf_core.errors import GraphError
from latconf_core.graph.bits import BitGraph, as_bits, bits, closure, unite
from latconf_core.graph.mixed import MixedGraph

State = tuple[int, bool]  # a node, and whether it was entered by an arrowhead

STEPS_PER_PATH = 200  # how many partial paths are tried for each path that may be shown


@dataclass(frozen=True)
class PathVerdict:
    """One path, and the node that blocks it with the reason; `blocked_by` is None on an open path."""

    nodes: tuple[str, ...]
    blocked_by: str | None
    reason: str

    @property
    def is_open(self) -> bool:
        return self.blocked_by is None


@dataclass(frozen=True)
class Verdict:
    """Whether two nodes are m-separated, with the paths that say so; `truncated` where not all paths are listed."""

    first: str
    second: str
    given: tuple[str, ...]
    is_separated: bool
    open_paths: tuple[PathVerdict, ...]
    blocked_paths: tuple[PathVerdict, ...]
    truncated: bool


def is_m_separated(graph: MixedGraph | BitGraph, x: str, y: str, given: Collection[str] = ()) -> bool:
    """Whether `given` blocks every path between x and y in a graph of directed and bidirected edges.

    A path is blocked by a non-collider that is given, or by a collider that is neither given
    nor an ancestor of something given.
    """
    form = as_bits(graph)
    first, second, conditioned = _positions(form, x, y, given)
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
    """Whether x and y are m-separated, with up to `max_paths` paths, shortest first, and what blocks each.

    Where they are not separated, at least one open path is listed however many paths there are.
    """
    form = as_bits(graph)
    first, second, conditioned = _positions(form, x, y, given)
    separated = not connected_nodes(form, first, conditioned) >> second & 1
    paths, truncated = _shortest_paths(form, first, second, max_paths)
    verdicts = [_judge(form, path, conditioned) for path in paths]
    open_paths = [one for one in verdicts if one.is_open]
    if not separated and not open_paths:
        open_paths = [_judge(form, _open_path(form, first, second, conditioned), conditioned)]
    return Verdict(
        x,
        y,
        form.names(conditioned),
        separated,
        tuple(open_paths),
        tuple(one for one in verdicts if not one.is_open),
        truncated,
    )


def _positions(graph: BitGraph, x: str, y: str, given: Collection[str]) -> tuple[int, int, int]:
    index = {name: i for i, name in enumerate(graph.nodes)}
    for name in (x, y, *given):
        if name not in index:
            raise GraphError(f"{name!r} is not a node of the graph")
    if x == y:
        raise GraphError(f"separation needs two different nodes, not {x!r} twice")
    if x in given or y in given:
        raise GraphError(f"the conditioning set holds {x if x in given else y!r}, which is an end; take it out")
    return index[x], index[y], sum(1 << index[name] for name in set(given))


def _shortest_paths(graph: BitGraph, first: int, second: int, max_paths: int) -> tuple[list[tuple[int, ...]], bool]:
    """Simple paths, shortest first, and whether any was left out."""
    adjacent = graph.adjacent
    found: list[tuple[int, ...]] = []
    queue: deque[tuple[tuple[int, ...], int]] = deque([((first,), 1 << first)])
    reachable = closure(adjacent, 1 << second)
    steps = max_paths * STEPS_PER_PATH
    while queue:
        path, used = queue.popleft()
        for node in bits(adjacent[path[-1]] & reachable & ~used):
            if node == second:
                if len(found) == max_paths:
                    return found, True
                found.append((*path, node))
            elif steps > 0:
                steps -= 1
                queue.append(((*path, node), used | 1 << node))
            else:
                return found, True
    return found, False


def _judge(graph: BitGraph, path: tuple[int, ...], conditioned: int) -> PathVerdict:
    """The first node that blocks a path, or that none does."""
    names = tuple(graph.nodes[node] for node in path)
    opened = closure(graph.parents, conditioned)
    for before, node, after in zip(path, path[1:], path[2:]):
        into = graph.parents[node] | graph.spouses[node]
        is_collider = bool(into >> before & 1 and into >> after & 1)
        name = graph.nodes[node]
        if is_collider and not opened >> node & 1:
            reason = f"{name} is a collider, and neither it nor a descendant of it is given"
            return PathVerdict(names, name, reason)
        if not is_collider and conditioned >> node & 1:
            return PathVerdict(names, name, f"{name} is given and is not a collider")
    return PathVerdict(names, None, _why_open(graph, path, conditioned))


def _why_open(graph: BitGraph, path: tuple[int, ...], conditioned: int) -> str:
    """Why nothing on an open path blocks it."""
    if len(path) == 2:
        return f"{graph.nodes[path[0]]} and {graph.nodes[path[1]]} are adjacent"
    parts = []
    for before, node, after in zip(path, path[1:], path[2:]):
        into = graph.parents[node] | graph.spouses[node]
        name = graph.nodes[node]
        if not (into >> before & 1 and into >> after & 1):
            parts.append(f"{name} is not a collider and is not given")
        elif conditioned >> node & 1:
            parts.append(f"{name} is a collider that is given")
        else:
            below = graph.names(closure(graph.children, 1 << node) & conditioned)
            parts.append(f"{name} is a collider whose descendant {below[0]} is given")
    return "; ".join(parts)


def _open_path(graph: BitGraph, first: int, second: int, conditioned: int) -> tuple[int, ...]:
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
