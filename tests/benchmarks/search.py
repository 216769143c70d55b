"""Both searches on the reference data: MAGs per level, DAGs visited, p-ELBO, seconds, and the true DAG's p-ELBO.

Run: python tests/benchmarks/search.py [--pag given fci gfci] [--search ilc-v hclc-v] [--workers 2] [NAME …]
The reference material is looked for in LATCONF_REFERENCE, or beside the checkout.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from pathlib import Path

from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.load import load_dataset
from latconf_core.formats.examples import load_example
from latconf_core.formats.graphs.registry import read_graph
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.learning import pag_preset
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.score.scorer import Scorer, warm_up
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.estimate.preflight import preflight
from latconf_core.search.runner import run_search

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = Path(os.environ.get("LATCONF_REFERENCE", ROOT.parent / "shared" / "reference"))
LIMITS = {"ilc-v": 60.0, "hclc-v": 30.0}
FAR_OFF = 3.0  # the factor within which the expected seconds should be


def true_score(name: str, dataset: Dataset) -> float:
    """The p-ELBO of the network that the data come from, its hidden variable a latent."""
    network, hidden, _ = name.split("_")
    truth = hidden_truth(load_example(network), [hidden])
    dag = LatentDag(dataset.names, truth.edges, truth.latents)
    return Scorer(dataset, VbemOptions()).score(dag).p_elbo


def graph_of(name: str, dataset: Dataset, source: str) -> MixedGraph:
    if source == "given":
        return read_graph(REFERENCE / "pags" / "tetrad-2019" / f"{name}_gfci.txt", nodes=dataset.names)
    return run_learner(dataset, pag_preset("default", source)).graph  # type: ignore[arg-type]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--pag", nargs="+", choices=("given", "fci", "gfci"), default=["given"])
    parser.add_argument("--search", nargs="+", choices=tuple(SEARCHES), default=list(SEARCHES))
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    names = args.names or sorted(file.stem for file in (REFERENCE / "data").glob("*.csv"))
    warm_up()
    options = SearchOptions(seed=1, workers=args.workers)
    n_late = n_far_off = 0
    for name in names:
        dataset = load_dataset(REFERENCE / "data" / f"{name}.csv").dataset
        print(f"{name}: true DAG {true_score(name, dataset):.1f}", flush=True)
        for source in args.pag:
            pag = graph_of(name, dataset, source)
            began = time.monotonic()
            expected = preflight(dataset, pag, options=options).seconds
            print(f"  {source:<6}pre-flight {time.monotonic() - began:.1f} s", flush=True)
            for search in args.search:
                result = run_search(dataset, pag, search, options=options)
                n_late += result.seconds > LIMITS[search]
                ratio = expected[search] / result.seconds
                n_far_off += not 1 / FAR_OFF <= ratio <= FAR_OFF
                levels = " ".join(f"{level}:{count}" for level, count in result.history.per_level().items())
                print(
                    f"  {source:<6}{search:<7} {result.p_elbo:12.2f} {len(result.history):6d} DAGs"
                    f" {result.seconds:7.2f} s (expected {expected[search]:.2f}, x{ratio:.2f})"
                    f"  {result.stop_reason.value}  {result.treatment.kind}"
                    f"  {levels}{'  truncated' if result.truncated else ''}",
                    flush=True,
                )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{n_late} runs over their limit of seconds; peak memory {peak:.2f} GB")
    print(f"{n_far_off} runs whose expected seconds are off by more than a factor of {FAR_OFF:g}")
    return 1 if n_late or peak > 1.5 else 0


if __name__ == "__main__":
    sys.exit(main())
