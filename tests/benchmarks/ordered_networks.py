"""Hidden causes in networks whose columns have words such as LOW, NORMAL, HIGH: declared as ordered, and not.

    python tests/benchmarks/ordered_networks.py [--problems alarm:INTUBATION alarm:LVFAILURE alarm: sachs:PKC sachs:
        insurance:Age] [--rows 5000] [--seeds 1] [--search auto]

Every column whose states look like a known order is declared. Prints hits and false claims of both, and their sums.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import numpy as np

import latconf_core as latconf
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.known_orders import recognise_order
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.search.outcome.result import SearchResult

PROBLEMS = ("sachs:PKC", "sachs:", "alarm:INTUBATION", "alarm:LVFAILURE", "alarm:", "insurance:Age")


def declare(data: Dataset) -> Dataset:
    """The data with an order of every column that looks ordered."""
    orders = {name: recognise_order(states) for name, states in zip(data.names, data.states)}
    known = tuple((name, order) for name, order in orders.items() if order is not None)
    return prepare(table_of_dataset(data), Preparation(missing_marks=(), ordered=known)).dataset


def count(result: SearchResult, hidden: list[set[str]]) -> Counter[str]:
    """Hidden causes that are claimed exactly or by half of all children, and claims that are neither."""
    claims = [
        set(latent_evidence.latent.children)
        for latent_evidence in result.evidence
        if latent_evidence.support == "strong"
    ]

    def is_near(one: set[str], other: set[str]) -> bool:
        return 2 * len(one & other) >= len(one | other)

    return Counter(
        exact=sum(own in claims for own in hidden),
        half=sum(any(is_near(own, claim) for claim in claims) for own in hidden),
        false=sum(not any(is_near(own, claim) for own in hidden) for claim in claims),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", nargs="+", default=list(PROBLEMS), metavar="NETWORK:VARIABLE")
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--search", default="auto")
    args = parser.parse_args()
    total = {"as they are": Counter[str](), "ordered": Counter[str]()}
    for problem in args.problems:
        network, _, variable = problem.partition(":")
        for seed in args.seeds:
            hide = [variable] if variable else []
            drawn = sample(load_example(network), args.rows, rng=np.random.default_rng([seed, 31]), hide=hide)
            hidden = [set(latent.children) for latent in drawn.truth.latents]
            for kind, data in (("as they are", drawn.dataset), ("ordered", declare(drawn.dataset))):
                began = time.process_time()
                result = latconf.find_latents(data, None, args.search, seed=seed)
                told = count(result, hidden)
                total[kind] += told
                said = ", ".join(f"{word} {told[word]}" for word in ("exact", "half", "false"))
                n_ordered = sum(data.is_ordered)
                seconds = time.process_time() - began
                print(f"{problem} seed {seed} {kind} ({n_ordered} ordered): {said}; {seconds:.0f} s", flush=True)
    for kind, told in total.items():
        print(f"{kind}: exact {told['exact']}, half {told['half']}, false {told['false']}")


if __name__ == "__main__":
    main()
