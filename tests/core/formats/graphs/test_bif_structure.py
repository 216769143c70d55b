"""The DAG of a BIF network where a DAG is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from latconf_core.cli.main import main
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import FileFormatError, GraphError
from latconf_core.formats.examples import load_example
from latconf_core.formats.graphs.registry import read_dag, read_graph
from latconf_core.formats.networks.bif_text import write_bif


def with_hidden_cause() -> BayesNet:
    two, three = ("no", "yes"), ("s0", "s1", "s2")
    hidden = Cpt("H", three, (), np.full(3, 1 / 3))
    children = [Cpt(name, two, ("H",), np.full((3, 2), 0.5)) for name in ("A", "B")]
    return BayesNet([hidden, *children, Cpt("C", two, ("A",), np.full((2, 2), 0.5))], latents=["H"])


def test_that_a_network_gives_its_dag_with_the_latents_it_marks(tmp_path: Path) -> None:
    write_bif(with_hidden_cause(), tmp_path / "net.bif")
    expected = LatentDag("ABC", [("A", "C")], [Latent("H", 3, ("A", "B"))])
    assert read_dag(tmp_path / "net.bif") == expected
    assert read_dag(tmp_path / "net.bif", nodes="CBA").nodes == ("C", "B", "A")
    with pytest.raises(GraphError, match="DAG with latents"):
        read_graph(tmp_path / "net.bif")


def test_that_a_network_without_latents_is_a_graph_too(tmp_path: Path) -> None:
    network = load_example("asia")
    write_bif(network, tmp_path / "asia.bif")
    assert set(read_dag(tmp_path / "asia.bif").edges) == set(network.edges)
    assert read_graph(tmp_path / "asia.bif").n_edges == len(network.edges)


def test_that_a_network_is_recognised_without_its_extension(tmp_path: Path) -> None:
    write_bif(load_example("asia"), tmp_path / "asia.network")
    assert len(read_dag(tmp_path / "asia.network").nodes) == 8


def test_that_a_broken_network_is_told_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "net.bif").write_text("network x {\n}\nvariable A {\n  type real;\n}\n")
    with pytest.raises(FileFormatError, match=r"net\.bif, line 4: expected 'discrete'"):
        read_dag(tmp_path / "net.bif")


def test_that_score_and_oracle_take_a_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network = with_hidden_cause()
    write_bif(network, tmp_path / "net.bif")
    drawn = sample(network, 60, rng=np.random.default_rng(0))
    write_dataset(drawn.dataset, tmp_path / "data.csv")
    assert main(["score", str(tmp_path / "data.csv"), "--dag", str(tmp_path / "net.bif"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"][0]["p_elbo"] < 0
    assert main(["pag", "--oracle", str(tmp_path / "net.bif"), "--method", "rfci", "--json"]) == 0
    (pag,) = json.loads(capsys.readouterr().out)["pags"]
    assert pag["nodes"] == ["A", "B", "C"]
