"""P* and Refine on the 14 tables of the reference: p-ELBO against the true DAG's and what ILC-V and HCLC-V reach.

Run: python tests/benchmarks/reference_tables.py [--seconds 50] [--workers 2] [NAME …]
The columns are differences in nats: P* over the better of ILC-V and HCLC-V (`run_targets.json`) and over the true DAG,
Refine over P* and over the true DAG. --seconds 0 lets the search end by itself. The reference material is looked for
in LATCONF_REFERENCE, or beside the checkout.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.load import load_dataset
from latconf_core.formats.examples import load_example
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import Scorer, warm_up
from latconf_core.search.runner import run_search

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = Path(os.environ.get("LATCONF_REFERENCE", ROOT.parent / "shared" / "reference"))
ROUNDING = 0.01  # nats


class Scores(NamedTuple):
    """Of one table, in nats."""

    others: float
    truth: float
    reference: float
    refined: float
    found: str
    seconds: float


def true_dag(name: str, dataset: Dataset) -> LatentDag:
    """The DAG that a table was drawn from, its hidden variable by the name of the table: alarm_INTUBATION_10000."""
    network, hidden, _ = name.split("_")
    dag = hidden_truth(load_example(network), [hidden])
    return LatentDag(dataset.names, dag.edges, dag.latents)


def measure(name: str, others: dict[str, float], options: SearchOptions) -> Scores:
    """What Refine, which gets no PAG, makes of a table."""
    dataset = load_dataset(REFERENCE / "data" / f"{name}.csv").dataset
    no_pag = MixedGraph(dataset.names, np.zeros((dataset.n_variables,) * 2, np.uint8))
    result = run_search(dataset, no_pag, "refine", options=options)
    assert result.reference is not None
    assert result.p_elbo is not None
    truth = Scorer(dataset, options.vbem).score(true_dag(name, dataset)).p_elbo
    found = "; ".join(f"{', '.join(one.latent.children)} ({one.latent.n_states})" for one in result.evidence)
    best = max(others.values())
    return Scores(best, truth, result.reference.p_elbo, result.p_elbo, found or "-", result.seconds)


def line(name: str, own: Scores) -> str:
    """One line of the table."""
    differences = (
        own.reference - own.others,
        own.reference - own.truth,
        own.refined - own.reference,
        own.refined - own.truth,
    )
    return (
        f"{name:<24}"
        + "".join(f"{difference:>13.2f}" for difference in differences)
        + f"{own.seconds:>7.0f} s  {own.found}"
    )


def summary(measured: list[Scores]) -> str:
    """On how many tables each claim holds."""
    n = len(measured)
    claims = {
        "P* at least ILC-V and HCLC-V": sum(one.reference >= one.others - ROUNDING for one in measured),
        "P* at least the true DAG": sum(one.reference >= one.truth - ROUNDING for one in measured),
        "Refine at least P*": sum(one.refined >= one.reference - ROUNDING for one in measured),
        "Refine at least the true DAG": sum(one.refined >= one.truth - ROUNDING for one in measured),
    }
    return "\n".join(f"{claim}: {count} of {n}" for claim, count in claims.items())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=50.0)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    targets = json.loads((REFERENCE / "run_targets.json").read_text())
    warm_up()
    options = SearchOptions(seed=1, workers=args.workers, time_limit=args.seconds or None)
    head = ("P* - others", "P* - truth", "Refine - P*", "Refine - truth")
    print(f"{'table':<24}" + "".join(f"{one:>13}" for one in head[:3]) + f"{head[3]:>15}")
    measured = []
    for name in args.names or targets:
        measured.append(measure(name, targets[name], options))
        print(line(name, measured[-1]), flush=True)
    print(summary(measured))
    return 0


if __name__ == "__main__":
    sys.exit(main())
