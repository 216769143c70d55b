"""An independence test that answers from the d-separations of a DAG with latents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.independence.base import Budget, Separation, ask_one_by_one


class DSeparationOracle:
    """What tests would say with infinite data from this DAG: p is 1 for d-separated variables, else 0."""

    def __init__(self, dag: LatentDag) -> None:
        self.dag = dag
        self.names = dag.nodes
        self._parents, self._children = _neighbours(dag)
        self._connected: dict[tuple[int, int], int] = {}
        self._asked: set[tuple[int, int, int]] = set()

    @property
    def n_tests(self) -> int:
        return len(self._asked)

    def p_value(self, x: int, y: int, given: Sequence[int]) -> float:
        return 1.0 if self.is_independent(x, y, given) else 0.0

    def is_independent(self, x: int, y: int, given: Sequence[int]) -> bool:
        """Whether every path between x and y is blocked by the variables `given`."""
        x, y = (x, y) if x < y else (y, x)
        blocked = sum(1 << v for v in given)
        self._asked.add((x, y, blocked))
        connected = self._connected.get((x, blocked))
        if connected is None:
            connected = self._connected[x, blocked] = self._reach(x, blocked)
        return not connected >> y & 1

    def separations(
        self,
        pair: tuple[int, int],
        pool: Sequence[int],
        *,
        size: int,
        known: Sequence[int] = (),
        budget: Budget,
        control: RunControl,
    ) -> Iterator[Separation]:
        """Every subset of `pool` of this size that d-separates the pair, lexicographically."""
        return ask_one_by_one(self, pair, pool, size=size, known=known, budget=budget, control=control)

    def _reach(self, start: int, blocked: int) -> int:
        """The set of nodes d-connected to `start` given the set `blocked`."""
        opened = self._ancestors(blocked)
        above, below = 0, 0  # nodes reached from a child (or the start), and from a parent
        up, down = 1 << start, 0
        while up or down:
            above |= up
            below |= down
            free_up, free_down = up & ~blocked, down & ~blocked
            next_up = _union(self._parents, free_up | down & opened)
            next_down = _union(self._children, free_up | free_down)
            up, down = next_up & ~above, next_down & ~below
        return (above | below) & ~blocked

    def _ancestors(self, nodes: int) -> int:
        found = 0
        while nodes & ~found:
            found |= nodes
            nodes = _union(self._parents, nodes)
        return found


def _union(sets: Sequence[int], members: int) -> int:
    found = 0
    while members:
        low = members & -members
        found |= sets[low.bit_length() - 1]
        members ^= low
    return found


def _neighbours(dag: LatentDag) -> tuple[list[int], list[int]]:
    """Parents and children of every node as bit masks; latents come after the observed nodes."""
    position = {name: i for i, name in enumerate((*dag.nodes, *(latent.name for latent in dag.latents)))}
    parents, children = [0] * len(position), [0] * len(position)
    for parent, child in dag.all_edges():
        parents[position[child]] |= 1 << position[parent]
        children[position[parent]] |= 1 << position[child]
    return parents, children
