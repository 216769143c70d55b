"""The order of columns makes no difference to a PAG, except where a preset says that it does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.independence.base import Budget
from latconf_core.options.learning import PAG_PRESETS, PRESET_NOTES, PagOptions
from latconf_core.pag.events import EdgeRemoved
from latconf_core.pag.learners.catalogue import LEARNERS, learn_pag, run_learner


def drawn(name: str, n_rows: int) -> Dataset:
    return sample(load_example(name), n_rows, rng=np.random.default_rng(0), hide=[]).dataset


def shuffle(data: Dataset, seed: int) -> Dataset:
    columns = np.random.default_rng(seed).permutation(data.n_variables)
    return Dataset([data.names[k] for k in columns], [data.states[k] for k in columns], data.codes[:, columns])


@pytest.mark.parametrize("method", tuple(LEARNERS))
def test_that_every_learner_finds_the_same_pag_in_any_order_of_columns(method: str) -> None:
    for data in (drawn("sachs", 300), drawn("asia", 500)):
        expected = run_learner(data, PagOptions(method=method))
        assert expected.graph.nodes == data.names
        for seed in range(6):
            moved = shuffle(data, seed)
            learner = run_learner(moved, PagOptions(method=method))
            assert learner.graph.nodes == moved.names
            assert learner.graph.reordered(data.names) == expected.graph
            sets = {frozenset(pair): frozenset(given) for pair, given in learner.sepsets.items()}
            assert sets == {frozenset(pair): frozenset(given) for pair, given in expected.sepsets.items()}


def test_that_the_first_set_found_depends_on_the_order_which_is_why_the_presets_say_so() -> None:
    data = drawn("sachs", 300)
    options = replace(PagOptions(), any_column_order=False, checked_colliders=False)
    graphs = {run_learner(shuffle(data, seed), options).graph.reordered(data.names) for seed in range(8)}
    assert len(graphs) > 1
    for name, preset in PAG_PRESETS.items():
        assert ("the column order can change" in PRESET_NOTES[name]) is not preset.is_order_free


def test_that_of_all_separating_sets_of_a_size_the_one_with_the_highest_p_value_is_kept() -> None:
    """Checked on the removals themselves: no set of that size among the neighbours at the time does better."""
    from latconf_core.control import RunControl
    from latconf_core.independence.catalogue import make_test

    data, options = drawn("sachs", 300), PagOptions(possible_dsep=False)
    test = make_test(data, options)
    near = {name: set(data.names) - {name} for name in data.names}
    by_size: dict[int, list[EdgeRemoved]] = {}
    for event in learn_pag(data, options):
        if isinstance(event, EdgeRemoved):
            by_size.setdefault(len(event.given), []).append(event)
    assert max(by_size) >= 1
    for size in sorted(by_size):
        pools = {name: set(value) for name, value in near.items()}
        for event in by_size[size]:
            pair = (data.index[event.x], data.index[event.y])
            for own in (pools[event.x] - {event.y}, pools[event.y] - {event.x}):
                members = sorted(data.index[name] for name in own)
                for separation in test.separations(pair, members, size=size, budget=Budget(), control=RunControl()):
                    assert separation.p_value <= event.p_value + 1e-12
            near[event.x].discard(event.y)
            near[event.y].discard(event.x)


def test_that_sets_are_told_in_the_order_of_the_file() -> None:
    data = drawn("asia", 500)
    for event in learn_pag(data, PagOptions()):
        if isinstance(event, EdgeRemoved):
            places = [data.index[name] for name in event.given]
            assert places == sorted(places)
