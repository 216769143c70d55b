from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import latconf_core as latconf
from latconf_core.cli.main import main
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import example_names, load_example
from latconf_core.formats.graphs.registry import read_dag
from latconf_core.formats.measured_examples import load_measured, measured_names
from latconf_core.formats.networks.bif import read_bif


def test_that_an_example_leaves_its_data_its_truth_and_a_description(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "asia"
    assert main(["example", "asia", "--rows", "1000", "--seed", "2", "--out", str(folder)]) == 0
    printed = capsys.readouterr()
    assert {place.name for place in folder.iterdir()} == {"data.csv", "network.bif", "description.txt"}
    assert printed.out == (folder / "description.txt").read_text()
    assert "100% done" in printed.err
    assert read_bif(folder / "network.bif").latents == {"smoke"}
    assert "Hidden: smoke, a common cause of lung, bronc." in printed.out
    drawn = sample(load_example("asia"), 1000, rng=np.random.default_rng(2), hide=["smoke"]).dataset
    share = drawn.counts("bronc")[0] / 1000
    assert f"  bronc   yes {share:.1%}, no {1 - share:.1%}\n" in printed.out


def test_that_the_examples_are_listed_in_text_and_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["example"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        *example_names(),
        *measured_names(),
    ]
    assert main(["example", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert [known["licence"] for known in content["measured"]][:2] == ["public records of votes", "CC0"]
    listed = content["examples"]
    assert [one["name"] for one in listed] == list(example_names())
    assert listed[0]["hide"] == "smoke"


def test_that_a_measured_table_leaves_its_data_what_is_held_back_and_what_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["example", "votes", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} == {"data.csv", "held-back.csv", "description.txt"}
    assert printed == (tmp_path / "description.txt").read_text()
    assert "Licence: public records of votes." in printed
    assert "Held back: party." in printed
    votes = load_measured("votes")
    assert latconf.load(tmp_path / "data.csv").distinct.counts.sum() == votes.dataset.n_rows
    held = latconf.load(tmp_path / "held-back.csv")
    assert [held.states[0][code] for code in held.codes[:, 0]] == [votes.held[0].states[c] for c in votes.held[0].codes]


def test_that_the_graph_of_experts_is_written_as_it_is_seen_without_hidden_columns(tmp_path: Path) -> None:
    assert main(["example", "sachs-measured", "--out", str(tmp_path)]) == 0
    assert read_dag(tmp_path / "graph.json") == load_measured("sachs-measured").believed_graph


def test_that_json_output_is_one_object_and_progress_stays_out_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["example", "cancer", "--rows", "10", "--out", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["out"] == str(tmp_path)


def test_that_an_unknown_example_and_a_folder_that_is_a_file_get_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["example", "asai", "--out", str(tmp_path / "a")]) == 2
    assert capsys.readouterr().err.startswith("latconf: there is no example 'asai'; choose one of asia")
    (tmp_path / "file").write_text("")
    assert main(["example", "asia", "--out", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.startswith("latconf: file: the folder cannot be made: ")
