"""What is left of a hidden cause where ordered variables may have cumulative logits, with it and without it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from support.cut_gaussian import draw_cut_table

from latconf_core.data.column_order import ColumnOrder
from latconf_core.data.dataset import Dataset
from latconf_core.families.objectives import JUDGING, LEAST_CLAIM
from latconf_core.graph.mixed import empty_graph
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.judgement import make_fitting
from latconf_core.search.refining.ordered_fitting import GRID, GRID_SHARES, NormalLatent, OrderedFitting
from latconf_core.search.refining.ordered_rival import OrderedRival
from latconf_core.search.refining.soft_model import SoftModel
from latconf_core.search.runner import run_search


def cut(numbers: np.ndarray) -> Dataset:
    codes = [np.searchsorted(np.quantile(column, [0.25, 0.5, 0.75]), column) for column in numbers.T]
    names = [f"X{v}" for v in range(len(codes))]
    points = ColumnOrder((-0.7, 0.0, 0.7))
    return Dataset(names, [list("abcd")] * len(names), np.column_stack(codes), ordered=dict.fromkeys(names, points))


@cache
def rival(kind: str) -> tuple[OrderedRival, SoftLatent]:
    """Four children of one hidden number, or a number with three effects; and a latent over these four."""
    rng = np.random.default_rng(1)
    source = rng.standard_normal(3000)
    numbers = source[:, None] * [1.2, 0.9, 1.4, 1.1] + rng.standard_normal((3000, 4))
    if kind == "effects":
        numbers[:, 0] = source
    fitting = make_fitting(Scorer(cut(numbers), JUDGING.apply(SearchOptions().vbem)), None, lambda: None, known=None)
    latent = fitting.start((0, 0, 0, 0), 0b1111, n_states=3, n_starts=8)
    return OrderedRival(fitting), latent


@pytest.mark.slow
def test_that_a_hidden_number_of_four_children_is_supported() -> None:
    judge, latent = rival("hidden")
    assert judge.gain(latent).nats >= LEAST_CLAIM


@pytest.mark.slow
def test_that_a_set_that_lacks_a_child_of_a_hidden_number_leads_to_all() -> None:
    judge, latent = rival("hidden")
    assert judge.nearer_children(SoftLatent(0b0111, latent.q)) == 0b1111


@pytest.mark.slow
def test_that_children_near_by_gain_nothing_where_each_number_follows_from_the_one_before() -> None:
    numbers = np.cumsum(np.random.default_rng(6).standard_normal((1500, 4)), axis=1)
    fitting = make_fitting(Scorer(cut(numbers), JUDGING.apply(SearchOptions().vbem)), None, lambda: None, known=None)
    latent = fitting.start((0, 0, 0, 0), 0b0111, n_states=3, n_starts=4)
    judge = OrderedRival(fitting)
    children = judge.nearer_children(latent)
    assert children is None or judge.gain(SoftLatent(children, latent.q)).nats < LEAST_CLAIM


@pytest.mark.slow
def test_that_the_exact_value_of_a_child_is_no_hidden_cause() -> None:
    judge, latent = rival("effects")
    gain = judge.gain(latent)
    assert gain.nats < LEAST_CLAIM
    assert gain.proxy in (None, 0)


def test_that_em_of_a_hidden_number_never_lowers_the_bound() -> None:
    numbers = np.random.default_rng(2).standard_normal((300, 1)) + np.random.default_rng(3).standard_normal((300, 3))
    fitting = OrderedFitting(make_fitting(Scorer(cut(numbers), SearchOptions().vbem), None, lambda: None, known=None))
    begun = np.tile(GRID_SHARES, (len(fitting.soft.codes), 1)) * np.exp(GRID * fitting.soft.columns[0][:, None])
    latent = NormalLatent(0b111, begun / begun.sum(axis=1, keepdims=True))
    scores = [fitting.refit(SoftModel((0, 0, 0), (latent,)), most=rounds).score for rounds in (1, 2, 4, 8, 16)]
    assert np.diff(scores).min() > -1e-3  # Laplace is no bound to the last digit


def test_that_a_cut_value_is_certain_of_its_interval() -> None:
    numbers = np.random.default_rng(4).standard_normal((400, 2))
    fitting = OrderedFitting(make_fitting(Scorer(cut(numbers), SearchOptions().vbem), None, lambda: None, known=None))
    shares = np.exp(fitting.soft.anchored_logs(0))
    low = fitting.soft.columns[0] == 0
    assert shares[low][:, GRID < -1.0].min() > 0.99
    assert shares[low][:, GRID > -0.2].max() < 0.01


@pytest.mark.slow
def test_that_a_table_cut_from_numbers_with_nothing_hidden_has_no_claim() -> None:
    table = draw_cut_table(105)
    graph = empty_graph(table.dataset.names)
    claims = {}
    for data in (table.dataset, Dataset(table.dataset.names, table.dataset.states, table.dataset.codes)):
        result = run_search(data, graph, "refine", options=SearchOptions(seed=1))
        claims[data.ordered != {}] = [
            latent_evidence for latent_evidence in result.evidence if latent_evidence.support == "strong"
        ]
    assert claims[False]  # tables alone claim a hidden cause
    assert not claims[True]
