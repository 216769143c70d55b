from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from scipy.stats import beta

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_gui.pages.model.cpt_model import NO_INTERVAL, PROBABILITY_ROLE, CptModel, Shown

DIRICHLET = np.random.default_rng(0).uniform(0.5, 40, size=(2, 3, 3))
NETWORK = BayesNet(
    [
        Cpt.from_dirichlet("A", ("no", "yes"), (), [3.0, 5.0]),
        Cpt.from_dirichlet("B", ("x", "y", "z"), (), [1.0, 2.0, 3.0]),
        Cpt.from_dirichlet("C", ("low", "mid", "high"), ("A", "B"), DIRICHLET),
    ]
)


@pytest.fixture
def model(qapp: QApplication) -> CptModel:
    model = CptModel()
    model.show_cpt(NETWORK, "C")
    return model


def test_that_every_row_is_a_configuration_and_every_cell_the_posterior_mean(model: CptModel) -> None:
    assert (model.rowCount(), model.columnCount()) == (6, 5)
    heads = [model.headerData(i, Qt.Orientation.Horizontal) for i in range(5)]
    assert heads == ["A", "B", "low", "mid", "high"]
    for row, (a, b) in enumerate(np.ndindex(2, 3)):
        assert model.data(model.index(row, 0)) == ("no", "yes")[a]
        assert model.data(model.index(row, 1)) == ("x", "y", "z")[b]
        for k in range(3):
            mean = DIRICHLET[a, b, k] / DIRICHLET[a, b].sum()
            assert model.data(model.index(row, 2 + k)) == f"{mean:.4f}"
            assert model.data(model.index(row, 2 + k), PROBABILITY_ROLE) == pytest.approx(mean)


def test_that_intervals_are_quantiles_of_the_beta_distribution(model: CptModel) -> None:
    model.set_shown(Shown.INTERVAL)
    own = DIRICHLET[1, 2]
    lower, upper = beta.ppf([0.025, 0.975], own[1], own.sum() - own[1])
    assert model.data(model.index(5, 3)) == f"{own[1] / own.sum():.4f} ({lower:.4f} – {upper:.4f})"


def test_that_a_table_below_a_latent_has_no_interval(model: CptModel) -> None:
    model.show_cpt(BayesNet(NETWORK.cpts.values(), latents=["A"]), "C")
    model.set_shown(Shown.INTERVAL)
    mean = DIRICHLET[1, 2, 1] / DIRICHLET[1, 2].sum()
    assert model.data(model.index(5, 3)) == f"{mean:.4f}"
    assert NO_INTERVAL in model.data(model.index(5, 3), Qt.ItemDataRole.ToolTipRole)


def test_that_dirichlet_parameters_are_shown_on_demand(model: CptModel) -> None:
    model.set_shown(Shown.DIRICHLET)
    assert model.data(model.index(0, 2)) == f"{DIRICHLET[0, 0, 0]:,.2f}"


def test_that_a_tool_tip_says_it_in_a_sentence(model: CptModel) -> None:
    text = model.data(model.index(3, 4), Qt.ItemDataRole.ToolTipRole)
    assert text.startswith("P(C = high | A = yes, B = x) = 0.")
    assert "95 % interval" in text


def test_that_a_copy_has_heads_and_the_chosen_cells(model: CptModel) -> None:
    lines = [line.split("\t") for line in model.as_text().splitlines()]
    assert lines[0] == ["A", "B", "low", "mid", "high"]
    assert len(lines) == 7
    some = [line.split("\t") for line in model.as_text([(1, 3), (4, 3)]).splitlines()]
    assert [line[:2] for line in some] == [["A", "B"], ["no", "y"], ["yes", "y"]]
    assert [line[2] for line in some] == ["mid", model.data(model.index(1, 3)), model.data(model.index(4, 3))]


def test_that_a_root_has_one_row_and_nothing_none(model: CptModel) -> None:
    model.show_cpt(NETWORK, "A")
    assert (model.rowCount(), model.columnCount()) == (1, 2)
    assert model.data(model.index(0, 1)) == "0.6250"
    model.show_cpt(None, "")
    assert (model.rowCount(), model.columnCount()) == (0, 0)
