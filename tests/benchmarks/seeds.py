"""Whether a search claims the same hidden causes whatever its seed, on real and drawn tables.

Run: python tests/benchmarks/seeds.py FILE [--seeds 10] [--drawn 0 1 2] [--search auto] [--tables TABLE …]
Tables: files that are named (missing cells as a state) and problems drawn by seed, `tests/support/hidden_problems.py`.
Appends a line of JSON per table and seed to FILE and leaves out what stands there; at the end a line per table: how
many seeds claim the commonest set of hidden causes, and how far apart the scores are.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.hidden_problems import draw_problem

import latconf_core as latconf
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import warm_up
from latconf_core.search.runner import run_search


def tables(files: list[Path], drawn: list[int]) -> Iterator[tuple[str, Dataset]]:
    """Those of the files, then those that are drawn."""
    for path in files:
        yield path.name, latconf.load(path, missing="state")
    for seed in drawn:
        problem = draw_problem(seed)
        yield f"{seed}: {problem.name}", problem.drawn.dataset


def search_table(dataset: Dataset, search: str, seed: int) -> dict[str, object]:
    """The claims of one run, its score and the processor's time."""
    began = time.process_time()
    names = dataset.names
    no_pag = MixedGraph(names, np.zeros((len(names), len(names)), np.uint8))
    result = run_search(dataset, no_pag, search, options=SearchOptions(seed=seed, time_limit=None))
    claims = sorted(
        sorted(latent_evidence.latent.children)
        for latent_evidence in result.evidence
        if latent_evidence.support == "strong"
    )
    return {"claims": claims, "score": result.score, "seconds": time.process_time() - began}


def table_line(lines: list[dict[str, object]]) -> str:
    """How many seeds agree on one table."""
    sets = Counter(json.dumps(line["claims"]) for line in lines)
    (commonest, count), scores = sets.most_common(1)[0], [float(str(line["score"])) for line in lines]
    seconds = sum(float(str(line["seconds"])) for line in lines) / len(lines)
    return (
        f"{lines[0]['table']}: {count} of {len(lines)} claim {commonest}; {len(sets)} sets; scores "
        f"{max(scores) - min(scores):.2f} apart; {seconds:.0f} s"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--tables", nargs="*", type=Path, default=[])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--drawn", nargs="*", type=int, default=[])
    parser.add_argument("--search", default="auto")
    args = parser.parse_args()
    warm_up()
    known = [json.loads(line) for line in args.file.read_text().splitlines()] if args.file.exists() else []
    chosen = list(tables(args.tables, args.drawn))
    for seed in range(1, args.seeds + 1):
        for name, dataset in chosen:
            if any(line["table"] == name and line["seed"] == seed for line in known):
                continue
            known.append({"table": name, "seed": seed, **search_table(dataset, args.search, seed)})
            with args.file.open("a") as out:
                out.write(json.dumps(known[-1]) + "\n")
    n_same = 0
    for name, _ in chosen:
        lines = [line for line in known if line["table"] == name]
        n_same += len({json.dumps(line["claims"]) for line in lines}) == 1
        print(table_line(lines))
    print(f"the same claims whatever the seed on {n_same} of {len(chosen)} tables")
    return 0


if __name__ == "__main__":
    sys.exit(main())
