"""How far one DAG's score moves with the seed and with the order of columns: python tests/benchmarks/score_spread.py.

Sixty components of 2-6 children and latents of 2-5 states on rows drawn from the example networks, one in five with two
latents that share a child; each scored with 8 seeds in the file's order and in 8 orders of columns with one seed. Time
is that of the processor, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import example_names, load_example
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer, warm_up


@dataclass(frozen=True)
class Case:
    """A DAG on some columns of rows drawn from a network."""

    label: str
    dataset: Dataset
    edges: tuple[tuple[str, str], ...]
    latents: tuple[Latent, ...]

    def dag(self, dataset: Dataset) -> LatentDag:
        return LatentDag(dataset.names, self.edges, self.latents)


def select(dataset: Dataset, names: list[str]) -> Dataset:
    """Some columns, in this order."""
    columns = [dataset.index[name] for name in names]
    return Dataset(names, [dataset.states[column] for column in columns], dataset.codes[:, columns])


def neighbours(network: BayesNet, start: str, n: int, rng: np.random.Generator) -> list[str]:
    """A variable and those nearest to it, so that a latent has something to explain."""
    result = [start]
    while len(result) < n:
        near = sorted({b for a, b in both_ways(network) if a in result and b not in result})
        result.append(str(rng.choice(near or [name for name in network.variables if name not in result])))
    return result


def both_ways(network: BayesNet) -> list[tuple[str, str]]:
    return [*network.edges, *((b, a) for a, b in network.edges)]


def draw_case(number: int, rng: np.random.Generator) -> Case:
    """The next case; half keep some of the network's edges among and into the children."""
    names = [name for name in example_names() if len(load_example(name).variables) > 6]
    name = names[number % len(names)]
    network = load_example(name)
    n_rows = int(rng.choice([500, 1000, 2000, 5000]))
    dataset = sample(network, n_rows, rng=rng).dataset
    n_children = 2 + number // len(names) % 5
    is_double = number % 5 == 4 and n_children > 2
    children = neighbours(network, str(rng.choice(network.variables)), n_children, rng)
    edges = [edge for edge in network.edges if edge[1] in children and number % 2 and rng.random() < 0.4]
    states = [int(k) for k in rng.integers(2, 6, size=2)]
    latents = [Latent("L1", states[0], tuple(children))]
    if is_double:
        cut = int(rng.integers(1, n_children - 1))
        latents = [Latent("L1", min(states[0], 3), tuple(children[: cut + 1]))]
        latents.append(Latent("L2", min(states[1], 3), tuple(children[cut:])))
    used = list(dict.fromkeys([*children, *(parent for parent, _ in edges)]))
    label = (
        f"{name} {n_rows} rows, {n_children} children, {len(edges)} edges, states {[one.n_states for one in latents]}"
    )
    return Case(label, select(dataset, used), tuple(edges), tuple(latents))


def score(case: Case, dataset: Dataset, seed: int) -> tuple[float, float]:
    """The p-ELBO, and the milliseconds of processor time it took."""
    scorer, dag = Scorer(dataset, VbemOptions(seed=seed)), case.dag(dataset)
    began = time.thread_time()
    p_elbo = scorer.score(dag).p_elbo
    return p_elbo, 1000 * (time.thread_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--components", type=int, default=60)
    parser.add_argument("--times", type=int, default=8, help="seeds, and orders of columns")
    parser.add_argument("--draw", type=int, default=0, help="seed of the components")
    args = parser.parse_args()
    warm_up()
    spreads, times = [], []
    for number in range(args.components):
        rng = np.random.default_rng((args.draw, number))
        case = draw_case(number, rng)
        by_seed = [score(case, case.dataset, seed) for seed in range(args.times)]
        names = list(case.dataset.names)
        orders = [select(case.dataset, [str(k) for k in rng.permutation(names)]) for _ in range(args.times)]
        by_order = [score(case, dataset, 0) for dataset in orders]
        of_seed, of_order = (np.ptp([value for value, _ in found]) for found in (by_seed, by_order))
        best = max(value for value, _ in by_seed + by_order)
        times.append(np.median([spent for _, spent in by_seed]))
        spreads.append((of_seed, of_order))
        if max(of_seed, of_order) > 0.01:
            below = " ".join(f"{best - value:.2f}" for value, _ in by_seed)
            print(
                f"{case.label}: seeds {of_seed:.3f}, orders {of_order:.3f}; {times[-1]:.0f} ms; below the best {below}"
            )
    table = np.array(spreads)
    for what, own in (("seeds", table[:, 0]), ("orders", table[:, 1]), ("either", table.max(axis=1))):
        near, wide = np.mean(own <= 0.1), np.mean(own <= 1)
        print(f"{what}: spread <= 0.1 nat {near:.0%}, <= 1 nat {wide:.0%}, worst {own.max():.2f}")
    print(f"milliseconds of a score: median {np.median(times):.1f}, mean {np.mean(times):.1f}, most {max(times):.0f}")


if __name__ == "__main__":
    main()
