"""A bench small enough to be run many times: two tables of a few dozen rows, a few searches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from latconf_core.bench.bench_data import BenchData
from latconf_core.bench.bench_plan import BenchOptions, BenchPlan, make_plan
from latconf_core.bench.bench_run import BenchEvent, BenchFinished, run_bench
from latconf_core.bench.bench_table import BenchTable
from latconf_core.bench.cell_store import CellStore
from latconf_core.bench.lanes import Lanes, ThisThread
from latconf_core.comparison.subject import Subject
from latconf_core.control import RunControl, StopReason
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions

NAMES = tuple("ABCD")
TRUTH = LatentDag(NAMES, [("A", "D")], [Latent("H", 2, ("A", "B", "C"))])


def confounded(n_rows: int, seed: int) -> Dataset:
    """Three noisy copies of a hidden bit, and one of the first."""
    rng = np.random.default_rng(seed)
    hidden = rng.integers(2, size=n_rows)
    copies = [np.where(rng.random(n_rows) < 0.9, hidden, 1 - hidden) for _ in range(3)]
    last = np.where(rng.random(n_rows) < 0.8, copies[0], 1 - copies[0])
    return Dataset(NAMES, [("no", "yes")] * 4, np.stack([*copies, last], axis=1))


def small_plan(*searches: str, learners: tuple[str, ...] = ("fci", "gfci"), n_rows: int = 80) -> BenchPlan:
    """Two data sets with the same truth."""
    data = [BenchData(f"copies_{seed}", confounded(n_rows, seed), Subject("truth", TRUTH)) for seed in (1, 2)]
    options = SearchOptions(vbem=VbemOptions(restarts=2))
    return make_plan(
        data, BenchOptions(learners=learners, searches=searches or ("hclc-v", "no-latents"), options=options)
    )


def fill(
    plan: BenchPlan,
    *,
    folder: Path | None = None,
    control: RunControl | None = None,
    lanes: Lanes | None = None,
    events: list[BenchEvent] | None = None,
) -> tuple[BenchTable, StopReason]:
    """The table as far as the bench came, and why it ended."""
    control = RunControl() if control is None else control
    table = BenchTable(plan)
    for event in run_bench(plan, lanes or ThisThread(control), store=CellStore(folder), control=control):
        table.see(event)
        if events is not None:
            events.append(event)
        if isinstance(event, BenchFinished):
            return table, event.stop_reason
    raise AssertionError("a bench ends with its last event")


def without_seconds(content: Any) -> Any:
    """The same content with everything left out that a clock decides."""
    if isinstance(content, dict):
        return {key: without_seconds(value) for key, value in content.items() if not key.endswith("seconds")}
    return [without_seconds(one) for one in content] if isinstance(content, list) else content
