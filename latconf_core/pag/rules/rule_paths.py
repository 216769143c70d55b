"""The paths that the orientation rules look for, on marks that are still being oriented."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from latconf_core.graph.bits import bits
from latconf_core.graph.marks import Mark
from latconf_core.pag.rules.mark_sets import Marks

Path = tuple[int, ...]
Step = tuple[int, int]
Barred = Callable[[int, int, int], bool]


def discriminating_paths(marks: Marks, b: int, c: int) -> Iterator[Path]:
    """Discriminating paths <d, …, a, b, c> for b, shortest first, one for each first vertex d.

    Every vertex strictly between d and b is a collider on the path and a parent of c; d and c are not adjacent.
    """
    parents = marks.parents(c)
    starts = parents & marks.far[Mark.ARROW][b]
    seen = starts | 1 << b | 1 << c
    towards_b = dict.fromkeys(bits(starts), b)
    queue = deque(towards_b)
    while queue:
        v = queue.popleft()
        into = marks.near[Mark.ARROW][v] & ~seen
        for d in bits(into & ~marks.adjacent[c]):
            yield (d, *_walk_back(towards_b, v, until=b), c)
        through = into & parents & marks.far[Mark.ARROW][v]
        seen |= into & ~marks.adjacent[c] | through
        for d in bits(through):
            towards_b[d] = v
            queue.append(d)


def _walk_back(towards: dict[int, int], v: int, *, until: int) -> list[int]:
    walk = [v]
    while walk[-1] != until:
        walk.append(towards[walk[-1]])
    return walk


def uncovered_path(marks: Marks, start: Step, end: int, *, is_barred: Barred) -> Path | None:
    """An uncovered potentially directed path that starts with these two vertices and has no barred triple, or None."""
    return uncovered_paths(marks, start, 1 << end, is_barred=is_barred).get(end)


def uncovered_paths(marks: Marks, start: Step, ends: int, *, is_barred: Barred) -> dict[int, Path]:
    """For each vertex of the set `ends` that can be reached: such a path to it.

    Breadth first over steps finds shortest uncovered walks, which nearly always are paths; where one
    visits a vertex twice, only a search with the whole path in hand is exact.
    """
    paths: dict[int, Path] = {}
    came: dict[Step, Step] = {}
    queue = deque([start])
    while queue and ends:
        step = queue.popleft()
        if ends >> step[1] & 1:
            ends &= ~(1 << step[1])
            walk: Path | None = _unrolled(came, step, start)
            if walk is not None and len(set(walk)) < len(walk):
                walk = _deepened(marks, start, step[1], is_barred=is_barred)
            if walk is not None:
                paths[step[1]] = walk
        for w in _onward(marks, step, is_barred):
            if (step[1], w) not in came and w != start[0]:
                came[step[1], w] = step
                queue.append((step[1], w))
    return paths


def _onward(marks: Marks, step: Step, is_barred: Barred) -> Iterator[int]:
    """Where an uncovered path may go after this step."""
    u, v = step
    for w in bits(marks.onward(v) & ~marks.adjacent[u] & ~(1 << u)):
        if not is_barred(u, v, w):
            yield w


def _unrolled(came: dict[Step, Step], step: Step, start: Step) -> Path:
    walk = [step[1]]
    while step != start:
        step = came[step]
        walk.append(step[1])
    return (start[0], *reversed(walk))


def _deepened(marks: Marks, path: Path, end: int, *, is_barred: Barred) -> Path | None:
    if path[-1] == end:
        return path
    for w in _onward(marks, (path[-2], path[-1]), is_barred):
        if w not in path:
            longer_path = _deepened(marks, (*path, w), end, is_barred=is_barred)
            if longer_path is not None:
                return longer_path
    return None
