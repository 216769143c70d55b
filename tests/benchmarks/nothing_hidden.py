"""How often a search claims a hidden cause where there is none: plain, near-deterministic, skewed and selected rows.

Run: python tests/benchmarks/nothing_hidden.py [--first 1] [--tables 60] [--search auto] [--calibrate 0]
Table k is drawn by the seed k alone, the four kinds in turn, 500 to 10,000 rows; a claim is a hidden cause graded
supported. `--calibrate N` also draws 19 tables from the best DAG without hidden causes of each of the first N, and
counts the draws in which a hidden cause gains what a claim needs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import warm_up
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.refining.judging import LEAST_CLAIM
from latconf_core.search.runner import run_search
from latconf_core.stability.calibration import CalibrationFinished, start_calibration

KINDS = ("plain", "near-deterministic", "skewed", "selected")
EXAMPLES = ("alarm", "child", "insurance", "sachs", "asia", "survey")
ROWS = (500, 1000, 2000, 5000, 10_000)
REACH = 8  # how far before a variable its parents stand
SHARE_OF_EXAMPLES = 0.4
N_DRAWN, SELECTED = 4, 0.3  # rows drawn for each that is kept, and how likely others are kept


def draw_table(seed: int) -> tuple[str, Dataset]:
    """What the table of a seed is, and its rows; every state that occurs in the network is declared."""
    rng = np.random.default_rng([seed, 60])
    kind, n_rows = KINDS[seed % len(KINDS)], int(rng.choice(ROWS))
    if kind in ("plain", "selected") and rng.random() < SHARE_OF_EXAMPLES:
        network = load_example(str(rng.choice(EXAMPLES)))
    else:
        network = _random_network(rng, kind)
    if kind != "selected":
        return f"{kind}, {network.name}, {n_rows} rows", sample(network, n_rows, rng=rng).dataset
    drawn = sample(network, N_DRAWN * n_rows, rng=rng).dataset
    first, second = rng.choice(drawn.n_variables, 2, replace=False)
    is_common = (drawn.codes[:, first] == 0) | (drawn.codes[:, second] == 0)
    rows = np.flatnonzero(is_common | (rng.random(drawn.n_rows) < SELECTED))[:n_rows]
    told = f"{kind} by {drawn.names[first]} and {drawn.names[second]}, {network.name}, {len(rows)} rows"
    return told, Dataset(drawn.names, drawn.states, drawn.codes[rows])


def _random_network(rng: np.random.Generator, kind: str) -> BayesNet:
    """Eight to twenty variables of two to four states with at most three parents among those shortly before."""
    names = [f"x{k}" for k in range(int(rng.integers(8, 21)))]
    states = {name: int(rng.integers(2, 5)) for name in names}
    cpts = []
    for k, name in enumerate(names):
        before = names[max(0, k - REACH) : k]
        wanted = min(int(rng.choice(4, p=[0.2, 0.4, 0.3, 0.1])), len(before))
        parents = [str(parent) for parent in rng.choice(before, wanted, replace=False)] if wanted else []
        shape = [states[parent] for parent in parents]
        table = rng.dirichlet(_concentration(rng, kind, states[name], is_root=not parents), size=shape or None)
        cpts.append(Cpt(name, [f"s{state}" for state in range(states[name])], parents, table))
    return BayesNet(cpts, name="random")


def _concentration(rng: np.random.Generator, kind: str, n_states: int, *, is_root: bool) -> FloatArray:
    if kind == "skewed":  # the first state has nine rows of ten and more in most configurations
        return np.array([rng.uniform(8, 20), *[rng.uniform(0.2, 0.6)] * (n_states - 1)])
    sharp = 0.06 if kind == "near-deterministic" and not is_root else rng.uniform(0.5, 1.0)
    return np.full(n_states, sharp)


def search_table(dataset: Dataset, search: str) -> SearchResult:
    """The result of a search that gets no PAG."""
    names = dataset.names
    no_pag = MixedGraph(names, np.zeros((len(names), len(names)), np.uint8))
    return run_search(dataset, no_pag, search, options=SearchOptions(seed=1))


def claims_of(result: SearchResult) -> Iterator[str]:
    """The supported latents of a result, with what they gain."""
    for evidence in result.evidence:
        if evidence.support == "strong":
            yield f"{{{', '.join(evidence.latent.children)}}} {evidence.density or 0.0:+.1f}"


def calibrate(result: SearchResult, dataset: Dataset) -> tuple[float, ...]:
    """What the same search gains on tables drawn from the best DAG without latents."""
    for event in start_calibration(result, dataset):
        if isinstance(event, CalibrationFinished):
            return event.calibration.null_gains
    raise AssertionError("a calibration ends with its result")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--search", default="auto")
    parser.add_argument("--calibrate", type=int, default=0)
    args = parser.parse_args()
    warm_up()
    n_claimed, gains = 0, list[float]()
    for seed in range(args.first, args.first + args.tables):
        told, dataset = draw_table(seed)
        result = search_table(dataset, args.search)
        claims = list(claims_of(result))
        n_claimed += bool(claims)
        print(f"{seed:<4} {told:<60} {'; '.join(claims) or '-'}  {result.seconds:.0f} s", flush=True)
        if seed < args.first + args.calibrate:
            gains += calibrate(result, dataset)
            print("     draws:", *(f"{gain:.1f}" for gain in gains[-19:]), flush=True)
    print(f"{n_claimed} of {args.tables} tables with a claim")
    if gains:
        print(f"{sum(gain >= LEAST_CLAIM for gain in gains)} of {len(gains)} draws gain {LEAST_CLAIM:g} nats or more")
    return 0


if __name__ == "__main__":
    sys.exit(main())
