"""DAGs beyond the paper's: one hidden cause over each clique of a PAG, which many <-> would be needed for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from latconf_core.graph.bits import bits
from latconf_core.graph.mixed import MixedGraph
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.search.outcome.cuts import CutKind
from latconf_core.search.outcome.events import LevelStarted, SearchEvent
from latconf_core.search.run import SearchRun

LEAST_CHILDREN, MOST_CHILDREN = 3, 7  # two are what every level has


def visit_cliques(run: SearchRun) -> Iterator[SearchEvent]:
    """Put a hidden cause over each clique into the best DAG so far, in place of the edges within the clique."""
    if run.history.best is None:
        return
    best = run.history.best.candidate
    cliques = list_cliques(run.pag_handling.graph, most=run.options.max_candidates)
    if len(cliques) == run.options.max_candidates:
        run.cut(CutKind.CLIQUES, len(cliques))
    for size, members in groupby(cliques, key=int.bit_count):
        level = size * (size - 1) // 2
        candidates = [with_cause(best, clique) for clique in members]
        yield LevelStarted(level, len(candidates))
        yield from run.visit(candidates, level=level)


def list_cliques(pag: MixedGraph, *, most: int) -> list[int]:
    """Variables that are all adjacent, as bits: sets of three to seven, the small ones first, `most` at the most."""
    near = [sum(1 << int(other) for other in np.flatnonzero(row)) for row in pag.marks]
    grown = [(1 << v, near[v] & -(2 << v)) for v in range(len(near))]  # a clique, and later ones that are joined to all
    cliques: list[int] = []
    for size in range(2, MOST_CHILDREN + 1):
        grown = [(clique | 1 << v, rest & near[v] & -(2 << v)) for clique, rest in grown for v in bits(rest)]
        if size >= LEAST_CHILDREN:
            cliques += [clique for clique, _ in grown]
        if len(cliques) >= most:
            break
    return cliques[:most]


def with_cause(dag: BitDag, children: int) -> BitDag:
    """The DAG with a binary latent over some variables for the edges and latents among them."""
    parents = tuple(mask & ~children if children >> v & 1 else mask for v, mask in enumerate(dag.parents))
    latents = [latent for latent in dag.latents if latent.children & ~children]
    latents.append(Hidden(children))
    return BitDag(parents, tuple(sorted(latents, key=lambda latent: (tuple(bits(latent.children)), latent.n_states))))
