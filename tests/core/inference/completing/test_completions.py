"""The completions of a row have the probabilities that a model gives them, latents summed out, listed or drawn."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.inference.completing import unknown_cells
from latconf_core.inference.completing.completions import CompletionPlan, complete_rows
from latconf_core.inference.completing.expected_logs import LogTable
from latconf_core.inference.completing.unknown_cells import draw_group, find_groups

CARDS = (2, 3, 2, 2, 2)  # four columns, then a latent above the last two


def model(rng: np.random.Generator) -> list[LogTable]:
    """A → B → C ← L → D."""
    families = [(0,), (0, 1), (1, 4, 2), (4, 3), (4,)]
    return [
        LogTable(family, np.log(rng.dirichlet(np.ones(CARDS[family[-1]]), [CARDS[v] for v in family[:-1]])))
        for family in families
    ]


def by_hand(tables: list[LogTable], row: list[int]) -> dict[tuple[int, ...], float]:
    """The probability of each completion of a row, by summing over the whole joint table."""
    found: dict[tuple[int, ...], float] = {}
    for states in product(*map(range, CARDS)):
        if all(code in (-1, state) for code, state in zip(row, states)):
            log = sum(float(table.logs[tuple(states[v] for v in table.variables)]) for table in tables)
            found[states[:4]] = found.get(states[:4], 0.0) + float(np.exp(log))
    whole = sum(found.values())
    return {key: value / whole for key, value in found.items()}


@pytest.mark.parametrize("row", [[-1, 0, 1, 1], [0, -1, -1, 1], [-1, -1, 0, -1], [-1, -1, -1, -1]])
def test_that_listed_completions_have_the_probabilities_of_the_model(row: list[int]) -> None:
    tables = model(np.random.default_rng(3))
    states = [tuple(map(str, range(card))) for card in CARDS[:4]]
    data = Dataset("ABCD", states, [row])
    completion = complete_rows(data, tables, CARDS, plan=CompletionPlan(mass=1.0))
    expected = by_hand(tables, row)
    weights = completion.data.weights
    assert weights is not None
    found = dict(zip(map(tuple, completion.data.rows.tolist()), weights.tolist()))
    assert found.keys() == expected.keys()
    assert all(found[key] == pytest.approx(expected[key], abs=1e-12) for key in expected)
    assert completion.entropy == pytest.approx(-sum(p * np.log(p) for p in expected.values()))


def test_that_a_large_group_is_drawn_by_the_same_probabilities() -> None:
    tables = model(np.random.default_rng(4))
    row = [-1, -1, -1, 0]
    (group,) = find_groups([0, 1, 2], tables, 4)
    drawn, entropy = draw_group(
        group, np.array(row), CARDS, n_draws=20_000, rng=np.random.default_rng(1), control=RunControl()
    )
    expected = by_hand(tables, row)
    for key, probability in expected.items():
        share = float((drawn == key[:3]).all(axis=1).mean())
        assert share == pytest.approx(probability, abs=5 * np.sqrt(probability / 20_000) + 1e-4)  # five standard errors
    assert entropy == pytest.approx(-sum(p * np.log(p) for p in expected.values()), abs=0.05)


def test_that_rows_with_too_many_completions_are_drawn_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = model(np.random.default_rng(5))
    states = [tuple(map(str, range(card))) for card in CARDS[:4]]
    data = Dataset("ABCD", states, [[-1, -1, -1, -1], [0, 0, 0, -1]], [3, 2])
    few = complete_rows(data, tables, CARDS, plan=CompletionPlan(most_per_row=4))
    assert few.n_drawn == 3
    assert few.data.n_rows == 5
    monkeypatch.setattr(unknown_cells, "MOST_CONFIGURATIONS", 4)  # then the large group is drawn by elimination
    again = complete_rows(data, tables, CARDS, plan=CompletionPlan(most_per_row=4))
    assert again.n_drawn == 3
    assert again.data.n_rows == 5


def test_that_the_same_seed_draws_the_same() -> None:
    tables = model(np.random.default_rng(6))
    states = [tuple(map(str, range(card))) for card in CARDS[:4]]
    data = Dataset("ABCD", states, [[-1, -1, -1, -1]] * 2)
    first, second, other = (
        complete_rows(data, tables, CARDS, plan=CompletionPlan(most_per_row=5, seed=seed)).data for seed in (1, 1, 2)
    )
    assert first == second
    assert first != other


def test_that_values_of_completions_are_averaged_for_the_rows_of_the_data() -> None:
    tables = model(np.random.default_rng(7))
    states = [tuple(map(str, range(card))) for card in CARDS[:4]]
    rows = [[1, 0, 1, 1], [-1, 0, 1, 1], [1, 0, 1, 1]]
    completed = complete_rows(Dataset("ABCD", states, rows), tables, CARDS, plan=CompletionPlan(mass=1.0)).data
    shares = completed.average(completed.rows[:, 0].astype(float))
    expected = sum(key[0] * p for key, p in by_hand(tables, rows[1]).items())
    assert shares.tolist() == [1.0, pytest.approx(expected), 1.0]
