from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from latconf_core.cli.main import main
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import example_names, load_example
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
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(example_names())
    assert main(["example", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["examples"]
    assert [one["name"] for one in listed] == list(example_names())
    assert listed[0]["hide"] == "smoke"


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
