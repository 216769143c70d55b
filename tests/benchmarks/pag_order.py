"""How often another order of columns gives another PAG: python tests/benchmarks/pag_order.py [--permutations 10].

Every learner on rows drawn from seven example networks, each PAG compared with that of the first order. `--preset`
takes other settings, `--truth` compares arrowheads and adjacencies with what an oracle finds.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.options.learning import PAG_PRESETS, PagOptions, pag_preset
from latconf_core.pag.learners.catalogue import LEARNERS, run_learner, warm_up

# A network, the rows drawn, what is hidden; small enough for every learner to take well under a second.
TABLES = (
    ("asia", 1000, "smoke"),
    ("asia", 5000, "either"),
    ("sachs", 300, "PKA"),
    ("sachs", 1000, "PKC"),
    ("child", 500, "Disease"),
    ("survey", 2000, "E"),
    ("insurance", 300, "SocioEcon"),
)


def shuffle(data: Dataset, rng: np.random.Generator) -> Dataset:
    """The same columns in another order."""
    columns = rng.permutation(data.n_variables)
    return Dataset([data.names[k] for k in columns], [data.states[k] for k in columns], data.codes[:, columns])


def f1(found: np.ndarray, true: np.ndarray) -> float:
    both = (found & true).sum()
    return 2 * both / (found.sum() + true.sum()) if both else 0.0


def nearness(found: MixedGraph, true: MixedGraph) -> tuple[float, float]:
    """F1 of adjacencies and of arrowheads."""
    pairs = ((found.marks > 0, true.marks > 0), (found.marks == Mark.ARROW, true.marks == Mark.ARROW))
    return f1(*pairs[0]), f1(*pairs[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--permutations", type=int, default=10, help="of the columns of each of seven tables")
    parser.add_argument("--learners", nargs="+", choices=tuple(LEARNERS), default=tuple(LEARNERS))
    parser.add_argument("--preset", choices=tuple(PAG_PRESETS), default="default")
    parser.add_argument("--file-order", action="store_true", help="keep the first separating set, in the file's order")
    parser.add_argument("--truth", action="store_true")
    args = parser.parse_args()
    warm_up()
    for method in args.learners:
        options: PagOptions = pag_preset(args.preset, method)
        if args.file_order:
            options = replace(options, any_column_order=False)
        n_other, n_all, n_tests, near = 0, 0, 0, []
        for number, (name, n_rows, hidden) in enumerate(TABLES):
            rng = np.random.default_rng(number)
            drawn = sample(load_example(name), n_rows, rng=rng, hide=[hidden])
            first = run_learner(drawn.dataset, options)
            n_tests += first.n_tests
            if args.truth:
                true = run_learner(DSeparationOracle(drawn.truth), PagOptions(method="fci")).graph
                near.append(nearness(first.graph, true.reordered(first.graph.nodes)))
            for _ in range(args.permutations):
                graph = run_learner(shuffle(drawn.dataset, rng), options).graph.reordered(first.graph.nodes)
                n_other += graph != first.graph
                n_all += 1
        found = f"{method}: another PAG in {n_other} of {n_all} orders; {n_tests} tests in the first"
        if near:
            adjacency, arrows = np.mean(near, axis=0)
            found += f"; F1 of adjacencies {adjacency:.3f}, of arrowheads {arrows:.3f}"
        print(found, flush=True)


if __name__ == "__main__":
    main()
