"""RFCI written down again from its definition, slowly: sets of names, all simple paths, no queue.

An independent check of the learner; it shares nothing with it but the answers of the oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, permutations

Independent = Callable[[str, str, frozenset[str]], bool]
Pair = frozenset[str]


class SlowRfci:
    """mark[a, b] is the mark at b on the edge a - b: "o", ">" or "-"."""

    def __init__(self, names: str, independent: Independent) -> None:
        self.names = names
        self.independent = independent
        self.mark: dict[tuple[str, str], str] = dict.fromkeys(permutations(names, 2), "o")
        self.sep: dict[Pair, frozenset[str]] = {}
        self.done: set[tuple[str, str, str]] = set()  # triples whose collider question was answered
        self._skeleton()
        self._drop_loose_edges()
        self._colliders()
        while self._arrowheads():
            pass
        while self._tails():
            pass

    def edges(self) -> set[str]:
        ends = {">": "<"}
        result = set()
        for a, b in combinations(self.names, 2):
            if (a, b) in self.mark:
                left = self.mark[b, a]
                result.add(f"{a} {ends.get(left, left)}-{self.mark[a, b]} {b}")
        return result

    def near(self, a: str) -> list[str]:
        return [b for b in self.names if (a, b) in self.mark]

    def _remove(self, a: str, b: str, given: frozenset[str]) -> None:
        del self.mark[a, b], self.mark[b, a]
        self.sep[frozenset((a, b))] = given

    def _skeleton(self) -> None:
        size = 0
        while any(len(self.near(a)) > size for a in self.names):
            before = {a: self.near(a) for a in self.names}
            for a, b in permutations(self.names, 2):
                for chosen in combinations([v for v in before[a] if v != b], size):
                    if (a, b) in self.mark and self.independent(a, b, frozenset(chosen)):
                        self._remove(a, b, frozenset(chosen))
            size += 1

    def _unshielded(self) -> list[tuple[str, str, str]]:
        return [
            (a, b, c)
            for b in self.names
            for a, c in combinations(self.names, 2)
            if (a, b) in self.mark and (b, c) in self.mark and (a, c) not in self.mark
        ]

    def _drop_loose_edges(self) -> None:
        """Until every edge of every unshielded triple survives what separates the ends of the triple."""
        again = True
        while again:
            again = False
            for a, b, c in self._unshielded():
                given = self.sep[frozenset((a, c))] - {b}
                for u, v in ((a, b), (b, c)):
                    if (u, v) in self.mark and self.independent(u, v, given):
                        self._remove(u, v, self._smallest(u, v, given))
                        again = True

    def _smallest(self, u: str, v: str, given: frozenset[str]) -> frozenset[str]:
        return next(s for s in self._subsets(given) if self.independent(u, v, s))

    def _subsets(self, given: frozenset[str]) -> Iterator[frozenset[str]]:
        ordered = sorted(given, key=self.names.index)
        for size in range(len(ordered) + 1):
            for chosen in combinations(ordered, size):
                yield frozenset(chosen)

    def _colliders(self) -> None:
        fresh = [triple for triple in self._unshielded() if triple not in self.done]
        self.done.update(fresh)
        for a, b, c in fresh:
            if b not in self.sep[frozenset((a, c))]:
                self.mark[a, b] = self.mark[c, b] = ">"

    def _is(self, a: str, b: str, kinds: str, at_a: str = "o>-") -> bool:
        """Whether a - b is an edge with one of these marks at b, and one of those at a."""
        return self.mark.get((a, b), "x") in kinds and self.mark.get((b, a), "x") in at_a

    def _arrowheads(self) -> bool:
        before = dict(self.mark)
        for a, b, c in permutations(self.names, 3):
            if self._is(a, b, ">") and self._is(c, b, "o") and (a, c) not in self.mark:
                self.mark[c, b], self.mark[b, c] = "-", ">"
            first = self._is(a, b, ">", "-") and self._is(b, c, ">")
            second = self._is(a, b, ">") and self._is(b, c, ">", "-")
            if (first or second) and self._is(a, c, "o"):
                self.mark[a, c] = ">"
        for a, b, c, d in permutations(self.names, 4):
            meets = self._is(a, b, ">") and self._is(c, b, ">") and (a, c) not in self.mark
            if meets and self._is(a, d, "o") and self._is(c, d, "o") and self._is(d, b, "o"):
                self.mark[d, b] = ">"
        return self.mark != before or self._r4()

    def _r4(self) -> bool:
        for length in range(4, len(self.names) + 1):
            for path in permutations(self.names, length):
                if self._is_discriminating(path) and self._is(path[-1], path[-2], "o"):
                    self._use(path)
                    return True
        return False

    def _is_discriminating(self, path: tuple[str, ...]) -> bool:
        d, c = path[0], path[-1]
        if (d, c) in self.mark or not all((u, v) in self.mark for u, v in pairwise(path)):
            return False
        return all(
            self._is(path[i - 1], path[i], ">")
            and self._is(path[i + 1], path[i], ">")
            and self._is(path[i], c, ">", "-")
            for i in range(1, len(path) - 2)
        )

    def _use(self, path: tuple[str, ...]) -> None:
        given = self.sep[frozenset((path[0], path[-1]))]
        for u, v in pairwise(path):
            for subset in self._subsets(given - {u, v}):
                if self.independent(u, v, subset):
                    self._remove(u, v, subset)
                    self._drop_loose_edges()
                    self._colliders()
                    return
        a, b, c = path[-3:]
        if b in given:
            self.mark[c, b], self.mark[b, c] = "-", ">"
        else:
            self.mark[a, b] = self.mark[b, a] = self.mark[b, c] = self.mark[c, b] = ">"

    def _tails(self) -> bool:
        before = dict(self.mark)
        for a, c in permutations(self.names, 2):
            if self._is(a, c, ">", "o") and (self._r8(a, c) or self._r9(a, c) or self._r10(a, c)):
                self.mark[c, a] = "-"
        return self.mark != before

    def _r8(self, a: str, c: str) -> bool:
        return any(self._is(b, c, ">", "-") and self._is(a, b, ">o", "-") for b in self.names)

    def _r9(self, a: str, c: str) -> bool:
        return any((path[1], c) not in self.mark and path[1] != c for path in self._uncovered(a, c))

    def _r10(self, a: str, c: str) -> bool:
        parents = [b for b in self.names if self._is(b, c, ">", "-")]
        for b, d in permutations(parents, 2):
            for one in self._uncovered(a, b):
                for other in self._uncovered(a, d):
                    if one[1] != other[1] and (one[1], other[1]) not in self.mark:
                        return True
        return False

    def _uncovered(self, start: str, end: str) -> Iterator[tuple[str, ...]]:
        """Every uncovered potentially directed path."""
        paths = [(start,)]
        while paths:
            path = paths.pop()
            if path[-1] == end:
                yield path
                continue
            for w in self.near(path[-1]):
                is_step = w not in path and self._is(path[-1], w, "o>", "o-")
                if is_step and (len(path) < 2 or (path[-2], w) not in self.mark):
                    paths.append((*path, w))
