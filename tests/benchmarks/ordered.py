"""Claims on tables cut from linear Gaussian DAGs, with nothing hidden or with a Gaussian hidden cause.

    python tests/benchmarks/ordered.py [--hidden 0|1] [--first 300] [--tables 20] [--search auto] [--unordered]
        [--sparse] [--most-variables 12]

Prints a line per table, then how many have a claim and how many hidden causes were found exactly or by half. Beside a
hidden cause stands what the numbers themselves, before they were cut, say for it: the true DAG with the cause over the
best DAG without, by BIC in nats. Where that is below 3, edges explain as much, and no table cut from them can tell.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.cut_gaussian import DENSE, SPARSE, CutTable, draw_cut_table
from support.gaussian_evidence import numbers_gain

import latconf_core as latconf
from latconf_core.families.objectives import LEAST_CLAIM


def gain_of(table: CutTable, hidden: frozenset[str]) -> float:
    """What the numbers say for a hidden cause."""
    children = sorted(table.dataset.index[name] for name in hidden)
    return numbers_gain(table.numbers, table.parents, children)


def is_near(one: frozenset[str], other: frozenset[str]) -> bool:
    return 2 * len(one & other) >= len(one | other)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hidden", type=int, default=0, choices=(0, 1), help="hidden causes per table")
    parser.add_argument("--first", type=int, default=300, help="seed of the first table")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--most-variables", type=int, default=12, help="larger tables are passed over, to save time")
    parser.add_argument("--search", default="auto")
    parser.add_argument("--unordered", action="store_true", help="judge with tables alone")
    parser.add_argument("--sparse", action="store_true", help="about half an edge per variable; more than one else")
    args = parser.parse_args()
    n_tables = n_claiming = n_exact = n_half = n_false = n_told = n_told_half = 0
    for seed in range(args.first, args.first + args.tables):
        edges = SPARSE if args.sparse else DENSE
        table = draw_cut_table(seed, n_hidden=args.hidden, is_ordered=not args.unordered, edges=edges)
        if table.dataset.n_variables > args.most_variables:
            continue
        result = latconf.find_latents(table.dataset, None, args.search, seed=1)
        claims = [
            frozenset(latent_evidence.latent.children)
            for latent_evidence in result.evidence
            if latent_evidence.support == "strong"
        ]
        half = [own for own in table.hidden if any(is_near(own, claim) for claim in claims)]
        gains = {own: gain_of(table, own) for own in table.hidden}
        told = [value for value, gain in gains.items() if gain >= LEAST_CLAIM]
        n_tables, n_claiming = n_tables + 1, n_claiming + bool(claims)
        n_exact, n_half = n_exact + sum(own in claims for own in table.hidden), n_half + len(half)
        n_false += sum(not any(is_near(own, claim) for own in table.hidden) for claim in claims)
        n_told, n_told_half = n_told + len(told), n_told_half + sum(own in half for own in told)
        shape = f"{table.dataset.n_variables} variables, {table.dataset.n_rows} rows"
        true = "".join(f"; hidden {sorted(value)}, by the numbers {gain:.1f}" for value, gain in gains.items())
        print(f"{seed}: {shape}{true}; claims {[sorted(claim) for claim in claims]}", flush=True)
    print(
        f"{n_claiming} of {n_tables} tables with a claim; {n_exact} exact, {n_half} by half or exact, {n_false} false"
    )
    if args.hidden:
        print(f"{n_told} hidden causes that the numbers themselves support; {n_told_half} of these by half or exact")


if __name__ == "__main__":
    main()
