"""A learner or a test of one's own is a record: everything that offers a choice finds it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.toy_learner import TOY_LEARNER, TOY_TEST

from latconf_core.cli.main import main
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import OptionError
from latconf_core.independence.catalogue import INDEPENDENCE_TESTS
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import LEARNERS, run_learner


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEARNERS, TOY_LEARNER.name, TOY_LEARNER)
    monkeypatch.setitem(INDEPENDENCE_TESTS, TOY_TEST.name, TOY_TEST)


@pytest.fixture
def data() -> Dataset:
    """B is A's copy, C is neither's."""
    a = np.arange(40) % 2
    return Dataset("ABC", [("no", "yes")] * 3, np.stack([a, a, np.arange(40) // 2 % 2], axis=1))


def edges(dataset: Dataset | DSeparationOracle, options: PagOptions) -> list[str]:
    return [str(edge) for edge in run_learner(dataset, options).graph.edges()]


def test_that_a_learner_of_ones_own_learns_from_data_and_from_an_oracle(data: Dataset) -> None:
    assert edges(data, PagOptions(method="toy")) == ["A o-o B"]
    chain = LatentDag("ABC", [("A", "B"), ("B", "C")])
    assert edges(DSeparationOracle(chain), PagOptions(method="toy")) == ["A o-o B", "B o-o C"]


@pytest.mark.parametrize("method", ["toy", "fci", "rfci", "cfci", "mfci", "gfci"])
def test_that_a_test_of_ones_own_serves_every_learner(data: Dataset, method: str) -> None:
    assert edges(data, PagOptions(method=method, statistic="agreement")) == ["A o-o B"]


@pytest.mark.parametrize("command", ["pag", "run"])
def test_that_help_names_a_learner_of_ones_own(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "toy" in capsys.readouterr().out


def test_that_the_command_line_explains_and_uses_what_is_ones_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit):
        main(["pag", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "toy: The skeleton alone" in said
    assert "agreement: How often two columns agree" in said
    table = tmp_path / "data.csv"
    table.write_text("A,B\n" + "x,y\ny,x\n" * 20)
    assert main(["pag", str(table), "--method", "toy", "--statistic", "agreement"]) == 0
    assert "toy, 2 variables, 0 edges" in capsys.readouterr().out


def test_that_names_that_no_catalogue_has_are_refused_with_those_that_it_has(data: Dataset) -> None:
    with pytest.raises(
        OptionError, match="no learner 'pc'; choose one of fci, rfci, cfci, mfci, gfci, boss-fci, miic, toy"
    ):
        run_learner(data, PagOptions(method="pc"))
    with pytest.raises(OptionError, match="no independence test 'z'; choose one of g-square, chi-square, agreement"):
        run_learner(data, PagOptions(statistic="z"))


def test_that_every_option_that_a_record_names_is_one_of_the_options() -> None:
    records = (*LEARNERS.values(), *INDEPENDENCE_TESTS.values())
    assert {option for record in records for option in record.options} <= set(vars(PagOptions()))
