"""A model applied to a large table: seconds, and the log-likelihood of a sample of rows against single rows.

Run: python tests/benchmarks/applying.py [--rows 1000000] [--columns 40] [--latents 4]
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.data.sampling import sample
from latconf_core.inference.applying import apply_network


def draw_network(rng: np.random.Generator, n_columns: int, n_latents: int) -> BayesNet:
    """Measured variables of three states with up to three parents; each latent has five children."""
    latents = [f"L{i + 1}" for i in range(n_latents)]
    names = [f"X{i + 1}" for i in range(n_columns)]
    cpts = [Cpt(name, ["s0", "s1", "s2"], [], rng.dirichlet(np.ones(3))) for name in latents]
    children = {latent: set(rng.choice(names, 5, replace=False)) for latent in latents}
    for i, name in enumerate(names):
        parents = [latent for latent in latents if name in children[latent]]
        parents += [names[j] for j in rng.permutation(i)[: max(0, 3 - len(parents))]]
        cpts.append(Cpt(name, ["s0", "s1", "s2"], parents, rng.dirichlet(np.ones(3), size=[3] * len(parents))))
    return BayesNet(cpts, latents=latents)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=40)
    parser.add_argument("--latents", type=int, default=4)
    args = parser.parse_args()
    rng = np.random.default_rng(1)
    network = draw_network(rng, args.columns, args.latents)
    data = sample(network, args.rows, rng=rng, hide=sorted(network.latents)).dataset
    began, began_cpu = time.monotonic(), time.process_time()
    applied = apply_network(network, data)
    seconds, cpu = time.monotonic() - began, time.process_time() - began_cpu
    n_distinct = len(applied.of_distinct)
    print(f"{args.rows:,} × {args.columns} ({n_distinct:,} distinct): {seconds:.1f} s, {cpu:.1f} s of processor")
    print(f"{applied.per_row:.6f} nats per row, posteriors of {len(applied.posteriors_of_distinct)} latents")
    return 0


if __name__ == "__main__":
    sys.exit(main())
