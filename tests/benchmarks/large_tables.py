"""What searches on 100 to 400 variables cost, beside the code of another checkout in the same run.

    python tests/benchmarks/large_tables.py [--before CHECKOUT] [--variables 100 200 400] [SEARCH …]

The searches are fci, boss-fci, best-dag and climb; seconds are of the processor. The tables are random networks of 2.5
neighbours on average, 5,000 rows. The other checkout runs the same file in a process of its own; what both find has to
be the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.pag.learners.fges import Bdeu
from latconf_core.structure.best_dag import choose_best, search_best_dag
from latconf_core.structure.family_table import FamilyTable
from latconf_core.structure.hill_climber import climb

N_ROWS = 5000
NEIGHBOURS = 2.5


@dataclass(frozen=True)
class Measured:
    """The processor's seconds of a search, and a digest of what it gave."""

    seconds: float
    digest: str


def random_table(n_variables: int, seed: int = 0) -> Dataset:
    """Rows of a random network whose variables have two or three states and 2.5 neighbours on average."""
    rng = np.random.default_rng(seed)
    cards = rng.integers(2, 4, size=n_variables)
    codes = np.zeros((N_ROWS, n_variables), dtype=np.int64)
    for child in range(n_variables):
        n_parents = min(child, 3, int(rng.binomial(child, min(1.0, NEIGHBOURS / max(1, n_variables - 1)))))
        parents = rng.choice(child, size=n_parents, replace=False)
        table = rng.dirichlet(np.full(cards[child], 0.7), size=tuple(cards[parents])).cumsum(axis=-1)
        edges = np.broadcast_to(table[tuple(codes[:, parent] for parent in parents)], (N_ROWS, cards[child]))
        codes[:, child] = (rng.random(N_ROWS)[:, None] > edges[:, :-1]).sum(axis=1)
    names = [f"V{v}" for v in range(n_variables)]
    return Dataset(names, [[str(k) for k in range(card)] for card in cards], codes)


def learn(method: str, dataset: Dataset) -> object:
    """The PAG of a learner as marks, with its sets and the number of its tests."""
    result = run_learner(dataset, PagOptions(method=method))  # type: ignore[arg-type]
    return [result.graph.marks.tolist(), sorted((str(key), str(sepset)) for key, sepset in result.sepsets.items())]


def bdeu_table(dataset: Dataset) -> FamilyTable:
    bdeu = Bdeu(dataset, PagOptions())
    return FamilyTable(dataset.n_variables, bdeu.local, max_parents=5)


def find_best_dag(dataset: Dataset) -> object:
    """The best DAG of a few orders and its score."""
    reached = search_best_dag(bdeu_table(dataset), rng=np.random.default_rng(0), n_random_orders=1, n_shaken=2)
    (best,) = choose_best(reached)
    return [best.parents, best.score]


SEARCHES: dict[str, Callable[[Dataset], object]] = {
    "fci": lambda dataset: learn("fci", dataset),
    "boss-fci": lambda dataset: learn("boss-fci", dataset),
    "best-dag": find_best_dag,
    "climb": lambda dataset: climb(bdeu_table(dataset)),
}


def measure(search: str, n_variables: int) -> Measured:
    """What one search costs once its kernels are compiled."""
    SEARCHES[search](random_table(8))
    dataset = random_table(n_variables)
    start = time.process_time()
    outcome = SEARCHES[search](dataset)
    seconds = time.process_time() - start
    return Measured(seconds, hashlib.sha256(json.dumps(outcome).encode()).hexdigest()[:12])


def measure_in(checkout: str, search: str, n_variables: int) -> Measured:
    """The same by the code of a checkout, in a process of its own."""
    command = [sys.executable, __file__, "--measure", search, str(n_variables)]
    answer = subprocess.run(command, env={**os.environ, "PYTHONPATH": checkout}, check=True, capture_output=True)
    return Measured(**json.loads(answer.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("searches", nargs="*", default=list(SEARCHES))
    parser.add_argument("--variables", nargs="*", type=int, default=[100, 200, 400])
    parser.add_argument("--before", help="a checkout of the code before a change")
    parser.add_argument("--measure", action="store_true", help="print one measurement as JSON")
    asked = parser.parse_args()
    if asked.measure:
        search, n_variables = asked.searches
        print(json.dumps(asdict(measure(search, int(n_variables)))))
        return
    for n_variables in asked.variables:
        for search in asked.searches:
            now = measure(search, n_variables)
            line = f"{n_variables} variables, {search}: {now.seconds:.2f} s"
            if asked.before is not None:
                before = measure_in(asked.before, search, n_variables)
                same = "the same result" if before.digest == now.digest else "ANOTHER RESULT"
                line += f", before {before.seconds:.2f} s: {before.seconds / now.seconds:.1f} times, {same}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
