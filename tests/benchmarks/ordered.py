"""Claims on tables cut from linear Gaussian DAGs, with nothing hidden or with Gaussian hidden causes.

    python tests/benchmarks/ordered.py --hidden 0 --first 300 --tables 20 [--search auto] [--unordered]

Prints a line per table, then how many have a claim and how many hidden causes were found exactly or by half.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.cut_gaussian import draw_cut_table

import latconf_core as latconf


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hidden", type=int, default=0, help="hidden causes per table")
    parser.add_argument("--first", type=int, default=300, help="seed of the first table")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--search", default="auto")
    parser.add_argument("--unordered", action="store_true", help="judge with tables alone")
    args = parser.parse_args()
    n_claiming = n_exact = n_half = n_false = 0
    for seed in range(args.first, args.first + args.tables):
        table = draw_cut_table(seed, n_hidden=args.hidden, is_ordered=not args.unordered)
        result = latconf.find_latents(table.dataset, None, args.search, seed=1)
        claims = [frozenset(one.latent.children) for one in result.evidence if one.support == "strong"]
        n_claiming += bool(claims)
        exact = [own for own in table.hidden if own in claims]
        half = [own for own in table.hidden if any(2 * len(own & one) >= len(own | one) for one in claims)]
        false = [one for one in claims if not any(2 * len(own & one) >= len(own | one) for own in table.hidden)]
        n_exact, n_half, n_false = n_exact + len(exact), n_half + len(half), n_false + len(false)
        shape = f"{table.dataset.n_variables} variables, {table.dataset.n_rows} rows"
        print(f"{seed}: {shape}; claims {[sorted(one) for one in claims]}", flush=True)
    hits = f"{n_exact} exact, {n_half} by half or exact, {n_false} false"
    print(f"{n_claiming} of {args.tables} tables with a claim; {hits}")


if __name__ == "__main__":
    main()
