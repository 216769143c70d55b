"""What a set-up compiles ahead is what learning and searching call."""

from __future__ import annotations

import numpy as np
import pytest

from latconf_core import find_latents
from latconf_core.counts import kernels as counts
from latconf_core.data.dataset import Dataset
from latconf_core.families import kernels as families
from latconf_core.independence import kernels as independence
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.search.kernel_compiler import PARTS, compile_part


def compile_all() -> dict[str, int]:
    for part in PARTS:
        steps = list(compile_part(part))
        assert steps == [(done, len(steps)) for done in range(1, len(steps) + 1)]
    return n_compiled()


def n_compiled() -> dict[str, int]:
    """Of every kernel that is called from outside, for how many kinds of arguments it is there."""
    entries = ("family_score", "row_keys", "extend_keys", "count_cells", "search_subsets", "soft_score", "gammalns")
    found = {**vars(counts), **vars(independence), **vars(families)}
    return {name: len(found[name].signatures) for name in entries}


def draw(n_rows: int, cards: list[int]) -> Dataset:
    rng = np.random.default_rng(0)
    first = rng.integers(0, cards[0], n_rows)
    columns = [np.where(rng.random(n_rows) < 0.5, first % card, rng.integers(0, card, n_rows)) for card in cards]
    states = [[str(k) for k in range(card)] for card in cards]
    return Dataset([f"V{i}" for i in range(len(cards))], states, np.stack(columns, axis=1))


@pytest.mark.parametrize("method", ["fci", "gfci"])
@pytest.mark.parametrize(("n_rows", "cards"), [(300, [2, 2, 2, 3]), (60, [5, 4, 4, 3]), (9000, [60, 60, 60])])
def test_that_learning_a_pag_compiles_nothing_more(n_rows: int, cards: list[int], method: str) -> None:
    """On equal rows with counts, on rows that differ, and with tables that need wide keys."""
    before = compile_all()
    run_learner(draw(n_rows, cards), PagOptions(method=method, alpha=0.2))
    assert n_compiled() == before


@pytest.mark.parametrize("method", ["glsl", "refine"])
def test_that_searching_without_a_pag_compiles_nothing_more(method: str) -> None:
    before = compile_all()
    find_latents(draw(400, [3, 2, 2, 2]), None, method, seed=1)
    assert n_compiled() == before
