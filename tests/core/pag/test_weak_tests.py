"""Which removed edges rest on weak tests, against a count of the rows one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.data.dataset import Dataset
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import EdgeRemoved
from latconf_core.pag.learners.catalogue import learn_pag
from latconf_core.pag.weak_tests import find_weak_tests, last_removals
from latconf_core.wording.weak_test_sentences import weak_pairs_text, weak_tests_sentence


def rows_per_cell(data: Dataset, event: EdgeRemoved) -> float:
    """Counted row by row over every cell that could be seen."""
    columns = [data.names.index(name) for name in (event.x, event.y, *event.given)]
    rows = [tuple(int(row[column]) for column in columns) for row in np.asarray(data.codes)]
    cells = list(product(*(range(len(data.states[column])) for column in columns)))
    return sum(rows.count(cell) for cell in cells) / len(cells)


def with_gaps(data: Dataset, rng: np.random.Generator) -> Dataset:
    codes = np.array(data.codes, dtype=np.int16)
    codes[rng.random(codes.shape) < 0.2] = -1
    return Dataset(data.names, data.states, codes)


@pytest.mark.parametrize("has_gaps", [False, True])
def test_that_weak_tests_are_those_of_a_count_by_rows(has_gaps: bool) -> None:
    rng = np.random.default_rng(4)
    data = random_dataset(rng, 90, (3, 4, 2, 5, 3))
    data = with_gaps(data, rng) if has_gaps else data
    removed = last_removals(learn_pag(data, PagOptions(method="fci", alpha=0.01)))
    assert len(removed) >= 8
    removed.append(EdgeRemoved("B", "D", ("A", "E"), 0.5, "skeleton"))
    weak = find_weak_tests(removed, data)
    assert weak.few_rows == tuple((e.x, e.y) for e in removed if rows_per_cell(data, e) < 5)
    assert weak.doubtful == tuple((e.x, e.y) for e in removed if 0.05 < e.p_value < 0.2)
    assert {("B", "D")} <= set(weak.few_rows) < {(e.x, e.y) for e in removed}
    assert weak.n_removed == len(removed)


def test_that_counted_rows_count_as_often_as_they_say() -> None:
    states = [("0", "1"), ("0", "1")]
    few = Dataset("AB", states, np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    many = Dataset("AB", states, np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.full(4, 5))
    removed = [EdgeRemoved("A", "B", (), 1.0, "skeleton")]
    assert find_weak_tests(removed, few).few_rows == (("A", "B"),)
    assert find_weak_tests(removed, many).few_rows == ()


def test_that_the_sentence_counts_each_pair_once_and_names_it() -> None:
    data = random_dataset(np.random.default_rng(0), 15, (2, 2, 2))
    removed = [EdgeRemoved("A", "B", (), 0.1, "skeleton"), EdgeRemoved("A", "C", (), 0.9, "skeleton")]
    weak = find_weak_tests(removed, data)
    assert weak_tests_sentence(weak) == (
        "Weak tests removed 2 edges: 2 with fewer than 5 rows per cell and 1 with p between 0.05 and 0.2."
    )
    assert "A – B" in weak_pairs_text(weak)
    assert weak_tests_sentence(find_weak_tests([], data)) == ""
