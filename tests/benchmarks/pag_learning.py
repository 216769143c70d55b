"""How fast PAGs are learned, beside causal-learn in the same process.

    python tests/benchmarks/pag_learning.py [tests] [alarm] [series] [columns] [skeletons]

tests    microseconds per G-square test at 1,000, 10,000 and 100,000 rows
alarm    whole runs on Alarm data of 10,000 rows
series   FCI and GFCI on random sparse networks of 20 to 200 variables, 10,000 rows
skeletons  processor seconds of every size of conditioning set at 400 and 1,000 variables, 5,000 rows
columns  how many adjacencies and marks change when the columns of a sample are permuted
"""

from __future__ import annotations

import io
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from itertools import combinations, islice
from typing import Any

import numpy as np

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.graph.mixed import MixedGraph
from latconf_core.independence.base import Budget
from latconf_core.independence.contingency import ContingencyTest
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import PagLearned, PhaseStarted
from latconf_core.pag.learners.catalogue import learn_pag, run_learner

SIZES = range(5)


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """The best time of a few."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def sparse_sample(n_variables: int, n_rows: int, seed: int) -> Dataset:
    """Rows from a random network of two- and three-state variables with one and a half parents on average."""
    rng = np.random.default_rng(seed)
    cards = rng.integers(2, 4, size=n_variables)
    codes = np.zeros((n_rows, n_variables), dtype=np.int64)
    for v in range(n_variables):
        n_parents = min(v, int(rng.integers(0, 4)))
        near = np.arange(max(0, v - 12), v)
        parents = rng.choice(near, size=min(n_parents, len(near)), replace=False) if len(near) else []
        shape = (*cards[parents], cards[v]) if len(parents) else (cards[v],)
        table = rng.dirichlet(np.full(cards[v], 0.6), size=shape[:-1]).cumsum(axis=-1)
        edges = (
            table[tuple(codes[:, p] for p in parents)] if len(parents) else np.broadcast_to(table, (n_rows, cards[v]))
        )
        codes[:, v] = (rng.random(n_rows)[:, None] > edges[:, :-1]).sum(axis=1)
    names = [f"V{v}" for v in range(n_variables)]
    return Dataset(names, [[str(k) for k in range(card)] for card in cards], codes)


def alarm_sample(n_rows: int) -> Dataset:
    """Alarm without INTUBATION."""
    return sample(load_example("alarm"), n_rows, rng=np.random.default_rng(0), hide=["INTUBATION"]).dataset


def bench_tests() -> None:
    from causallearn.utils.cit import CIT

    for n_rows in (1_000, 10_000, 100_000):
        data = alarm_sample(n_rows)
        other = CIT(np.array(data.codes, dtype=int), "gsq")
        test = ContingencyTest(data, alpha=1 - 1e-15)
        for size in SIZES:
            _bench_size(data, test, other, size)


def _bench_size(data: Dataset, test: ContingencyTest, other: Any, size: int) -> None:
    """Tests of pairs given `size` others, as a search makes them and one by one."""
    pairs = list(combinations(range(12), 2))[:: 1 if size == 0 else 6]
    pool = list(range(12, 20))
    questions = [(pair, given) for pair in pairs for given in islice(combinations(pool, size), 10)]

    def batch() -> None:
        for pair in pairs:
            for _ in test.separations(pair, pool, size=size, budget=Budget(10), control=RunControl()):
                pass

    def single() -> None:
        test.forget()
        for (x, y), given in questions:
            test.p_value(x, y, given)

    def theirs() -> None:
        other.pvalue_cache.clear()
        for (x, y), given in questions:
            other(x, y, given)

    ours, alone, them = (seconds(work) / len(questions) * 1e6 for work in (batch, single, theirs))
    print(
        f"{data.n_rows:>7} rows, given {size}: {ours:7.1f} us in a search, {alone:7.1f} us alone, "
        f"causal-learn {them:8.1f} us: {them / ours:6.1f} and {them / alone:6.1f} times faster"
    )


def bench_alarm() -> None:
    from causallearn.search.ConstraintBased.FCI import fci

    data = alarm_sample(10_000)
    codes = np.array(data.codes, dtype=int)
    methods: tuple[str, ...] = ("fci", "cfci", "mfci", "rfci", "gfci")
    run_learner(data.select(data.names[:4]), PagOptions())
    run_learner(data.select(data.names[:4]), PagOptions(method="gfci"))
    for method in methods:
        ours = seconds(lambda method=method: run_learner(data, PagOptions(method=method)))  # type: ignore[misc]
        result = run_learner(data, PagOptions(method=method))
        print(f"Alarm, 10,000 rows, {method}: {ours:.2f} s, {result.n_tests} tests, {result.graph.n_edges} edges")
        if method == "fci":
            with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                them = seconds(lambda: fci(codes, "gsq", 0.05, show_progress=False, verbose=False), repeat=1)
            late = result.n_tests - run_learner(data, PagOptions(possible_dsep=False)).n_tests
            print(f"  causal-learn {them:.2f} s: {them / ours:.1f} times faster; {late} tests are possible-d-sep's")


def bench_series() -> None:
    for n_variables in (20, 50, 100, 150, 200):
        data = sparse_sample(n_variables, 10_000, seed=n_variables)
        for method in ("fci", "gfci"):
            options = PagOptions(method=method)  # type: ignore[arg-type]
            start = time.perf_counter()
            result = next(e.result for e in learn_pag(data, options) if isinstance(e, PagLearned))
            took = time.perf_counter() - start
            print(
                f"{n_variables} variables, {method}: {took:.1f} s, {result.n_tests} tests, "
                f"{result.graph.n_edges} edges, truncated {result.truncated} {' '.join(result.notes)}"
            )


def bench_columns() -> None:
    data = alarm_sample(10_000)
    for method in ("fci", "cfci", "mfci", "rfci", "gfci"):
        options = PagOptions(method=method)  # type: ignore[arg-type]
        graph = run_learner(data, options).graph
        for seed in range(3):
            names = [str(name) for name in np.random.default_rng(seed).permutation(data.names)]
            other = run_learner(data.select(names), options).graph.reordered(data.names)
            print(f"{method}, columns permuted: {_differences(graph, other)}")


def bench_skeletons() -> None:
    run_learner(sparse_sample(30, 5_000, seed=0))  # compiles the loops
    for n_variables in (400, 1000):
        data = sparse_sample(n_variables, 5_000, seed=n_variables)
        began, said = time.process_time(), "data"
        for event in learn_pag(data, PagOptions(possible_dsep=False, skeleton_tests=None)):
            if isinstance(event, PhaseStarted):
                print(f"{n_variables} variables, {said}: {time.process_time() - began:.2f} s")
                began, said = time.process_time(), event.text.partition(":")[0]


def _differences(graph: MixedGraph, other: MixedGraph) -> str:
    adjacencies = int(np.count_nonzero((graph.marks > 0) != (other.marks > 0))) // 2
    both = (graph.marks > 0) & (other.marks > 0)
    marks = int(np.count_nonzero(both & (graph.marks != other.marks)))
    return f"{adjacencies} adjacencies and {marks} of {int(both.sum())} marks differ"


PARTS = {
    "tests": bench_tests,
    "alarm": bench_alarm,
    "series": bench_series,
    "columns": bench_columns,
    "skeletons": bench_skeletons,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
