from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import Latent
from latconf_core.data.sampling import sample
from latconf_core.errors import DataError, OptionError
from latconf_core.formats.examples import example_names, load_example


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("name", example_names())
def test_that_samples_match_every_table_of_each_example(name: str) -> None:
    """Pearson's statistic against every table; the smallest of all p-values is judged by Bonferroni at 1 in 1,000."""
    network = load_example(name)
    data = sample(network, 50_000, rng=generator()).dataset
    p_values = []
    for cpt in network.cpts.values():
        codes = tuple(data.column(one).astype(np.intp) for one in (*cpt.parents, cpt.variable))
        counts = np.zeros(cpt.table.shape)
        np.add.at(counts, codes, 1)
        assert not counts[cpt.table == 0].any()
        expected = counts.sum(axis=-1, keepdims=True) * cpt.table
        enough = expected.min(axis=-1, where=cpt.table > 0, initial=np.inf) >= 5  # where chi-square is a good limit
        terms = np.divide((counts - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0)
        freedom = np.maximum((cpt.table > 0).sum(axis=-1) - 1, 0)[enough].sum()
        if freedom:
            p_values.append(chi2.sf(terms[enough].sum(), freedom))
    assert len(p_values) >= len(network.variables) // 2
    assert min(p_values) > 0.001 / len(p_values)


def test_that_states_follow_the_uniform_numbers_through_the_cumulative_table() -> None:
    network = BayesNet([Cpt("A", "xyz", [], [0.25, 0.0, 0.75]), Cpt("B", "01", ["A"], [[1, 0], [0, 1], [0, 1]])])
    drawn = sample(network, 1000, rng=generator(3)).dataset
    expected = np.where(generator(3).random(1000) < 0.25, 0, 2)
    np.testing.assert_array_equal(drawn.column("A"), expected)
    np.testing.assert_array_equal(drawn.column("B"), expected > 0)
    assert drawn.states == (("x", "y", "z"), ("0", "1"))


def test_that_the_same_seed_gives_the_same_rows_and_another_seed_others() -> None:
    asia = load_example("asia")
    rows = sample(asia, 500, rng=generator(7)).dataset
    assert rows == sample(asia, 500, rng=generator(7)).dataset
    assert rows != sample(asia, 500, rng=generator(8)).dataset


def test_that_hiding_changes_no_value_and_keeps_what_is_hidden() -> None:
    asia = load_example("asia")
    everything = sample(asia, 500, rng=generator()).dataset
    hiding = sample(asia, 500, rng=generator(), hide=["smoke", "lung"])
    assert hiding.dataset == everything.select(["asia", "tub", "bronc", "either", "xray", "dysp"])
    assert hiding.hidden_columns == everything.select(["smoke", "lung"])
    assert hiding.network.latents == {"smoke", "lung"}
    assert hiding.truth.latents == (Latent("smoke", 2, ("bronc", "either")),)


def test_that_the_latents_of_a_network_are_hidden_without_asking() -> None:
    asia = load_example("asia")
    hiding = sample(BayesNet(asia.cpts.values(), latents=["smoke"]), 10, rng=generator())
    assert hiding.hidden_columns.names == ("smoke",)


def test_that_what_cannot_be_drawn_gets_a_sentence() -> None:
    asia = load_example("asia")
    with pytest.raises(OptionError, match="the number of rows is 0; it must be at least 1"):
        sample(asia, 0, rng=generator())
    with pytest.raises(DataError, match="no variable 'smoking' to hide; it has asia, tub, smoke"):
        sample(asia, 10, rng=generator(), hide=["smoking"])
    with pytest.raises(DataError, match="every variable would be hidden"):
        sample(asia, 10, rng=generator(), hide=asia.variables)
