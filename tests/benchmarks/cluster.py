"""What a cluster costs against the local pool at equal cores, as ratios.

Starts a scheduler and N workers with one thread each on loopback, then runs the same work here and there in turn:
ILC-V on examples (candidates per second, through Dask over the local pool; wanted: 0.7 at least), and a bench of two
small data sets (seconds, Dask over local; wanted: 1.15 at most). The results must be the same.

Run: python tests/benchmarks/cluster.py [--workers 2] [--repeats 3] [--only run bench]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.small_cluster import SmallCluster

from latconf_core.bench.bench_data import draw_example, find_tables, gather
from latconf_core.bench.bench_plan import BenchOptions, BenchPlan, make_plan
from latconf_core.bench.bench_run import run_bench
from latconf_core.bench.bench_table import BenchTable
from latconf_core.bench.cell_store import CellStore
from latconf_core.bench.cluster_lanes import ClusterLanes
from latconf_core.bench.lanes import Lanes
from latconf_core.bench.processes import Processes, warm_up
from latconf_core.cluster.batched_scoring import scoring_of
from latconf_core.cluster.connection import Cluster, connect
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import start_search
from latconf_core.search.scoring_port import ScoringOf

RUNS = (
    (ExampleChoice("sachs", ("PKA",), 1000, 1), "light"),
    (ExampleChoice("sachs", ("PKA",), 10_000, 1), "light"),
    (ExampleChoice("alarm", ("ERRCAUTER",), 1000, 1), "light"),
)
TABLES = ["asia_smoke_1000", "sachs_PKA_1000"]
SEARCHES = ("no-latents", "ilc-v", "hclc-v", "cil")


def search(data: Dataset, pag: MixedGraph, options: SearchOptions, scoring: ScoringOf | None) -> SearchResult:
    for event in start_search(data, pag, "ilc-v", options=options, scoring=scoring, with_evidence=False):
        if isinstance(event, SearchFinished):
            return event.result
    raise AssertionError("a search ends with its result")


def compare_runs(cluster: Cluster, n_workers: int, repeats: int) -> None:
    print("run: candidates per second here, there, ratio (wanted: at least 0.70)")
    for choice, effort in RUNS:
        data = draw_example(choice).dataset
        pag = run_learner(data, PagOptions(method="gfci")).graph
        options = replace(
            SearchOptions(max_bidirected=4, levels_without_gain=4, time_limit=60.0), effort=effort, workers=n_workers
        )
        rates: dict[str, list[float]] = {"here": [], "there": []}
        histories = []
        for _ in range(repeats):
            for index, scoring in (("here", None), ("there", scoring_of(cluster))):
                began = time.perf_counter()
                result = search(data, pag, options, scoring)
                rates[index].append(len(result.history) / (time.perf_counter() - began))
                histories.append(result.history)
        assert all(history == histories[0] for history in histories), "the visits are not the same"
        here, there = median(rates["here"]), median(rates["there"])
        name, visits = f"{choice.name} {choice.n_rows:,}", f"{len(histories[0]):,} visits"
        print(f"  {name} {effort:5} {visits:>14}: {here:9,.0f} {there:9,.0f} {there / here:6.2f}", flush=True)


def seconds_of(plan: BenchPlan, lanes: Lanes) -> tuple[float, list[object]]:
    table = BenchTable(plan)
    began = time.perf_counter()
    for event in run_bench(plan, lanes, store=CellStore(None), control=RunControl()):
        table.see(event)
    return time.perf_counter() - began, [(row.cell.method, row.result.p_elbo, row.result.dag) for row in table.rows()]


def compare_benches(cluster: Cluster, n_workers: int, repeats: int) -> None:
    plan = make_plan(gather(find_tables(TABLES), lambda _: _none(), truths=None), BenchOptions(searches=SEARCHES))
    makers: dict[str, Callable[[], Lanes]] = {
        "here": lambda: Processes(n_workers),
        "there": lambda: ClusterLanes(cluster, len(plan.cells)),
    }
    seconds_of(plan, makers["there"]())  # workers load their kernels, as those of the long-lived cluster have done
    taken: dict[str, list[float]] = {maker: [] for maker in makers}
    for _ in range(repeats):
        found = {}
        for index, make in makers.items():
            seconds, found[index] = seconds_of(plan, make())
            taken[index].append(seconds)
        assert found["here"] == found["there"], "the cells are not the same"
    here, there = (median(taken[maker]) for maker in makers)
    print(f"bench of {len(plan.cells)} cells: {here:.1f} s here, {there:.1f} s there")
    print(f"  ratio {there / here:.2f} (wanted: at most 1.15)", flush=True)


def _none() -> Dataset:
    raise AssertionError("examples are not read from files")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=("run", "bench"), default=["run", "bench"])
    args = parser.parse_args()
    warm_up()
    with (
        tempfile.TemporaryDirectory() as folder,
        SmallCluster(Path(folder), n_workers=args.workers) as small,
        connect(Scheduler(small.address)) as cluster,
    ):
        cluster._client.wait_for_workers(args.workers)
        if "run" in args.only:
            compare_runs(cluster, args.workers, args.repeats)
        if "bench" in args.only:
            compare_benches(cluster, args.workers, args.repeats)
    return 0


if __name__ == "__main__":
    sys.exit(main())
