"""What missing cells cost: claims and graphs with every choice about them, beside the complete tables.

Run: python tests/benchmarks/missing_cells.py [--networks sachs asia alarm random] [--hidden] [--rows 2000]
     [--tables 2] [--kinds mcar mar] [--shares 0.1 0.2] [--choices keep drop state most-frequent] [--search auto]
MCAR: every cell is missing with the same probability. MAR: cells of all variables but one are missing where that one,
which is always observed, has a state of its upper half, twice as often. False: supported, and half of no hidden cause's
children. SHD: of the PAG that the model stands for, against that of the truth. Every line is a mean over the tables.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.hidden_problems import random_network

from latconf_core import compare
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import MissingPolicy, Preparation
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.data.sampling import Sample, sample
from latconf_core.errors import LatconfError
from latconf_core.formats.examples import load_example
from latconf_core.graph.mixed import empty_graph
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search

HIDDEN = {"sachs": ("PKC",), "alarm": ("INTUBATION",), "asia": ("smoke",), "random": ("h0",)}
POLICIES: dict[str, MissingPolicy] = {
    "keep": "keep",
    "drop": "drop rows",
    "state": "own state",
    "most-frequent": "most frequent",
}


@dataclass(frozen=True)
class Outcome:
    """Of one table: claims that fit no hidden cause, hidden causes found by half of their children, and the rest."""

    n_false: int
    n_half: int
    n_hidden: int
    shd: float
    n_rows: int
    seconds: float


def draw(name: str, seed: int, *, n_rows: int, hides: bool) -> Sample:
    """Rows of a network; the variable of HIDDEN is left out where one is to be hidden."""
    rng = np.random.default_rng([seed, 31])
    if name == "random":
        return sample(random_network(rng, int(hides)), n_rows, rng=rng, hide=HIDDEN[name] if hides else ())
    return sample(load_example(name), n_rows, rng=rng, hide=HIDDEN[name] if hides else ())


def delete(data: Dataset, kind: str, share: float, *, rng: np.random.Generator) -> Dataset:
    """The data with cells missing."""
    chance = np.full(data.codes.shape, share)
    if kind == "mar":
        cause = int(rng.integers(data.n_variables))
        is_upper = data.codes[:, cause] > np.median(data.codes[:, cause])
        if not is_upper.any():
            is_upper = data.codes[:, cause] > 0
        chance *= np.where(is_upper, 2.0, 0.5)[:, None]
        chance[:, cause] = 0
    gaps = rng.random(data.codes.shape) < chance
    return Dataset(data.names, data.states, np.where(gaps, -1, data.codes.astype(np.int32)))


def treat(data: Dataset, choice: str) -> Dataset:
    """What a choice makes of the missing cells, as if they had been read from a file."""
    columns = [
        RawColumn(np.where(own < 0, len(states), own), (*states, ""), is_declared=True)
        for own, states in zip(data.codes.T, data.states)
    ]
    return prepare(RawTable(data.names, tuple(columns)), Preparation(missing=POLICIES[choice])).dataset


def judge(result: SearchResult, drawn: Sample, n_rows: int, seconds: float) -> Outcome:
    """The claims and the graph of a result against the truth."""
    truth = [set(latent.children) for latent in drawn.truth.latents]
    claims = [
        set(latent_evidence.latent.children)
        for latent_evidence in result.evidence
        if latent_evidence.support == "strong"
    ]
    hit = [[2 * len(claim & own) >= len(claim | own) for own in truth] for claim in claims]
    shd = float("nan")
    if result.best is not None and set(result.best.nodes) == set(drawn.dataset.names):
        shd = float(compare(result.best, truth=drawn.truth)[0].metrics.shd)
    n_half = sum(any(column) for column in zip(*hit)) if hit else 0
    return Outcome(sum(not any(row) for row in hit), n_half, len(truth), shd, n_rows, seconds)


def solve(data: Dataset, drawn: Sample, search: str, seed: int) -> Outcome:
    began = time.process_time()
    result = run_search(data, empty_graph(data.names), search, options=SearchOptions(seed=seed))
    return judge(result, drawn, data.n_rows, time.process_time() - began)


def outcomes(args: argparse.Namespace) -> Iterator[tuple[tuple[str, ...], Outcome | str]]:
    """Of every table and choice: what it is, and what came of it."""
    for name in args.networks:
        for seed in range(args.tables):
            drawn = draw(name, seed, n_rows=args.rows, hides=args.hidden)
            yield (name, "complete", "", ""), solve(drawn.dataset, drawn, args.search, seed)
            for kind in args.kinds:
                for share in args.shares:
                    gaps = delete(drawn.dataset, kind, share, rng=np.random.default_rng([seed, 7]))
                    for choice in args.choices:
                        what = name, kind, f"{share:g}", choice
                        try:
                            yield what, solve(treat(gaps, choice), drawn, args.search, seed)
                        except LatconfError as error:
                            yield what, str(error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", default=["sachs", "asia", "alarm", "random"])
    parser.add_argument("--hidden", action="store_true")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--tables", type=int, default=2)
    parser.add_argument("--kinds", nargs="+", default=["mcar", "mar"])
    parser.add_argument("--shares", nargs="+", type=float, default=[0.1, 0.2])
    parser.add_argument("--choices", nargs="+", default=list(POLICIES))
    parser.add_argument("--search", default="auto")
    args = parser.parse_args()
    found: dict[tuple[str, ...], list[Outcome]] = defaultdict(list)
    for what, outcome in outcomes(args):
        if isinstance(outcome, str):
            print(*what, "not solved:", outcome, flush=True)
            continue
        found[what].append(outcome)
        own = found[what]
        print(
            f"{' '.join(what):34} tables {len(own)}  false {sum(one.n_false for one in own)}  half "
            f"{sum(share.n_half for share in own)}/{sum(one.n_hidden for one in own)}  "
            f"SHD {np.nanmean([against.shd for against in own]):.1f}  rows {np.mean([one.n_rows for one in own]):.0f}  "
            f"CPU {np.mean([one.seconds for one in own]):.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
