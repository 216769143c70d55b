"""Tables as families: BDeu's equivalence, small tables as large ones, latents that are known, numbers of parameters."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.counts.families import count_family, family_log_score
from latconf_core.data.dataset import Dataset
from latconf_core.families import discrete
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.scoring import Prior, VbemOptions

PRIORS: tuple[Prior, ...] = ("empirical", "uniform", "flat", "bdeu")
DATA = random_dataset(np.random.default_rng(4), 400, [2, 3, 4])


def test_that_bdeu_scores_of_equivalent_dags_are_equal() -> None:
    families = DiscreteFamilies(DATA, VbemOptions(prior="bdeu", ess=10.0))
    totals = [
        families.log_score(a, 0) + families.log_score(b, 1 << a) + families.log_score(c, 1 << a | 1 << b)
        for a, b, c in permutations(range(3))
    ]
    assert np.ptp(totals) < 1e-9  # sums of a few hundred, rounding alone


@pytest.mark.parametrize("prior", PRIORS)
def test_that_small_and_large_tables_score_by_the_same_formula(prior: Prior, monkeypatch: pytest.MonkeyPatch) -> None:
    families = DiscreteFamilies(DATA, VbemOptions(prior=prior))
    for child, parents in product(range(3), ((), (0,), (2,), (1, 2))):
        if child not in parents:
            counts = count_family(DATA, child, parents)
            wanted = family_log_score(counts, families.priors.of_family(child, parents))
            mask = sum(1 << parent for parent in parents)
            small = families.log_score(child, mask)
            with monkeypatch.context() as narrow:
                narrow.setattr(discrete, "NARROW_CELLS", 0)
                large = families.log_score(child, mask)
            assert small == pytest.approx(wanted, abs=1e-10)
            assert large == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("n_rows", [40, 3000])
@pytest.mark.parametrize("cells", [1 << 16, 40])
def test_that_scores_counted_together_have_each_digit_of_those_counted_alone(
    prior: Prior, n_rows: int, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On rows that repeat and are weighted, on raw ones, and where some tables are too large for short numbers."""
    monkeypatch.setattr(discrete, "NARROW_CELLS", cells)
    data = random_dataset(np.random.default_rng(n_rows), n_rows, [2, 3, 4, 2, 3, 2])
    families = DiscreteFamilies(data, VbemOptions(prior=prior, prices="structure"))
    for child, mask in product(range(6), (0, 0b1, 0b100, 0b10010, 0b101001)):
        parents = mask & ~(1 << child)
        others = np.array([v for v in range(6) if v != child and not parents >> v & 1])
        alone = [families.log_score(child, parents | 1 << int(v)) for v in others]
        assert families.log_scores(child, parents, others).tolist() == alone


def test_that_filled_in_columns_cost_nothing_among_those_counted_together() -> None:
    data = random_dataset(np.random.default_rng(5), 300, [2, 3, 4, 5, 6, 7, 4])
    known = DiscreteFamilies(data.select(data.names[:-1]), VbemOptions(prices="structure"))
    completed = known.completed(data.codes, data.n_states)
    alone = [completed.log_score(0, 0b10 | 1 << v) for v in (2, 3, 6)]
    assert completed.log_scores(0, 0b10, np.array([2, 3, 6])).tolist() == alone


def test_that_a_column_filled_in_scores_as_one_of_the_data() -> None:
    data = random_dataset(np.random.default_rng(5), 300, [2, 3, 4, 5, 6, 7, 4])  # most rows differ: all are counted on
    with_all = DiscreteFamilies(data, VbemOptions())
    known = DiscreteFamilies(data.select(data.names[:-1]), VbemOptions(prices="structure"))
    completed = known.completed(data.codes, data.n_states)
    certain = SoftLatent(0b11, np.eye(4)[data.codes[:, 6]])
    for parents in (0, 0b10, 0b110):
        unpriced = with_all.log_score(0, parents | 1 << 6)
        price = known.priors.prices.of_family(parents.bit_count())
        assert completed.log_score(0, parents | 1 << 6) == pytest.approx(unpriced - price, abs=1e-10)
        assert known.expected_score(0, parents, [certain]) == pytest.approx(unpriced - price, abs=1e-8)
    with pytest.raises(ValueError, match="rows that are counted"):
        known.completed(data.codes[:10], data.n_states)


def test_that_a_table_holds_the_prior_and_the_counts_in_the_order_asked_for() -> None:
    families = DiscreteFamilies(DATA, VbemOptions(prior="uniform"))
    table = families.table(0, (2, 1))
    assert table.shape == (4, 3, 2)
    by_hand = np.ones((4, 3, 2))
    np.add.at(by_hand, tuple(DATA.codes[:, k].astype(int) for k in (2, 1, 0)), 1)
    np.testing.assert_array_equal(table, by_hand)
    assert families.n_parameters(0, (2, 1)) == table.size // 2
    assert families.n_parameters(2, (0,), latent_states=(5,)) == 2 * 5 * 3


def test_that_a_table_too_large_at_expected_counts_is_impossible() -> None:
    wide = Dataset(["A", "B"], [[str(k) for k in range(500)]] * 2, np.array([[k, k] for k in range(500)]))
    latent = SoftLatent(0b11, np.full((500, 2), 0.5))
    assert DiscreteFamilies(wide, VbemOptions()).expected_score(0, 0b10, [latent]) == -np.inf
