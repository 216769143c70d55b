"""ILC-V and HCLC-V in two efforts against full effort everywhere: p-ELBO both ways, seconds, fits, and ratios.

Run: python tests/benchmarks/efforts.py [--workers 1] [--tables FOLDER] [--drawn N] [NAME …]
On the reference data and its PAGs (LATCONF_REFERENCE, or beside the checkout), then on tables drawn here whose
variables have 4 to 10 states, with PAGs learned by GFCI. With --tables, on every .csv of a folder instead. NAME picks
problems. The searches alone are timed: start-up, P* and evidence are left out. Seconds are those of the processor, all
threads together, so that a busy machine matters little; `fits` is the part of them in fits.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.many_states import many_state_table

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
from latconf_core.score.fit import Fit
from latconf_core.score.scorer import Scorer
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.runner import align_to_dataset, prepare_run

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = Path(os.environ.get("LATCONF_REFERENCE", ROOT.parent / "shared" / "reference"))
EFFORTS: tuple[Effort, ...] = ("full", "light")
NO_WORSE = 0.01  # nats
N_DRAWN = 8

Problem = tuple[str, Dataset, MixedGraph]


@dataclass
class Measured:
    """Searches: the best p-ELBO of the last, seconds of the processor, those of them in fits, and fits by effort."""

    p_elbo: float = 0.0
    seconds: float = 0.0
    fit_seconds: float = 0.0
    fits: Counter[str] = field(default_factory=Counter)
    n_visits: int = 0

    def add(self, other: Measured) -> None:
        self.seconds += other.seconds
        self.fit_seconds += other.fit_seconds
        self.fits += other.fits
        self.n_visits += other.n_visits

    def __str__(self) -> str:
        counts = ", ".join(f"{self.fits[kind]} {kind}" for kind in ("light", "full", "split") if self.fits[kind])
        return f"{self.seconds:7.2f} s (fits {self.fit_seconds:6.2f} s: {counts})"


def reference_problems(folder: Path | None) -> Iterator[Problem]:
    for file in sorted((folder or REFERENCE / "data").glob("*.csv")):
        dataset = load_dataset(file).dataset
        if folder is None:
            pag = read_graph(REFERENCE / "pags" / "tetrad-2019" / f"{file.stem}_gfci.txt", nodes=dataset.names)
        else:
            pag = run_learner(dataset, pag_preset("default", "gfci")).graph
        yield file.stem, dataset, align_to_dataset(pag, dataset)


def drawn_problems(count: int) -> Iterator[Problem]:
    for seed in range(count):
        dataset = many_state_table(seed)
        yield f"drawn_{seed}", dataset, run_learner(dataset, pag_preset("default", "gfci")).graph


@contextmanager
def timed_fits(measured: Measured) -> Iterator[None]:
    """Notes what the fits made inside take; those that are known already are none."""
    fit, split = Scorer.fit, Scorer.fit_by_splitting

    def timed(kind: str | None, make: Callable[..., Fit], scorer: Scorer, *args: Any) -> Fit:
        if kind is None and args[0] in scorer.known.components:
            return make(scorer, *args)
        began = time.thread_time()
        result = make(scorer, *args)
        measured.fit_seconds += time.thread_time() - began
        measured.fits[kind or ("full" if result.is_full else "light")] += 1
        return result

    Scorer.fit = lambda scorer, *args: timed(None, fit, scorer, *args)  # type: ignore[method-assign]
    Scorer.fit_by_splitting = lambda scorer, *args: timed("split", split, scorer, *args)  # type: ignore[method-assign]
    try:
        yield
    finally:
        Scorer.fit, Scorer.fit_by_splitting = fit, split  # type: ignore[method-assign]


def measure(dataset: Dataset, pag: MixedGraph, search: str, options: SearchOptions) -> Measured:
    measured = Measured()
    with timed_fits(measured):
        began = time.process_time()
        run = prepare_run(dataset, pag, search, options=options, control=RunControl())
        for _ in SEARCHES[search].load_search()(run):
            pass
        measured.seconds = time.process_time() - began
    assert run.history.best is not None
    measured.p_elbo, measured.n_visits = run.history.best.p_elbo, len(run.history)
    return measured


def compare(what: str, problems: Iterator[Problem], args: argparse.Namespace) -> list[str]:
    """Print a line per search and one of all; the searches that came out worse."""
    total = {effort: Measured() for effort in EFFORTS}
    worse = []
    n_runs = 0
    for name, dataset, pag in problems:
        if args.names and name not in args.names:
            continue
        for search in ("ilc-v", "hclc-v"):
            options = {effort: SearchOptions(seed=1, workers=args.workers, effort=effort) for effort in EFFORTS}
            found = {effort: measure(dataset, pag, search, options[effort]) for effort in EFFORTS}
            gain = found["light"].p_elbo - found["full"].p_elbo
            worse += [f"{name} {search}"] if gain < -NO_WORSE else []
            n_runs += 1
            for effort in EFFORTS:
                total[effort].add(found[effort])
            print(
                f"{name:24s} {search:7s} {found['full'].p_elbo:12.2f} {gain:+8.3f}  {found['light'].n_visits:6,} visits"
                f"  full {found['full']}  two efforts {found['light']}",
                flush=True,
            )
    if n_runs:
        full, light = total["full"], total["light"]
        print(
            f"{what}: {n_runs} searches, full {full}, two efforts {light}; ratio {light.seconds / full.seconds:.2f}, "
            f"of fits {light.fit_seconds / full.fit_seconds:.2f}; worse by more than {NO_WORSE} nat: {worse}",
            flush=True,
        )
    return worse


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--drawn", type=int, default=N_DRAWN)
    args = parser.parse_args()
    get_ready()
    worse = compare("tables with PAGs", reference_problems(args.tables), args)
    if args.tables is None:
        worse += compare("tables of 4 to 10 states", drawn_problems(args.drawn), args)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
