"""Nothing that is forbidden in any visited DAG or result, everything required in all: every search and learner."""

from __future__ import annotations

import pytest
from support.knowledge_runs import check_draw

N_ALL = 500


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 61, 133])
def test_that_no_search_or_learner_contradicts_knowledge(seed: int) -> None:
    assert list(check_draw(seed)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(0, N_ALL, 50))
def test_that_no_search_or_learner_contradicts_any_of_many(first: int) -> None:
    assert [said for seed in range(first, first + 50) for said in check_draw(seed)] == []
