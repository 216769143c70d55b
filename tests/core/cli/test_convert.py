"""`latconf convert` from outside: files in, files out, what is printed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.builders import mixed, random_dataset

from latconf_core.cli.main import main
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.formats.graphs.registry import graph_formats, read_dag, read_graph, write_dag, write_graph

PAG = mixed("A o-> B", "B <-> C", "C o-o D")


@pytest.mark.parametrize("suffix", [".txt", ".amat", ".causallearn", ".dagitty", ".dot", ".graphml", ".json", ".csv"])
def test_that_a_pag_survives_the_way_through_every_format(tmp_path: Path, suffix: str) -> None:
    write_graph(PAG, tmp_path / "pag.txt")
    middle, end = tmp_path / f"middle{suffix}", tmp_path / "end.tetrad"
    assert main(["convert", str(tmp_path / "pag.txt"), str(middle)]) == 0
    assert main(["convert", str(middle), str(end)]) == 0
    assert read_graph(end) == PAG


def test_that_a_dag_keeps_its_latents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dag = LatentDag("ABC", [("A", "B")], [Latent("L1", 3, ("B", "C"))])
    write_dag(dag, tmp_path / "dag.json")
    assert main(["convert", str(tmp_path / "dag.json"), str(tmp_path / "dag.dot"), "--json"]) == 0
    assert read_dag(tmp_path / "dag.dot") == dag
    assert json.loads(capsys.readouterr().out)["kind"] == "DAG with latents: 4 nodes, 3 edges"


def test_that_changed_names_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_graph(PAG.renamed({"A": "a b"}), tmp_path / "pag.json")
    assert main(["convert", str(tmp_path / "pag.json"), str(tmp_path / "pag.txt")]) == 0
    assert "'a b' is written 'a_b'" in capsys.readouterr().out
    assert main(["convert", str(tmp_path / "pag.json"), str(tmp_path / "pag.txt"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["names"] == {"a_b": "a b"}


def test_that_a_network_gives_its_structure_with_the_hidden_marked(tmp_path: Path) -> None:
    from latconf_core.formats.examples import load_example
    from latconf_core.formats.networks.bif import read_bif
    from latconf_core.formats.networks.bif_text import write_bif

    write_bif(load_example("asia"), tmp_path / "asia.bif")
    assert main(["convert", str(tmp_path / "asia.bif"), str(tmp_path / "asia.dagitty")]) == 0
    assert set(read_dag(tmp_path / "asia.dagitty").edges) == set(load_example("asia").edges)
    assert main(["convert", str(tmp_path / "asia.bif"), str(tmp_path / "again.bif")]) == 0
    assert read_bif(tmp_path / "again.bif") == read_bif(tmp_path / "asia.bif")


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt"])
def test_that_data_is_taken_for_data_even_where_graphs_share_the_extension(tmp_path: Path, suffix: str) -> None:
    import numpy as np

    from latconf_core.data.reading.load import load_dataset
    from latconf_core.data.reading.write import write_dataset

    dataset = random_dataset(np.random.default_rng(1), 50, [2, 3, 4])
    write_dataset(dataset, tmp_path / f"data{suffix}")
    assert main(["convert", str(tmp_path / f"data{suffix}"), str(tmp_path / "out.arff")]) == 0
    assert load_dataset(tmp_path / "out.arff").dataset == load_dataset(tmp_path / f"data{suffix}").dataset


def test_that_columns_left_out_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data.csv").write_text("A,B,C\nx,1,c\ny,2,c\nx,1,c\ny,1,c\n")
    assert main(["convert", str(tmp_path / "data.csv"), str(tmp_path / "data.tsv")]) == 0
    assert "'C' is excluded: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (["pag.txt", "pag.bif"], "needs probabilities"),
        (["pag.txt", "pag.q"], "does not determine the graph format"),
        (["none.txt", "pag.dot"], "does not exist"),
        (["pag.txt", "pag.dot", "--to", "word"], "no graph format 'word'"),
        (["data.csv", "pag.dot", "--to", "dot"], "is data"),
    ],
)
def test_that_what_cannot_be_is_one_sentence_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], names: list[str], problem: str
) -> None:
    write_graph(PAG, tmp_path / "pag.txt")
    (tmp_path / "data.csv").write_text("A,B\nx,1\ny,2\nx,1\n")
    assert main(["convert", *(str(tmp_path / name) for name in names[:2]), *names[2:]]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert problem in said.err


def test_that_latin_1_data_are_converted_to_utf_8(tmp_path: Path) -> None:
    source, target = tmp_path / "a.csv", tmp_path / "b.csv"
    source.write_bytes("Größe,B\nmäßig,x\ngut,y\nmäßig,y\n".encode("latin-1"))
    assert main(["convert", str(source), str(target)]) == 0
    assert target.read_text(encoding="utf-8").splitlines() == ["Größe,B", "mäßig,x", "gut,y", "mäßig,y"]


def test_that_only_the_head_is_looked_at_to_tell_data_from_graphs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "a.csv"
    source.write_text("A,B\n" + "no,x\nyes,y\n" * 1000)
    monkeypatch.setattr("latconf_core.cli.convert.HEAD_BYTES", 64)
    seen: list[str] = []

    def recognises(text: str) -> bool:
        seen.append(text)
        return False

    nosy = replace(graph_formats()[0], extensions=(".csv",), recognises=recognises)
    monkeypatch.setattr("latconf_core.formats.graphs.registry._FORMATS", (nosy,))
    assert main(["convert", str(source), str(tmp_path / "b.arff")]) == 0
    assert seen == ["A,B\n" + "no,x\nyes,y\n" * 5 + "no,x\n"]


def test_that_the_options_of_a_table_hold_for_convert(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "a.txt", tmp_path / "b.csv"
    source.write_text("age;B\n" + "".join(f"{i};{('k.A.', 'x', 'y')[i % 3]}\n" for i in range(40)))
    options = ["--delimiter", ";", "--missing", "state", "--missing-marks", "k.A."]
    assert main(["convert", str(source), str(target), *options, "--discretise", "age=equal-width:2"]) == 0
    lines = target.read_text().splitlines()
    assert lines[:3] == ["age,B", "<=19.5,missing", "<=19.5,x"]
    assert len(lines) == 41
    assert "data: 40 rows, 2 variables" in capsys.readouterr().out
