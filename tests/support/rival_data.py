"""Data on which CIL and GLSL were tried for the design, made again from their recipes, and runs on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import CilOptions, SearchOptions
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import start_search

LATENT_TREE = CilOptions(observed_to_observed=False, observed_to_latent=False)
Column = npt.NDArray[np.integer]
HIV_TESTS = "0000:170 0001:15 0100:6 1000:4 1001:17 1011:83 1100:1 1101:4 1111:128"


def as_dataset(columns: Sequence[Column]) -> Dataset:
    """X1, X2, … with the states s0, s1, …"""
    states = [[f"s{k}" for k in range(int(column.max()) + 1)] for column in columns]
    return Dataset([f"X{k + 1}" for k in range(len(columns))], states, np.column_stack(columns))


def copies_of_a_bit(n_columns: int, n_rows: int) -> Dataset:
    """Noisy copies of a hidden bit: right in 85 of a hundred rows."""
    rng = np.random.default_rng(1)
    bit = rng.integers(2, size=n_rows)
    return as_dataset([np.where(rng.random(n_rows) < 0.85, bit, 1 - bit) for _ in range(n_columns)])


def six_states() -> Dataset:
    """Four children of a hidden bit with six states each."""
    rng = np.random.default_rng(1)
    bit = rng.integers(2, size=5000)
    return as_dataset([np.where(rng.random(5000) < 0.85, 3 * bit, rng.integers(6, size=5000)) for _ in range(4)])


def hiv_tests() -> Dataset:
    """Four tests of 428 persons, the classic example of a latent class (published with the code of CIL)."""
    rows = [one.split(":") for one in HIV_TESTS.split()]
    return as_dataset(list(np.array([list(map(int, cells)) for cells, count in rows for _ in range(int(count))]).T))


def chain() -> Dataset:
    """Four variables, each a noisy copy of the one before: no hidden cause."""
    rng = np.random.default_rng(0)
    columns = [rng.integers(2, size=5000)]
    for _ in range(3):
        columns.append(np.where(rng.random(5000) < 0.8, columns[-1], 1 - columns[-1]))
    return as_dataset(columns)


def two_stories(n_rows: int = 1500) -> Dataset:
    """Two hidden bits below a third one, each with three noisy copies."""
    rng = np.random.default_rng(5)
    top = rng.integers(2, size=n_rows)

    def copy_of(column: Column) -> Column:
        return np.where(rng.random(n_rows) < 0.85, column, rng.integers(2, size=n_rows))

    middle = [copy_of(top), copy_of(top)]
    return as_dataset([copy_of(own) for own in middle for _ in range(3)])


def no_pag(data: Dataset) -> MixedGraph:
    return MixedGraph(data.names, np.zeros((data.n_variables, data.n_variables), dtype=np.uint8))


def find(data: Dataset, search: str, *, with_evidence: bool = False, **options: Any) -> SearchResult:
    """The result of a search without a PAG."""
    events = start_search(data, no_pag(data), search, options=SearchOptions(**options), with_evidence=with_evidence)
    *_, last = events
    assert isinstance(last, SearchFinished)
    return last.result


def groups(result: SearchResult) -> list[tuple[int, tuple[str, ...], str | None]]:
    """The latents of the result: states, children, parent."""
    assert result.best is not None
    return [(latent.n_states, latent.children, latent.parent) for latent in result.best.latents]
