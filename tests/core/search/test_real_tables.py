"""Every learner and search on a few real tables; `tests/benchmarks/real_tables.py` runs all of them."""

from __future__ import annotations

import random

import pytest
from support.real_tables import attempt_all, read_table, shrink, table_names

SEED, SHARE = 32, 4  # of the tables that are installed


def some_tables() -> list[str]:
    names = table_names()
    return random.Random(SEED).sample(names, min(SHARE, len(names)))


@pytest.mark.slow
@pytest.mark.parametrize("name", some_tables())
def test_that_every_learner_and_search_ends_with_a_result_or_with_a_remedy_that_helps(name: str) -> None:
    frame = read_table(name)
    if frame is None:
        pytest.skip(f"the installed version has no table {name}")
    attempts = list(attempt_all(shrink(frame, most_rows=150), most_columns=4, seconds=2.0))
    assert [attempt for attempt in attempts if attempt.ending not in ("result", "remedy")] == []
    assert len(attempts) > 10


@pytest.mark.slow
def test_that_the_refused_search_is_helped_by_the_remedy_of_its_sentence() -> None:
    pytest.importorskip("statsmodels")
    frame = read_table("statsmodels fertility")
    assert frame is not None
    attempts = list(attempt_all(shrink(frame, most_rows=100), most_columns=3, seconds=2.0))
    helped = [attempt for attempt in attempts if attempt.ending == "remedy"]
    assert {attempt.method for attempt in helped} == {"cil", "glsl", "glsl+cil"}
    assert all("missing: drop, state or most-frequent" in attempt.text for attempt in helped)
