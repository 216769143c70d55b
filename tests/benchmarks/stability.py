"""Stability on Alarm: seconds by the clock and of the processor for some samples, by stage and as a whole.

Run: python tests/benchmarks/stability.py [--samples 50] [--rows 1000] [--workers 2] [--bootstrap] [--stages]
GFCI and HCLC-V on rows drawn from Alarm, HYPOVOLEMIA hidden, in so many processes; the load of the machine before and
after is printed, since the clock means little beside other work. --stages times drawing, learning and searching of a
few samples in this process instead.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from latconf_core.cli.terminal.ready import get_ready
from latconf_core.control import RunControl
from latconf_core.data.counted_dataset import count_rows
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.options.learning import PagOptions
from latconf_core.options.resampling import StabilityOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.stability.run_sample import SampleWork, draw_sample, run_sample
from latconf_core.stability.stability_run import StabilityFinished, start_stability
from latconf_core.wording.stability_words import headline


def alarm(n_rows: int) -> Dataset:
    drawn = sample(load_example("alarm"), n_rows, rng=np.random.default_rng(0), hide=["HYPOVOLEMIA"])
    return drawn.dataset


def processor_seconds() -> float:
    """Of this process and of those it has waited for."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measure_whole(data: Dataset, options: StabilityOptions) -> None:
    print(f"load before {os.getloadavg()[0]:.2f}")
    began, spent = time.perf_counter(), processor_seconds()
    for event in start_stability(data, options):
        if isinstance(event, StabilityFinished):
            stability = event.stability
    print(f"{time.perf_counter() - began:.1f} s by the clock, {processor_seconds() - spent:.1f} s of the processor")
    print(f"load after {os.getloadavg()[0]:.2f}")
    print(headline(stability))
    for latent in stability.latents:
        print(f"{latent.name} {', '.join(latent.children)}: back {latent.n_half}, exactly {latent.n_exact}")
    print(f"{len(stability.new_latents)} other hidden causes in samples, {len(stability.pag_pairs)} pairs joined")


def measure_stages(data: Dataset, options: StabilityOptions) -> None:
    get_ready()
    learner = options.learner
    assert learner is not None
    work = SampleWork(count_rows(data), options)
    run_sample(work, 1, control=RunControl())  # warm
    for number in range(1, options.samples + 1):
        rows, drawing = _timed(lambda number=number: draw_sample(work, number))
        _, learning = _timed(lambda rows=rows: run_learner(rows, learner))
        outcome, all_of_it = _timed(lambda number=number: run_sample(work, number, control=RunControl()))
        latents = [latent.children for latent in outcome.dag.latents] if outcome.dag else outcome.failure
        print(f"sample {number}: drawn {drawing:.3f} s, PAG {learning:.2f} s, all {all_of_it:.2f} s, {latents}")


def _timed(do: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    found = do()
    return found, time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--bootstrap", action="store_true")
    parser.add_argument("--stages", action="store_true")
    args = parser.parse_args()
    options = StabilityOptions(
        samples=args.samples,
        resampling="bootstrap" if args.bootstrap else "half",
        learner=PagOptions(method="gfci"),
        search="hclc-v",
        workers=args.workers,
    )
    (measure_stages if args.stages else measure_whole)(alarm(args.rows), options)


if __name__ == "__main__":
    main()
