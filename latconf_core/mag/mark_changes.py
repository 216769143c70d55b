"""Single mark changes that stay inside a Markov equivalence class of MAGs."""

from __future__ import annotations

from collections.abc import Sequence


def is_legitimate(
    parents: Sequence[int], children: Sequence[int], spouses: Sequence[int], near: Sequence[int], a: int, b: int
) -> bool:
    """Whether swapping a --> b and a <-> b, in either direction, keeps a MAG in its class (Zhang & Spirtes 2005).

    No other directed path leads from a to b; every parent of a is a parent of b and every spouse of a is a
    parent or spouse of b; no discriminating path for a ends at b. The edge itself plays no part.

    near : the neighbours of every node, and the node itself
    """
    above_b = parents[b]
    if parents[a] & ~above_b:
        return False
    beside_a = spouses[a] & ~(1 << b)
    if beside_a & ~(above_b | spouses[b]):
        return False
    far = ~near[b]
    todo = beside_a & above_b
    seen = 0
    while todo:
        low = todo & -todo
        v = low.bit_length() - 1
        if (parents[v] | spouses[v]) & far:
            return False
        seen |= low
        todo = (todo | spouses[v] & above_b) & ~seen
    goal = above_b & ~(1 << a)
    if not goal:
        return True
    todo = children[a] & ~(1 << b)
    seen = 0
    while todo:
        if todo & goal:
            return False
        low = todo & -todo
        seen |= low
        todo = (todo | children[low.bit_length() - 1]) & ~seen
    return True
