"""A score does not depend on where columns stand, what they or their states are called, or the order of rows."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from support.builders import random_dataset
from support.score_models import CHAINED, CONFOUNDED, NAMES, hidden_cause_data

from latconf_core.counts.canonical_order import canonical_order
from latconf_core.counts.families import count_columns
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.fit_task import fit_seed
from latconf_core.score.naming import split
from latconf_core.score.scorer import Scorer

OPTIONS = VbemOptions(restarts=2, effort="light")
FOREST = LatentDag(
    NAMES,
    [("E", "A")],
    [Latent("L1", 2, ("A", "L2", "L3")), Latent("L2", 3, ("B", "C")), Latent("L3", 2, ("D", "E"))],
)
DAGS = pytest.mark.parametrize("dag", [CONFOUNDED, CHAINED, FOREST])


def reorder(dataset: Dataset, names: list[str]) -> Dataset:
    columns = [dataset.index[name] for name in names]
    return Dataset(names, [dataset.states[column] for column in columns], dataset.codes[:, columns])


def rename(dataset: Dataset, names: list[str], rng: np.random.Generator) -> Dataset:
    """Columns called otherwise, the states of each called otherwise and declared in another order."""
    codes, states = dataset.codes.astype(np.int64).copy(), []
    for column, n_states in enumerate(dataset.n_states):
        new = rng.permutation(n_states)
        codes[:, column] = new[codes[:, column]]
        states.append([f"s{k}" for k in range(n_states)])
    return Dataset(names, states, codes)


def of(dag: LatentDag, nodes: tuple[str, ...], called: dict[str, str]) -> LatentDag:
    """The same DAG over columns in another order, or of other names."""
    latents = [
        Latent(
            latent.name, latent.n_states, tuple(called.get(child, child) for child in latent.children), latent.parent
        )
        for latent in dag.latents
    ]
    return LatentDag(nodes, [(called[parent], called[child]) for parent, child in dag.edges], latents)


@DAGS
def test_that_the_order_of_columns_changes_neither_seed_nor_score(dag: LatentDag) -> None:
    dataset = hidden_cause_data(150)
    same = {name: name for name in NAMES}
    scores, seeds = [], set()
    for number, names in enumerate(permutations(NAMES)):
        if number % 17 == 0:
            moved = reorder(dataset, list(names))
            scorer, own = Scorer(moved, OPTIONS), of(dag, names, same)
            scores.append(scorer.score(own).p_elbo)
            components = split(own, moved).components
            seeds.add(tuple(sorted(fit_seed(scorer.layout(component), OPTIONS.seed) for component in components)))
    assert len(scores) == 8
    assert len(seeds) == 1
    assert np.ptp(scores) < 1e-8


@DAGS
def test_that_names_and_the_order_of_states_and_rows_change_nothing(dag: LatentDag) -> None:
    dataset, rng = hidden_cause_data(150), np.random.default_rng(4)
    expected = Scorer(dataset, OPTIONS).score(dag).p_elbo
    for names in ("VWXYZ", "ZYXWV"):
        renamed = rename(dataset, list(names), rng)
        shuffled = Dataset(renamed.names, renamed.states, renamed.codes[rng.permutation(150)])
        own = of(dag, renamed.names, dict(zip(NAMES, names)))
        assert Scorer(shuffled, OPTIONS).score(own).p_elbo == pytest.approx(expected, abs=1e-8)


def test_that_posteriors_and_tables_are_read_back_whatever_the_order_of_columns() -> None:
    dataset = hidden_cause_data(150)
    expected = Scorer(dataset, OPTIONS).posterior(FOREST)
    names = ("D", "B", "E", "A", "C")
    posterior = Scorer(reorder(dataset, list(names)), OPTIONS).posterior(
        of(FOREST, names, {name: name for name in NAMES})
    )
    for latent in FOREST.latents:
        np.testing.assert_allclose(
            posterior.responsibilities(latent.name), expected.responsibilities(latent.name), atol=1e-6
        )
    for name, cpt in expected.cpts.items():
        other = posterior.cpts[name]
        axes = [[*other.parents, name].index(axis) for axis in (*cpt.parents, name)]
        np.testing.assert_allclose(np.transpose(other.table, axes), cpt.table, atol=1e-6)


def test_that_the_run_s_seed_and_the_component_are_in_the_seed() -> None:
    dataset = hidden_cause_data(150)
    scorer = Scorer(dataset, OPTIONS)
    layouts = [scorer.layout(split(dag, dataset).components[0]) for dag in (CONFOUNDED, CHAINED, FOREST)]
    assert len({fit_seed(layout, seed) for layout in layouts for seed in (0, 1)}) == 6


def test_that_equal_counts_are_told_apart_by_the_other_columns() -> None:
    """Two columns and two states that occur equally often: what they occur with decides, wherever they stand."""
    codes = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 2], [0, 0, 2], [1, 1, 1]])
    dataset = Dataset("ABC", [list("01"), list("01"), list("012")], codes)
    expected = canonical_order(dataset, count_columns(dataset))
    for names in permutations("ABC"):
        moved = reorder(dataset, list(names))
        order = canonical_order(moved, count_columns(moved))
        for name in names:
            assert order.places[moved.index[name]] == expected.places[dataset.index[name]]
            assert (order.states[moved.index[name]] == expected.states[dataset.index[name]]).all()
    assert sorted(expected.places) == [0, 1, 2]


def test_that_states_stand_by_falling_count() -> None:
    dataset = random_dataset(np.random.default_rng(1), 200, [3, 5, 2, 4])
    counts = count_columns(dataset)
    for count, order in zip(counts, canonical_order(dataset, counts).states, strict=True):
        assert (np.diff(count[order]) <= 0).all()
        assert sorted(order.tolist()) == list(range(len(count)))
