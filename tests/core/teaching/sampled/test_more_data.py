"""Learning from more and more rows: errors counted as Compare counts them, luck told from draw to draw."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from support.builders import mixed

from latconf_core.comparison.metrics import compare_graphs
from latconf_core.control import Progress, RunControl, StopRequested
from latconf_core.formats.examples import load_example
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.teaching.arrow_network import network_of_arrows
from latconf_core.teaching.sampled.more_data import (
    Luck,
    MoreData,
    SizeLearned,
    TruthKnown,
    count_errors,
    draw_rows,
    find_luck,
    first_rows,
    learn_from_more_rows,
)

ASIA = MoreData(load_example("asia"), ("smoke",), sizes=(100, 400, 12_000), n_draws=2)


@cache
def asia_events() -> tuple[object, ...]:
    return tuple(learn_from_more_rows(ASIA, first=400))


def learned() -> list[SizeLearned]:
    return [event for event in asia_events() if isinstance(event, SizeLearned)]


def test_that_the_truth_comes_first_and_every_size_of_every_draw_follows() -> None:
    truth = asia_events()[0]
    assert isinstance(truth, TruthKnown)
    assert [latent.name for latent in truth.dag.latents] == ["smoke"]
    assert [(one.draw, one.n_rows) for one in learned()] == [
        (draw, size) for draw in (0, 1) for size in (400, 100, 12_000)
    ]
    assert [event.done for event in asia_events() if isinstance(event, Progress)] == list(range(6))


def test_that_errors_are_those_that_compare_counts() -> None:
    truth = asia_events()[0].pag
    for one in learned():
        numbers = compare_graphs(one.graph, truth)
        assert one.errors.total == numbers.shd
        assert (one.errors.missing, one.errors.extra) == (numbers.adjacency.missed, numbers.adjacency.wrong)


def test_that_fewer_rows_are_the_first_of_more() -> None:
    rows = draw_rows(ASIA, 1)
    assert rows.n_rows == 12_000
    assert "smoke" not in rows.names
    again = draw_rows(MoreData(ASIA.network, ASIA.hide, sizes=(400,), n_draws=1), 1)
    for one in learned():
        if one.draw == 1 and one.n_rows == 400:
            assert run_learner(first_rows(rows, 400)).graph == one.graph
    assert again.names == rows.names


def test_that_the_same_seed_repeats_and_another_does_not() -> None:
    assert [one.graph for one in learned()] == [
        event.graph for event in learn_from_more_rows(ASIA, first=400) if isinstance(event, SizeLearned)
    ]
    other = MoreData(ASIA.network, ASIA.hide, sizes=ASIA.sizes, n_draws=2, seed=2)
    assert not np.array_equal(draw_rows(ASIA, 0).codes, draw_rows(other, 0).codes)
    assert not np.array_equal(draw_rows(ASIA, 0).codes, draw_rows(ASIA, 1).codes)


def test_that_it_can_be_stopped_anywhere() -> None:
    for allowed in range(0, 60, 7):
        looks = iter(range(10_000))
        control = RunControl(lambda looks=looks, allowed=allowed: next(looks) >= allowed)
        with pytest.raises(StopRequested):
            list(learn_from_more_rows(ASIA, control=control))


def test_that_a_strong_network_is_learned_rightly_from_many_rows() -> None:
    arrows = (("A", "C"), ("B", "C"), ("C", "D"))
    network = network_of_arrows("ABCD", arrows, rng=np.random.default_rng(3))
    question = MoreData(network, options=PagOptions(alpha=0.001), sizes=(100, 50_000), n_draws=3)
    events = [event for event in learn_from_more_rows(question) if isinstance(event, SizeLearned)]
    few, many = ([event.errors.total for event in events if event.n_rows == size] for size in (100, 50_000))
    assert many == [0, 0, 0]
    assert sum(few) > 0


def test_that_each_kind_of_error_is_counted_once() -> None:
    truth = mixed("A o-> C", "B o-> C", nodes=list("ABCD"))
    found = mixed("A --> C", "C --> D", nodes=list("DCBA"))
    errors = count_errors(truth, found)
    assert (errors.missing, errors.extra, errors.other_marks, errors.total) == (1, 1, 1, 3)


def test_that_luck_is_what_differs_between_draws() -> None:
    graphs = [mixed("A o-> B", "B --> C"), mixed("A --> B", nodes=list("ABC")), mixed("A <-> B", "A o-o C")]
    luck = find_luck(graphs)
    assert luck.pairs == {frozenset("BC"), frozenset("AC")}
    assert luck.ends == {("A", "B")}
    assert find_luck(graphs[:1]) == find_luck(()) == Luck(frozenset(), frozenset())


def test_that_every_cause_of_a_drawn_network_makes_a_difference() -> None:
    rng = np.random.default_rng(0)
    network = network_of_arrows("ABCD", (("A", "D"), ("B", "D"), ("C", "D")), rng=rng)
    yes = network.cpts["D"].table[..., 1]
    for axis in range(3):
        low, high = np.moveaxis(yes, axis, 0)
        assert np.all(low < high) or np.all(low > high)
    assert all(first != second for first, second in pairwise(sorted(yes.ravel())))
