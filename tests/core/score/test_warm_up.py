"""After the warm-up, nothing is left to compile: the first score is as fast as the next."""

from __future__ import annotations

import numpy as np
import pytest

from latconf_core.counts import kernels as counts
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.compiling import PARTS
from latconf_core.score.kernels import best_posterior as search
from latconf_core.score.kernels import layout
from latconf_core.score.scorer import Scorer, warm_up


def n_compiled() -> dict[str, int]:
    values = [value for module in (counts, layout, search) for value in vars(module).values()]
    return {kernel.__name__: len(kernel.signatures) for kernel in values if hasattr(kernel, "signatures")}


@pytest.mark.parametrize("repeats", [1, 40])
@pytest.mark.parametrize("most_states", [2, 300])
def test_that_a_score_compiles_nothing_after_the_warm_up(most_states: int, repeats: int) -> None:
    warm_up()
    before = n_compiled()
    assert "group_dense" in before
    codes = np.repeat(np.random.default_rng(0).integers(0, 2, size=(12, 4)), repeats, axis=0)
    states = [[str(k) for k in range(own)] for own in (most_states, 3, 2, 2)]
    scorer = Scorer(Dataset(["A", "B", "C", "D"], states, codes), VbemOptions())
    scorer.score(LatentDag("ABCD", [("A", "C"), ("B", "C")], [Latent("L", 2, ("C", "D"))]))
    scorer.score(LatentDag("ABCD", [], [Latent("L", 3, ("A", "B", "D"))]))
    assert n_compiled() == before


@pytest.mark.parametrize("part", PARTS)
def test_that_what_is_compiled_ahead_is_what_a_score_calls(part: str) -> None:
    warm_up()
    for compile_step in PARTS[part]():
        compile_step()
    compiled = n_compiled()
    assert {name: compiled[name] for name in ("go_on", "make_search", "lay_out")} == {
        "go_on": 1,
        "make_search": 1,
        "lay_out": 1,
    }
