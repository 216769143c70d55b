"""Two and three variables hidden at once: what the searches find of them.

Run: python tests/benchmarks/hidden.py [--rows 5000] [--seconds 60] [--learn gfci] [NETWORK …]
Roots with at least two children are hidden where there are enough of them, else any variables with two children.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from latconf_core.comparison.metrics import Agreement, compare_dags
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.options.learning import pag_preset
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.score.scorer import warm_up
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.runner import run_search


def chosen(network: BayesNet, count: int, rng: np.random.Generator) -> list[str]:
    """Variables worth hiding."""
    children = {name: sum(name in cpt.parents for cpt in network.cpts.values()) for name in network.variables}
    several = [name for name in network.variables if children[name] >= 2]
    roots = [name for name in several if not network.cpts[name].parents]
    pool = roots if len(roots) >= count else several
    return [pool[i] for i in sorted(rng.choice(len(pool), count, replace=False))]


def shares(agreement: Agreement) -> str:
    parts = ("-" if value is None else f"{value:.2f}" for value in (agreement.precision, agreement.recall))
    return "/".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("networks", nargs="*", default=["alarm", "child", "insurance"])
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--learn", default="gfci")
    args = parser.parse_args()
    warm_up()
    print(
        "network    hidden                          search  adjacency  arrowhead  SHD  latents (exact)  wrong  seconds"
    )
    for name in args.networks or ["alarm", "child", "insurance"]:
        network = load_example(name)
        for count in (2, 3):
            rng = np.random.default_rng(count)
            drawn = sample(network, args.rows, rng=rng, hide=chosen(network, count, rng))
            pag = run_learner(drawn.dataset, pag_preset("default", args.learn)).graph
            for search in SEARCHES:
                options = SearchOptions(seed=1, workers=2, time_limit=args.seconds)
                result = run_search(drawn.dataset, pag, search, options=options)
                if result.best is None:
                    print(f"{name:<10} {search}: nothing scored in {args.seconds:g} s")
                    continue
                told = compare_dags(result.best, drawn.truth)
                hidden = ", ".join(f"{match.truth}[{match.overlap:.2f}]" for match in told.latents)
                print(
                    f"{name:<10} {hidden:<31} {search:<7} {shares(told.adjacency):<10} {shares(told.arrowhead):<10}"
                    f" {told.shd:<4} {sum(match.overlap > 0 for match in told.latents)} of {len(told.latents)}"
                    f" ({told.n_latents_exact})       {told.n_latents_wrong:<6} {result.seconds:.1f}"
                    f" {result.stop_reason.value}",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
