"""MIIC as pyAgrum runs it: the edges and arrowheads of a table of codes; the second use of pyAgrum.

It holds the interpreter's lock and cannot be stopped, so a table that takes longer is given to a process of its own,
which `main` is for: a table as NPZ goes in, a graph as JSON comes out.
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from latconf_core.arrays import CodeArray, WeightArray

LOADING_WARNING = "builtin type .* has no __module__ attribute"  # made an error, it would end the process
Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class MiicTable:
    """What MIIC counts.

    codes : (n_rows, n_variables), every column with at least two states that occur
    weights : of the rows; empty where each counts once
    """

    codes: CodeArray
    weights: WeightArray

    def to_bytes(self) -> bytes:
        buffer = BytesIO()
        np.savez(buffer, codes=self.codes, weights=self.weights)
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> MiicTable:
        with np.load(BytesIO(content)) as arrays:
            return cls(arrays["codes"], arrays["weights"])


@dataclass(frozen=True)
class MiicGraph:
    """What MIIC found, by positions of columns.

    joined : the edges, each once
    heads : (a, b) where the edge a - b has an arrowhead at b
    """

    joined: Pairs
    heads: Pairs

    def to_json(self) -> str:
        return json.dumps({"joined": self.joined, "heads": self.heads})

    @classmethod
    def from_json(cls, text: str) -> MiicGraph:
        content = json.loads(text)
        return cls(tuple(map(tuple, content["joined"])), tuple(map(tuple, content["heads"])))


def find_miic_graph(table: MiicTable) -> MiicGraph:
    """The graph that MIIC finds with the NML complexity of its authors."""
    pyagrum = _load()
    columns = range(table.codes.shape[1])
    states = [np.unique(table.codes[:, column], return_inverse=True)[1] for column in columns]
    template = pyagrum.BayesNet()
    for column in columns:
        labels = [f"s{k}" for k in range(int(states[column].max()) + 1)]
        template.add(pyagrum.LabelizedVariable(f"v{column}", "", labels))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        rows = (",".join(f"s{k}" for k in row) for row in np.stack(states, axis=1).tolist())
        path.write_text("\n".join([",".join(f"v{column}" for column in columns), *rows]) + "\n", encoding="ascii")
        learner = pyagrum.BNLearner(str(path), template)
    for row, weight in enumerate(table.weights.tolist()):
        learner.setRecordWeight(row, float(weight))
    learner.setNumberOfThreads(1)
    learner.useMIIC()
    learner.useNMLCorrection()
    graph = learner.learnPDAG()
    both_ways = learner.latentVariables()
    arcs = [(int(a), int(b)) for a, b in graph.arcs()]
    joined = {tuple(sorted(map(int, pair))) for pair in (*arcs, *graph.edges(), *both_ways)}
    heads = {*arcs, *((int(x), int(y)) for a, b in both_ways for x, y in ((a, b), (b, a)))}
    return MiicGraph(tuple((a, b) for a, b in sorted(joined)), tuple(sorted(heads)))


def _load() -> Any:
    """The library, imported when first asked for."""
    if "pyagrum" not in sys.modules:
        warnings.filterwarnings("ignore", LOADING_WARNING, DeprecationWarning)
    import pyagrum

    return pyagrum


def main() -> int:
    """Read a table from stdin and print the graph."""
    table = MiicTable.from_bytes(sys.stdin.buffer.read())
    sys.stdout.write(find_miic_graph(table).to_json())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
