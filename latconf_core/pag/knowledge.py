"""What is known before any data: tiers in time, forbidden and required causes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from latconf_core.errors import GraphError

Cause = tuple[str, str]


@dataclass(frozen=True)
class Knowledge:
    """Knowledge only removes possibilities: a forbidden cause puts an arrowhead, a required one is an arrow that stays.

    tiers : names in the order of time; nobody is caused by a later tier
    closed_tiers : positions of tiers within which nobody causes anybody
    forbidden : (a, b): on an edge a - b, a is not a cause of b
    required : (a, b): a --> b, whatever the tests say

    A tier never plants a tail: b after a leaves both a --> b and a <-> b possible.
    """

    tiers: tuple[tuple[str, ...], ...] = ()
    closed_tiers: frozenset[int] = frozenset()
    forbidden: tuple[Cause, ...] = ()
    required: tuple[Cause, ...] = ()

    def __post_init__(self) -> None:
        for tier in self.closed_tiers:
            if not 0 <= tier < len(self.tiers):
                raise GraphError(f"tier {tier} is closed but there is no such tier")
        named = [name for tier in self.tiers for name in tier]
        for name, count in Counter(named).items():
            if count > 1:
                raise GraphError(f"{name!r} is listed twice in the tiers; keep one")
        for a, b in (*self.forbidden, *self.required):
            if a == b:
                raise GraphError(f"knowledge about {a!r} and itself means nothing; remove it")
        for a, b in self.required:
            if self.forbids(a, b):
                raise GraphError(f"{a} --> {b} is both required and forbidden; remove one")
        self._check_acyclic()

    def _check_acyclic(self) -> None:
        graph: dict[str, list[str]] = {}
        for a, b in self.required:
            graph.setdefault(b, []).append(a)
        try:
            tuple(TopologicalSorter(graph).static_order())
        except CycleError as error:
            raise GraphError(f"the required edges form a cycle: {' --> '.join(reversed(error.args[1]))}") from None

    @cached_property
    def _tier_of(self) -> dict[str, int]:
        return {name: i for i, tier in enumerate(self.tiers) for name in tier}

    @cached_property
    def _forbidden(self) -> frozenset[Cause]:
        return frozenset(self.forbidden)

    def forbids(self, a: str, b: str) -> bool:
        """Whether a cannot be a cause of b."""
        if (a, b) in self._forbidden:
            return True
        first, second = self._tier_of.get(a), self._tier_of.get(b)
        if first is None or second is None:
            return False
        return first > second or (first == second and first in self.closed_tiers)

    def names(self) -> Iterator[str]:
        """Every name it speaks of; some twice."""
        for group in (*self.tiers, *self.forbidden, *self.required):
            yield from group

    def check_names(self, known: Sequence[str]) -> None:
        """Raise GraphError where it names a variable that is not among these."""
        variables = set(known)
        for name in self.names():
            if name not in variables:
                raise GraphError(f"the knowledge names {name!r}, which is not a variable of the data")


NO_KNOWLEDGE = Knowledge()
