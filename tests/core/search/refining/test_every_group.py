"""Small tables are searched completely: every group of variables gets its try."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import empty_graph
from latconf_core.options.searching import SearchOptions
from latconf_core.search.refining.candidates import MAX_COMPLETE, list_every_group
from latconf_core.search.runner import run_search
from latconf_core.wording.verdicts import tried_sentence


@cache
def independent(n_variables: int) -> Dataset:
    rng = np.random.default_rng(n_variables)
    names = [f"x{k}" for k in range(n_variables)]
    return Dataset(names, [["0", "1"]] * n_variables, rng.integers(2, size=(300, n_variables)))


@pytest.mark.parametrize("n_variables", [2, 4, 8])
def test_that_every_group_is_listed_once(n_variables: int) -> None:
    groups = list_every_group(n_variables)
    assert len(groups) == len(set(groups)) == 2**n_variables - n_variables - 1
    assert [mask.bit_count() for mask in groups] == sorted(mask.bit_count() for mask in groups)


def test_that_the_verdict_says_that_all_groups_of_few_variables_were_tried() -> None:
    dataset = independent(4)
    result = run_search(dataset, empty_graph(dataset.names), "refine", options=SearchOptions(seed=1))
    assert result.tried_every_group
    assert tried_sentence(result) == "Every group of two to four variables was tried."
    again = type(result).from_json(result.to_json(), history=result.history)
    assert again.tried_every_group


@pytest.mark.slow
def test_that_a_larger_table_makes_no_such_promise() -> None:
    dataset = independent(MAX_COMPLETE + 1)
    result = run_search(dataset, empty_graph(dataset.names), "refine", options=SearchOptions(seed=1))
    assert not result.tried_every_group
