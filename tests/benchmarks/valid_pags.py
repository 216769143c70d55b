"""How many PAGs of GFCI and BOSS-FCI are valid, and how near they are to the truth, with the repair and without.

Run: python tests/benchmarks/valid_pags.py [--first 1] [--tables 27]
Table k is drawn by the seed k alone: a random network of 10 to 50 observed variables of two to four states, of degree
2 to 4, with up to a sixth as many hidden ones of two children and more; 1,000 to 10,000 rows.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict

import numpy as np

from latconf_core.comparison.metrics import compare_graphs
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.data.sampling import Sample, sample
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import run_learner, warm_up
from latconf_core.pag.validity import check_pag, pag_of_mag

METHODS = ("gfci", "boss-fci")
SIZES, ROWS, DEGREES = (10, 15, 20, 30, 40, 50), (1000, 2000, 5000, 10_000), (2, 3, 4)
MOST_PARENTS = 4


def draw_table(seed: int) -> Sample:
    """Rows of a network of its own per seed."""
    rng = np.random.default_rng([seed, 35])
    n, n_rows, degree = int(rng.choice(SIZES)), int(rng.choice(ROWS)), int(rng.choice(DEGREES))
    n_hidden = int(rng.integers(1, n // 6 + 2))
    parents = _draw_parents(rng, n + n_hidden, degree)
    states = {name: int(rng.choice([2, 3, 4], p=[0.5, 0.35, 0.15])) for name in parents}
    concentration = float(rng.uniform(0.4, 1.0))
    cpts = []
    for name, causes in parents.items():
        shape = [states[cause] for cause in causes]
        table = rng.dirichlet([concentration] * states[name], size=shape or None)
        cpts.append(Cpt(name, [f"s{k}" for k in range(states[name])], causes, table))
    n_children = {name: sum(name in causes for causes in parents.values()) for name in parents}
    several = [name for name in parents if n_children[name] > 1]
    hidden = [str(name) for name in rng.choice(several, min(n_hidden, len(several)), replace=False)]
    return sample(BayesNet(cpts, name="random"), n_rows, rng=rng, hide=hidden)


def _draw_parents(rng: np.random.Generator, n: int, degree: int) -> dict[str, list[str]]:
    """A random DAG with this mean degree."""
    names = [f"x{k}" for k in rng.permutation(n)]  # causes first
    parents: dict[str, list[str]] = {name: [] for name in sorted(names)}
    left = degree * n // 2
    while left:
        a, b = sorted(rng.choice(n, 2, replace=False).tolist())
        if names[a] not in parents[names[b]] and len(parents[names[b]]) < MOST_PARENTS:
            parents[names[b]].append(names[a])
            left -= 1
    return parents


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--tables", type=int, default=27)
    args = parser.parse_args()
    warm_up()
    shds, seconds = defaultdict(list), defaultdict(list)
    n_valid: dict[tuple[str, bool], int] = defaultdict(int)
    for seed in range(args.first, args.first + args.tables):
        drawn = draw_table(seed)
        truth = pag_of_mag(mag_of_dag(drawn.truth))
        for method in METHODS:
            for is_repaired in (False, True):
                began = time.process_time()
                graph = run_learner(drawn.dataset, PagOptions(method=method, valid_pag=is_repaired)).graph
                seconds[method, is_repaired].append(time.process_time() - began)
                shds[method, is_repaired].append(compare_graphs(graph, truth).shd)
                n_valid[method, is_repaired] += check_pag(graph).valid
        print(f"{seed}: {len(truth.nodes)} variables, {drawn.dataset.n_rows:,} rows", flush=True)
    for (method, is_repaired), values in shds.items():
        print(
            f"{method}, {'repaired' if is_repaired else 'as the rules left it'}: {n_valid[method, is_repaired]} of "
            f"{len(values)} valid, SHD {np.mean(values):.2f}, {sum(seconds[method, is_repaired]):.1f} s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
