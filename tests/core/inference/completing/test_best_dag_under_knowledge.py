"""The DAG that completes rows first obeys what is known; without knowledge it is as before."""

from __future__ import annotations

import numpy as np
import pytest
from support.random_knowledge import contradictions, draw_knowledge, edges_of

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.inference.completing.em_rounds import complete_by_best_dag, rounds
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge

NAMES = "ABCD"


def chain_with_gaps() -> Dataset:
    """A -> B -> C -> D, each a noisy copy of the one before, and a tenth of the cells missing."""
    rng = np.random.default_rng(5)
    columns = [rng.integers(2, size=300)]
    for _ in NAMES[1:]:
        columns.append(np.where(rng.random(300) < 0.85, columns[-1], 1 - columns[-1]))
    codes = np.stack(columns, axis=1)
    return Dataset(NAMES, [("no", "yes")] * 4, np.where(rng.random(codes.shape) < 0.1, -1, codes))


@pytest.mark.parametrize("seed", range(6))
def test_that_no_round_contradicts_knowledge(seed: int) -> None:
    data = chain_with_gaps()
    knowledge = draw_knowledge(np.random.default_rng(seed), data.names)
    for now in rounds(data, control=RunControl(), known=knowledge.bind(data.names)):
        assert contradictions(knowledge, data.names, edges_of(data.names, now.parents), []) == []


def test_that_rows_completed_under_other_knowledge_are_not_taken_for_these() -> None:
    data, backwards = chain_with_gaps(), Knowledge(tiers=(("D",), ("C",), ("B",), ("A",)), required=(("D", "A"),))
    free = complete_by_best_dag(data, control=RunControl())
    bound = complete_by_best_dag(data, control=RunControl(), known=backwards.bind(data.names))
    again = complete_by_best_dag(data, control=RunControl(), known=NO_KNOWLEDGE.bind(data.names))
    assert contradictions(backwards, data.names, edges_of(data.names, bound.parents), []) == []
    assert contradictions(backwards, data.names, edges_of(data.names, free.parents), []) != []
    assert again is free
