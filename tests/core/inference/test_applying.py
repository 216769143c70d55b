"""A model applied to a table, against sums over all joint states."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from support.small_runs import small_run

import latconf_core
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.data.dataset import MISSING, Dataset
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.raw_table import RawColumn, RawTable
from latconf_core.errors import DataError
from latconf_core.inference import applying
from latconf_core.inference.applying import apply_network

EXACT = 1e-12  # sums of some hundred products in another order


def random_network(rng: np.random.Generator, n_variables: int = 6) -> BayesNet:
    n_states = rng.integers(2, 4, n_variables)
    names = [f"V{i}" for i in range(n_variables)]
    cpts = []
    for i, name in enumerate(names):
        parents = [j for j in range(i) if rng.random() < 0.5][:3]
        table = rng.dirichlet(np.ones(n_states[i]), size=[n_states[j] for j in parents])
        cpts.append(Cpt(name, [f"s{k}" for k in range(n_states[i])], [names[j] for j in parents], table))
    latents = [name for name in names if rng.random() < 0.3][: n_variables - 1]
    return BayesNet(cpts, latents=latents)


def sum_over_states(network: BayesNet, row: dict[str, int]) -> tuple[float, dict[str, np.ndarray]]:
    """The log probability of what a row shows, and the posterior of each latent, by the definition."""
    total, shares = 0.0, {name: np.zeros(len(network.states(name))) for name in network.latents}
    for states in itertools.product(*(range(len(network.states(name))) for name in network.variables)):
        state = dict(zip(network.variables, states))
        if any(row.get(name, MISSING) not in (MISSING, state[name]) for name in network.variables):
            continue
        probability = 1.0
        for cpt in network.cpts.values():
            probability *= float(cpt.table[tuple(state[name] for name in (*cpt.parents, cpt.variable))])
        total += probability
        for name, share in shares.items():
            share[state[name]] += probability
    return float(np.log(total)), {name: value / total for name, value in shares.items()}


def rows_with_gaps(network: BayesNet, rng: np.random.Generator, *, share: float, n_rows: int = 30) -> Dataset:
    measured = [name for name in network.variables if name not in network.latents]
    codes = np.stack([rng.integers(0, len(network.states(name)), n_rows) for name in measured], axis=1)
    codes[rng.random(codes.shape) < share] = MISSING
    return Dataset(measured, [network.states(name) for name in measured], codes)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("many_alike", "most_together"), [(256, 1 << 13), (256, 1), (1, 1 << 13)])
def test_that_every_row_equals_the_sum_over_all_joint_states(
    seed: int, many_alike: int, most_together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applying, "MANY_ALIKE", many_alike)
    monkeypatch.setattr(applying, "MOST_TOGETHER", most_together)
    rng = np.random.default_rng(seed)
    network = random_network(rng)
    data = rows_with_gaps(network, rng, share=0.3)
    applied = apply_network(network, data)
    for number, codes in enumerate(data.rows):
        expected, shares = sum_over_states(network, dict(zip(data.names, map(int, codes))))
        assert applied.log_likelihoods[number] == pytest.approx(expected, abs=EXACT)
        for latent, share in shares.items():
            assert applied.posterior(latent)[number] == pytest.approx(share, abs=EXACT)


def test_that_the_training_rows_have_the_log_likelihood_of_the_model() -> None:
    result = small_run()
    assert result.posterior is not None
    applied = result.apply(result.posterior.dataset)
    assert applied.log_likelihood == pytest.approx(result.posterior.log_likelihood, abs=1e-9)
    for latent in result.posterior.dag.latents:
        assert applied.posterior(latent.name).shape == (result.posterior.dataset.n_rows, latent.n_states)


def test_that_weights_count_rows_as_often_as_they_occur() -> None:
    rng = np.random.default_rng(3)
    network = random_network(rng)
    once = rows_with_gaps(network, rng, share=0.0, n_rows=8)
    counted = Dataset(once.names, once.states, once.rows, np.arange(1, 9))
    applied, written_out = apply_network(network, counted), apply_network(network, Dataset(*written(counted)))
    assert applied.n_rows == written_out.n_rows == 36
    assert applied.log_likelihood == pytest.approx(written_out.log_likelihood, abs=EXACT * 36)
    assert applied.standard_error == pytest.approx(written_out.standard_error, rel=1e-9)


def written(data: Dataset) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...], np.ndarray]:
    return data.names, data.states, np.asarray(data.codes)


NETWORK = BayesNet(
    [
        Cpt("L", ["a", "b"], (), [0.5, 0.5]),
        Cpt("X", ["no", "yes"], ("L",), [[0.9, 0.1], [0.2, 0.8]]),
        Cpt("Age", ["<=18", "18 to 65", ">65"], ("L",), [[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]]),
    ],
    latents=["L"],
)


def table(**columns: list[str]) -> RawTable:
    made = []
    for cells in columns.values():
        texts = sorted(set(cells))
        made.append(RawColumn([texts.index(cell) for cell in cells], texts))
    return RawTable(tuple(columns), tuple(made))


def test_that_what_a_table_lacks_or_has_besides_is_summed_out_and_named() -> None:
    applied = apply_network(NETWORK, table(Note=["u", "v", "w"], X=["yes", "maybe", "NA"]))
    assert applied.log_likelihoods == pytest.approx([np.log(0.45), 0.0, 0.0], abs=EXACT)
    content = applied.to_json()
    assert content["unknown_states"] == [{"variable": "X", "state": "maybe", "rows": 1}]
    assert (content["absent"], content["passed_over"], content["missing_cells"]) == (["Age"], ["Note"], 2)


def test_that_numbers_go_into_the_intervals_of_the_model() -> None:
    applied = apply_network(NETWORK, table(Age=["17", "18", "18.5", ">65", "90"]))
    expected = np.log([0.35, 0.35, 0.3, 0.35, 0.35])
    assert applied.log_likelihoods == pytest.approx(expected, abs=EXACT)
    assert applied.rows.into_intervals == ("Age",)


def test_that_order_of_columns_and_constant_columns_change_nothing() -> None:
    first = apply_network(NETWORK, table(X=["yes", "yes"], Age=["<=18", ">65"]))
    second = apply_network(NETWORK, table(Age=["<=18", ">65"], X=["yes", "yes"]))
    assert first.log_likelihoods.tolist() == second.log_likelihoods.tolist()


def test_that_a_row_that_the_model_rules_out_is_counted_and_gives_no_sum() -> None:
    sure = BayesNet([Cpt("X", ["no", "yes"], (), [1.0, 0.0])])
    content = apply_network(sure, table(X=["no", "yes"])).to_json()
    assert content["impossible_rows"] == 1
    assert content["log_likelihood"] is None


def test_that_a_frame_is_applied_like_a_table() -> None:
    frame = pd.DataFrame({"X": ["yes", None], "Age": [17.0, 70.0]})
    rows = NETWORK.apply(frame).to_pandas()
    assert list(rows) == ["log_likelihood", "L=a", "L=b"]
    assert rows["log_likelihood"][0] == pytest.approx(np.log(0.5 * 0.1 * 0.6 + 0.5 * 0.8 * 0.1))


def test_that_a_table_without_a_column_of_the_model_is_refused() -> None:
    with pytest.raises(DataError, match="no column of the model; its variables are X, Age"):
        apply_network(NETWORK, table(Other=["1"]))


def test_that_asking_for_no_latent_is_refused() -> None:
    with pytest.raises(latconf_core.errors.GraphError, match="no hidden cause 'X'"):
        apply_network(NETWORK, table(X=["yes"])).posterior("X")


def test_that_the_choices_about_the_training_table_hold_for_a_new_one() -> None:
    network = BayesNet(
        [
            Cpt("A", ["low", "high"], [], np.array([0.25, 0.75])),
            Cpt("B", ["x", "y", "missing"], [], np.array([0.5, 0.25, 0.25])),
        ]
    )
    frame = pd.DataFrame({"A": ["0", "1", "2", "low"], "B": ["x", None, "y", "x"]})
    preparation = Preparation(missing="own state").with_renames("A", {"0": "low", "1": "high", "2": "high"})
    applied = apply_network(network, frame, preparation=preparation)
    expected = np.log([0.25 * 0.5, 0.75 * 0.25, 0.75 * 0.25, 0.25 * 0.5])
    assert applied.log_likelihoods == pytest.approx(expected, abs=EXACT)
    assert not applied.rows.unknown
    without = apply_network(network, frame)
    assert [each.state for each in without.rows.unknown] == ["0", "1", "2"]
    assert without.log_likelihoods[1] == pytest.approx(0.0, abs=EXACT)
