"""How reading and writing grow with the number of edges: ten times the edges may take 13 times as long.

Run: python tests/benchmarks/formats.py
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from latconf_core.formats.graphs.registry import graph_formats, read_graph, write_graph
from latconf_core.graph.mixed import MixedGraph

N_NODES, FEW, MANY, LIMIT = 1000, 4_000, 40_000, 13.0


def random_graph(n_nodes: int, n_edges: int, rng: np.random.Generator) -> MixedGraph:
    """A graph with any marks."""
    rows, columns = np.triu_indices(n_nodes, 1)
    chosen = rng.choice(len(rows), n_edges, replace=False)
    marks = np.zeros((n_nodes, n_nodes), dtype=np.uint8)
    marks[rows[chosen], columns[chosen]] = rng.integers(1, 4, n_edges)
    marks[columns[chosen], rows[chosen]] = rng.integers(1, 4, n_edges)
    return MixedGraph([f"variable{i}" for i in range(n_nodes)], marks)


def seconds(graph: MixedGraph, file: Path, name: str, repeats: int = 5) -> tuple[float, float]:
    """The best time to write and to read."""
    times: list[tuple[float, float]] = []
    for _ in range(repeats):
        began = time.perf_counter()
        write_graph(graph, file, format=name)
        middle = time.perf_counter()
        read_graph(file, format=name)
        times.append((middle - began, time.perf_counter() - middle))
    return min(one for one, _ in times), min(one for _, one in times)


def main() -> int:
    rng = np.random.default_rng(0)
    few, many = random_graph(N_NODES, FEW, rng), random_graph(N_NODES, MANY, rng)
    worst = 0.0
    print(f"{'format':<14}{'write few':>11}{'many':>9}{'ratio':>7}{'read few':>11}{'many':>9}{'ratio':>7}   seconds")
    with tempfile.TemporaryDirectory() as folder:
        for graph_format in graph_formats():
            if graph_format.name == "pcalg-cpdag" or not graph_format.can_write:
                continue
            file = Path(folder) / "graph"
            (w_few, r_few), (w_many, r_many) = (seconds(graph, file, graph_format.name) for graph in (few, many))
            worst = max(worst, r_many / r_few)
            print(
                f"{graph_format.name:<14}{w_few:11.3f}{w_many:9.3f}{w_many / w_few:7.1f}"
                f"{r_few:11.3f}{r_many:9.3f}{r_many / r_few:7.1f}"
            )
    print(f"worst ratio of reading {worst:.1f} (limit {LIMIT})")
    return 0 if worst <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
