"""A small search on data with a hidden cause, run once per document of tests."""

from __future__ import annotations

from functools import cache

import numpy as np
from support.builders import mixed

from latconf_core.data.dataset import Dataset
from latconf_core.formats.projects.kept_items import DataMark, KeptPag, KeptRun
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search

GRAPH = mixed("A <-> B", "A o-> C", "B o-> C", nodes=list("ABC"))
OPTIONS = SearchOptions(max_bidirected=2, seed=7)


def confounded(n_rows: int = 400) -> Dataset:
    """A and B follow a hidden cause, C follows both."""
    rng = np.random.default_rng(3)
    hidden = rng.integers(2, size=n_rows)
    a, b = ((hidden + (rng.random(n_rows) < 0.15)) % 2 for _ in range(2))
    c = np.where(rng.random(n_rows) < 0.1, 2, a + b)
    return Dataset("ABC", [("no", "yes"), ("no", "yes"), ("0", "1", "2")], np.stack([a, b, c], axis=1))


@cache
def small_run() -> SearchResult:
    """What HCLC-V finds."""
    return run_search(confounded(), GRAPH, "hclc-v", options=OPTIONS)


def kept_pag(name: str = "drawn") -> KeptPag:
    """The graph that was searched, as a project keeps it."""
    return KeptPag(name, GRAPH, "drawn", DataMark.of(confounded()))


def kept_run(result: SearchResult | None = None, name: str = "HCLC-V on drawn") -> KeptRun:
    """A run as a project keeps it."""
    return KeptRun(name, result or small_run(), "drawn", DataMark.of(confounded()))
