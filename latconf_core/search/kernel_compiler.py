"""Compiles every kernel in parts, for processes that go on side by side; run.py starts one for each.

A part compiles for types alone: nothing is learned or fitted. Each takes about as long as the other.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from latconf_core.arrays import CodeArray, FloatArray, IntArray
from latconf_core.score import compiling as scoring
from latconf_core.score.compiling import Step

PARTS = tuple(scoring.PARTS)


def compile_part(name: str) -> Iterator[tuple[int, int]]:
    """Compile a part of PARTS, or load it; gives how many of its steps are done, and how many there are."""
    steps = [*scoring.PARTS[name](), *_OTHERS[name]()]
    for done, compile_step in enumerate(steps, 1):
        compile_step()
        yield done, len(steps)


def _wide_tests() -> list[Step]:
    """Tests of independence whose tables are large."""
    return [_compile_tests(np.uint32)]


def _narrow_tests() -> list[Step]:
    """Tests of independence with small tables, scores of families counted and at expected counts, rows of GLSL."""
    from latconf_core.counts.kernels import completed_family_score, family_score, family_scores, row_keys
    from latconf_core.families.discrete import warm_up

    codes, weights, cards, _ = _rows()
    keys, table = np.zeros(1, dtype=np.uint16), np.zeros(1, dtype=np.int32)
    pair, numbers = np.zeros((2, 1), dtype=np.uint16), np.zeros(1)
    family = codes, weights, cards, 1, cards, np.ones(1), keys, table
    gaps, completions = _rows_with_gaps()
    return [
        _compile_tests(np.uint16),
        _compile(family_score, *family),
        _compile(family_scores, *family[:5], cards, np.ones((1, 1)), pair, table, numbers),
        _compile(completed_family_score, *family, gaps, completions, np.zeros(1)),
        _compile(row_keys, np.zeros((2, 2), dtype=np.int64, order="F"), cards, cards),
        warm_up,
    ]


_OTHERS: dict[str, Callable[[], list[Step]]] = {"search": _wide_tests, "surroundings": _narrow_tests}


def _compile(kernel: Any, *arguments: Any) -> Step:
    """A step that compiles a kernel for the types of some arguments."""
    from latconf_core.compiled import numba

    return lambda: kernel.compile(tuple(numba.typeof(argument) for argument in arguments))  # type: ignore[no-untyped-call]


def _compile_tests(kind: type[np.unsignedinteger]) -> Step:
    """A step that compiles the search for what separates two variables, by keys of a kind."""
    from latconf_core.independence.kernels import search_subsets

    data = _rows()
    places, flags = data[2], np.zeros(1, dtype=np.uint8)
    settings = (1, 1, 1, 1, True)
    keys, table = np.zeros((1, 1), dtype=kind), np.zeros(1, dtype=np.int32)
    packed, room = (np.zeros((1, 1), dtype=np.uint64), places), np.zeros((1, 1, 1), dtype=np.uint64)
    best = np.zeros(1), places
    return _compile(search_subsets, data, packed, (1, 1), places, flags, places, settings, 1.0, best, keys, room, table)


def _rows() -> tuple[CodeArray, IntArray, IntArray, FloatArray]:
    """Codes, weights, numbers of states and n log n as the tests have them."""
    codes, weights = np.zeros((2, 2), dtype=np.uint8, order="F"), np.zeros(1, dtype=np.int64)
    for array in (codes, weights):
        array.setflags(write=False)
    return codes, weights, np.zeros(1, dtype=np.int64), np.zeros(1)


def _rows_with_gaps() -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Rows with missing cells and completions of these as families count them."""
    codes, weights = _rows()[:2]
    is_missing, shares = np.zeros((2, 2), dtype=np.bool_, order="F"), np.zeros(1)
    for array in (is_missing, shares):
        array.setflags(write=False)
    return (weights, weights, is_missing, codes, weights), (weights, codes, shares)


def main() -> int:
    """Compile the part that the first argument names; every step is a line."""
    for n_done, n_steps in compile_part(sys.argv[1]):
        print(n_done, n_steps, flush=True)  # noqa: T201 - run.py reads it
    return 0


if __name__ == "__main__":
    sys.exit(main())
