"""Brute-force truth for tests: random DAGs with latents, and the PAG of each by trying every graph.

Nothing here uses the code under test: separations come from a search over walks in arrays of graphs, and the
PAG from its definition (the marks that all maximal ancestral graphs with the same separations share).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph

Bools = npt.NDArray[np.bool_]
BATCH = 60_000


def random_latent_dag(seed: int, n_nodes: int, *, density: float, n_latents: int) -> LatentDag:
    """A DAG over A, B, … in random order, with latents of two or three children."""
    rng = np.random.default_rng(seed)
    names = [chr(ord("A") + i) for i in range(n_nodes)]
    order = list(rng.permutation(n_nodes))
    edges = [(names[a], names[b]) for a, b in combinations(order, 2) if rng.random() < density]
    latents = []
    for i in range(n_latents):
        children = rng.choice(n_nodes, size=int(rng.integers(2, 4)), replace=False)
        latents.append(Latent(f"L{i}", 2, tuple(names[c] for c in children)))
    return LatentDag(names, edges, latents)


def closure(steps: Bools) -> Bools:
    """Reachability, each vertex included, for a stack of (…, n, n) relations."""
    n = steps.shape[-1]
    reach = steps | np.eye(n, dtype=bool)
    for _ in range(max(1, (n - 1).bit_length())):
        reach = np.matmul(reach, reach)
    return reach


def connected(arrow_at: Bools, edge: Bools, x: int, given: Bools) -> Bools:
    """Which vertices are m-connected to x given a set, for a stack of K graphs: (K, n).

    arrow_at[k, u, v] : u - v is an edge with an arrowhead at v
    """
    tail_at = edge & ~arrow_at
    directed = arrow_at & np.swapaxes(tail_at, 1, 2)  # u --> v
    opened = (closure(directed) & given).any(axis=2)  # has a descendant in the set
    free = ~given
    by_arrow = arrow_at[:, x].copy()
    by_tail = tail_at[:, x].copy()
    while True:
        # Leave v by an edge with a tail at v: v is no collider. By an edge with an arrowhead at v: it is
        # one exactly where the walk also came in by an arrowhead.
        leave_tail = (by_arrow | by_tail) & free
        leave_arrow = by_tail & free | by_arrow & opened
        out = leave_tail[:, :, None] & np.swapaxes(tail_at, 1, 2) | leave_arrow[:, :, None] & np.swapaxes(
            arrow_at, 1, 2
        )
        new_arrow = by_arrow | (out & arrow_at).any(axis=1)
        new_tail = by_tail | (out & tail_at).any(axis=1)
        if (new_arrow == by_arrow).all() and (new_tail == by_tail).all():
            reached = (by_arrow | by_tail) & free
            reached[:, x] = False
            return reached
        by_arrow, by_tail = new_arrow, new_tail


def questions(n: int) -> Iterator[tuple[int, Bools]]:
    """Every (x, set without x), small sets first."""
    for size in range(n - 1):
        for chosen in combinations(range(n), size):
            given = np.zeros(n, dtype=bool)
            given[list(chosen)] = True
            for x in range(n):
                if not given[x]:
                    yield x, given


def separations_of(dag: LatentDag) -> list[Bools]:
    """For each question, which observed vertices are d-connected to x."""
    names = [*dag.nodes, *(latent.name for latent in dag.latents)]
    n, n_all = len(dag.nodes), len(names)
    arrow_at = np.zeros((1, n_all, n_all), dtype=bool)
    for a, b in dag.all_edges():
        arrow_at[0, names.index(a), names.index(b)] = True
    edge = arrow_at | np.swapaxes(arrow_at, 1, 2)
    answers = []
    for x, given in questions(n):
        padded = np.concatenate([given, np.zeros(n_all - n, dtype=bool)])
        answers.append(connected(arrow_at, edge, x, padded)[0, :n])
    return answers


def adjacency(n: int, answers: list[Bools]) -> Bools:
    """The pairs that no set separates."""
    adjacent = ~np.eye(n, dtype=bool)
    for (x, given), reached in zip(questions(n), answers):
        apart = ~reached & ~given  # x itself among them
        adjacent[x] &= ~apart
        adjacent[:, x] &= ~apart
    np.fill_diagonal(adjacent, False)
    return adjacent


def true_pag(dag: LatentDag) -> MixedGraph:
    """The PAG: marks shared by every ancestral graph over the true adjacencies with the DAG's separations."""
    n = len(dag.nodes)
    answers = separations_of(dag)
    edge = adjacency(n, answers)
    pairs = [(int(u), int(v)) for u, v in np.argwhere(np.triu(edge))]
    seen_arrow = np.zeros((n, n), dtype=bool)
    seen_tail = np.zeros((n, n), dtype=bool)
    for arrow_at in _all_markings(n, pairs):
        kept = _equivalent(arrow_at, edge, answers)
        seen_arrow |= kept.any(axis=0)
        seen_tail |= (edge & ~kept).any(axis=0)
    marks = np.zeros((n, n), dtype=np.uint8)
    marks[seen_arrow & ~seen_tail] = Mark.ARROW
    marks[seen_tail & ~seen_arrow] = Mark.TAIL
    marks[seen_arrow & seen_tail] = Mark.CIRCLE
    return MixedGraph(dag.nodes, marks)


def _all_markings(n: int, pairs: list[tuple[int, int]]) -> Iterator[Bools]:
    """Every way to make each edge -->, <-- or <->, in batches (K, n, n) of arrowheads."""
    choices = np.array(list(product(range(3), repeat=len(pairs))), dtype=np.int8)
    for start in range(0, len(choices), BATCH):
        batch = choices[start : start + BATCH]
        arrow_at = np.zeros((len(batch), n, n), dtype=bool)
        for k, (u, v) in enumerate(pairs):
            arrow_at[:, u, v] = batch[:, k] != 1
            arrow_at[:, v, u] = batch[:, k] != 0
        yield arrow_at


def _equivalent(arrow_at: Bools, edge: Bools, answers: list[Bools]) -> Bools:
    """Those graphs of the batch that are ancestral and answer every question alike."""
    n = edge.shape[0]
    directed = arrow_at & ~np.swapaxes(arrow_at, 1, 2)
    ancestor = closure(directed) & ~np.eye(n, dtype=bool)
    is_ancestral = ~(ancestor & np.swapaxes(arrow_at, 1, 2)).any(axis=(1, 2))
    arrow_at = arrow_at[is_ancestral]
    for (x, given), reached in zip(questions(n), answers):
        found = connected(arrow_at, np.broadcast_to(edge, arrow_at.shape), x, given)
        arrow_at = arrow_at[(found == reached).all(axis=1)]
    return arrow_at
