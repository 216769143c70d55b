"""ILC-V and HCLC-V in two efforts against full effort everywhere: p-ELBO both ways, seconds, and their ratio.

Run: python tests/benchmarks/efforts.py [--workers 1] [--tables FOLDER] [NAME …]
Without --tables, on the reference data and its PAGs (LATCONF_REFERENCE, or beside the checkout). With --tables, on
every .csv of a folder and a PAG learned by GFCI. Start-up, P* and evidence are left out. Seconds are those of the
processor, all threads together, so that a busy machine does not matter; `fits` is the part of them in fits.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from latconf_core.cli.terminal.ready import get_ready
from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.load import load_dataset
from latconf_core.formats.graphs.registry import read_graph
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.learning import pag_preset
from latconf_core.options.scoring import Effort
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.score.component import Component
from latconf_core.score.fit import Fit
from latconf_core.score.scorer import Scorer
from latconf_core.search.catalogue import SEARCHES, align_to_dataset, prepare_run

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = Path(os.environ.get("LATCONF_REFERENCE", ROOT.parent / "shared" / "reference"))
EFFORTS: tuple[Effort, ...] = ("full", "light")
NO_WORSE = 0.01  # nats


class Measured(NamedTuple):
    """One search: its best p-ELBO, seconds of the processor, those of them in fits, and visits fitted fully."""

    p_elbo: float
    seconds: float
    fit_seconds: float
    n_full: int
    n_visits: int


def problems(args: argparse.Namespace) -> Iterator[tuple[str, Dataset, MixedGraph]]:
    folder = args.tables or REFERENCE / "data"
    for file in sorted(folder.glob("*.csv")):
        if args.names and file.stem not in args.names:
            continue
        dataset = load_dataset(file).dataset
        if args.tables:
            pag = run_learner(dataset, pag_preset("default", "gfci")).graph
        else:
            pag = read_graph(REFERENCE / "pags" / "tetrad-2019" / f"{file.stem}_gfci.txt", nodes=dataset.names)
        yield file.stem, dataset, align_to_dataset(pag, dataset)


def measure(dataset: Dataset, pag: MixedGraph, search: str, options: SearchOptions) -> Measured:
    fit_seconds = 0.0
    fit = Scorer.fit

    def timed(scorer: Scorer, component: Component) -> Fit:
        nonlocal fit_seconds
        began = time.thread_time()
        try:
            return fit(scorer, component)
        finally:
            fit_seconds += time.thread_time() - began

    Scorer.fit = timed  # type: ignore[method-assign]
    try:
        began = time.process_time()
        run = prepare_run(dataset, pag, search, options=options, control=RunControl())
        for _ in SEARCHES[search].load_search()(run):
            pass
        seconds = time.process_time() - began
    finally:
        Scorer.fit = fit  # type: ignore[method-assign]
    best = run.history.best
    assert best is not None
    n_full = sum(visit.effort == "full" for visit in run.history)
    return Measured(best.p_elbo, seconds, fit_seconds, n_full, len(run.history))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--tables", type=Path)
    args = parser.parse_args()
    get_ready()
    total = dict.fromkeys(EFFORTS, 0.0)
    in_fits = dict.fromkeys(EFFORTS, 0.0)
    worse = []
    for name, dataset, pag in problems(args):
        for search in ("ilc-v", "hclc-v"):
            options = {effort: SearchOptions(seed=1, workers=args.workers, effort=effort) for effort in EFFORTS}
            full, light = (measure(dataset, pag, search, options[effort]) for effort in EFFORTS)
            for effort, own in zip(EFFORTS, (full, light)):
                total[effort] += own.seconds
                in_fits[effort] += own.fit_seconds
            worse += [f"{name} {search}"] if light.p_elbo < full.p_elbo - NO_WORSE else []
            print(
                f"{name:24s} {search:7s} full {full.p_elbo:12.2f} {full.seconds:6.2f} s (fits {full.fit_seconds:5.2f})"
                f"  two efforts {light.p_elbo - full.p_elbo:+8.3f} {light.seconds:6.2f} s"
                f" (fits {light.fit_seconds:5.2f}), {light.n_full} of {light.n_visits} fully",
                flush=True,
            )
    print(
        f"full everywhere {total['full']:.1f} s (fits {in_fits['full']:.1f}), two efforts {total['light']:.1f} s "
        f"(fits {in_fits['light']:.1f}): ratio {total['light'] / total['full']:.2f}, "
        f"of fits {in_fits['light'] / in_fits['full']:.2f}; worse by more than {NO_WORSE} nat: {worse}"
    )
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
