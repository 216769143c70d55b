"""Prints how long and how much memory a large CSV takes to become a Dataset, beside pandas.read_csv alone.

Run: python tests/benchmarks/loading.py [ROWS] [COLUMNS]   (default 1000000 40; the file goes to a temporary folder)
Goals: under 12 s, under 3 GB, at most 2.5 times pandas.read_csv in the same run. Each measure runs in a process
of its own, repeated, the best kept; the first load also shows what compiling or loading the kernel costs.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

REPEATS = 5
MAX_SECONDS, MAX_GIGABYTES, MAX_RATIO, MAX_CANCEL = 12.0, 3.0, 2.5, 0.3


def write_table(path: Path, n_rows: int, n_columns: int, *, kind: str) -> None:
    """Independent columns of 2 to 6 states, as words or as digits."""
    from latconf_core.data.dataset import Dataset
    from latconf_core.data.reading.write import write_dataset

    rng = np.random.default_rng(0)
    cards = rng.integers(2, 7, size=n_columns)
    codes = np.stack([rng.integers(card, size=n_rows, dtype=np.uint8) for card in cards], axis=1)
    states = [[f"s{k}" if kind == "words" else str(k) for k in range(card)] for card in cards]
    write_dataset(Dataset([f"V{i}" for i in range(n_columns)], states, codes), path)


def measure_latconf(path: Path) -> dict[str, float]:
    from latconf_core.data.preparing.prepare import prepare
    from latconf_core.data.reading.load import read_table

    began = time.perf_counter()
    raw = read_table(path)
    read = time.perf_counter()
    data = prepare(raw).dataset
    prepared = time.perf_counter()
    n_distinct = len(data.distinct.counts)
    end = time.perf_counter()
    parts = {"read": read - began, "prepare": prepared - read, "distinct": end - prepared, "n_distinct": n_distinct}
    return {"seconds": end - began, **parts}


def measure_pandas(path: Path) -> dict[str, float]:
    import pandas as pd

    began = time.perf_counter()
    pd.read_csv(path)
    return {"seconds": time.perf_counter() - began}


def measure_cancel(path: Path) -> dict[str, float]:
    """Seconds from asking to stop, in the middle of the reading, to its end."""
    from latconf_core.control import RunControl, StopRequested
    from latconf_core.data.reading.load import read_table

    asked = threading.Event()
    when = [0.0]

    def ask() -> None:
        when[0] = time.perf_counter()
        asked.set()

    read_table(path)
    threading.Timer(0.15, ask).start()
    try:
        read_table(path, control=RunControl(asked.is_set))
    except StopRequested:
        return {"seconds": time.perf_counter() - when[0]}
    return {"seconds": float("nan")}


MEASURES = {"latconf": measure_latconf, "pandas": measure_pandas, "cancel": measure_cancel}


def child(what: str, path: str) -> None:
    """Measure repeatedly in this process and print one JSON object."""
    runs = [MEASURES[what](Path(path)) for _ in range(REPEATS)]
    best = min(runs, key=lambda run: run["seconds"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    print(json.dumps({"best": best, "first": runs[0]["seconds"], "gigabytes": peak}))


def run_child(what: str, path: Path) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, __file__, "--child", what, str(path)], capture_output=True, text=True, check=True
    )
    result: dict[str, object] = json.loads(done.stdout)
    return result


def verdict(value: float, goal: float) -> str:
    return "ok" if value <= goal else "MISSED"


def report(kind: str, path: Path) -> None:
    pandas, ours, cancel = (run_child(what, path) for what in ("pandas", "latconf", "cancel"))
    best, base = ours["best"], pandas["best"]["seconds"]  # type: ignore[index,call-overload]
    ratio = best["seconds"] / base  # type: ignore[index,call-overload]
    print(f"{kind}: {os.path.getsize(path) / 1e6:.0f} MB, {best['n_distinct']} distinct rows")  # type: ignore[index,call-overload]
    print(f"  pandas.read_csv alone {base:8.2f} s   peak {pandas['gigabytes']:.2f} GB")
    parts = ", ".join(f"{name} {best[name]:.2f}" for name in ("read", "prepare", "distinct"))  # type: ignore[index,call-overload]
    print(f"  latconf, all of it    {best['seconds']:8.2f} s   ({parts}; first time {ours['first']:.2f} s)")  # type: ignore[index,call-overload]
    print(f"  ratio                 {ratio:8.2f}     {verdict(ratio, MAX_RATIO)} (goal {MAX_RATIO})")
    first, peak = float(ours["first"]), float(ours["gigabytes"])  # type: ignore[arg-type]
    print(f"  first time            {first:8.2f} s   {verdict(first, MAX_SECONDS)} (goal {MAX_SECONDS:.0f} s)")
    print(f"  peak memory           {peak:8.2f} GB  {verdict(peak, MAX_GIGABYTES)} (goal {MAX_GIGABYTES:.0f} GB)")
    stop = cancel["best"]["seconds"]  # type: ignore[index,call-overload]
    print(f"  cancel to end         {stop:8.3f} s   {verdict(stop, MAX_CANCEL)} (goal {MAX_CANCEL} s)")


def main() -> None:
    n_rows, n_columns = (int(a) for a in (sys.argv[1:3] + ["1000000", "40"][len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("words", "digits"):
            path = Path(folder) / f"{kind}.csv"
            began = time.perf_counter()
            write_table(path, n_rows, n_columns, kind=kind)
            print(f"{kind}: written in {time.perf_counter() - began:.2f} s")
            report(kind, path)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3])
    else:
        main()
