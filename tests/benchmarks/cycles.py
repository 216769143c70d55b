"""What 200 cycles of opening, learning, searching and saving in one window leave behind: memory, threads, handles.

python tests/benchmarks/cycles.py
python tests/benchmarks/cycles.py --cycles 60 --warm-up 20
python tests/benchmarks/cycles.py --cycles 12 --warm-up 6 --objects     also every type of which there are more

Memory is measured after a collection, with one arena of the allocator and what it keeps free given back: what is left
is held by somebody. The slope is that of the cycles after the warm-up.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

if "MALLOC_ARENA_MAX" not in os.environ:  # the allocator reads it when a process starts
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "MALLOC_ARENA_MAX": "1"})
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from program import make_program
from support.window_cycles import (
    Cycles,
    collect_all,
    count_handles,
    count_objects,
    count_threads,
    resident_megabytes,
)

LIMIT = 0.02  # MB per cycle after the warm-up


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", type=int, default=200)
    parser.add_argument("--warm-up", type=int, default=80)
    parser.add_argument("--objects", action="store_true", help="count objects of every type, not of the program alone")
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    os.environ["LATCONF_RECOVERY_FOLDER"] = str(folder / "recovery")
    window = make_program(folder)
    window.resize(1280, 800)
    window.show()
    window.load_pages()
    window.keep_work(folder / "recovery")
    cycles = Cycles(window, folder)
    rows, objects, began = [], Counter[str](), time.perf_counter()
    for number in range(args.cycles):
        cycles.run_once()
        collect_all()
        if number in (args.warm_up, args.cycles - 1):
            now = _every_object() if args.objects else count_objects()
        rows.append((resident_megabytes(), count_threads(), count_handles()))
        if number == args.warm_up:
            objects = now
        if number % 10 == 9 or args.objects:
            megabytes, threads, handles = rows[-1]
            seconds = time.perf_counter() - began
            told = f"{megabytes:.2f} MB, {threads} threads, {handles} handles, {seconds:.0f} s"
            print(f"  after {number + 1:3} cycles: {told}", flush=True)
    problems = [message.what for message in window.problems.messages]
    window.close_at_once()
    return _judge(np.array(rows), args.warm_up, objects, now, problems)


def _every_object() -> Counter[str]:
    count_objects()  # collects
    return Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())


def _judge(
    rows: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    warm_up: int,
    before: Counter[str],
    now: Counter[str],
    problems: list[str],
) -> int:
    """Say what grew; 1 where it is too much."""
    later = np.arange(warm_up, len(rows))
    slope = float(np.polyfit(later, rows[later, 0], 1)[0])
    print(f"{slope:.4f} MB per cycle after {warm_up} (limit {LIMIT})")
    grown = {name: (before[name], count) for name, count in now.items() if count > before[name]}
    print("types of which there are more than after the warm-up: ", end="")
    print(dict(sorted(grown.items(), key=lambda item: item[1][0] - item[1][1])[:40]) or "none")
    print(f"problems: {problems or 'none'}")
    is_level = all(rows[-1, place] <= rows[warm_up, place] for place in (1, 2))
    return 0 if slope < LIMIT and is_level and not problems else 1


if __name__ == "__main__":
    sys.exit(main())
