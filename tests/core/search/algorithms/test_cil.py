"""CIL on data with a known outcome, and what holds of its forests on any data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.builders import random_dataset
from support.rival_data import (
    LATENT_TREE,
    as_dataset,
    chain,
    copies_of_a_bit,
    find,
    groups,
    hiv_tests,
    six_states,
    two_stories,
)

from latconf_core.control import StopReason
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import CilOptions
from latconf_core.search.outcome.result import SearchResult

LATENT_SCORE = 0.05  # what a fit of latents may differ by
QUICK = VbemOptions(restarts=1)
NO_VARIABLE_ABOVE = CilOptions(observed_to_latent=False)


def test_that_the_recipes_give_the_data_of_the_design() -> None:
    assert copies_of_a_bit(4, 5000).codes.sum(axis=0).tolist() == [2514, 2473, 2447, 2490]
    assert copies_of_a_bit(8, 2000).codes.sum(axis=0).tolist() == [1011, 1006, 1039, 988, 1005, 1001, 1011, 995]
    assert six_states().codes[:2].tolist() == [[0, 0, 1, 0], [3, 3, 3, 3]]


@pytest.mark.parametrize("options", [CilOptions(), NO_VARIABLE_ABOVE])
def test_that_binary_copies_of_a_bit_become_a_star_without_a_latent(options: CilOptions) -> None:
    result = find(copies_of_a_bit(4, 5000), "cil", cil=options)
    assert result.p_elbo == pytest.approx(-12_014.388, abs=0.01)
    assert result.best is not None
    assert set(result.best.edges) == {("X3", "X1"), ("X3", "X2"), ("X3", "X4")}
    assert len(result.history) == 31  # the empty DAG, then three ways for 6, 3 and 1 pairs
    assert result.stop_reason is StopReason.FINISHED


@pytest.mark.parametrize(
    ("data", "p_elbo"),
    [(copies_of_a_bit(4, 5000), -11_351.86), (copies_of_a_bit(8, 2000), -8_163.84), (hiv_tests(), -656.898)],
    ids=["four copies", "eight copies", "HIV"],
)
def test_that_a_latent_class_is_found_where_variables_have_no_children(data: Dataset, p_elbo: float) -> None:
    result = find(data, "cil", cil=LATENT_TREE)
    assert groups(result) == [(2, data.names, None)]
    assert result.p_elbo == pytest.approx(p_elbo, abs=LATENT_SCORE)


def test_that_an_observed_parent_of_a_latent_blocks_the_true_cause_of_many_states() -> None:
    blocked = find(six_states(), "cil")
    assert groups(blocked) == [(2, ("X1", "X3"), None), (2, ("X2", "X4"), "X3")]
    assert blocked.p_elbo == pytest.approx(-15_835.40, abs=LATENT_SCORE)
    free = find(six_states(), "cil", cil=NO_VARIABLE_ABOVE)
    assert groups(free) == [(2, ("X1", "X2", "X3", "X4"), None)]
    assert free.p_elbo == pytest.approx(-15_289.58, abs=LATENT_SCORE)


@pytest.mark.parametrize(
    ("data", "p_elbo", "edges"),
    [
        (copies_of_a_bit(8, 2000), -9_352.60, None),
        (hiv_tests(), -658.541, {("X3", "X1"), ("X3", "X2"), ("X1", "X4")}),
        (chain(), -11_001.184, {("X2", "X1"), ("X2", "X3"), ("X3", "X4")}),
    ],
    ids=["eight copies", "HIV", "chain"],
)
def test_that_binary_data_become_an_observed_tree(data: Dataset, p_elbo: float, edges: set[object] | None) -> None:
    result = find(data, "cil")
    assert result.p_elbo == pytest.approx(p_elbo, abs=0.006)
    assert result.best is not None
    assert not result.best.latents
    assert len(result.best.edges) == data.n_variables - 1
    assert edges is None or set(result.best.edges) == edges


def test_that_independent_columns_give_the_empty_dag() -> None:
    rng = np.random.default_rng(3)
    for n_states in (2, 4):
        result = find(as_dataset([rng.integers(n_states, size=2000) for _ in range(5)]), "cil")
        assert result.best is not None
        assert not result.best.edges
        assert not result.best.latents
        assert result.stop_reason is StopReason.NO_IMPROVEMENT


def test_that_two_variables_make_one_round() -> None:
    result = find(random_dataset(np.random.default_rng(0), 50, [2, 2]), "cil")
    assert [visit.kind for visit in result.history].count("candidate") == 4  # none, a latent, an arc either way


def test_that_a_latent_below_a_latent_is_found_and_survives_its_files() -> None:
    result = find(two_stories(), "cil", cil=LATENT_TREE)
    assert result.best is not None
    below, above = sorted(result.best.latents, key=lambda latent: latent.parent is None)
    assert below.parent == above.name
    assert {below.children, above.children[:3]} == {("X1", "X2", "X3"), ("X4", "X5", "X6")}
    assert above.children[3] == below.name
    again = SearchResult.from_json(result.to_json(), history=result.history)
    assert again.best == result.best
    assert result.posterior is not None
    assert result.posterior.network().cpts[below.name].parents == (above.name,)


small_data = st.builds(
    lambda seed, rows, cards: random_dataset(np.random.default_rng(seed), rows, cards),
    st.integers(0, 10_000),
    st.integers(20, 80),
    st.lists(st.integers(2, 4), min_size=3, max_size=5),
)


@settings(max_examples=12, deadline=None)
@given(small_data, st.integers(1, 4), st.booleans(), st.booleans())
def test_that_every_visit_is_a_forest(data: Dataset, n_pairs: int, to_observed: bool, to_latent: bool) -> None:
    options = CilOptions(n_pairs, to_observed, to_latent)
    result = find(data, "cil", cil=options, vbem=QUICK)
    for visit in result.history:
        dag = result.history.dag(visit.index)
        assert all(len(parents) <= 1 for parents in dag.parents_with_latents.values())
        assert to_observed or not dag.edges
        assert to_latent or all(latent.parent is None or latent.parent not in dag.nodes for latent in dag.latents)
    assert result.p_elbo is not None
    assert result.p_elbo >= result.history[0].p_elbo


@settings(max_examples=6, deadline=None)
@given(small_data)
@example(random_dataset(np.random.default_rng(140), 40, [2, 2, 4, 3, 2]))  # an arc that may point either way
def test_that_names_of_states_and_the_order_of_rows_change_nothing(data: Dataset) -> None:
    rng = np.random.default_rng(0)
    rows = rng.permutation(data.n_rows)
    turned = [len(state) - 1 - column for state, column in zip(data.states, data.codes[rows].T.astype(int))]
    other = Dataset(data.names, data.states, np.column_stack(turned))
    visits, again = (find(one, "cil", vbem=QUICK).history for one in (data, other))
    assert [visit.candidate for visit in visits] == [visit.candidate for visit in again]
    assert [visit.p_elbo for visit in visits] == pytest.approx([visit.p_elbo for visit in again], abs=1e-6)


def test_that_more_pairs_than_there_are_is_the_unconstrained_learner() -> None:
    data = random_dataset(np.random.default_rng(4), 60, [2, 3, 2, 3, 2])
    all_pairs, more = (find(data, "cil", cil=CilOptions(n_pairs=n), vbem=QUICK).history for n in (10, 1000))
    assert all_pairs == more
