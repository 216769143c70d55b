"""Whether Auto takes what is expected of it before it starts: within a factor of two, in time of the processor.

Run: python tests/benchmarks/estimates.py [--tables 20] [--first 0] [--search auto] [--seconds 60]
The tables are like those of the outside check `truth`, of the same examples and random networks. The estimate is
in seconds of the machine as it is; so both the estimate and the search are timed by the processor's clock as well, and
the estimate is multiplied by the share of the processor that the probe had. A search that needs more than --seconds is
ended there, and counts as held where the estimate is above half of that.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.hidden_problems import random_network

from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import warm_up
from latconf_core.search.estimate.preflight import preflight
from latconf_core.search.runner import run_search

EXAMPLES = (
    ("alarm", ["INTUBATION"], 1000),
    ("alarm", ["LVFAILURE", "INTUBATION"], 3000),
    ("alarm", [], 1000),
    ("alarm", [], 10_000),
    ("child", ["LungParench"], 2000),
    ("child", ["Disease"], 2000),
    ("child", [], 500),
    ("insurance", ["SocioEcon"], 2000),
    ("insurance", [], 1000),
    ("sachs", ["PKC"], 2000),
    ("asia", [], 1000),
)
N_RANDOM = 9
ROWS = (1000, 2000, 5000)
FACTOR = 2.0


def tables() -> Iterator[tuple[str, Dataset]]:
    """Eleven of examples and nine of random networks, with none to three variables hidden."""
    for k, (name, hidden, n_rows) in enumerate(EXAMPLES):
        rng = np.random.default_rng(200 + k)
        drawn = sample(load_example(name), n_rows, rng=rng, hide=hidden)
        yield f"{name} without {', '.join(hidden) or 'nothing'}, {n_rows} rows", drawn.dataset
    for k in range(N_RANDOM):
        rng = np.random.default_rng(300 + k)
        n_hidden = k % 4
        network = random_network(rng, n_hidden)
        drawn = sample(network, ROWS[k % 3], rng=rng, hide=[f"h{index}" for index in range(n_hidden)])
        yield f"random {k}, {n_hidden} hidden, {ROWS[k % 3]} rows", drawn.dataset


def measure(dataset: Dataset, search: str, seconds: float) -> tuple[float, float, bool]:
    """Expected and used seconds of the processor, and whether the search came to its end."""
    names = dataset.names
    no_pag = MixedGraph(names, np.zeros((len(names), len(names)), np.uint8))
    options = SearchOptions(seed=1)
    wall, processor = time.perf_counter(), time.process_time()
    expected = preflight(dataset, no_pag, options=options).seconds[search]
    share = (time.process_time() - processor) / (time.perf_counter() - wall)
    wall, processor = time.perf_counter(), time.process_time()
    result = run_search(dataset, no_pag, search, options=SearchOptions(seed=1, time_limit=seconds))
    return expected * min(share, 1.0), time.process_time() - processor, not result.is_cut_short


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--search", default="auto")
    parser.add_argument("--seconds", type=float, default=600.0)
    args = parser.parse_args()
    warm_up()
    held, chosen = 0, list(tables())[args.first : args.first + args.tables]
    for name, dataset in chosen:
        expected, used, is_whole = measure(dataset, args.search, args.seconds)
        is_held = used / FACTOR <= expected and (expected <= FACTOR * used or not is_whole)
        held += is_held
        told = "" if is_whole else " and more"
        print(f"{name:45} expected {expected:6.1f} s, took {used:6.1f} s{told}: {expected / used:.2f}", flush=True)
    print(f"within a factor of {FACTOR:g} on {held} of {len(chosen)} tables")
    return 0


if __name__ == "__main__":
    sys.exit(main())
