from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import FileFormatError, GraphError
from latconf_core.formats.examples import load_example
from latconf_core.formats.networks.network_json import network_text, read_network_json, write_network_json
from latconf_core.formats.networks.tables_csv import write_cpt_csv, write_latent_rows
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.posterior import Posterior
from latconf_core.score.scorer import Scorer


@pytest.fixture(scope="module")
def posterior() -> Posterior:
    rng = np.random.default_rng(1)
    data = Dataset(["a b", "B", "C"], [("no", "yes")] * 3, rng.integers(2, size=(60, 3)))
    dag = LatentDag(data.names, [("a b", "C")], [Latent("L1", 3, ("B", "C"))])
    return Scorer(data, VbemOptions()).posterior(dag)


def test_that_a_learned_network_comes_back_with_its_dirichlet_parameters(posterior: Posterior, tmp_path: Path) -> None:
    network = posterior.network().with_state_names({"L1": ("low", "middle", "high, very")})
    write_network_json(network, tmp_path / "n.json")
    read = read_network_json(tmp_path / "n.json")
    assert read == network
    assert network_text(read) == network_text(network)
    assert read.latents == {"L1"}
    assert read.states("L1") == ("low", "middle", "high, very")


def test_that_a_given_network_comes_back(tmp_path: Path) -> None:
    write_network_json(load_example("asia"), tmp_path / "n.json")
    assert read_network_json(tmp_path / "n.json") == load_example("asia")


@pytest.mark.parametrize("text", ["{", "[]", '{"name": "x", "variables": [{"name": "a"}]}', '{"name": "x"}'])
def test_that_other_json_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "n.json").write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"n\.json"):
        read_network_json(tmp_path / "n.json")


def test_that_a_name_is_needed_for_every_state(posterior: Posterior) -> None:
    with pytest.raises(GraphError, match="3 states"):
        posterior.network().with_state_names({"L1": ("low", "high")})


def test_that_a_table_is_written_with_every_digit(posterior: Posterior, tmp_path: Path) -> None:
    write_cpt_csv(posterior.network(), "C", tmp_path / "c.csv")
    with (tmp_path / "c.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["a b", "L1", "C", "probability", "dirichlet"]  # no interval around a latent
    assert len(rows) == 2 * 3 * 2
    cpt = posterior.cpts["C"]
    place = {"no": 0, "yes": 1, "s0": 0, "s1": 1, "s2": 2}
    for row in rows:
        at = tuple(place[row[name]] for name in ("a b", "L1", "C"))
        assert float(row["probability"]) == cpt.table[at]
        assert float(row["dirichlet"]) == cpt.dirichlet[at]  # type: ignore[index]


def test_that_a_table_without_latents_is_written_with_its_interval(posterior: Posterior, tmp_path: Path) -> None:
    network = posterior.network()
    name = next(name for name in network.variables if network.has_exact_interval(name))
    write_cpt_csv(network, name, tmp_path / "plain.csv")
    with (tmp_path / "plain.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    lower, upper = (end.ravel() for end in network.cpts[name].credible_interval())
    assert [float(row["lower_95"]) for row in rows] == lower.tolist()
    assert [float(row["upper_95"]) for row in rows] == upper.tolist()


def test_that_the_states_of_a_latent_are_written_row_by_row(posterior: Posterior, tmp_path: Path) -> None:
    kept = np.arange(60) * 2
    write_latent_rows(posterior, "L1", tmp_path / "l.csv", states=("x", "y", "z"), rows=kept)
    with (tmp_path / "l.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file))
    assert header == ["row", "L1=x", "L1=y", "L1=z", "L1"]
    assert [int(row[0]) for row in rows] == [2 * i + 1 for i in range(60)]
    written = np.array([[float(cell) for cell in row[1:-1]] for row in rows])
    assert np.array_equal(written, posterior.responsibilities("L1"))
    assert [row[-1] for row in rows] == ["xyz"[k] for k in written.argmax(axis=1)]
    assert np.allclose(written.sum(axis=1), 1)
