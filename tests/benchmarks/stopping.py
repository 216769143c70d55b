"""How soon a search heeds a stop, wherever it is: python tests/benchmarks/stopping.py [--moments 20] [CASE …].

For each case and number of workers: the longest time between two checkpoints of one thread and the places it lay
between, then the time from a stop at random moments to the end of the search. The limit of both is 0.2 s.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Iterable
from itertools import combinations, pairwise
from types import FrameType

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import warm_up
from latconf_core.search.runner import start_search

LIMIT = 0.2
LONGEST = 15.0  # seconds that a case may run

Case = tuple[Dataset, MixedGraph]


def chained(n_rows: int, n_variables: int, n_states: int, *, noise: float = 0.4) -> Dataset:
    """Variables that share a hidden cause with their neighbours."""
    rng = np.random.default_rng(0)
    hidden = rng.integers(n_states, size=(n_rows, n_variables + 1), dtype=np.uint8)
    turn = rng.random((n_rows, n_variables), dtype=np.float32)
    codes = np.where(turn < 0.5, hidden[:, :-1], hidden[:, 1:])
    codes = np.where(np.abs(turn - 0.5) < noise / 2, rng.integers(n_states, size=codes.shape, dtype=np.uint8), codes)
    names = [f"V{k}" for k in range(n_variables)]
    return Dataset(names, [[str(k) for k in range(n_states)]] * n_variables, codes)


def joined(dataset: Dataset, arrow: str, pairs: Iterable[tuple[int, int]]) -> MixedGraph:
    """The graph with one kind of edge between pairs of columns."""
    names = dataset.names
    return MixedGraph.from_edges(names, [Edge.parse(f"{names[a]} {arrow} {names[b]}") for a, b in pairs])


def zigzag(n_variables: int) -> list[tuple[int, int]]:
    """Every second variable with an edge to both its neighbours: any set of o-> may become <->."""
    return [(k, k + 1) if k % 2 == 0 else (k + 1, k) for k in range(n_variables - 1)]


def many_states() -> Case:
    """One latent over four variables of eight states."""
    data = chained(10_000, 4, 8)
    return data, joined(data, "<->", combinations(range(4), 2))


def latents_in_a_chain() -> Case:
    """Three latents that share children."""
    data = chained(20_000, 4, 4)
    return data, joined(data, "<->", pairwise(range(4)))


def million_rows() -> Case:
    """A million rows of 40 variables."""
    data = chained(1_000_000, 40, 4)
    return data, joined(data, "o->", zigzag(40))


def million_rows_alike() -> Case:
    """A million rows of 40 variables, few of them different."""
    data = chained(1_000_000, 40, 4)
    few = Dataset(data.names, data.states, data.codes[np.random.default_rng(1).integers(50_000, size=1_000_000)])
    return few, joined(few, "o->", zigzag(40))


def many_mags() -> Case:
    """A listing of very many MAGs."""
    data = chained(1_000, 40, 2)
    return data, joined(data, "o->", zigzag(40))


def dense_mags() -> Case:
    """Parts of ten variables each that are all adjacent."""
    data = chained(1_000, 30, 2)
    groups = [range(first, first + 10) for first in (0, 10, 20)]
    return data, joined(data, "o-o", [pair for group in groups for pair in combinations(group, 2)])


def wide_cover() -> Case:
    """A large bidirected part, of which the fewest latents are hard to find."""
    data = chained(1_000, 20, 2)
    rng = np.random.default_rng(3)
    return data, joined(data, "<->", [pair for pair in combinations(range(20), 2) if rng.random() < 0.5])


CASES: dict[str, Callable[[], Case]] = {
    one.__name__: one
    for one in (
        many_states,
        latents_in_a_chain,
        million_rows,
        million_rows_alike,
        many_mags,
        dense_mags,
        wide_cover,
    )
}


class Gaps(RunControl):
    """Notes the longest time that a thread computes between two checkpoints."""

    def __init__(self) -> None:
        super().__init__(time_limit=LONGEST)
        self._last: dict[int, tuple[float, str]] = {}
        self.longest = (0.0, "", "")
        self.checkpoint()

    def checkpoint(self) -> None:
        now, thread = time.thread_time(), threading.get_ident()
        here = place(sys._getframe(1))
        before, there = self._last.get(thread, (now, ""))
        self.longest = max(self.longest, (now - before, there, here))
        self._last[thread] = now, here
        super().checkpoint()


def place(frame: FrameType | None) -> str:
    """The innermost callers outside the control, as file:line."""
    places = []
    while frame is not None and len(places) < 3:
        name = frame.f_code.co_filename.rpartition("latconf_core/")[2]
        if name != "control.py":
            places.append(f"{name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(places)


def run_with(case: Case, search: str, control: RunControl, workers: int) -> float:
    """The seconds of a search."""
    began = time.monotonic()
    for _ in start_search(*case, search, options=SearchOptions(workers=workers), control=control):
        pass
    return time.monotonic() - began


def delay(case: Case, search: str, workers: int, moment: float) -> float:
    """The seconds from a stop at a moment to the end of the search; 0 where it ended before."""
    stop = threading.Event()
    stopped_at = [float("inf")]

    def on_time() -> None:
        stopped_at[0] = time.monotonic()
        stop.set()

    timer = threading.Timer(moment, on_time)
    timer.start()
    run_with(case, search, RunControl(stop.is_set), workers)
    ended = time.monotonic()
    timer.cancel()
    return max(0.0, ended - stopped_at[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", choices=[[], *CASES], default=[])
    parser.add_argument("--moments", type=int, default=20)
    args = parser.parse_args()
    warm_up()
    rng = np.random.default_rng(0)
    worst = 0.0
    for name in args.cases or CASES:
        case = CASES[name]()
        for search, workers in (("ilc-v", 1), ("ilc-v", 2), ("hclc-v", 2)):
            gaps = Gaps()
            seconds = run_with(case, search, gaps, workers)
            longest, before, after = gaps.longest
            moments = rng.uniform(0.01, min(seconds, 3.0), size=args.moments)
            delays = [delay(case, search, workers, float(moment)) for moment in moments]
            worst = max(worst, longest, *delays)
            print(
                f"{name:20s} {search:6s} {workers} workers: {seconds:5.1f} s; between checkpoints at most"
                f" {1000 * longest:4.0f} ms; after a stop p50 {1000 * np.median(delays):4.0f} ms,"
                f" most {1000 * max(delays):4.0f} ms" + (f"\n    {before} -> {after}" if longest > LIMIT / 4 else ""),
                flush=True,
            )
    print(f"worst {1000 * worst:.0f} ms")
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
