"""How fast and how good the score is: python tests/benchmarks/score.py [--seeds 5] [--cases] [--scaling].

Cases: every case of the reference, as ratio to the reference's CPU seconds and gap to the best known value.
Scaling: milliseconds of a first score over rows, children, states and latents of a component.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.load import load_dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer, warm_up

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = Path(os.environ.get("LATCONF_REFERENCE", ROOT.parent / "shared" / "reference"))


def dag_of(case: dict[str, Any], dataset: Dataset) -> LatentDag:
    latents = [Latent(one["name"], one["states"], tuple(one["children"])) for one in case["latents"]]
    return LatentDag(dataset.names, [(parent, child) for parent, child in case["edges"]], latents)


def score_cases(n_seeds: int) -> None:
    cases = json.loads((REFERENCE / "score_cases.json").read_text())["cases"]
    datasets = {name: load_dataset(REFERENCE / "data" / name).dataset for name in {case["data"] for case in cases}}
    gc.freeze()  # as the command line does
    for seed in range(n_seeds):
        scorers = {name: Scorer(dataset, VbemOptions(seed=seed)) for name, dataset in datasets.items()}
        gaps, ratios, plain, below = [], [], [], 0
        for case in cases:
            score = scorers[case["data"]].with_empty_cache().score(dag_of(case, datasets[case["data"]]))
            if not case["latents"]:
                plain.append(score.seconds)
                continue
            gaps.append(case["best_known"] - score.p_elbo)
            ratios.append(case["reference_cpu_seconds"] / score.seconds)
            below += score.p_elbo < case["reference_p_elbo"] - 1e-6
        near, wide = np.mean(np.array(gaps) <= 0.1), np.mean(np.array(gaps) <= 2)
        print(
            f"seed {seed}: below the reference {below}; within 0.1 nat {near:.0%}, 2 nats {wide:.0%}, "
            f"worst {max(gaps):.2f}; faster x{np.median(ratios):.0f}, least x{min(ratios):.0f}; "
            f"no latents {1000 * np.median(plain):.2f} ms"
        )


def hidden_cause(n_rows: int, n_children: int, n_states: int = 3) -> Dataset:
    """Children that follow a hidden variable of four states three times in four."""
    rng = np.random.default_rng(0)
    hidden = rng.integers(4, size=n_rows)
    columns = [
        np.where(rng.random(n_rows) < 0.75, hidden % n_states, rng.integers(n_states, size=n_rows))
        for _ in range(n_children)
    ]
    names = [f"V{i}" for i in range(n_children)]
    return Dataset(names, [[str(k) for k in range(n_states)]] * n_children, np.stack(columns, axis=1))


def report(label: str, dataset: Dataset, latents: list[Latent]) -> None:
    """The first score of a scorer that knows nothing, and of another component on the same data."""
    began = time.perf_counter()
    scorer = Scorer(dataset, VbemOptions())
    score = scorer.score(LatentDag(dataset.names, [], latents))
    first = time.perf_counter() - began
    later = scorer.with_empty_cache().score(LatentDag(dataset.names, [], latents)).seconds
    print(f"{label:42s} first {1000 * first:8.1f} ms, later {1000 * later:8.1f} ms, {score.iterations} evaluations")


def scaling() -> None:
    for n_rows in (1_000, 10_000, 100_000, 1_000_000):
        dataset = hidden_cause(n_rows, 4)
        report(f"{n_rows:,} rows, 3 children, 2 states", dataset, [Latent("L", 2, ("V0", "V1", "V2"))])
    wide = hidden_cause(1_000_000, 40, 4)
    report("1,000,000 rows x 40 variables, 3 children", wide, [Latent("L", 2, ("V0", "V1", "V2"))])
    for n_children in range(2, 7):
        children = tuple(f"V{i}" for i in range(n_children))
        report(f"10,000 rows, {n_children} children, 2 states", hidden_cause(10_000, 6), [Latent("L", 2, children)])
    for n_states in range(2, 9):
        latent = Latent("L", n_states, ("V0", "V1", "V2"))
        report(f"10,000 rows, 3 children, {n_states} states", hidden_cause(10_000, 3), [latent])
    for n_latents in range(1, 5):
        latents = [Latent(f"L{i}", 2, (f"V{i}", f"V{i + 1}")) for i in range(n_latents)]
        report(f"10,000 rows, {n_latents} latents in a component", hidden_cause(10_000, 5), latents)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--cases", action="store_true", help="the reference cases only")
    parser.add_argument("--scaling", action="store_true", help="the scaling series only")
    args = parser.parse_args()
    warm_up()
    if not args.scaling:
        score_cases(args.seeds)
    if not args.cases:
        scaling()


if __name__ == "__main__":
    main()
